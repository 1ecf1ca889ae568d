// Adds endpoints, routers and links, and refuses those that cannot work. check() looks at the
// whole.
#include "gossamer/dataflow/wiring.hpp"

#include <algorithm>

#include "gossamer/base/error.hpp"

namespace gossamer::dataflow {

namespace {

constexpr int most_buffers = 64;  // bits of the word that notes buffers given back early
constexpr std::size_t most_packet = std::size_t{1} << 40;  // no product of it overflows

[[noreturn]] void refuse(const std::string& text) {
  throw usage_error("dataflow: " + text);
}

}  // namespace

endpoint wiring::add(node made) {
  for (const auto& n : nodes_)
    if (n.name == made.name) refuse("the name '" + made.name + "' is taken");
  nodes_.push_back(std::move(made));
  return {static_cast<int>(nodes_.size()) - 1};
}

endpoint wiring::device(int rank) {
  const auto p = static_cast<std::size_t>(machine_->size());
  devices_.resize(p);
  if (rank < 0 || rank >= machine_->size()) return add_endpoint(rank, "");  // which refuses it
  auto& known = devices_[static_cast<std::size_t>(rank)];
  if (known.index < 0) known = add_endpoint(rank, "rank " + std::to_string(rank));
  return known;
}

endpoint wiring::add_endpoint(int rank, const std::string& name) {
  if (rank < 0 || rank >= machine_->size())
    refuse("no rank " + std::to_string(rank) + " among " + std::to_string(machine_->size()));
  node made;
  made.name = name;
  made.rank = rank;
  return add(std::move(made));
}

endpoint wiring::add_router(int inputs, int outputs, routing_policy policy,
                            const std::string& name) {
  if (inputs < 1) refuse("router '" + name + "' needs an input");
  if (outputs < 1) refuse("router '" + name + "' needs an output");
  if (!policy.choose) refuse("router '" + name + "' has no function to choose by");
  node made;
  made.name = name;
  made.inputs = inputs;
  made.outputs = outputs;
  made.policy = std::move(policy);
  return add(std::move(made));
}

const wiring::node& wiring::known(endpoint e) const {
  if (e.index < 0 || e.index >= static_cast<int>(nodes_.size()))
    refuse("no endpoint " + std::to_string(e.index) + " among " + std::to_string(nodes_.size()));
  return (*this)[e];
}

link_id wiring::connect(endpoint from, endpoint to, const link_options& options) {
  const node &first = known(from), &last = known(to);
  if (from == to) refuse("endpoint '" + first.name + "' cannot be linked to itself");
  if (first.is_router() && last.is_router())
    refuse("router '" + first.name + "' cannot feed router '" + last.name +
           "'; put an endpoint between them");
  int leaving = 0, entering = 0;
  for (const auto& e : edges_) {
    if (e.from == from && e.to == to)
      refuse("'" + first.name + "' and '" + last.name + "' are linked already");
    leaving += e.from == from ? 1 : 0;
    entering += e.to == to ? 1 : 0;
  }
  if (first.is_router() && leaving == first.outputs)
    refuse("all outputs (" + std::to_string(first.outputs) + ") of router '" + first.name +
           "' are linked already");
  if (last.is_router() && entering == last.inputs)
    refuse("all inputs (" + std::to_string(last.inputs) + ") of router '" + last.name +
           "' are linked already");
  if (options.buffers < 0 || options.buffers > most_buffers)
    refuse("link '" + first.name + " -> " + last.name + "': " + std::to_string(options.buffers) +
           " buffers; 1 to " + std::to_string(most_buffers) + " are possible, 0 is a choice");
  if (options.packet > most_packet)
    refuse("link '" + first.name + " -> " + last.name + "': packets of more than 1 TiB");
  edges_.push_back({from, to, options});
  return {static_cast<int>(edges_.size()) - 1};
}

void wiring::check() const {
  if (edges_.empty()) refuse("nothing is linked");
  std::vector<int> entering(nodes_.size()), leaving(nodes_.size());
  for (const auto& e : edges_) {
    ++leaving[static_cast<std::size_t>(e.from.index)];
    ++entering[static_cast<std::size_t>(e.to.index)];
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto& n = nodes_[i];
    if (!n.is_router() && entering[i] + leaving[i] == 0)
      refuse("endpoint '" + n.name + "' has no link");
    if (n.is_router() && entering[i] < n.inputs)
      refuse("router '" + n.name + "' has links to " + std::to_string(entering[i]) + " of its " +
             std::to_string(n.inputs) + " inputs");
    if (n.is_router() && leaving[i] < n.outputs)
      refuse("router '" + n.name + "' has links from " + std::to_string(leaving[i]) + " of its " +
             std::to_string(n.outputs) + " outputs");
  }
}

std::string wiring::name_of(link_id l) const {
  const auto& e = (*this)[l];
  return (*this)[e.from].name + " -> " + (*this)[e.to].name;
}

}  // namespace gossamer::dataflow
