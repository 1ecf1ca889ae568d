// The kernels of spanning forests for GPUs that are not there: their own source, run by
// tests/emulated_gpu in the order of their streams, by one block.
#include "device.hpp"

#include <mutex>

#include "algorithm/spanning_forest/sync/cuda/launch.hpp"
#include "algorithm/spanning_forest/sync/cuda/round_steps.cuh"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"

namespace gossamer::spanning_forest_detail::cuda {

namespace {

/// Those of GPUs, with fewer threads, and names that are soon too far away.
struct emulated_sizes : gpu_sizes {
  static constexpr unsigned threads = emulated::threads, most_steps = 8;
};
template <class Id, bool Packed>
using steps = round_steps<emulated_sizes, Id, Packed>;

template <class T>
T* reached(T* at) {
  return at == nullptr ? nullptr
                       : static_cast<T*>(const_cast<void*>(fake_gpu::reach(
                             const_cast<const void*>(static_cast<const volatile void*>(at)))));
}

template <class Id>
round_view<Id> reached(round_view<Id> of) {
  of.parent = reached(of.parent);
  of.lowest = reached(of.lowest);
  of.nearest = reached(of.nearest);
  of.chosen = reached(of.chosen);
  of.counts = reached(of.counts);
  return of;
}
template <class Id, bool Packed>
edge_list<Id, Packed> reached(edge_list<Id, Packed> of) {
  of.edges = reached(of.edges);
  return of;
}

std::mutex one;  // the emulator has one block at a time

template <class F>
void launch(const launch_site& on, const F& work) {
  static_cast<fake_gpu::queue*>(on.stream)->push([=] {
    const std::lock_guard lock(one);
    emulated::run_block(work);
  });
}

append_memory block;

}  // namespace

template <class Id>
void begin(const launch_site& on, const round_view<Id>& given) {
  launch(on, [of = reached(given)] { steps<Id, true>(of).begin(); });
}
template <class Id>
void shorten(const launch_site& on, const round_view<Id>& given) {
  launch(on, [of = reached(given)] { steps<Id, true>(of).shorten(); });
}
template <class Id, bool Packed>
void offer(const launch_site& on, const round_view<Id>& given, const edge_list<Id, Packed>& edges) {
  launch(on, [of = reached(given), e = reached(edges)] { steps<Id, Packed>(of).offer(e); });
}
template <class Id, bool Packed>
void offer_arcs(const launch_site& on, const round_view<Id>& given,
                const edge_list<Id, Packed>& edges) {
  launch(on, [of = reached(given), e = reached(edges)] { steps<Id, Packed>(of).offer_arcs(e); });
}
template <class Id, bool Packed>
void choose(const launch_site& on, const round_view<Id>& given,
            const edge_list<Id, Packed>& edges) {
  launch(on, [of = reached(given), e = reached(edges)] { steps<Id, Packed>(of).choose(e); });
}
template <class Id, bool Packed>
void drop(const launch_site& on, const round_view<Id>& given, const edge_list<Id, Packed>& edges,
          edge<Id, Packed>* to) {
  launch(on, [of = reached(given), e = reached(edges), to = reached(to)] {
    steps<Id, Packed>(of).drop(e, to, block);
  });
}
template <class Id, bool Packed>
void take_first(const launch_site& on, const round_view<Id>& given,
                const edge_list<Id, Packed>& edges, const last_edge& last, edge<Id, Packed>* to) {
  launch(on, [of = reached(given), e = reached(edges), last, to = reached(to)] {
    steps<Id, Packed>(of).take_first(e, last, to, block);
  });
}

std::int64_t collect_bytes(std::int64_t) {
  return 0;
}

void collect(const launch_site& on, const unsigned* chosen, std::int64_t arcs, std::int64_t* to,
             std::int64_t* count, void*, std::int64_t) {
  static_cast<fake_gpu::queue*>(on.stream)->push(
      [=, chosen = reached(chosen), to = reached(to), count = reached(count)] {
        *count = 0;
        for (std::int64_t arc = 0; arc < arcs; ++arc)
          if ((chosen[arc / 32] >> (arc % 32) & 1U) != 0) to[(*count)++] = arc;
      });
}

#define GOSSAMER_STEPS(Id, Packed)                                                               \
  template void offer(const launch_site&, const round_view<Id>&, const edge_list<Id, Packed>&);  \
  template void offer_arcs(const launch_site&, const round_view<Id>&,                            \
                           const edge_list<Id, Packed>&);                                        \
  template void choose(const launch_site&, const round_view<Id>&, const edge_list<Id, Packed>&); \
  template void drop(const launch_site&, const round_view<Id>&, const edge_list<Id, Packed>&,    \
                     edge<Id, Packed>*);                                                         \
  template void take_first(const launch_site&, const round_view<Id>&,                            \
                           const edge_list<Id, Packed>&, const last_edge&, edge<Id, Packed>*);
#define GOSSAMER_INSTANTIATE(Id)                                    \
  template void begin(const launch_site&, const round_view<Id>&);   \
  template void shorten(const launch_site&, const round_view<Id>&); \
  GOSSAMER_STEPS(Id, true)                                          \
  GOSSAMER_STEPS(Id, false)
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE
#undef GOSSAMER_STEPS

}  // namespace gossamer::spanning_forest_detail::cuda
