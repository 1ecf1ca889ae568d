// Routing policies: where a segment that enters a router may go.
//
// A policy is a plain function that fills a list of possible destinations. The router's delivery
// says what becomes of the list: the first of them with a free buffer gets the segment, or all do.
// An empty list means "not now": the segment stays queued, and the policy is asked again whenever
// something has changed. A segment that it never routes runs into the deadline, and the error names
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gossamer/dataflow/segment.hpp"

namespace gossamer {
class machine;
}  // namespace gossamer

namespace gossamer::dataflow {

enum class delivery : std::uint8_t {
  first_available,  ///< one of the list: of those with a free buffer the one with the most
  to_all,           ///< a copy to each of the list
};

/// `destinations`: the router's, in the order in which they were linked. `possible`: empty when
/// called, with room for all. Called on the rank that sends, any number of times for a segment. It
/// must not send or receive itself.
using routing_function =
    std::function<void(const message& what, endpoint source, std::span<const endpoint> destinations,
                       endpoint_list& possible)>;

struct routing_policy {
  std::string name;  ///< for the printed graph and for errors
  routing_function choose;
  delivery how = delivery::first_available;
  /// A message is cut into this many equal parts, and no segment crosses from one into the next.
  /// Empty: there are no parts. Scatter needs it.
  std::function<std::size_t(std::size_t destinations)> parts = {};
};

/// Any destination, whichever has a free buffer first: the paper's AnyDevicePolicy.
routing_policy any_device();
/// The destination after the source, in the order in which destinations were linked. For a source
/// that is not a destination, the first.
routing_policy ring();
/// Every destination but the source itself.
routing_policy broadcast();
/// Bytes of a part when a message is cut into so many: whole elements, the last part may be
/// smaller.
std::size_t part_bytes(const message& what, std::size_t parts);
/// Part i of each message goes to destination i; there are as many equal parts as destinations.
routing_policy scatter();
/// The first destination. For routers that have one output.
routing_policy gather();
/// The destination that the send names (send_options::to). Sends that name none, or one that is no
/// output of the router, throw usage_error.
routing_policy peer_to_peer();

/// How the ranks' values come together at one of them.
enum class reduction_shape : std::uint8_t {
  automatic,    ///< many_to_one up to four ranks that the root reaches alike, else tree
  many_to_one,  ///< everyone to the root
  tree,         ///< binomial trees within ranks that reach each other best, then between those
};
/// By rank, to whom it hands its result; -1 for the root. The ranks merged first are those that
/// reach each other over the best kind of connection (`link::how` and bandwidth; on a modelled tree
/// the lowest switch), as the paper's siblings are. Throws usage_error for a root outside the
/// machine.
std::vector<int> reduction_parents(const machine& m, int root,
                                   reduction_shape shape = reduction_shape::automatic);
/// From the endpoint of each rank to that of its parent. `endpoints[r]`: rank r's, which is an
/// input and (unless nobody's parent) an output of the router. See reduce_through in reduction.hpp.
routing_policy reduction_policy(std::vector<endpoint> endpoints, std::vector<int> parents);

}  // namespace gossamer::dataflow
