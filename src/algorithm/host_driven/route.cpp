// Builds the wiring of a worklist from the route's name, and chooses the packet: about a megabyte,
// less where fewer messages can wait.
#include "algorithm/host_driven/route.hpp"

#include <algorithm>
#include <bit>

#include "algorithm/host_driven/report_mail.hpp"
#include "algorithm/host_driven/staging.hpp"
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

host_list_graph::host_list_graph(const machine& m, const host_list_options& options,
                                 std::size_t message, const std::vector<std::int64_t>& first)
    : packet(choose_packet(options, message, first)), wires(m) {
  const int p = m.size();
  if (p == 1) return;
  const auto hub = wires.add_router(
      p, p, options.route == message_route::ring ? dataflow::ring() : dataflow::peer_to_peer(),
      "hub");
  for (int r = 0; r < p; ++r) {
    ends.push_back(wires.device(r));
    up.push_back(wires.connect(ends.back(), hub));
    down.push_back(wires.connect(hub, ends.back(), {packet, buffers}));
  }
}

arena_plan host_loop_arena(const host_list_graph& graph, const host_list_options& options,
                           int self) {
  const int p = graph.wires.context().size();
  if (p == 1) return {0, 0};
  arena_plan plan = graph.wires.arenas()[static_cast<std::size_t>(self)];
  plan.native += staging_buffers::bytes(p, options.route, graph.packet);
  plan.host += report_window::bytes(p);
  return plan;
}

}  // namespace gossamer::algorithm_detail
