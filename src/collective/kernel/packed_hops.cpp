// Translates a command list's steps into the words of packed_hops, or finds the step that keeps it
// from being that.
#include "collective/kernel/packed_hops.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "collective/kernel/packing.hpp"

namespace gossamer {

namespace {

using kind = command::kind;

std::uint32_t* as_halves(const void* at) {
  return static_cast<std::uint32_t*>(const_cast<void*>(at));
}

/// Whole 32-bit words of the caller's memory.
bool whole_words(const void* at, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(at) % 4 == 0 && bytes % 4 == 0 &&
         bytes <= std::numeric_limits<std::uint32_t>::max();
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

/// Where a step writes what came to the inbox; no bytes: it does not.
words_there landing(const command& s, std::size_t element) {
  if (s.what == kind::unpack) return {as_halves(s.to), static_cast<std::uint32_t>(s.bytes)};
  if (s.what == kind::fold_packed)
    return {as_halves(s.fold.to), static_cast<std::uint32_t>(s.fold.count * element)};
  return {nullptr, 0};
}

/// Steps that send on what the first landing step wrote: they have no source any more.
void mark_relays(std::vector<command>& steps, std::size_t element) {
  const auto first =
      std::ranges::find_if(steps, [&](const auto& s) { return landing(s, element).bytes != 0; });
  if (first == steps.end()) return;
  const auto there = landing(*first, element);
  for (auto s = first; s != steps.end(); ++s)
    if (s->what == kind::pack && s->from == there.begin && s->bytes == there.bytes)
      s->from = nullptr;
}

/// What comes to a stage that nobody reads any more, once it has been sent on, need not be written.
/// Stages are what turns have of their own.
void leave_relayed_out(std::vector<std::vector<command>>& turns, std::size_t element) {
  for (std::size_t i = 0; i < turns.front().size(); ++i) {
    const auto there = landing(turns[0][i], element);
    if (there.bytes == 0) continue;
    if (i >= turns[1].size() || landing(turns[1][i], element).begin == there.begin) return;
    for (auto& steps : turns) {
      if (i >= steps.size()) return;
      (steps[i].what == kind::unpack ? steps[i].to : steps[i].fold.to) = nullptr;
    }
    return;  // the first is what is sent on
  }
}

/// A copy of nothing but what came is left out: it comes there at once.
void leave_stages_out(std::vector<command>& steps, std::size_t element) {
  for (auto copy = steps.begin(); copy != steps.end(); ++copy) {
    if (copy->what != kind::copy) continue;
    const auto* from = static_cast<const std::byte*>(copy->from);
    std::vector<command*> staged;
    std::size_t bytes = 0;
    for (auto s = steps.begin(); s != copy; ++s) {
      const auto there = landing(*s, element);
      const auto* at = reinterpret_cast<const std::byte*>(there.begin);
      if (there.bytes == 0 || at < from || at + there.bytes > from + copy->bytes) continue;
      staged.push_back(&*s);
      bytes += there.bytes;
    }
    const auto read = [&](const void* at) { return at >= from && at < from + copy->bytes; };
    const bool in_use = std::any_of(steps.begin(), steps.end(), [&](const command& s) {
      return &s != &*copy && (read(s.from) || read(s.fold.own));
    });
    if (in_use || staged.empty() || bytes != copy->bytes) continue;
    for (command* s : staged) {
      void*& to = s->what == kind::unpack ? s->to : s->fold.to;
      to = static_cast<std::byte*>(copy->to) + (static_cast<std::byte*>(to) - from);
    }
    steps.erase(copy);
    return;  // one stage is all that an output has
  }
}

class translator {
 public:
  translator(const command_list& p, const std::vector<command>& all, std::size_t element)
      : commands_(p), element_(element) {
    for (int turn = 0; turn < p.turns; ++turn) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(turn) * p.count;
      auto& steps = turns_.emplace_back(first, first + p.count);
      mark_relays(steps, element);
      leave_stages_out(steps, element);
    }
    direct_ = nothing_read_after_written(turns_.front(), element);
    leave_relayed_out(turns_, element);
    hops_.turns = p.turns;
    hops_.epoch = p.epoch;
    hops_.arrivals = p.arrivals;
    hops_.signals = p.signals;
    hops_.inbox = p.inbox;
  }

  std::optional<packed_hops> run() {
    if (!direct_) return {};
    for (std::size_t i = 0; i < turns_.front().size(); ++i)
      if (!same_in_all_turns(i) || !add(turns_.front()[i], stride_of(i))) return {};
    if (longest_ == 0) longest_ = hops_.kept_bytes;
    if (longest_ > longest_hop) return {};
    const std::size_t pairs = std::bit_ceil(std::max<std::size_t>((longest_ + 7) / 8, 32));
    hops_.threads = static_cast<int>(std::min<std::size_t>(pairs, packed_hops::most_threads));
    hops_.blocks = static_cast<int>(pairs) / hops_.threads;
    if ((hops_.blocks > 1 || hops_.kept_bytes > 8 * pairs) && !threads_may_part()) return {};
    return hops_;
  }

 private:
  [[nodiscard]] std::ptrdiff_t stride_of(std::size_t i) const {
    return turns_[1][i].words - turns_[0][i].words;
  }
  /// But for inboxes, which follow each other, and grants that some turns leave out.
  [[nodiscard]] bool same_in_all_turns(std::size_t i) const {
    const auto& first = turns_.front()[i];
    for (int turn = 1; turn < commands_.turns; ++turn) {
      const auto& steps = turns_[static_cast<std::size_t>(turn)];
      if (steps.size() != turns_.front().size()) return false;
      const auto& s = steps[i];
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

  /// Nobody writes what others read: blocks, or threads that copy more than their pair.
  [[nodiscard]] bool threads_may_part() const {
    std::vector<words_there> reads, writes;
    if (hops_.kept != nullptr) reads.push_back({hops_.kept, hops_.kept_bytes});
    for (int k = 0; k < hops_.send_count; ++k)
      reads.push_back({hops_.sends[k].from, hops_.sends[k].bytes});
    if (hops_.kept_to != nullptr) writes.push_back({hops_.kept_to, hops_.kept_bytes});
    if (hops_.sum_to != nullptr) writes.push_back({hops_.sum_to, hops_.sum_bytes});
    for (int k = 0; k < hops_.receive_count; ++k)
      if (hops_.receives[k].to != nullptr)
        writes.push_back({hops_.receives[k].to, hops_.receives[k].bytes});
    for (int k = 0; k < hops_.later_count; ++k)
      writes.push_back({hops_.later[k].to, hops_.later[k].bytes});
    return std::ranges::none_of(reads, [&](const words_there& read) {
      return std::ranges::any_of(
          writes, [&](const words_there& written) { return crosses(read, written); });
    });
  }

  template <class T>
  static bool push(T (&list)[packed_hops::most_peers], int& n, const T& next) {
    if (n == packed_hops::most_peers) return false;
    list[n++] = next;
    return true;
  }
  bool add(const command& s, std::ptrdiff_t stride) {
    const auto bytes = static_cast<std::uint32_t>(s.bytes);
    switch (s.what) {
      case kind::raise:
        return s.lag != 0 && push(hops_.grants, hops_.grant_count, s.counter);
      case kind::wait:  // also for those of a second hop: they are about epochs that are over
        return s.lag == commands_.turns &&
               push(hops_.credits, hops_.credit_count, {s.counter, s.peer, s.signal});
      case kind::pack:
        if (s.from == nullptr) return add_relay(s, stride);
        return message(s.from, s.bytes) &&
               push(hops_.sends, hops_.send_count,
                    {as_halves(s.from), s.words, bytes, static_cast<std::uint32_t>(stride)});
      case kind::unpack: {
        hops_.stride = static_cast<std::uint32_t>(stride);
        const packed_hops::receiving from{s.words, as_halves(s.to), bytes, s.peer};
        if (!message(s.to, s.bytes)) return false;
        return hops_.own_part >= 0 || hops_.relay_count != 0
                   ? push(hops_.later, hops_.later_count, from)
                   : push(hops_.receives, hops_.receive_count, from);
      }
      case kind::copy:
        if (hops_.kept != nullptr || !whole_words(s.from, s.bytes) || !whole_words(s.to, s.bytes))
          return false;
        hops_.kept = as_halves(s.from);
        hops_.kept_to = as_halves(s.to);
        hops_.kept_bytes = bytes;
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
  bool message(const void* at, std::size_t bytes) {
    longest_ = std::max(longest_, bytes);
    return whole_words(at, bytes);
  }
  bool add_relay(const command& s, std::ptrdiff_t stride) {
    hops_.relay_bytes = static_cast<std::uint32_t>(s.bytes);
    longest_ = std::max(longest_, s.bytes);
    return push(hops_.relays, hops_.relay_count, {s.words, static_cast<std::uint32_t>(stride)});
  }
  /// Its operands lie side by side in the inbox, each in whole pairs of words.
  bool add_sum(const command& s, std::ptrdiff_t stride) {
    const std::size_t bytes = s.fold.count * element_;
    if (hops_.receive_count != 0 || hops_.later_count != 0 || hops_.kept != nullptr ||
        s.fold.own_part < 0 || !message(s.fold.own, bytes) || !message(s.fold.to, bytes))
      return false;
    hops_.stride = static_cast<std::uint32_t>(stride);
    hops_.kept = as_halves(s.fold.own);
    hops_.sum_to = as_halves(s.fold.to);
    hops_.own_part = s.fold.own_part;
    hops_.kept_bytes = hops_.sum_bytes = static_cast<std::uint32_t>(bytes);
    for (int k = 0; k + 1 < s.fold.parts; ++k)
      if (!push(hops_.receives, hops_.receive_count,
                {s.words + static_cast<std::size_t>(k) * packed_words(bytes), nullptr,
                 hops_.sum_bytes, s.peer}))
        return false;
    return true;
  }

  const command_list& commands_;
  const std::size_t element_;
  std::vector<std::vector<command>> turns_;
  bool direct_ = false;  ///< all that is read was there before
  packed_hops hops_;
  std::size_t longest_ = 0;  ///< message
};

}  // namespace

std::optional<packed_hops> as_packed_hops(const command_list& p, const std::vector<command>& all,
                                          std::size_t element) {
  return translator(p, all, element).run();
}

}  // namespace gossamer
