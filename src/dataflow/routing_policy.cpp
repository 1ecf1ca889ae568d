// The policies that come with the library, each a name, a function that lists destinations, and how
// a list is served.
#include "gossamer/dataflow/routing_policy.hpp"

#include <algorithm>

#include "gossamer/base/error.hpp"

namespace gossamer::dataflow {

std::size_t part_bytes(const message& what, std::size_t parts) {
  const std::size_t elements = what.total / what.element;
  return (elements + parts - 1) / parts * what.element;
}

routing_policy any_device() {
  return {"any device", [](const message&, endpoint, std::span<const endpoint> all,
                           endpoint_list& possible) { possible.assign(all.begin(), all.end()); }};
}

routing_policy ring() {
  return {"ring", [](const message&, endpoint source, std::span<const endpoint> all,
                     endpoint_list& possible) {
            const auto at = std::find(all.begin(), all.end(), source);
            const bool last = at == all.end() || at + 1 == all.end();
            possible.push_back(last ? all.front() : *(at + 1));
          }};
}

routing_policy broadcast() {
  return {
      "broadcast",
      [](const message&, endpoint source, std::span<const endpoint> all, endpoint_list& possible) {
        for (const endpoint e : all)
          if (e != source) possible.push_back(e);
      },
      delivery::to_all};
}

routing_policy scatter() {
  return {
      "scatter",
      [](const message& what, endpoint, std::span<const endpoint> all, endpoint_list& possible) {
        const std::size_t part = part_bytes(what, all.size());
        possible.push_back(all[part == 0 ? 0 : what.offset / part]);
      },
      delivery::first_available, [](std::size_t destinations) { return destinations; }};
}

routing_policy gather() {
  return {"gather", [](const message&, endpoint, std::span<const endpoint> all,
                       endpoint_list& possible) { possible.push_back(all.front()); }};
}

routing_policy peer_to_peer() {
  return {"peer to peer",
          [](const message& what, endpoint, std::span<const endpoint>, endpoint_list& possible) {
            require(what.to.index >= 0,
                    "dataflow: a send through a peer-to-peer router names nobody "
                    "(send_options::to)");
            possible.push_back(what.to);
          }};
}

routing_policy reduction_policy(std::vector<endpoint> endpoints, std::vector<int> parents) {
  require(endpoints.size() == parents.size(),
          "dataflow: reduction_policy needs a parent for each endpoint");
  return {"reduction",
          [endpoints = std::move(endpoints), parents = std::move(parents)](
              const message&, endpoint source, std::span<const endpoint>, endpoint_list& possible) {
            for (std::size_t r = 0; r < endpoints.size(); ++r)
              if (endpoints[r] == source && parents[r] >= 0)
                possible.push_back(endpoints[static_cast<std::size_t>(parents[r])]);
          }};
}

}  // namespace gossamer::dataflow
