// What a description of a system must give, once it is taken: a network whose routes end, and times
// of collectives that are numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "checks.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/collective/replay.hpp"
#include "gossamer/fabric/network.hpp"

namespace gossamer::fuzz {

/// A few ranks of it: the time of an execution is what counts.
inline void try_system(const std::shared_ptr<const model::system>& system) {
  const int most = system->largest == 0 ? 5 : std::min(5, system->largest);
  const model::network net(system, most);
  for (const int to : {0, most - 1}) {
    expect(net.hops(0, to) >= 0 && net.bandwidth(0, to) > 0, "a route");
    for (const int link : net.route(0, to)) expect(!net.link_name(link).empty(), "a link's name");
  }
  collective_request request;
  request.op = collective_op::allgather;
  request.ranks = most;
  request.count = 3000;
  const auto result = model::replay(schedule(request, "direct"), system, model::memory::device);
  expect(std::isfinite(result.seconds) && result.seconds >= 0, "a time that is none");
}

}  // namespace gossamer::fuzz
