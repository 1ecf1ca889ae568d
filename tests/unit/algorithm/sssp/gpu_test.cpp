// Shortest paths on GPUs. Distances equal Dijkstra's on two hundred small graphs, and parents those
// of the order that is documented. The verifier agrees on larger graphs of every kind that the
// kernel treats differently. Nothing is allocated in a run, plans hold, and refusals are as
// documented.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "gossamer/algorithm/bfs.hpp"
#include "message_of.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/planned_memory.hpp"
#include "unit/algorithm/sssp/checks.hpp"
#include "unit/machine/without_peers.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_sssp::expect_right, testing_sssp::hub_and_path, testing_sssp::weighted;

class SsspOnGpus : public testing_machines::OnMachine {};

const std::vector<std::string> both_engines = {"sync", "async"};

sssp_options by(const std::string& engine) {
  sssp_options options;
  options.engine = engine;
  options.use = rank_use::all;
  return options;
}

TEST_P(SsspOnGpus, AgreesWithDijkstraOnTwoHundredGraphs) {
  for (int number = 0; number < 200; ++number) {
    const graph g = many_graphs(number);
    for (const auto& engine : both_engines) {
      SCOPED_TRACE(g.name + " " + engine);
      sssp_options options = by(engine);
      options.parents = true;
      if (number % 3 == 1) options.delta = 1 + number % 40;
      sssp_search search(*machine_, g, options);
      for (const std::int64_t source : {std::int64_t{0}, g.vertices() / 2})
        ASSERT_NO_FATAL_FAILURE(expect_right(g, search.run(source)));
    }
  }
}

template <class Weight>
graph sparse(std::int64_t n, std::int64_t edges, int most, bool both_ways) {
  const arc_list arcs = random_arcs(n, edges, 5);
  graph g = both_ways ? undirected<vertex64>("sparse", n, arcs)
                      : from_arcs<vertex64>("sparse, directed", n, arcs, false);
  set_weights<Weight>(g, most);
  return g;
}

graph path(std::int64_t n, bool shuffled) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  if (shuffled) std::shuffle(order.begin(), order.end(), std::mt19937_64(5));
  arc_list arcs;
  for (std::size_t i = 1; i < order.size(); ++i) arcs.emplace_back(order[i - 1], order[i]);
  graph g = undirected("path", n, arcs);
  set_weights<std::int32_t>(g, 255);
  return g;
}

std::vector<graph> larger_graphs() {
  return {weighted("kron:13"),
          weighted("road:120"),
          weighted("uniform:13:2"),
          hub_and_path<std::int32_t>(40000, 39999, 255),
          hub_and_path<float>(40000, 17, 1000000),
          hub_and_path<double>(40000, 0, 2),
          sparse<float>(20000, 30000, 255, true),
          sparse<double>(20000, 60000, 100, false),
          sparse<std::int32_t>(20000, 80000, 0, true),
          path(4000, false),
          path(4000, true)};
}

TEST_P(SsspOnGpus, LargerGraphs) {
  for (const graph& g : larger_graphs())
    for (const auto& engine : both_engines) {
      SCOPED_TRACE(g.name + " " + engine);
      sssp_search search(*machine_, g, by(engine));
      for (const std::int64_t source : {g.vertices() / 2, std::int64_t{1}, g.vertices() - 1}) {
        const auto result = search.run(source);
        ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
        EXPECT_GE(result.rounds, 1);
        EXPECT_GT(result.milliseconds, 0);
        ASSERT_EQ(result.phases.size(), 1U);
        EXPECT_EQ(result.phases[0].first, "relax");
        EXPECT_TRUE(result.parents.empty());
      }
    }
}

/// Parts of long rows and short ones, one of them empty: one rank has nearly nothing to do, another
/// is told of everything.
TEST_P(SsspOnGpus, PartitionsOfLargerGraphs) {
  sssp_options options = by("async");
  options.use = rank_use::automatic;
  options.parents = true;
  for (const graph& g : larger_graphs())
    for (const char* partition : {"hash", "edges", "file", "last"}) {
      SCOPED_TRACE(g.name + " " + partition);
      const int ranks = machine_->size(), number = partition == std::string("last") ? 9 : 3;
      options.partition = number == 9 ? "file" : partition;
      options.part_of.clear();
      if (options.partition == "file") options.part_of = drawn_parts(g, ranks, number);
      sssp_search search(*machine_, g, options);
      for (const std::int64_t source : {g.vertices() / 2, std::int64_t{1}}) {
        const auto result = search.run(source);
        ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
        EXPECT_EQ(result.ranks_used, ranks);
        EXPECT_EQ(result.ranks_reason, "");
      }
    }
}

/// The accounts of a worklist: each vertex at least once, and what ranks tell each other.
TEST_P(SsspOnGpus, WorklistsCount) {
  for (const char* name : {"kron:13", "road:120"}) {
    const graph g = weighted(name);
    const auto result = sssp(*machine_, g, g.vertices() / 2, by("async"));
    ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
    ASSERT_TRUE(result.work);
    const worklist_counters& w = *result.work;
    EXPECT_GE(w.items, result.reached);
    EXPECT_EQ(w.items - w.repeated, result.reached);
    EXPECT_GE(w.arcs, w.items);
    EXPECT_GE(w.deferred, 1);
    EXPECT_LE(w.useless, w.sent);
    EXPECT_EQ(w.bytes, w.sent * 8);
    if (machine_->size() == 1) {
      EXPECT_EQ(w.sent + w.filtered + w.parcels, 0);
      continue;
    }
    EXPECT_GT(w.sent, 0);
    EXPECT_GT(w.filtered, 0);
    EXPECT_LE(w.parcels, w.sent);
  }
}

/// A star and its mirror on the other side: more messages at once than a ring has places.
TEST_P(SsspOnGpus, FullRingsHoldMessagesBack) {
  const std::int64_t n = std::int64_t{1} << 20;
  graph g = two_stars(n);
  set_weights<std::int32_t>(g, 255);
  for (const std::int64_t source : {std::int64_t{0}, n / 2, n - 1}) {
    const auto result = sssp(*machine_, g, source, by("async"));
    ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
    if (machine_->size() > 1) {
      EXPECT_GT(result.work->sent, 1 << 18);  // a ring's places at most
    }
  }
}

/// From one vertex a bucket to all in one: queues that overflow, gaps that are jumped over, and on
/// a grid too wide for blocks' own queues both ways of a round in turn.
TEST_P(SsspOnGpus, BucketsOfAnyWidth) {
  for (const char* name : {"kron:12", "road:700"}) {
    const graph g = weighted(name);
    const std::int64_t source = g.degree(5) > 0 ? 5 : 6;
    for (const double delta : {0.01, 4.0, 100.0, 10000.0, 1e30}) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(delta));
      if (delta < 1 && g.vertices() > 100000) continue;  // a round for each distance
      for (const auto& engine : both_engines) {
        sssp_options options = by(engine);
        options.delta = delta;
        const auto result = sssp(*machine_, g, source, options);
        ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
        EXPECT_EQ(result.delta, delta);
        EXPECT_GE(result.relaxations, result.reached - 1);
      }
    }
  }
}

/// A queue wider than the blocks' own: a middle joined to paths' heads by a tree of short rows.
TEST_P(SsspOnGpus, AWideRoundOfShortRows) {
  const std::int64_t n = std::int64_t{1} << 19;
  arc_list arcs;
  for (std::int64_t v = 1; v < n; ++v) arcs.emplace_back((v - 1) / 4, v);
  graph g = undirected("tree", n, arcs);
  set_weights<std::int32_t>(g, 255);
  for (const auto& engine : both_engines)
    for (const double delta : {40.0, 1e6}) {
      sssp_options options = by(engine);
      options.delta = delta;
      ASSERT_NO_FATAL_FAILURE(expect_right(g, sssp(*machine_, g, 0, options)));
    }
}

TEST_P(SsspOnGpus, ParentsAreTheSameInEveryRun) {
  sssp_options options;
  options.parents = true;
  for (const graph& g : {weighted("kron:12"), sparse<double>(3000, 9000, 100, false)}) {
    sssp_search search(*machine_, g, options);
    const auto first = search.run(1), again = search.run(1);
    ASSERT_NO_FATAL_FAILURE(expect_right(g, first));
    EXPECT_EQ(first.phases.size(), 2U);
    EXPECT_TRUE(std::equal(first.parents.begin(), first.parents.end(), again.parents.begin()));
  }
}

// Chains of arcs of zero, which have no nearer end: few of them on the GPU, level by level, many on
// the host.
TEST_P(SsspOnGpus, ParentsAlongArcsOfZero) {
  for (const std::int64_t length : {2, 40, 400}) {
    arc_list edges;
    for (std::int64_t v = 0; v + 1 < length; ++v) edges.emplace_back(v, v + 1);
    for (std::int64_t v = 1; v < length; v += 3) edges.emplace_back(v / 2, v);  // shorter ways
    graph g = undirected("zeros", length + 1, edges);
    shared_array<double> zeros(static_cast<std::size_t>(g.arcs()));
    std::fill(zeros.begin(), zeros.end(), 0.0);
    g.weights = zeros;
    sssp_options options;
    options.parents = true;
    sssp_search search(*machine_, g, options);
    for (const std::int64_t source : {std::int64_t{0}, length - 1})
      ASSERT_NO_FATAL_FAILURE(expect_right(g, search.run(source))) << length;
  }
}

TEST_P(SsspOnGpus, ResultsOutliveTheSearch) {
  testing_sssp::expect_results_outlive_the_search(*machine_);
}

TEST_P(SsspOnGpus, TakesWhatIsPlannedAndNothingInRuns) {
  const auto takes_what_is_planned = [&](const graph& g, const sssp_options& options) {
    std::int64_t source = 0;
    expect_planned<sssp_search>(*machine_, g, options,
                                [&](sssp_search& search) { search.run(++source); });
  };
  takes_what_is_planned(weighted("kron:14"), by("sync"));
  takes_what_is_planned(weighted("road:300"), by("async"));
  sssp_options options = by("async");
  for (const char* partition : {"hash", "file"}) {
    const graph g = weighted("kron:14");
    options.partition = partition;
    if (partition == std::string("file")) options.part_of = drawn_parts(g, machine_->size(), 3);
    takes_what_is_planned(g, options);
  }
}

/// 1 -> 2 -> 3 by ids, 0 alone.
template <class Weight>
graph chain(Weight first, Weight second) {
  return weighed<Weight>(from_arcs("chain", 4, {{1, 2}, {2, 3}}, false), {first, second});
}

TEST_P(SsspOnGpus, DistancesThatDoNotFit) {
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const auto fits = sssp(*machine_, chain(most, most), 1);
  EXPECT_EQ(std::get<0>(fits.distances.get())[3], 4294967294U);
  EXPECT_EQ(fits.reached, 3);
  const graph beyond = weighed<std::int32_t>(
      from_arcs("beyond", 4, {{0, 1}, {1, 2}, {2, 3}}, false), {most, most, most});
  expect_contains(message_of<usage_error>([&] { sssp(*machine_, beyond, 0); }),
                  "the distance from 0 to 3 of beyond does not fit 32 bits");
  expect_contains(message_of<usage_error>([&] { sssp(*machine_, chain(3e38F, 3e38F), 1); }),
                  "does not fit a float");
  const auto far = sssp(*machine_, chain(3e38, 1e300), 1);
  EXPECT_EQ(std::get<2>(far.distances.get())[3], 3e38 + 1e300);
}

TEST_P(SsspOnGpus, SaysWhatRunsAndWhatDoesNot) {
  const graph g = chain<std::int32_t>(1, 2);
  const std::string ranks = std::to_string(machine_->size());
  sssp_options options;
  const auto chosen = sssp(*machine_, g, 1);
  EXPECT_EQ(chosen.engine, "sync");
  EXPECT_EQ(chosen.engine_reason, "chosen, faster than async on one GPU");
  EXPECT_EQ(chosen.ranks_used, 1);
  EXPECT_EQ(chosen.ranks_reason,
            machine_->size() == 1
                ? ""
                : "1 of " + ranks + " ranks: engine sync of sssp searches on one GPU");
  options.engine = "sync";
  EXPECT_EQ(sssp(*machine_, g, 1, options).engine_reason, "asked for");
  for (const char* engine : {"async", "auto"}) {
    const auto all = sssp(*machine_, g, 1, by(engine));
    EXPECT_EQ(all.ranks_used, machine_->size());
    EXPECT_EQ(all.ranks_reason, "");
    EXPECT_EQ(all.engine, machine_->size() > 1            ? "async"
                          : engine == std::string("auto") ? "sync"
                                                          : engine);
  }
  // A partition is one for all ranks.
  sssp_options parted;
  parted.partition = "hash";
  EXPECT_EQ(sssp(*machine_, g, 1, parted).ranks_used, machine_->size());
  EXPECT_EQ(sssp(*machine_, g, 1, parted).engine, machine_->size() > 1 ? "async" : "sync");
  parted.engine = "sync";
  if (machine_->size() > 1) {
    expect_contains(message_of<usage_error>([&] { sssp(*machine_, g, 1, parted); }),
                    "partition 'hash' is one for all ranks, and engine sync of sssp searches on "
                    "one GPU; engines async and host search on all");
  } else {
    EXPECT_EQ(sssp(*machine_, g, 1, parted).reached, 3);
  }
  // Who has ranks share a GPU has asked for them by name.
  options.engine = "async";
  const bool fewer = machine_->size() > 1 && (*machine_)[0].share == 1;
  const auto unasked = sssp(*machine_, g, 1, options);
  EXPECT_EQ(unasked.ranks_used, fewer ? 1 : machine_->size());
  EXPECT_EQ(unasked.ranks_reason,
            fewer ? "1 of " + ranks + " ranks: a network has too little to do at a time for several"
                  : "");
  // All where one lacks memory.
  const graph roads = weighted("road:200");
  const auto planned = [&] {
    std::set<int> on;
    for (const auto& e : sssp_search::plan(*machine_, roads, options).entries) on.insert(e.rank);
    return static_cast<int>(on.size());
  };
  EXPECT_EQ(planned(), fewer ? 1 : machine_->size());
  options.memory = sssp_search::plan(machine::open("cuda:0"), roads, options).of(0) - 1;
  EXPECT_EQ(planned(), machine_->size());
  expect_contains(message_of<input_error>([&] { sssp(*machine_, chain(1, -7), 1); }),
                  "has the weight -7");
  sssp_options little;
  little.memory = 4096;
  expect_contains(message_of<capacity_error>([&] { sssp(*machine_, g, 1, little); }),
                  "queues and marks");
}

INSTANTIATE_TEST_SUITE_P(Machines, SsspOnGpus, ::testing::ValuesIn(testing_machines::gpu_specs()),
                         testing_machines::spec_name<std::string>);

TEST(SsspGpuPaths, MessagesThroughPinnedMemory) {
  testing_machines::without_peers([](machine& m) {
    for (const char* name : {"kron:12", "road:100"}) {
      const graph g = weighted(name);
      const auto result = sssp(m, g, draw_sources(g, 1, 1).front(), by("async"));
      ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
      EXPECT_GT(result.work->sent, 0);
      sssp_options parted = by("async");
      parted.partition = "hash";
      ASSERT_NO_FATAL_FAILURE(expect_right(g, sssp(m, g, result.source, parted)));
    }
  });
}

TEST(SsspGpuErrors, MixedMachines) {
  if (cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
  auto m = machine::open("cpu:1x1+cuda:0");
  sssp_options options;
  for (const std::string engine : {"sync", "async"}) {
    options.engine = engine;
    EXPECT_EQ(message_of<not_compiled>([&] { sssp(m, chain<std::int32_t>(1, 2), 1, options); }),
              "engine '" + engine +
                  "' of sssp on CPUs and GPUs together not compiled in: it runs on CPU ranks (give "
                  "the machine cpu) and on GPUs of one process (give it cuda); engine 'host' runs "
                  "on CPUs and GPUs together");
  }
  const auto result = sssp(m, chain<std::int32_t>(1, 2), 1, sssp_options());
  EXPECT_EQ(result.engine, "host");
  EXPECT_EQ(result.engine_reason, "chosen, the only one for CPUs and GPUs together");
}

}  // namespace
}  // namespace gossamer
