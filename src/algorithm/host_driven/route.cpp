// Builds the wiring of a worklist from the route's name, and chooses the packet: about a megabyte,
// less where fewer messages can wait.
#include "algorithm/host_driven/route.hpp"

#include <algorithm>
#include <bit>

#include "algorithm/host_driven/report_mail.hpp"
#include "algorithm/host_driven/staging.hpp"
#include "algorithm/host_driven/steal_requests.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

namespace {

/// A segment costs some 10 us to announce, in which a wire moves half of this.
constexpr std::size_t usual_packet = std::size_t{1} << 20;

/// How many messages can wait for a rank at a time.
std::int64_t most_to_send(message_route route, const std::vector<std::int64_t>& first) {
  std::int64_t most = 1;
  for (std::size_t r = 0; r + 1 < first.size(); ++r) most = std::max(most, first[r + 1] - first[r]);
  return route == message_route::ring ? std::max(most, first.back()) : most;
}

std::size_t choose_packet(const host_list_options& options, std::size_t message,
                          const std::vector<std::int64_t>& first) {
  const std::int64_t most = most_to_send(options.route, first);
  const std::size_t asked =
      options.packet != 0
          ? options.packet
          : std::min(usual_packet, std::bit_ceil(static_cast<std::size_t>(most) * message));
  return std::max(asked / message, std::size_t{1}) * message;
}

}  // namespace

message_route route_by_name(const std::string& what, const std::string& name) {
  if (name == "direct") return message_route::direct;
  if (name == "ring") return message_route::ring;
  throw usage_error(what + ": unknown route '" + name + "' (there are direct, ring)");
}

void check_stealing(const machine& m, const host_list_options& options) {
  if (!options.steal) return;
  bool readable = m.all_direct();
  for (int r = 0; r < m.size(); ++r) readable = readable && m[r].is_cuda() && m.here(r);
  require(readable, options.name +
                        ": balance 'steal' of engine 'host' needs GPUs of one process that address "
                        "each other's memory");
}

host_list_graph::host_list_graph(const machine& m, const host_list_options& options,
                                 std::size_t message, const std::vector<std::int64_t>& first)
    : packet(choose_packet(options, message, first)), wires(m) {
  const int p = m.size();
  if (p == 1) return;
  for (int r = 0; r < p; ++r) ends.push_back(wires.device(r));
  const auto connect_all = [&](const dataflow::routing_policy& policy, const std::string& name,
                               std::vector<dataflow::link_id>& in,
                               std::vector<dataflow::link_id>& out) {
    const auto hub = wires.add_router(p, p, policy, name);
    for (int r = 0; r < p; ++r) {
      in.push_back(wires.connect(ends[static_cast<std::size_t>(r)], hub));
      out.push_back(wires.connect(hub, ends[static_cast<std::size_t>(r)], {packet, buffers}));
    }
  };
  connect_all(options.route == message_route::ring ? dataflow::ring() : dataflow::peer_to_peer(),
              "hub", up, down);
  if (options.steal) connect_all(dataflow::peer_to_peer(), "grants", grants_up, grants_down);
}

arena_plan host_loop_arena(const host_list_graph& graph, const host_list_options& options,
                           int self) {
  const int p = graph.wires.context().size();
  if (p == 1) return {0, 0};
  arena_plan plan = graph.wires.arenas()[static_cast<std::size_t>(self)];
  plan.native += staging_buffers::bytes(p, options.route, graph.packet);
  plan.host += report_window::bytes(p);
  if (options.steal) {
    plan.native += staging_buffers::bytes(p, message_route::direct, graph.packet);
    plan.host += steal_requests::bytes(p);
  }
  return plan;
}

}  // namespace gossamer::algorithm_detail
