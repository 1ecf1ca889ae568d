// Kernels and launches for labels that stay with their owners.
//
// Every label is a smaller vertex of the same component or the vertex itself, as on one GPU, and
// only roots change while ranks hook: swaps and walks are of system scope, through peers' windows.
// After a wait that failed the stream runs on over whatever a peer's memory holds: what is no label
// is passed over, so that no walk leaves the arrays or runs for ever.
#include "algorithm/components/sync/cuda/between.hpp"

#include <cuda/atomic>

#include "algorithm/components/sync/cuda/hook.cuh"
#include "algorithm/components/sync/cuda/launch_passes.cuh"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::components_detail::cuda {

namespace {

using dataflow::cuda::lane_id;

template <class Id>
__device__ inline Id& label_of(const owned_labels<Id>& all, Id v) {
  int r = all.rank;
  while (v < all.first[r]) --r;
  while (v >= all.first[r + 1]) ++r;
  return all.labels[r][v];
}

template <class Id>
__device__ inline ::cuda::atomic_ref<Id, ::cuda::thread_scope_system> shared(Id& label) {
  return ::cuda::atomic_ref<Id, ::cuda::thread_scope_system>(label);
}

template <class Id>
__device__ inline bool is_above(Id up, Id v) {
  return up >= 0 && up < v;
}

/// The root, or what was it a moment ago.
template <class Id>
__device__ inline Id root_of(const owned_labels<Id>& all, Id v) {
  for (;;) {
    const Id up = shared(label_of(all, v)).load(::cuda::memory_order_relaxed);
    if (!is_above(up, v)) return v;
    v = up;
  }
}

/// A warp a row: most have no such arc, and rows may be long.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    list_kernel(device_rows<Id> rows, std::int64_t room, arc_between<Id>* arcs,
                unsigned long long* count) {
  const std::int64_t end = rows.first + rows.rows;
  const auto most = static_cast<unsigned long long>(room);
  for (std::int64_t i = thread_number() / 32; i < rows.rows; i += thread_count() / 32) {
    if (*static_cast<volatile unsigned long long*>(count) > most) return;
    const edge_offset row_end = rows.offsets[i + 1] - rows.base;
    for (edge_offset k = rows.offsets[i] - rows.base + lane_id(); k < row_end; k += 32) {
      const Id other = rows.columns[k];
      if (other >= rows.first && other < end) continue;
      const unsigned long long at = atomicAdd(count, 1ULL);
      if (at < most) arcs[at] = {static_cast<Id>(rows.first + i), other};
    }
  }
}

/// Ends for the reason that hook() of hook.cuh does.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    hook_kernel(const arc_between<Id>* arcs, std::int64_t count, owned_labels<Id> all) {
  const std::int64_t i = thread_number();
  if (i >= count || arcs[i].other > arcs[i].own) return;
  Id a = root_of(all, arcs[i].own), b = root_of(all, arcs[i].other);
  while (a != b) {
    const Id low = a < b ? a : b, high = a < b ? b : a;
    Id seen = high;
    if (shared(label_of(all, high))
            .compare_exchange_strong(seen, low, ::cuda::memory_order_relaxed) ||
        !is_above(seen, high))
      return;
    a = root_of(all, seen);
    b = low;
  }
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    settle_kernel(const arc_between<Id>* arcs, std::int64_t count, owned_labels<Id> all) {
  const std::int64_t i = thread_number();
  if (i >= count) return;
  const Id v = arcs[i].own;
  const Id had = shared(label_of(all, v)).load(::cuda::memory_order_relaxed);
  const Id root = root_of(all, had);
  shared(label_of(all, v)).store(root, ::cuda::memory_order_relaxed);
  if (had >= all.first[all.rank] && had < all.first[all.rank + 1])
    shared(label_of(all, had)).store(root, ::cuda::memory_order_relaxed);
}

template <class Id>
__global__ void __launch_bounds__(block_threads) finish_kernel(vertex_span own, Id* labels) {
  for (std::int64_t v = own.from + thread_number(); v < own.to; v += thread_count()) {
    const Id had = load_label(labels, v, true);
    if (had < own.from || had == v) continue;
    const Id root = load_label(labels, had, true);
    if (root != had) store_label(labels, v, root);
  }
}

}  // namespace

template <class Id>
void list_between(const launch_site& on, const device_rows<Id>& rows, std::int64_t room,
                  arc_between<Id>* arcs, unsigned long long* count) {
  launch(on, resident(on, rows.rows * 32), list_kernel<Id>, rows, room, arcs, count);
}

template <class Id>
void hook_between(const launch_site& on, const arc_between<Id>* arcs, std::int64_t count,
                  const owned_labels<Id>& all) {
  launch(on, count, hook_kernel<Id>, arcs, count, all);
}

template <class Id>
void settle_between(const launch_site& on, const arc_between<Id>* arcs, std::int64_t count,
                    const owned_labels<Id>& all) {
  launch(on, count, settle_kernel<Id>, arcs, count, all);
}

template <class Id>
void finish_owned(const launch_site& on, vertex_span own, Id* labels) {
  launch(on, own.size(), finish_kernel<Id>, own, labels);
}

#define GOSSAMER_INSTANTIATE(Id)                                                         \
  template void list_between(const launch_site&, const device_rows<Id>&, std::int64_t,   \
                             arc_between<Id>*, unsigned long long*);                     \
  template void hook_between(const launch_site&, const arc_between<Id>*, std::int64_t,   \
                             const owned_labels<Id>&);                                   \
  template void settle_between(const launch_site&, const arc_between<Id>*, std::int64_t, \
                               const owned_labels<Id>&);                                 \
  template void finish_owned<Id>(const launch_site&, vertex_span, Id*);

GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::components_detail::cuda
