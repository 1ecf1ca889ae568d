// The kernels of the CUDA engine as functions: grid sizes and the choice of instantiation live in
// the .cu files, the engine's host code sees no launch syntax.
//
// All launches are asynchronous in `on.stream`; failures to launch throw foreign_error.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithm/bfs/cuda/level_view.hpp"

namespace gossamer::bfs_detail::cuda {

struct launch_site {
  void* stream = nullptr;  ///< cudaStream_t
  int units = 1;           ///< streaming multiprocessors that this rank may fill
  bool multi = false;      ///< more than one rank: local indices differ from placed ids
};
/// The rank's stream, and its share of the GPU.
inline launch_site site_of(const rank& r) {
  const device& on = r.dev();
  return {r.stream().native(), std::max(1, on.units / std::max(1, on.share)), r.size() > 1};
}

/// n >= 1. With `defer`, expand_hubs must follow; `what` is reported by the last of the two.
template <class Id>
void expand(const launch_site& on, const level_view<Id>& v, const std::int32_t* queue,
            std::int64_t n, bool defer, reporting what, unsigned long long sequence);
template <class Id>
void expand_hubs(const launch_site& on, const level_view<Id>& v, reporting what,
                 unsigned long long sequence);
template <class Id>
void absorb(const launch_site& on, const level_view<Id>& v, const message<Id>* inbox,
            const unsigned long long* mail, unsigned long long level_tag,
            unsigned long long sequence);

/// rows >= 1. `frontier`, `next`: bitmaps over placed ids; only own words of `next` are written.
template <class Id>
void bottom_up(const launch_site& on, const level_view<Id>& v, const std::uint32_t* frontier,
               std::uint32_t* next, unsigned long long sequence);

template <class Id>
void survey(const launch_site& on, const level_view<Id>& v);
template <class Id>
void start(const launch_site& on, const level_view<Id>& v, std::int32_t source,
           unsigned long long sequence);
/// Own words of `bits` become the frontier in `queue`.
template <class Id>
void queue_to_bits(const launch_site& on, const level_view<Id>& v, const std::int32_t* queue,
                   std::int64_t n, std::uint32_t* bits);
/// v.count->gathered must be zero.
template <class Id>
void bits_to_queue(const launch_site& on, const level_view<Id>& v, const std::uint32_t* bits,
                   std::int32_t* queue);
template <class Id>
void note_reached(const launch_site& on, const level_view<Id>& v, const std::uint32_t* bits,
                  std::int64_t words);

template <class Id>
void smallest_parents(const launch_site& on, const level_view<Id>& v,
                      const std::int32_t* all_depths, const Id* names);

/// Parents as the papers have them: 8 bytes each. rows >= 1.
template <class Id>
void widen_parents(const launch_site& on, const Id* parents, std::int64_t rows, std::int64_t* into);

}  // namespace gossamer::bfs_detail::cuda
