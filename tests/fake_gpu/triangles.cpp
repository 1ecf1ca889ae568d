// Kernels of triangles for GPUs that are not there: their own source, run by tests/emulated_gpu in
// the order of their streams. Of each launch one block runs, which takes all rows.
#include "device.hpp"

#include <mutex>

#include "algorithm/triangles/sync/cuda/long_rows.cuh"
#include "algorithm/triangles/sync/cuda/passes.hpp"
#include "algorithm/triangles/sync/cuda/short_rows.cuh"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"

namespace gossamer::triangles_detail::cuda {

namespace {

/// Those of GPUs, with fewer threads.
struct emulated_sizes : gpu_sizes {
  static constexpr unsigned long_threads = emulated::threads, short_threads = emulated::threads;
};

template <class T>
T* reached(T* at) {
  return at == nullptr ? nullptr : static_cast<T*>(const_cast<void*>(fake_gpu::reach(at)));
}

template <class Id, class Value>
row_share<Id, Value> all_reached(row_share<Id, Value> of) {
  of.rows.offsets = reached(of.rows.offsets);
  of.rows.columns = reached(of.rows.columns);
  of.rows.values = reached(of.rows.values);
  of.list = reached(of.list);
  of.ticket = reached(of.ticket);
  of.counts = reached(of.counts);
  of.found = reached(of.found);
  return of;
}

std::mutex one;  // the emulator has one block at a time

template <class F>
void launch(const launch_site& on, const F& work) {
  static_cast<fake_gpu::queue*>(on.stream)->push([=] {
    const std::lock_guard lock(one);
    work();
  });
}

}  // namespace

template <class Id, class Value>
resident_blocks prepare_counting() {
  return {};
}

/// So few that most graphs of tests have several slices.
double most_looks(bool) {
  return 20'000;
}

template <class Id, class Value>
void count_long_rows(const launch_site& on, const row_share<Id, Value>& given) {
  if (given.own() <= 0) return;
  launch(on, [of = all_reached(given)] {
    static block_memory<emulated_sizes, Value> block;
    emulated::run_block([&] { long_rows<emulated_sizes, Id, Value>(of, block).count(); });
  });
}

template <class Id, class Value>
void count_short_rows(const launch_site& on, const row_share<Id, Value>& given) {
  if (given.own() <= 0) return;
  launch(on, [of = all_reached(given)] {
    static warp_memory<emulated_sizes, Id, Value> warps[emulated::threads / 32];
    emulated::run_block(
        [&] { short_rows<emulated_sizes, Id, Value>(of, warps[threadIdx.x / 32]).count(); });
  });
}

template <class Id, class Worth>
void arrange(const launch_site& on, std::int64_t vertices, const Id* name, const Worth* counts,
             Worth* to) {
  launch(on, [=, name = reached(name), counts = reached(counts), to = reached(to)] {
    for (std::int64_t v = 0; v < vertices; ++v) to[v] = counts[name[v]];
  });
}

template <class Worth>
void add_counts(const launch_site& on, std::int64_t n, const Worth* more, Worth* to) {
  launch(on, [=, more = reached(more), to = reached(to)] {
    for (std::int64_t i = 0; i < n; ++i) to[i] += more[i];
  });
}

#define GOSSAMER_COUNTING(Id, Value)                                              \
  template resident_blocks prepare_counting<Id, Value>();                         \
  template void count_long_rows(const launch_site&, const row_share<Id, Value>&); \
  template void count_short_rows(const launch_site&, const row_share<Id, Value>&);
#define GOSSAMER_INSTANTIATE(Id)                                                                \
  GOSSAMER_COUNTING(Id, std::monostate)                                                         \
  GOSSAMER_COUNTING(Id, std::uint8_t)                                                           \
  GOSSAMER_COUNTING(Id, double)                                                                 \
  template void arrange(const launch_site&, std::int64_t, const Id*, const unsigned long long*, \
                        unsigned long long*);                                                   \
  template void arrange(const launch_site&, std::int64_t, const Id*, const double*, double*);

GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
template void add_counts(const launch_site&, std::int64_t, const unsigned long long*,
                         unsigned long long*);
template void add_counts(const launch_site&, std::int64_t, const double*, double*);
#undef GOSSAMER_INSTANTIATE
#undef GOSSAMER_COUNTING

}  // namespace gossamer::triangles_detail::cuda
