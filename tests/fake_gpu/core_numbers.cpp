// The kernel of core numbers for GPUs that are not there: its own source, run by tests/emulated_gpu
// in the order of its stream, by one block.
#include "device.hpp"

#include <mutex>

#include "algorithm/core_numbers/sync/cuda/launch.hpp"
#include "algorithm/core_numbers/sync/cuda/peel.cuh"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"

namespace gossamer::core_numbers_detail::cuda {

namespace {

/// Those of GPUs, with fewer threads and short lists.
struct emulated_sizes : gpu_sizes {
  static constexpr unsigned threads = emulated::threads, waiting_bytes = 2048;
};

template <class T>
void reach(T*& at) {
  if (at != nullptr) at = static_cast<T*>(const_cast<void*>(fake_gpu::reach(at)));
}

std::mutex one;  // the emulator has one block at a time

}  // namespace

template <class Id>
int prepare_peeling(int) {
  return 1;
}

template <class Id>
void launch_peeling(void* stream, int, const peel_view<Id>& given) {
  peel_view<Id> of = given;
  for (auto& rows : of.rows) {
    reach(rows.offsets);
    reach(rows.columns);
  }
  reach(of.words);
  reach(of.left);
  reach(of.left_of);
  reach(of.waiting);
  reach(of.ends);
  reach(of.sums);
  reach(of.state);
  of.pause = 2'000'000;  // time counts calls
  static_cast<fake_gpu::queue*>(stream)->push([of] {
    const std::lock_guard lock(one);
    static block_memory<emulated_sizes, Id> mine;
    emulated::run_block([&] { peel<emulated_sizes, Id>(of, mine).run(); });
  });
}

template int prepare_peeling<vertex32>(int);
template int prepare_peeling<vertex64>(int);
template void launch_peeling(void*, int, const peel_view<vertex32>&);
template void launch_peeling(void*, int, const peel_view<vertex64>&);

}  // namespace gossamer::core_numbers_detail::cuda
