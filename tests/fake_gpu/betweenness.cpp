// The kernels of betweenness for GPUs that are not there: their own source, run by
// tests/emulated_gpu in the order of their stream, by one block.
#include "device.hpp"

#include <mutex>

#include "algorithm/betweenness/sync/cuda/launch.hpp"
#include "algorithm/betweenness/sync/cuda/search.cuh"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"

namespace gossamer::betweenness_detail::cuda {

namespace {

/// So small that graphs of tests have rows of each kind.
struct emulated_sizes : gpu_sizes {
  static constexpr unsigned threads = emulated::threads, short_row = 6, warp_row = 20;
};

template <class T>
void reach(T*& at) {
  if (at != nullptr) at = static_cast<T*>(const_cast<void*>(fake_gpu::reach(at)));
}

std::mutex one;  // the emulator has one block at a time

}  // namespace

/// Groups are of one block, and come one after the other.
template <class Id>
void launch_search(void* stream, const search_view<Id>& given) {
  search_view<Id> of = given;
  for (auto& rows : of.rows) {
    reach(rows.offsets);
    reach(rows.columns);
  }
  reach(of.sources);
  reach(of.values);
  reach(of.powers);
  reach(of.codes);
  reach(of.order);
  reach(of.level_begin);
  reach(of.scores);
  reach(of.states);
  reach(of.words);
  of.blocks = 1;
  of.pause = 2;  // looks at the clock, which counts them
  static_cast<fake_gpu::queue*>(stream)->push([of] {
    const std::lock_guard lock(one);
    static block_memory<emulated_sizes, Id> mine;
    for (unsigned group = 0; group < of.groups; ++group) {
      blockIdx.x = group;
      emulated::run_block([&] { search<emulated_sizes, Id>(of, mine).run(); });
    }
    blockIdx.x = 0;
  });
}

void launch_collect(void* stream, const collect_view& given) {
  collect_view of = given;
  reach(of.scores);
  reach(of.row_of);
  reach(of.sums);
  static_cast<fake_gpu::queue*>(stream)->push([of] { collect(of, 0, 1); });
}

template <class Id>
void launch_join(void* stream, const join_view<Id>& given) {
  join_view<Id> of = given;
  reach(of.rows.offsets);
  reach(of.rows.columns);
  reach(of.sums);
  static_cast<fake_gpu::queue*>(stream)->push([of] { join_directions(of, 0, 1, 0, 1); });
}

template void launch_search(void*, const search_view<vertex32>&);
template void launch_search(void*, const search_view<vertex64>&);
template void launch_join(void*, const join_view<vertex32>&);
template void launch_join(void*, const join_view<vertex64>&);

}  // namespace gossamer::betweenness_detail::cuda
