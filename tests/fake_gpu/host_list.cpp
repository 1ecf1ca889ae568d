// Kernels of a host-driven worklist for GPUs that are not there: their own source, run by
// tests/emulated_gpu in the order of their streams, a block after the other in any order. None
// waits for another, so that one block at a time is enough; blocks of relax and of take alternate.
#include "device.hpp"

#include <mutex>
#include <numeric>
#include <random>

#include "algorithm/host_driven/cuda/kernels.cuh"
#include "algorithm/host_driven/cuda/launch.hpp"
#include "algorithm/sssp/async/from_source.hpp"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"

namespace gossamer::algorithm_detail::cuda {

static_assert(emulated::threads == list_threads);

namespace {

template <class T>
T* reached(T* at) {
  return at == nullptr ? nullptr : static_cast<T*>(const_cast<void*>(fake_gpu::reach(at)));
}

template <class View>
View all_reached(View v) {
  v.offsets = reached(v.offsets);
  v.arcs = reached(v.arcs);
  v.values = reached(v.values);
  for (int i = 0; i < 2; ++i) {
    v.near_mark[i] = reached(v.near_mark[i]);
    v.queue[i] = reached(v.queue[i]);
    v.pile[i] = reached(v.pile[i]);
  }
  v.far_mark = reached(v.far_mark);
  v.worked_mark = reached(v.worked_mark);
  v.out_mark = reached(v.out_mark);
  for (int r = 0; r < v.ranks; ++r) {
    v.out[r] = reached(v.out[r]);
    v.offsets_of[r] = reached(v.offsets_of[r]);
    v.arcs_of[r] = reached(v.arcs_of[r]);
  }
  v.sums = reached(v.sums);
  v.state = reached(v.state);
  v.totals = reached(v.totals);
  v.fault = reached(v.fault);
  return v;
}

std::mutex one;  // the emulator has one block at a time

template <class F>
void push(void* stream, const F& work) {
  static_cast<fake_gpu::queue*>(stream)->push(work);
}

template <class F>
void launch(void* stream, std::int64_t blocks, const F& kernel) {
  push(stream, [=] {
    std::vector<unsigned> order(static_cast<std::size_t>(blocks));
    std::iota(order.begin(), order.end(), 0U);
    static thread_local std::mt19937 random(1);
    std::shuffle(order.begin(), order.end(), random);
    for (const unsigned block : order) {
      const std::lock_guard lock(one);
      gridDim.x = static_cast<unsigned>(blocks);
      blockIdx.x = block;
      emulated::run_block(kernel);
    }
  });
}

std::int64_t blocks_for(std::uint64_t n) {
  return static_cast<std::int64_t>((n + list_threads - 1) / list_threads);
}

}  // namespace

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::begin(void* stream, int blocks, const view& v,
                                                       const Start& start) {
  launch(stream, blocks, [=, v = all_reached(v)] { host_clear_kernel(v, start); });
  launch(stream, blocks, [=, v = all_reached(v)] { host_begin_kernel(v, start); });
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::turn(void* stream, const view& v,
                                                      const turn_orders& orders,
                                                      shown_words* shown) {
  push(stream, [=, v = all_reached(v), shown = reached(shown)] {
    const std::lock_guard lock(one);
    host_turn_kernel(v, orders, shown);
  });
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::split(void* stream, int blocks, const view& v) {
  launch(stream, blocks, [v = all_reached(v)] { host_split_kernel(v); });
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::relax(void* stream, int blocks, const view& v) {
  launch(stream, blocks, [v = all_reached(v)] { host_relax_kernel(v); });
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::take(void* stream, int most_blocks, const view& v,
                                                      const message* from, std::uint64_t n) {
  launch(stream, std::min<std::int64_t>(blocks_for(n), most_blocks),
         [=, v = all_reached(v), from = reached(from)] { host_take_kernel(v, from, n); });
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::pack(void* stream, const view& v, int to,
                                                      std::uint64_t first, std::uint64_t n,
                                                      message* into) {
  launch(stream, blocks_for(n), [=, v = all_reached(v), into = reached(into)] {
    host_pack_kernel(v, to, first, n, into);
  });
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::grant(void* stream, const view& v,
                                                       std::uint64_t first, std::uint64_t n,
                                                       message* into) {
  launch(stream, blocks_for(n),
         [=, v = all_reached(v), into = reached(into)] { host_grant_kernel(v, first, n, into); });
}

template <class Operator, class Weight, class Start>
void host_list_kernels<Operator, Weight, Start>::work_off(void* stream, int most_blocks,
                                                          const view& v, const message* items,
                                                          std::uint64_t n) {
  launch(stream, std::min<std::int64_t>(blocks_for(n), most_blocks),
         [=, v = all_reached(v), items = reached(items)] { host_work_off_kernel(v, items, n); });
}

using distance = std::uint32_t;
template struct host_list_kernels<sssp_detail::shortest_sums<distance>,
                                  sssp_detail::weight_of<distance>,
                                  sssp_detail::from_source<distance>>;

}  // namespace gossamer::algorithm_detail::cuda
