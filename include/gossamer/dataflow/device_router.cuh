// device_router: segments of a kernel's output go to whichever GPU rank is free, decided by the
// sending block, with no host in the loop. For .cu files. Ben-Nun et al., "Groute" (PPoPP 2017)
// name it as future work; routers that hosts decide are wiring.hpp's. examples/routed_filter.cu is
// a whole program.
//
//   using policy = device_policy::any_device;
//   device_router<policy> router(m, {.sources = {0, 1}, .destinations = {0, 1}});
//   run_options how;
//   how.arenas = router.arenas();
//   m.run([&](rank& r) {
//     const auto route = router.begin(r, sending);       // sending: blocks of this rank
//     kernel<<<router.blocks(r.id()), …, r.stream()>>>(route, …);
//     r.synchronize();
//   }, how);
//
//   __global__ void kernel(const __grid_constant__ device_router_view<policy> route, …) {
//     if (blockIdx.x < sending) {                        // the block is a source
//       while (…) if (!route.send(results, n)) return;   // stores into the memory of who is free
//       route.shutdown();
//     } else {                                           // … or takes what comes to its rank
//       received_segment s;
//       while (route.receive(s)) {
//         … s.as<float>() …, s.count<float>()
//         route.release(s);
//       }
//     }
//   }
//
// A policy is a small struct, copied to kernels as it is:
//
//     __device__ void operator()(const routed_segment& what, int source,
//                                const rank_list& destinations, rank_list& possible) const;
//
// It fills `possible` with destinations, the best first. The segment goes to the first of them that
// has a free buffer. If none has, or the list is empty, it is asked again. One thread asks, any
// number of times for a segment. device_policy::any_device and round_robin are there.
//
// What must hold:
// - The blocks of all kernels that share a GPU run together: blocks() a rank at most, which fit one
//   on each multiprocessor, or fewer of a size of which several fit. One at least of each
//   destination receives, besides those that send: a block that waits for a free buffer takes
//   nothing. Hosts launch nothing else on these GPUs until the kernels end.
// - Blocks receive until the stream has ended, and release each segment.
// - Every sending block of every source shuts down once.
// Segments come in any order, those of one block too; `what()` says where each belongs.
//
// Every wait is bounded as kernels' waits are (window_device.cuh). When a block finds nothing to
// claim or to take until the deadline (run_options::deadline), or a rank fails, functions return
// false, and the rank's next synchronize() throws rank_error.
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/dataflow/router/cuda/view.cuh"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/fabric/wake_links.hpp"
#include "gossamer/machine/kernels.cuh"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::dataflow {

struct device_router_options {
  std::vector<int> sources, destinations;       ///< ranks; one may be both
  std::size_t segment = std::size_t{64} << 10;  ///< largest segment in bytes; rounded up to 128
  int buffers = 16;  ///< receive buffers of each destination, for all sources together; 1 to 64
  std::string name = "device router";  ///< what errors call it
};

/// Made outside runs, then used in any number of them. The machine must outlive it.
template <class Policy>
class device_router {
 public:
  /// Throws usage_error for ranks that are no GPUs of this process, more than 16 of them, ranks
  /// that are named twice, sources whose kernels have no loads, stores and atomics in a
  /// destination's memory, and numbers that make no sense.
  device_router(const machine& m, device_router_options options, const Policy& by = {})
      : machine_(&m), options_(std::move(options)), by_(by) {
    check();
    places_ = {router_detail::in_lines(options_.segment),
               static_cast<std::size_t>(options_.buffers)};
    for (const int d : options_.destinations) destinations_.push(d);
  }

  /// What a run takes of each rank's memories: run_options::arenas.
  [[nodiscard]] std::vector<arena_plan> arenas() const {
    std::vector<arena_plan> all(static_cast<std::size_t>(machine_->size()));
    for (int r = 0; r < machine_->size(); ++r)
      all[static_cast<std::size_t>(r)].native += window_bytes(r);
    return all;
  }
  /// The most blocks of a rank's kernel, one a multiprocessor: ranks that share a GPU share these.
  [[nodiscard]] int blocks(int rank) const {
    const device& on = (*machine_)[rank];
    return std::max(1, on.units / std::max(1, on.share));
  }

  /// Collective, once in a machine::run: makes the rank's buffers, all free. `sending_blocks`: of
  /// this rank's kernels that are going to shut down; not looked at where it is no source. Throws
  /// usage_error where kernels of ranks that share a GPU take turns.
  device_router_view<Policy> begin(rank& r, int sending_blocks) {
    require(r.size() == machine_->size(), options_.name + ": made for " +
                                              std::to_string(machine_->size()) + " ranks, run by " +
                                              std::to_string(r.size()));
    require(sending_blocks > 0 || !names(options_.sources, r.id()),
            options_.name + ": rank " + std::to_string(r.id()) + " is a source of no blocks");
    const device_guard& guard = r.guard();
    const auto all = r.make_window<std::byte>(window_bytes(r.id()));
    const window_table::part& own = all.table().parts[static_cast<std::size_t>(r.id())];
    fill_bytes(own.kind, own.ordinal, own.data, 0, own.size);
    wake_links(r, all);  // zeros over zeros
    if (names(options_.destinations, r.id())) {
      const std::uint64_t free = places_.all_free();
      copy_bytes(own.data, &free, sizeof free);  // rank_memory begins with it
    }
    device_router_view<Policy> view(by_, places_, guard, all.table().id, destinations_,
                                    static_cast<int>(options_.sources.size()),
                                    static_cast<unsigned>(sending_blocks));
    view.reach(r.id(), own.data);
    for (const int d : options_.destinations) view.reach(d, all.direct(d).data());
    r.barrier();  // nobody claims a buffer that is not there yet
    return view;
  }

 private:
  static_assert(std::is_trivially_copyable_v<Policy>, "policies are copied to GPUs as they are");
  static_assert(
      requires(const Policy& by, const routed_segment& what, rank_list& possible) {
        by(what, 0, std::as_const(possible), possible);
      },
      "a policy has the form that device_router.cuh says");

  static bool names(const std::vector<int>& ranks, int rank) {
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
  }
  [[nodiscard]] std::size_t window_bytes(int rank) const {
    return names(options_.destinations, rank) ? places_.bytes() : places_.notes();
  }

  void check() const {
    const machine& m = *machine_;
    const auto& [sources, destinations, segment, buffers, name] = options_;
    require(
        m.size() <= most_router_ranks,
        name + ": a router on GPUs has " + std::to_string(most_router_ranks) + " ranks at most");
    require(!sources.empty() && !destinations.empty(), name + ": needs a source and a destination");
    require(segment > 0 && segment <= std::size_t{1} << 40,
            name + ": segments have 1 byte to 1 TiB, not " + std::to_string(segment));
    require(buffers >= 1 && buffers <= most_router_buffers,
            name + ": a destination has 1 to " + std::to_string(most_router_buffers) +
                " buffers, not " + std::to_string(buffers));
    for (const auto* ranks : {&sources, &destinations})
      for (const int r : *ranks) {
        const std::string rank = "rank " + std::to_string(r);
        require(r >= 0 && r < m.size(), name + ": the machine has no " + rank);
        require(std::count(ranks->begin(), ranks->end(), r) == 1,
                name + ": names " + rank + " twice");
      }
    for (int r = 0; r < m.size(); ++r)
      require(m[r].is_cuda() && m[r].process < 0,
              name + ": rank " + std::to_string(r) + " is " + m[r].name +
                  "; a router on GPUs needs GPUs of one process (cuda)");
    for (const int from : sources)
      for (const int to : destinations)
        require(from == to || (m.between(from, to).load_store && m.between(from, to).atomic),
                name + ": kernels of rank " + std::to_string(from) +
                    " have no stores and atomics in the memory of rank " + std::to_string(to));
  }

  const machine* machine_;
  device_router_options options_;
  Policy by_;
  router_detail::router_places places_;
  rank_list destinations_;
};

}  // namespace gossamer::dataflow
