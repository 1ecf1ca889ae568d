// Scalar allreduce and allgather, host side: planned once, started any number of times.
//
// Contract of the layer `collective`: built on fabric alone, names no transport. A plan is made
// collectively; start() is collective, allocates nothing, and returns the same value on all ranks.
//
// Method: one-shot push. Each rank writes its value into a slot of every peer's window, flag and
// data together. An 8-byte value travels as two 8-byte words, each half data and half epoch flag,
// because only 8-byte stores are atoms in the memory model. Two buffers rotate by epoch parity. A
// rank that starts epoch e+2 has finished e+1, which everyone had entered only after leaving e. So
// nobody still reads the buffer that e+2 overwrites. The twin for kernels is scalar_device.cuh.
//
// The epoch has 32 bits and wraps. That is safe. By the argument above, a slot that is waited for
// in epoch e holds the flag of e-2 (or the one it was made with, e-1 or e-2) until it holds e, and
// nothing later before the wait is over. Flags are therefore compared by the sign of their distance
// modulo 2^32, which tells -2 and -1 from 0 wherever the count stands. Parity, which chooses the
// buffer, goes on across the wrap because 2^32 is even.
//
// A modelled system may say what its own software does for a small allreduce. Then allreduce() runs
// that, so that its costs are the system's. Floats are added in rank order all the same. For that
// their values travel once more by rank::exchange, which takes no modelled time but lets all ranks
// leave at the time of the last.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/fabric/rank.hpp"

namespace gossamer {

enum class reduction : std::uint8_t { sum, min, max, bit_or };

/// Words of the window that a plan makes in host memory: two buffers of two words a rank.
constexpr std::int64_t scalar_slot_words(int ranks) {
  return std::int64_t{2} * ranks * 2;
}

/// T: int32, uint32, int64, uint64, float, double (bit_or: integers). Floats are combined in rank
/// order, so a result repeats bit for bit.
template <class T>
class scalar_plan {
 public:
  /// Collective over r's run. `first_epoch`: where the count of calls begins, the same on every
  /// rank. For tests, since the count may wrap.
  explicit scalar_plan(rank& r, std::uint32_t first_epoch = 0);
  /// The reduction of every rank's value.
  T allreduce(T value, reduction op);
  /// out[i] = rank i's value; out.size() == r.size(), else usage_error.
  void allgather(T value, std::span<T> out);
  /// What this rank has sent so far: messages, and bytes of values (flags not counted).
  [[nodiscard]] std::int64_t messages() const noexcept { return messages_; }
  [[nodiscard]] std::int64_t bytes() const noexcept {
    return messages_ * static_cast<std::int64_t>(sizeof(T));
  }
  /// Positions of ranks in the system's own algorithm (see collective_request); before first use.
  void set_mapping(std::vector<int> mapping) { mapping_ = std::move(mapping); }

 private:
  struct modelled;  ///< the system's own algorithm, planned at first use

  T by_system(T value, reduction op);
  void push(T value);
  T collect(int from);
  rank* rank_;
  window<std::uint64_t> slots_;    // [2 parities][p ranks][2 words], host memory on every rank
  std::uint64_t sent_[2][2] = {};  // by parity: sources of puts to peers without direct access
  std::uint32_t epoch_;
  std::int64_t messages_ = 0;
  std::vector<int> mapping_;
  std::shared_ptr<modelled> own_[4];  ///< by reduction
};

extern template class scalar_plan<std::int32_t>;
extern template class scalar_plan<std::uint32_t>;
extern template class scalar_plan<std::int64_t>;
extern template class scalar_plan<std::uint64_t>;
extern template class scalar_plan<float>;
extern template class scalar_plan<double>;

}  // namespace gossamer
