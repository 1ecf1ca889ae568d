// endpoint: who can communicate. A device, one of several virtual endpoints of it, or a router.
//
// Contract of the layer `dataflow`: Groute's links and routers (Ben-Nun, Sutton, Pai, Pingali,
// "Groute", PPoPP 2017, Table 1) on any machine. It moves segments between endpoints and says when
// a stream of them has ended. It knows no graph, owns no memory of the program's, and names no
// transport: everything goes through `rank`. docs/design/dataflow.md maps the paper's constructs to
// the names here.
//
//   Context                 machine
//   Endpoint                endpoint
//   Segment, PendingSegment message and pending_segment (segment.hpp)
//   RoutingPolicy           routing_policy (routing_policy.hpp)
//   Link, Router            wiring::connect, wiring::add_router; link (link.hpp) while running
//
// A program wires endpoints up (wiring.hpp), the same way in every process, then runs (flow.hpp).
#pragma once

#include <string>
#include <vector>

namespace gossamer::dataflow {

/// A node of the graph that a wiring describes: a number within it. Made by wiring alone.
struct endpoint {
  int index = -1;
  friend bool operator==(const endpoint&, const endpoint&) = default;
};

using endpoint_list = std::vector<endpoint>;

/// A link of a wiring, by its number; flow::operator[] gives what sends and receives on it.
struct link_id {
  int index = -1;
  friend bool operator==(const link_id&, const link_id&) = default;
};

}  // namespace gossamer::dataflow
