// The kernel of strong components for GPUs that are not there: its own source, run by
// tests/emulated_gpu in the order of its stream, by one block.
#include "device.hpp"

#include <mutex>

#include "algorithm/strong_components/sync/cuda/launch.hpp"
#include "algorithm/strong_components/sync/cuda/search.cuh"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"

namespace gossamer::strong_components_detail::cuda {

namespace {

struct emulated_sizes : gpu_sizes {
  static constexpr unsigned threads = emulated::threads;
};

template <class T>
void reach(T*& at) {
  if (at != nullptr) at = static_cast<T*>(const_cast<void*>(fake_gpu::reach(at)));
}

std::mutex one;  // the emulator has one block at a time

}  // namespace

/// So few that some graphs of tests are left to the host.
unsigned most_levels() {
  return 12;
}

template <class Id>
void launch_search(void* stream, int, const search_view<Id>& given) {
  search_view<Id> of = given;
  for (int way = 0; way < 2; ++way) {
    reach(of.rows[way].offsets);
    reach(of.rows[way].columns);
    reach(of.met[way]);
    reach(of.left[way]);
    for (int turn = 0; turn < 2; ++turn) reach(of.queue[way][turn]);
  }
  reach(of.parts);
  reach(of.color);
  reach(of.stamp);
  reach(of.labels);
  reach(of.sizes);
  reach(of.sums);
  reach(of.outcome);
  reach(of.arrived);
  static_cast<fake_gpu::queue*>(stream)->push([of] {
    const std::lock_guard lock(one);
    static block_memory<emulated_sizes, Id> mine;
    emulated::run_block([&] { search<emulated_sizes, Id>(of, mine).run(); });
  });
}

template void launch_search(void*, int, const search_view<vertex32>&);
template void launch_search(void*, int, const search_view<vertex64>&);

}  // namespace gossamer::strong_components_detail::cuda
