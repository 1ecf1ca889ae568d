// The kernel of random walks for GPUs that are not there: its own source, run by tests/emulated_gpu
// in the order of its stream, by one block.
#include "device.hpp"

#include <mutex>

#include "algorithm/random_walks/sync/cuda/launch.hpp"
#include "algorithm/random_walks/sync/cuda/walk.cuh"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"

namespace gossamer::random_walks_detail::cuda {

namespace {

template <class T>
void reach(T*& at) {
  if (at != nullptr) at = static_cast<T*>(const_cast<void*>(fake_gpu::reach(at)));
}

std::mutex one;  // the emulator has one block at a time

template <class Id, bool Weighted, bool Second>
void walk(const device_rows<Id>& rows, const walk_slice<Id>& of) {
  emulated::run_block(
      [&] { walker<Id, Weighted, Second>(rows, of).run(threadIdx.x, emulated::threads); });
}

}  // namespace

/// So few that most calls of tests have several slices and launches.
launch_sizes most_at_once() {
  return {4096, 7};
}

template <class Id>
void launch_walks(void* stream, int, bool weighted, bool second, const device_rows<Id>& given,
                  const walk_slice<Id>& slice) {
  device_rows<Id> rows = given;
  reach(rows.offsets);
  reach(rows.columns);
  reach(rows.up_to);
  reach(rows.row_sum);
  walk_slice<Id> of = slice;
  // The pointer may lie before the array, whose first source is not that of walk 0.
  if (of.sources != nullptr) {
    const std::int64_t begin = of.first / of.walks_of_source;
    of.sources += begin;
    reach(of.sources);
    of.sources -= begin;
  }
  reach(of.walks);
  reach(of.steps);
  reach(of.ended);
  static_cast<fake_gpu::queue*>(stream)->push([=] {
    const std::lock_guard lock(one);
    if (weighted)
      second ? walk<Id, true, true>(rows, of) : walk<Id, true, false>(rows, of);
    else
      second ? walk<Id, false, true>(rows, of) : walk<Id, false, false>(rows, of);
  });
}

template void launch_walks(void*, int, bool, bool, const device_rows<vertex32>&,
                           const walk_slice<vertex32>&);
template void launch_walks(void*, int, bool, bool, const device_rows<vertex64>&,
                           const walk_slice<vertex64>&);

}  // namespace gossamer::random_walks_detail::cuda
