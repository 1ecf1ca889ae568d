// The caller's arrays on a GPU: what they may hold, where they must lie, and how much may be taken
// beside them.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>
#include <type_traits>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/graph/device_builder.hpp"

namespace gossamer::detail {

/// Weights as unsigned integers of their size (arc_keys.hpp); void: none.
template <class Weight>
using bits_of =
    std::conditional_t<std::is_same_v<Weight, std::monostate>, void,
                       std::conditional_t<sizeof(Weight) == 8, std::uint64_t, std::uint32_t>>;

/// Calls f(Id{}) with the type of ids.
template <class F>
auto with_ids(element type, const F& f) {
  switch (type) {
    case element::int64:
      return f(std::int64_t{});
    case element::uint32:
      return f(std::uint32_t{});
    default:
      return f(std::int32_t{});
  }
}

/// Calls f(Weight{}) with the type of weights, monostate for none.
template <class F>
auto with_weights(const std::optional<device_view>& weights, const F& f) {
  if (!weights) return f(std::monostate{});
  switch (weights->type) {
    case element::float32:
      return f(float{});
    case element::float64:
      return f(double{});
    default:
      return f(std::int32_t{});
  }
}

inline bool are_ids(const device_view& a) {
  return a.type == element::int32 || a.type == element::int64 || a.type == element::uint32;
}
inline void check_weight_type(const std::optional<device_view>& weights) {
  require(!weights || weights->type == element::int32 || weights->type == element::float32 ||
              weights->type == element::float64,
          "weights: expected int32, float32 or float64");
}

/// A kernel that reads what its GPU cannot address ends all work of the process there. `what` in
/// words: "from_edges: sources".
inline void check_place(const device_view& a, int ordinal, const std::string& what) {
  require(a.count >= 0, what + ": a negative number of elements");
  if (a.count == 0) return;
  cudaPointerAttributes found{};
  const cudaError_t code = cudaPointerGetAttributes(&found, a.data);
  if (code != cudaSuccess) static_cast<void>(cudaGetLastError());
  const bool reached =
      code == cudaSuccess && ((found.type == cudaMemoryTypeDevice && found.device == ordinal) ||
                              found.type == cudaMemoryTypeManaged ||
                              (found.type == cudaMemoryTypeHost && found.devicePointer == a.data));
  require(reached, what + " do not lie in the memory of cuda:" + std::to_string(ordinal));
  require(reinterpret_cast<std::uintptr_t>(a.data) %
                  static_cast<std::uintptr_t>(element_bytes(a.type)) ==
              0,
          what + " do not begin at a multiple of their size");
}

/// What may be taken of the current device: `asked` bytes unless 0, else GOSSAMER_MEMORY, else what
/// is free, less what the driver takes for itself.
inline memory_limit limit_on_gpu(std::int64_t asked) {
  if (asked > 0) return {asked, "asked for"};
  if (const auto configured = configuration::memory()) return {*configured, "GOSSAMER_MEMORY"};
  std::size_t free = 0, total = 0;
  GOSSAMER_CHECK_CUDA(cudaMemGetInfo(&free, &total));
  constexpr std::int64_t drivers = std::int64_t{64} << 20;
  return {std::max<std::int64_t>(static_cast<std::int64_t>(free) - drivers, 1), "free"};
}

}  // namespace gossamer::detail
