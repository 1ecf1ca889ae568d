// What tests of engine host have in common: its options, its machines, its plans, and messages
// through pinned memory.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"
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

/// Each GPU takes no more than is planned, and nothing in a second run.
template <class Search, class Options, class Run>
void expect_planned(machine& m, const graph& g, const Options& options, const Run& run) {
  run_options bare;
  bare.arenas = {arena_plan{0, 0}};
  m.run([](rank&) {}, bare);  // streams and channels are the machine's
  std::map<int, std::int64_t> planned, before;
  for (const auto& e : Search::plan(m, g, options).entries)
    if (e.kind == memory_kind::device) planned[m[e.rank].ordinal] += e.bytes;
  ASSERT_FALSE(planned.empty());
  for (const auto& [gpu, bytes] : planned) before[gpu] = memory_in_use(gpu).now;
  begin_peaks();
  Search search(m, g, options);
  run(search);
  for (const auto& [gpu, bytes] : planned)
    EXPECT_LE(memory_in_use(gpu).peak - before[gpu], bytes) << options.route;
  begin_peaks();
  run(search);
  for (const auto& [gpu, bytes] : planned)
    EXPECT_EQ(memory_in_use(gpu).peak, memory_in_use(gpu).now) << options.route;
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
