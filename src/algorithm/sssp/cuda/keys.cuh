// Distances as keys on the device: sums, limits, and loads that are fresh enough.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

#include "algorithm/sssp/cuda/view.hpp"

namespace gossamer::sssp_detail::cuda {

/// along(distance, weight): the sum. limit(from, delta): the first key that is `delta` above
/// `from`, and above it in any case; `from` is below `unreached`.
template <class Distance>
struct keys;

/// Sums that do not fit count as "not reached", like the largest number: they shorten nothing, and
/// the host finds what was missed for them.
template <>
struct keys<std::uint32_t> {
  using key = key_of<std::uint32_t>;
  static constexpr key unreached = 0xffffffffu;
  __device__ static key along(key distance, std::uint32_t weight) {
    const key sum = distance + weight;
    return sum < distance ? unreached : sum;
  }
  __device__ static key limit(key from, double delta) {
    const double sum = ceil(static_cast<double>(from) + delta);
    const key up = sum < static_cast<double>(unreached) ? static_cast<key>(sum) : unreached;
    return up > from ? up : from + 1;
  }
};

template <>
struct keys<float> {
  using key = key_of<float>;
  static constexpr key unreached = 0x7f800000u;
  __device__ static key along(key distance, float weight) {
    return __float_as_uint(__fadd_rn(__uint_as_float(distance), weight));
  }
  __device__ static key limit(key from, double delta) {
    const double sum = static_cast<double>(__uint_as_float(from)) + delta;
    const key up = __float_as_uint(__double2float_ru(sum));
    return up > from ? up : from + 1;
  }
};

template <>
struct keys<double> {
  using key = key_of<double>;
  static constexpr key unreached = 0x7ff0000000000000ull;
  __device__ static key along(key distance, double weight) {
    return static_cast<key>(__double_as_longlong(
        __dadd_rn(__longlong_as_double(static_cast<long long>(distance)), weight)));
  }
  __device__ static key limit(key from, double delta) {
    const double sum = __dadd_ru(__longlong_as_double(static_cast<long long>(from)), delta);
    const key up = static_cast<key>(__double_as_longlong(sum));
    return up > from ? up : from + 1;
  }
};

/// As L1 may have kept it since the last meeting: too large at worst, and then the look in L2 that
/// follows says so. Many arcs of a round ask for the same few hubs.
template <class Key>
__device__ inline Key maybe_stale(Key* at) {
  return ::cuda::atomic_ref<Key, ::cuda::thread_scope_block>(*at).load(
      ::cuda::memory_order_relaxed);
}

/// One load of an arc.
__device__ inline packed_arc<std::uint32_t> load_arc(const packed_arc<std::uint32_t>* at) {
  const int2 both = __ldg(reinterpret_cast<const int2*>(at));
  return {both.x, static_cast<std::uint32_t>(both.y)};
}
__device__ inline packed_arc<float> load_arc(const packed_arc<float>* at) {
  const int2 both = __ldg(reinterpret_cast<const int2*>(at));
  return {both.x, __int_as_float(both.y)};
}
__device__ inline packed_arc<double> load_arc(const packed_arc<double>* at) {
  const int4 all = __ldg(reinterpret_cast<const int4*>(at));
  return {all.x, __hiloint2double(all.w, all.z)};
}

/// Sets the vertex's mark; whether it was not set.
__device__ inline bool mark(std::uint32_t* marks, std::int32_t vertex) {
  const std::uint32_t bit = 1u << (vertex & 31);
  return (atomicOr(marks + (vertex >> 5), bit) & bit) == 0;
}
__device__ inline void unmark(std::uint32_t* marks, std::int32_t vertex) {
  atomicAnd(marks + (vertex >> 5), ~(1u << (vertex & 31)));
}

}  // namespace gossamer::sssp_detail::cuda
