// Scalar allreduce and allgather, host side: planned once, started any number of times.
//
// Contract of the layer `collective`: built on fabric alone, names no transport. A plan is made
// collectively; start() is collective, allocates nothing, and returns the same value on all ranks.
//
// Method: one-shot push. Each rank writes its value into a slot of every peer's window, flag and
// data together: an 8-byte value travels as two 8-byte words, each half data and half epoch flag,
// because only 8-byte stores are atoms in the memory model. Two buffers rotate by epoch parity: a
// rank that starts epoch e+2 has finished e+1, which everyone had entered only after leaving e, so
// nobody still reads the buffer that e+2 overwrites. The twin for kernels is scalar_device.cuh.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "gossamer/fabric/rank.hpp"

namespace gossamer {

enum class reduction : std::uint8_t { sum, min, max, bit_or };

/// T: int32, uint32, int64, uint64, float, double (bit_or: integers). Floats are combined in rank
/// order, so a result repeats bit for bit.
template <class T>
class scalar_plan {
 public:
  /// Collective over r's run.
  explicit scalar_plan(rank& r);
  /// The reduction of every rank's value.
  T allreduce(T value, reduction op);
  /// out[i] = rank i's value; out.size() == r.size(), else usage_error.
  void allgather(T value, std::span<T> out);

 private:
  void push(T value);
  T collect(int from);
  rank* rank_;
  window<std::uint64_t> slots_;  // [2 parities][p ranks][2 words], host memory on every rank
  std::uint32_t epoch_ = 0;
};

extern template class scalar_plan<std::int32_t>;
extern template class scalar_plan<std::uint32_t>;
extern template class scalar_plan<std::int64_t>;
extern template class scalar_plan<std::uint64_t>;
extern template class scalar_plan<float>;
extern template class scalar_plan<double>;

}  // namespace gossamer
