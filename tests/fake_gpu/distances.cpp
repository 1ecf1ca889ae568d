// The kernels of distances for GPUs that are not there: their own source, run by tests/emulated_gpu
// in the order of their stream, by one block.
#include "device.hpp"

#include <mutex>

#include "algorithm/distances/sync/cuda/depth_steps.cuh"
#include "algorithm/distances/sync/cuda/launch.hpp"
#include "algorithm/distances/sync/cuda/search.cuh"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"

namespace gossamer::distances_detail::cuda {

namespace {

struct emulated_sizes : gpu_sizes {
  static constexpr unsigned threads = emulated::threads;
  static constexpr unsigned long long arcs_worth_settling = 500, arcs_listed = 2000;
};

template <class T>
void reach(T*& at) {
  if (at != nullptr) at = static_cast<T*>(const_cast<void*>(fake_gpu::reach(at)));
}
template <class Id>
void reach(device_rows<Id>& rows) {
  reach(rows.offsets);
  reach(rows.columns);
}
depth_planes reached(depth_planes of) {
  reach(of.met);
  reach(of.planes);
  return of;
}

std::mutex one;  // the emulator has one block at a time

template <class F>
void queue(void* stream, const F& f) {
  static_cast<fake_gpu::queue*>(stream)->push([f] {
    const std::lock_guard lock(one);
    emulated::run_block(f);
  });
}

}  // namespace

/// So few that some calls of tests have several launches and slices; time counts calls.
launch_limits most_at_once() {
  return {3'000'000, 128};
}

template <class Id>
int prepare_search(int) {
  return 1;
}

template <class Id>
void launch_search(void* stream, int, const search_view<Id>& given) {
  search_view<Id> of = given;
  reach(of.along);
  reach(of.against);
  reach(of.sources);
  reach(of.met);
  for (int turn = 0; turn < 3; ++turn) {
    reach(of.words[turn]);
    reach(of.parts[turn]);
  }
  reach(of.planes);
  reach(of.totals);
  reach(of.sums);
  reach(of.state);
  reach(of.arrived);
  queue(stream, [of] {
    static block_memory<emulated_sizes> mine;
    search<emulated_sizes, Id>(of, mine).run();
  });
}

template <class Id>
void launch_matrix(void* stream, int, const depth_planes& given, const depth_matrix_view<Id>& to) {
  const depth_planes from = reached(given);
  depth_matrix_view<Id> rows = to;
  reach(rows.targets);
  reach(rows.depths);
  queue(stream, [from, rows] {
    matrix_rows<Id>(from, rows).write(threadIdx.x, std::int64_t{emulated::threads});
  });
}

int bounds_warps(int) {
  return emulated::threads / 32;
}

template <class Id>
void launch_bounds(void* stream, int, bounds_step step, const bounds_view<Id>& given,
                   const depth_planes& planes) {
  const depth_planes from = reached(planes);
  bounds_view<Id> of = given;
  reach(of.rows);
  reach(of.lower);
  reach(of.upper);
  reach(of.totals);
  reach(of.counts);
  reach(of.by_upper);
  reach(of.by_lower);
  queue(stream, [from, of, step] {
    bounds_steps<Id>(of, from, threadIdx.x, std::int64_t{emulated::threads}).run(step);
  });
}

template int prepare_search<vertex32>(int);
template int prepare_search<vertex64>(int);
template void launch_search(void*, int, const search_view<vertex32>&);
template void launch_search(void*, int, const search_view<vertex64>&);
template void launch_matrix(void*, int, const depth_planes&, const depth_matrix_view<vertex32>&);
template void launch_matrix(void*, int, const depth_planes&, const depth_matrix_view<vertex64>&);
template void launch_bounds(void*, int, bounds_step, const bounds_view<vertex32>&,
                            const depth_planes&);
template void launch_bounds(void*, int, bounds_step, const bounds_view<vertex64>&,
                            const depth_planes&);

}  // namespace gossamer::distances_detail::cuda
