// Distances as keys on the device: sums, and loads of arcs.
#pragma once

#include <cuda_runtime.h>

#include "algorithm/sssp/cuda/view.hpp"

namespace gossamer::sssp_detail::cuda {

/// along(distance, weight): the sum.
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
};

template <>
struct keys<float> {
  using key = key_of<float>;
  static constexpr key unreached = 0x7f800000u;
  __device__ static key along(key distance, float weight) {
    return __float_as_uint(__fadd_rn(__uint_as_float(distance), weight));
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
};

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

}  // namespace gossamer::sssp_detail::cuda
