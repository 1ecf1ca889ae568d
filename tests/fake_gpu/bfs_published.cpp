// Kernels of BFS's engine `published` for GPUs that are not there: their own source, run by
// tests/emulated_gpu in the order of a stream, a block after the other in any order. They wait for
// nobody, so that one block at a time is enough.
#include "device.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <random>

#include "algorithm/bfs/published/cuda/marks.cuh"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"

namespace gossamer::bfs_detail::cuda {

static_assert(emulated::threads == block_threads);

namespace {

template <class T>
T* reached(T* at) {
  return at == nullptr ? nullptr : static_cast<T*>(const_cast<void*>(fake_gpu::reach(at)));
}

template <class Id>
level_view<Id> reached(level_view<Id> v) {
  v.offsets = reached(v.offsets);
  v.columns = reached(v.columns);
  v.parents = reached(v.parents);
  v.depths = reached(v.depths);
  v.next = reached(v.next);
  v.count = reached(v.count);
  v.own.rank_of = reached(v.own.rank_of);
  v.own.local_of = reached(v.own.local_of);
  v.own.block_at = reached(v.own.block_at);
  v.own.first = reached(v.own.first);
  return v;
}

template <class F>
void push(const launch_site& on, const F& work) {
  static_cast<fake_gpu::queue*>(on.stream)->push(work);
}

template <class F>
void launch(const launch_site& on, std::int64_t n, const F& kernel) {
  push(on, [=] {
    static std::mutex one;  // the emulator has one block at a time
    static std::mt19937 random(1);
    const std::lock_guard lock(one);
    std::vector<unsigned> order(static_cast<std::size_t>((n + block_threads - 1) / block_threads));
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
    gridDim.x = static_cast<unsigned>(order.size());
    for (const unsigned block : order) {
      blockIdx.x = block;
      emulated::run_block(kernel);
    }
  });
}

}  // namespace

template <class Id>
void enter_frontier(const launch_site& on, const level_view<Id>& v, std::int64_t source) {
  push(on, [=] { enter_frontier_kernel(reached(v), source); });
}

template <class Id>
void mark_neighbours(const launch_site& on, const level_view<Id>& v, std::int64_t n,
                     const outgoing_marks& to) {
  const outgoing_marks there{reached(to.parents), reached(to.first)};
  launch(on, n, [=, seen = reached(v)] { mark_kernel(seen, n, there); });
}

template <class Id>
void merge_marks(const launch_site& on, const level_view<Id>& v, const std::int32_t* inbox) {
  launch(on, std::min<std::int64_t>(v.rows, 3 * block_threads),
         [=, seen = reached(v), from = reached(inbox)] { merge_kernel(seen, from); });
}

template <class Id>
void widen_parents(const launch_site& on, const Id* parents, std::int64_t rows,
                   std::int64_t* into) {
  push(on, [=] { std::copy_n(reached(parents), rows, reached(into)); });
}

#define GOSSAMER_INSTANTIATE(Id)                                                             \
  template void enter_frontier(const launch_site&, const level_view<Id>&, std::int64_t);     \
  template void mark_neighbours(const launch_site&, const level_view<Id>&, std::int64_t,     \
                                const outgoing_marks&);                                      \
  template void merge_marks(const launch_site&, const level_view<Id>&, const std::int32_t*); \
  template void widen_parents(const launch_site&, const Id*, std::int64_t, std::int64_t*);
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bfs_detail::cuda
