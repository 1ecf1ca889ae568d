// A GPU's part: the elements of a segment in its memory that an interval keeps, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "algorithm/filter/types.hpp"
#include "gossamer/algorithm/filter.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::filter_detail {

/// Elements of a tile, see compact_tiles().
template <class T>
inline constexpr std::size_t tile_elements = 16384 / sizeof(T);
/// An entry of its table: where a tile's begin above, how many below.
inline constexpr int tile_place_bits = 16;

template <class T>
class gpu_compactor {
 public:
  virtual ~gpu_compactor() = default;
  /// Copies what is kept of `in` to `out`, which has room for all; both in the GPU's memory. Queued
  /// in `on`; how many is there, for the host, when that has been waited for.
  virtual void compact(std::span<const T> in, std::span<T> out, const stream& on) = 0;
  [[nodiscard]] virtual std::size_t kept() const = 0;

  /// The same as segments, faster: tiles of `tile_elements` of `in`, which is aligned to 16 bytes,
  /// lie in any order in `out`, each in the input's. places[i] says where tile i's are, begin <<
  /// tile_place_bits | how many; in the GPU's memory, as many as there are tiles.
  virtual void compact_tiles(std::span<const T> in, std::span<T> out,
                             std::span<std::uint64_t> places, const stream& on) = 0;
};

/// For segments of at most `most` elements; takes all the memory that it needs. In filter/cuda,
/// else absent: not_compiled.
template <class T>
std::unique_ptr<gpu_compactor<T>> make_gpu_compactor(const device& on, std::size_t most,
                                                     const filter_interval<T>& keep);
#define GOSSAMER_GPU_COMPACTOR(T)                                                           \
  template std::unique_ptr<gpu_compactor<T>> make_gpu_compactor(const device&, std::size_t, \
                                                                const filter_interval<T>&);
/// Bytes of the GPU's memory that it takes at most.
std::int64_t gpu_compactor_bytes(std::size_t most);

}  // namespace gossamer::filter_detail
