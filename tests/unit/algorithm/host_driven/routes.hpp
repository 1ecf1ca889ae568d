// What tests of engine host have in common: its options, its routes, and messages
// through pinned memory.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/machine/machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/machine/without_peers.hpp"

namespace gossamer::testing_routes {

inline const std::vector<std::string> routes = {"direct", "ring"};

/// Options: an algorithm's.
template <class Options>
Options by(const std::string& route, std::int64_t packet = 0) {
  Options options;
  options.engine = "host";
  if constexpr (requires { options.use; }) options.use = rank_use::all;
  options.route = route;
  options.packet = packet;
  options.run.deadline = std::chrono::seconds(20);
  return options;
}

/// `check`: of each of two hundred small graphs, its number, and a route.
template <class Check>
void on_two_hundred_graphs(const Check& check) {
  for (int number = 0; number < 200; ++number) {
    const graph g = testing_graphs::many_graphs(number);
    for (const auto& route : routes) {
      SCOPED_TRACE(g.name + " " + route);
      ASSERT_NO_FATAL_FAILURE(check(g, number, route));
    }
  }
}

/// `check`: of a machine whose GPUs do not address each other, and a route.
template <class Check>
void without_peers(const Check& check) {
  testing_machines::without_peers([&](machine& m) {
    for (const auto& route : routes) {
      SCOPED_TRACE(route);
      ASSERT_NO_FATAL_FAILURE(check(m, route));
    }
  });
}

}  // namespace gossamer::testing_routes
