// Translates a command list's steps into the words of a one_hop, or finds the step that keeps it
// from being one.
#include "collective/kernel/one_hop.hpp"

#include <algorithm>
#include <bit>

#include "collective/kernel/packing.hpp"

namespace gossamer {

namespace {

using kind = command::kind;

std::uint32_t* as_halves(const void* at) {
  return static_cast<std::uint32_t*>(const_cast<void*>(at));
}

/// Whole 32-bit words of the caller's memory.
bool fits(const void* at, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(at) % 4 == 0 && bytes % 4 == 0 && bytes <= longest_hop;
}

struct words_there {
  const std::uint32_t* begin;
  std::uint32_t bytes;
  [[nodiscard]] const std::uint32_t* end() const { return begin + bytes / 4; }
};
/// Where a thread that has read its pair may write one that another has not read yet.
bool crosses(const words_there& read, const words_there& written) {
  return read.begin != written.begin && read.begin < written.end() && written.begin < read.end();
}

class translator {
 public:
  translator(const command_list& p, const std::vector<command>& all, std::size_t element)
      : commands_(p), all_(all), element_(element) {
    hop_.turns = p.turns;
    hop_.epoch = p.epoch;
    hop_.arrivals = p.arrivals;
    hop_.signals = p.signals;
    hop_.inbox = p.inbox;
  }

  std::optional<one_hop> run() {
    for (int i = 0; i < commands_.count; ++i)
      if (!same_in_all_turns(i) || !add(step(0, i), stride_of(i))) return {};
    const std::size_t pairs = std::bit_ceil((most_ + 7) / 8);
    hop_.threads = static_cast<int>(std::min<std::size_t>(pairs, one_hop::most_threads));
    hop_.blocks = static_cast<int>(pairs) / hop_.threads;
    if (hop_.blocks > 1 && !blocks_may_part()) return {};
    return hop_;
  }

 private:
  [[nodiscard]] const command& step(int turn, int i) const {
    return all_[static_cast<std::size_t>(turn * commands_.count + i)];
  }
  [[nodiscard]] std::ptrdiff_t stride_of(int i) const {
    return step(1, i).words - step(0, i).words;
  }
  /// But for inboxes, which follow each other, and grants that some turns leave out.
  [[nodiscard]] bool same_in_all_turns(int i) const {
    const auto& first = step(0, i);
    for (int turn = 1; turn < commands_.turns; ++turn) {
      const auto& s = step(turn, i);
      const bool grant = first.what == kind::raise && first.lag != 0;
      if (s.what != first.what) {
        if (!grant || s.what != kind::none) return false;
      } else if (grant && turn % (commands_.turns / 2) != 0) {
        return false;
      }
      if (s.from != first.from || s.to != first.to || s.fold.own != first.fold.own ||
          s.fold.to != first.fold.to || s.words - first.words != turn * stride_of(i))
        return false;
    }
    return true;
  }

  [[nodiscard]] bool blocks_may_part() const {
    std::vector<words_there> reads, writes;
    if (hop_.kept != nullptr) reads.push_back({hop_.kept, hop_.kept_bytes});
    for (int k = 0; k < hop_.send_count; ++k)
      reads.push_back({hop_.sends[k].from, hop_.sends[k].bytes});
    if (hop_.kept_to != nullptr) writes.push_back({hop_.kept_to, hop_.kept_bytes});
    if (hop_.sum_to != nullptr) writes.push_back({hop_.sum_to, hop_.sum_bytes});
    for (int k = 0; k < hop_.receive_count; ++k)
      if (hop_.receives[k].to != nullptr)
        writes.push_back({hop_.receives[k].to, hop_.receives[k].bytes});
    return std::ranges::none_of(reads, [&](const words_there& read) {
      return std::ranges::any_of(
          writes, [&](const words_there& written) { return crosses(read, written); });
    });
  }

  template <class T>
  static bool push(T (&list)[one_hop::most_peers], int& n, const T& next) {
    if (n == one_hop::most_peers) return false;
    list[n++] = next;
    return true;
  }
  bool add(const command& s, std::ptrdiff_t stride) {
    most_ = std::max({most_, s.bytes, s.fold.count * element_});
    switch (s.what) {
      case kind::raise:
        return s.lag != 0 && push(hop_.grants, hop_.grant_count, s.counter);
      case kind::wait:
        return s.lag == commands_.turns && hop_.send_count == 0 &&
               push(hop_.credits, hop_.credit_count, {s.counter, s.peer, s.signal});
      case kind::pack:
        return fits(s.from, s.bytes) &&
               push(hop_.sends, hop_.send_count,
                    {as_halves(s.from), s.words, static_cast<std::uint32_t>(s.bytes),
                     static_cast<std::uint32_t>(stride)});
      case kind::unpack:
        hop_.stride = static_cast<std::uint32_t>(stride);
        return hop_.sum_to == nullptr && fits(s.to, s.bytes) &&
               push(hop_.receives, hop_.receive_count,
                    {s.words, as_halves(s.to), static_cast<std::uint32_t>(s.bytes), s.peer});
      case kind::copy:
        if (hop_.kept != nullptr || !fits(s.from, s.bytes) || !fits(s.to, s.bytes)) return false;
        hop_.kept = as_halves(s.from);
        hop_.kept_to = as_halves(s.to);
        hop_.kept_bytes = static_cast<std::uint32_t>(s.bytes);
        return true;
      case kind::fold_packed:
        return add_sum(s, stride);
      case kind::none:
      case kind::put:
      case kind::fold:
        break;
    }
    return false;
  }
  /// Its operands lie side by side in the inbox, each in whole pairs of words.
  bool add_sum(const command& s, std::ptrdiff_t stride) {
    const std::size_t bytes = s.fold.count * element_;
    if (hop_.receive_count != 0 || hop_.kept != nullptr || s.fold.own_part < 0 ||
        !fits(s.fold.own, bytes) || !fits(s.fold.to, bytes))
      return false;
    hop_.stride = static_cast<std::uint32_t>(stride);
    hop_.kept = as_halves(s.fold.own);
    hop_.sum_to = as_halves(s.fold.to);
    hop_.own_part = s.fold.own_part;
    hop_.kept_bytes = hop_.sum_bytes = static_cast<std::uint32_t>(bytes);
    for (int k = 0; k + 1 < s.fold.parts; ++k)
      if (!push(hop_.receives, hop_.receive_count,
                {s.words + static_cast<std::size_t>(k) * packed_words(bytes), nullptr,
                 hop_.sum_bytes, s.peer}))
        return false;
    return true;
  }

  const command_list& commands_;
  const std::vector<command>& all_;
  const std::size_t element_;
  one_hop hop_;
  std::size_t most_ = 8 * 32;
};

}  // namespace

std::optional<one_hop> as_one_hop(const command_list& p, const std::vector<command>& all,
                                  std::size_t element) {
  const auto end = all.begin() + p.count;
  if (!nothing_read_after_written({all.begin(), end}, element)) return {};
  return translator(p, all, element).run();
}

}  // namespace gossamer
