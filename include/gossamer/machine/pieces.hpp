// Large blocks read and written piece by piece, by several host threads at once. What becomes of
// the data on its way (widening, renumbering, packing) costs no pass of its own.
//
// Between a GPU and pageable memory the driver copies through one pinned buffer of its own, with
// one thread: 7 to 10 GB/s where the link takes 50 (H200, PCIe 5). Here each thread has two pinned
// blocks and works on one while the copy engine works on the other.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "gossamer/machine/device.hpp"

namespace gossamer {

/// Of a piece but the last: large enough that a copy's start is nothing beside it, small enough for
/// a core's cache.
inline constexpr std::size_t piece_bytes = std::size_t{2} << 20;

/// Takes `bytes` at `data`: those of the block from `offset` on, a multiple of piece_bytes.
using piece_reader =
    std::function<void(std::size_t offset, const std::byte* data, std::size_t bytes)>;
/// Fills `bytes` at `data`, which go to the block from `offset` on, a multiple of piece_bytes.
using piece_writer = std::function<void(std::size_t offset, std::byte* data, std::size_t bytes)>;

/// Hands all of a block, in memory of any kind, to `read`; pieces come in no order, on several
/// threads. Ordered after nothing that runs in streams, as copy_bytes. Throws what `read` throws,
/// rank_error when a copy takes longer than the default deadline.
void read_pieces(const void* from, std::size_t bytes, const piece_reader& read);
/// Fills all of a block, in memory of any kind, by `write`; otherwise as read_pieces.
void write_pieces(void* to, std::size_t bytes, const piece_writer& write);
/// The same by elements: fill(first, elements) has to set those from index `first` on.
template <class T, class F>
void write_elements(T* to, std::size_t n, const F& fill) {
  static_assert(piece_bytes % sizeof(T) == 0);
  write_pieces(to, n * sizeof(T), [&](std::size_t offset, std::byte* data, std::size_t bytes) {
    fill(offset / sizeof(T), std::span(reinterpret_cast<T*>(data), bytes / sizeof(T)));
  });
}
/// read(first, elements) for all elements.
template <class T, class F>
void read_elements(const T* from, std::size_t n, const F& read) {
  static_assert(piece_bytes % sizeof(T) == 0);
  read_pieces(
      from, n * sizeof(T), [&](std::size_t offset, const std::byte* data, std::size_t bytes) {
        read(offset / sizeof(T), std::span(reinterpret_cast<const T*>(data), bytes / sizeof(T)));
      });
}

/// Takes the pinned blocks and the stream by which pieces reach the GPU, once a process. Runs do
/// so before their ranks begin, since taking them beside kernels that wait is not safe; calls from
/// outside of runs do it themselves.
void prepare_pieces(const device& d);

}  // namespace gossamer
