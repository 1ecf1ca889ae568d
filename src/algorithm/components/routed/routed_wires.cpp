// Chooses the size of packets, and connects the endpoints. Packets are small enough that the ranks'
// last ones end together.
#include "algorithm/components/routed/routed_wires.hpp"
#include "algorithm/driver/memory_layout.hpp"

#include <algorithm>

namespace gossamer::components_detail {

using algorithm_detail::aligned;

namespace {

constexpr std::int64_t packets_a_rank = 128;  ///< of several, so that the last ones end together

std::size_t choose_packet(const machine& m, const graph_sizes& g, std::int64_t asked) {
  const std::int64_t edge_bytes = 2 * static_cast<std::int64_t>(g.id_bytes);
  std::int64_t packet = asked;
  if (packet == 0) {
    // Threads of a rank share each packet, and wait for each other after it.
    for (int r = 0; r < m.size(); ++r)
      packet = std::max(packet, static_cast<std::int64_t>(dataflow::lane_packet(m, 0, r)) *
                                    std::max(m[r].threads, 1));
    const std::int64_t edges = g.symmetric ? g.arcs / 2 : g.arcs;
    const std::int64_t share = edges * edge_bytes / (m.size() * packets_a_rank);
    const std::int64_t least = std::int64_t{16} << 10;
    packet = std::min(packet, std::max(m.size() == 1 ? edges * edge_bytes : share, least));
  }
  return static_cast<std::size_t>(std::max(packet / edge_bytes, std::int64_t{1}) * edge_bytes);
}

}  // namespace

routed_wires::routed_wires(const machine& m, const graph_sizes& g, std::int64_t asked,
                           bool streamed)
    : packet(choose_packet(m, g, streamed ? asked : 1)),
      wires(m),
      take(static_cast<std::size_t>(m.size())),
      parents(dataflow::reduction_parents(m, 0, dataflow::reduction_shape::tree)),
      up(take.size()),
      down(take.size()) {
  if (streamed || m.size() == 1) connect_host(m);  // of one rank: a flow needs a link
  if (m.size() > 1) connect_workers(m, aligned(g.vertices * g.id_bytes));
}

// Rank 0's thread hands out between pieces of its own work, and a core may be taken from it for
// milliseconds: real ranks get more in hand than the transfers alone would need (as in filter).
void routed_wires::connect_host(const machine& m) {
  const int buffers = m[0].model == nullptr ? 8 : 0;
  const auto host = wires.add_endpoint(0, "host");
  const auto edges = wires.add_router(1, m.size(), dataflow::any_device(), "edges");
  hand_out = wires.connect(host, edges);
  for (int r = 0; r < m.size(); ++r)
    take[static_cast<std::size_t>(r)] =
        wires.connect(edges, wires.device(r), {packet, buffers, /*one_at_a_time=*/true});
}

// Labels go from child to parent alone, but a router has buffers for each pair of its ends: only
// who has a parent goes in, only who has a child comes out.
void routed_wires::connect_workers(const machine& m, std::int64_t label_bytes) {
  std::vector<dataflow::endpoint> workers;
  std::size_t most = 0;
  int merging = 0;
  for (int r = 0; r < m.size(); ++r) {
    const int parent = parents[static_cast<std::size_t>(r)];
    workers.push_back(wires.device(r));
    merging += std::count(parents.begin(), parents.end(), r) > 0;
    if (parent >= 0) most = std::max(most, dataflow::lane_packet(m, r, parent));
  }
  most = std::min(most, static_cast<std::size_t>(std::max(label_bytes, std::int64_t{256})));
  const auto labels = wires.add_router(m.size() - 1, merging,
                                       dataflow::reduction_policy(workers, parents), "labels");
  for (std::size_t r = 0; r < workers.size(); ++r) {
    if (parents[r] >= 0) up[r] = wires.connect(workers[r], labels);
    if (std::count(parents.begin(), parents.end(), static_cast<int>(r)) > 0)
      down[r] = wires.connect(labels, workers[r], {most, 0});
  }
}

}  // namespace gossamer::components_detail
