// Pushes a value to every peer's slot as two tagged words, then polls the own slots for the epoch.
// On modelled systems a collective takes the time instead.
#include "gossamer/collective/scalar.hpp"

#include <bit>
#include <cstring>

#include "gossamer/base/atomics.hpp"
#include "gossamer/collective/combine.hpp"
#include "gossamer/collective/plan.hpp"
#include "gossamer/collective/word_pair.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer {

namespace {

template <class T>
std::uint64_t to_bits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

template <class T>
struct scalar_plan<T>::modelled {
  T in{}, out{};
  collective_plan plan;
  std::int64_t puts = 0;  ///< of one call

  modelled(rank& r, reduction op, const std::vector<int>& mapping)
      : plan(plan_allreduce<T>(r, std::span<const T>(&in, 1),
                               output_range<T>(std::span<T>(&out, 1)), op, options(mapping))) {
    for (const auto& s : plan.what().of(r.id()).steps)
      puts += s.kind == step_kind::put && s.count > 0 ? 1 : 0;
  }
  modelled(const modelled&) = delete;
  modelled& operator=(const modelled&) = delete;
  static plan_options options(const std::vector<int>& mapping) {
    plan_options o;
    o.mapping = mapping;
    return o;
  }
};

template <class T>
scalar_plan<T>::scalar_plan(rank& r, std::uint32_t first_epoch)
    : rank_(&r),
      slots_(r.make_window<std::uint64_t>(static_cast<std::size_t>(scalar_slot_words(r.size())),
                                          home::host)),
      epoch_(first_epoch) {
  // Flags of an epoch that never travels, older than the first two that do.
  const std::uint64_t never = word_pair::tag(first_epoch);
  for (auto& word : slots_.local()) std_atomics::store_relaxed(word, never);
  r.barrier();
}

template <class T>
void scalar_plan<T>::push(T value) {
  const std::uint64_t bits = to_bits(value);
  const auto words = word_pair::of(bits, word_pair::tag(++epoch_));
  messages_ += rank_->size() - 1;
  const std::size_t slot = (static_cast<std::size_t>(epoch_ & 1) * rank_->size() + rank_->id()) * 2;
  for (int i = 1; i < rank_->size(); ++i) {
    const int peer = (rank_->id() + i) % rank_->size();
    if (auto theirs = slots_.direct(peer); !theirs.empty()) {
      // Each word carries its own flag, so relaxed would do for the value; release keeps the
      // promise that what a rank wrote before it agreed is visible after.
      std_atomics::store_release(theirs[slot], words.low);
      std_atomics::store_release(theirs[slot + 1], words.high);
      rank_->nudge(peer);
    } else {
      // Free again two epochs later: by then every peer has received this one.
      auto& kept = sent_[epoch_ & 1];
      kept[0] = words.low;
      kept[1] = words.high;
      rank_->put(slots_, peer, slot, kept);
    }
  }
}

template <class T>
T scalar_plan<T>::collect(int from) {
  const std::size_t slot = (static_cast<std::size_t>(epoch_ & 1) * rank_->size() + from) * 2;
  // The words are counters whose upper half is the epoch: waiting for epoch << 32 or later is
  // exactly waiting for this epoch, since the next but one cannot begin before this one ends.
  const std::uint64_t tag = word_pair::tag(epoch_);
  word_pair words;
  words.low = rank_->wait_word(slots_.table(), slot, tag, from);
  words.high = rank_->wait_word(slots_.table(), slot + 1, tag, from);
  return from_bits<T>(words.data());
}

// Its algorithm combines floats in an order of its own, and maybe not in the same one on all ranks:
// it takes the time, and the value is that of every other machine.
template <class T>
T scalar_plan<T>::by_system(T value, reduction op) {
  auto& own = own_[static_cast<std::size_t>(op)];
  if (own == nullptr) own = std::make_shared<modelled>(*rank_, op, mapping_);
  own->in = value;
  own->plan.run();
  messages_ += own->puts;
  if constexpr (std::is_integral_v<T>) {
    return own->out;
  } else {
    std::vector<T> all(static_cast<std::size_t>(rank_->size()));
    rank_->exchange(std::as_bytes(std::span(&value, 1)), std::as_writable_bytes(std::span(all)));
    T result = all[0];
    for (std::size_t r = 1; r < all.size(); ++r) result = combine(result, all[r], op);
    return result;
  }
}

template <class T>
T scalar_plan<T>::allreduce(T value, reduction op) {
  require(op != reduction::bit_or || std::is_integral_v<T>,
          "allreduce: bit_or needs an integer type");
  if (rank_->size() == 1) return value;
  if (const auto& system = rank_->dev().model;
      system != nullptr &&
      system->collective_of("allreduce", sizeof(T), rank_->size(), model::memory::host) != nullptr)
    return by_system(value, op);
  push(value);
  T result{};
  for (int r = 0; r < rank_->size(); ++r) {
    const T theirs = r == rank_->id() ? value : collect(r);
    result = r == 0 ? theirs : combine(result, theirs, op);
  }
  return result;
}

template <class T>
void scalar_plan<T>::allgather(T value, std::span<T> out) {
  require(out.size() == static_cast<std::size_t>(rank_->size()),
          "allgather: `out` must hold one value per rank");
  if (rank_->size() > 1) push(value);
  for (int r = 0; r < rank_->size(); ++r) out[r] = r == rank_->id() ? value : collect(r);
}

template class scalar_plan<std::int32_t>;
template class scalar_plan<std::uint32_t>;
template class scalar_plan<std::int64_t>;
template class scalar_plan<std::uint64_t>;
template class scalar_plan<float>;
template class scalar_plan<double>;

}  // namespace gossamer
