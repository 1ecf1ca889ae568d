// Atomic operations on ids and sums of either width.
#pragma once

#include "gossamer/base/ids.hpp"

namespace gossamer::communities_detail::cuda {

template <class T>
__device__ void add(T* to, T value) {
  if constexpr (sizeof(T) == 8)
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
  else
    atomicAdd(to, value);
}
/// In a block's memory, where sums of 64 bits have no instruction: many lanes that add to one would
/// wait for each other.
template <class T>
__device__ void add_near(T* to, T value) {
  if constexpr (sizeof(T) == 8) {
    auto* const halves = reinterpret_cast<unsigned*>(to);
    const auto word = static_cast<unsigned long long>(value);
    const auto low = static_cast<unsigned>(word);
    const unsigned before = atomicAdd(halves, low);
    const unsigned high = static_cast<unsigned>(word >> 32) + (before + low < before ? 1U : 0U);
    if (high != 0) atomicAdd(halves + 1, high);
  } else {
    atomicAdd(to, value);
  }
}
template <class T>
__device__ void lower(T* to, T value) {
  if constexpr (sizeof(T) == 8)
    atomicMin(reinterpret_cast<long long*>(to), static_cast<long long>(value));
  else
    atomicMin(to, value);
}
/// What was there; `value` is, if it was `expected`.
template <class T>
__device__ T replace(T* at, T expected, T value) {
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(atomicCAS(reinterpret_cast<unsigned long long*>(at),
                                    static_cast<unsigned long long>(expected),
                                    static_cast<unsigned long long>(value)));
  else
    return atomicCAS(at, expected, value);
}

}  // namespace gossamer::communities_detail::cuda
