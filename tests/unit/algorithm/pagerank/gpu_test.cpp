// What PageRank does on GPUs beside its results: rows in parts, other transports than stores into
// each other's memory, the memory it planned, and what it refuses; and that pushed residuals get
// lost nowhere, whatever the rows, the messages and the order.
#include <gtest/gtest.h>

#include "gossamer/base/memory_use.hpp"
#include "gossamer/graph/generators.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/pagerank/checks.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_machines::gpus_of;
using testing_pagerank::as_doubles, testing_pagerank::expect_converged;

/// Where one GPU would be faster too.
pagerank_options everyone() {
  pagerank_options options;
  options.use = rank_use::all;
  return options;
}

/// Converged, and a fixed point.
void expect_verified(machine& m, const graph& g, pagerank_options o,
                     const std::vector<double>& jumps = {}) {
  SCOPED_TRACE(g.name + " on " + m.spec());
  o.most_iterations = 1000;
  o.tolerance = o.precision == 64 ? 1e-12 : 2e-6;
  pagerank_solver solver(m, g, o);
  const auto result = solver.run(jumps);
  ASSERT_TRUE(result.converged);
  EXPECT_EQ(result.engine, "sync");
  EXPECT_EQ(result.phases.front().first, "pull");
  EXPECT_GT(result.milliseconds, 0);
  const auto verdict = verify_pagerank(g, as_doubles(result.ranks), o, jumps);
  ASSERT_TRUE(verdict.ok) << verdict.reason;
  EXPECT_EQ(as_doubles(solver.run(jumps).ranks), as_doubles(result.ranks)) << "the same bits";
}

/// By engine async: a fixed point, and nothing left beyond the bound; twice, as runs differ.
void expect_pushed(machine& m, const graph& g, pagerank_options o,
                   const std::vector<double>& jumps = {}) {
  SCOPED_TRACE(g.name + " pushed on " + m.spec());
  o.engine = "async";
  o.tolerance = o.precision == 64 ? 1e-11 : 2e-6;
  pagerank_solver solver(m, g, o);
  for (int i = 0; i < 2; ++i) {
    const auto result = solver.run(jumps);
    ASSERT_NO_FATAL_FAILURE(expect_converged(m, g, o, jumps, result));
    EXPECT_EQ(result.phases.front().first, "push");
  }
}

/// Rows of all classes, and some that are split.
graph long_rows(bool directed) {
  arc_list arcs = random_arcs(30000, 120000, 5);
  for (std::int64_t v = 0; v < 30000; ++v)
    for (const std::int64_t hub : {std::int64_t{7}, std::int64_t{29999}})
      if (v % (hub == 7 ? 1 : 5) == 0) arcs.emplace_back(v, hub);
  for (std::int64_t v = 0; v < 300; ++v) arcs.emplace_back(v, 11);
  graph g = directed ? from_arcs("long rows", 30000, arcs, false)
                     : undirected("long rows both ways", 30000, arcs);
  set_weights<float>(g, 9);
  return g;
}

class PagerankGpus : public testing_machines::OnMachine {
 protected:
  void takes_what_it_planned(const std::string& engine, const std::string& partition = "auto");
};

TEST_P(PagerankGpus, SplitsLongRows) {
  for (const bool directed : {true, false}) {
    const graph g = long_rows(directed);
    for (const int precision : {32, 64})
      for (const bool weighted : {false, true}) {
        pagerank_options o = everyone();
        o.precision = precision;
        o.weighted = weighted;
        std::vector<double> jumps(weighted ? 30000 : 0, 0.5);
        if (weighted) jumps[3] = 100;
        ASSERT_NO_FATAL_FAILURE(expect_verified(*machine_, g, o, jumps));
      }
  }
}

/// Rows of all classes in every part, one of them empty, or all in the last; by weights, with
/// jumps.
TEST_P(PagerankGpus, Partitions) {
  for (const graph& g : {long_rows(true), long_rows(false), generate(parse_generator("kron:13"))})
    for (const char* partition : {"hash", "ranges", "file", "last"})
      for (const int precision : {32, 64}) {
        SCOPED_TRACE(partition);
        const int number = partition == std::string("last") ? 9 : 3;
        pagerank_options o;
        o.precision = precision;
        o.weighted = g.weighted();
        o.partition = number == 9 ? "file" : partition;
        if (o.partition == "file") o.part_of = drawn_parts(g, machine_->size(), number);
        std::vector<double> jumps(static_cast<std::size_t>(g.vertices()), 0.5);
        jumps[3] = 100;
        if (precision == 32) jumps.clear();
        ASSERT_NO_FATAL_FAILURE(expect_verified(*machine_, g, o, jumps));
        ASSERT_NO_FATAL_FAILURE(expect_pushed(*machine_, g, o, jumps));
        o.most_iterations = 2;
        EXPECT_EQ(pagerank(*machine_, g, o).ranks_used, machine_->size());
      }
}

/// A start is the caller's as well, and what no iteration changes comes back as it was.
TEST_P(PagerankGpus, PartitionsKeepAStartInPlace) {
  const graph g = generate(parse_generator("kron:10"));
  pagerank_options o;
  o.partition = "file";
  o.part_of = drawn_parts(g, machine_->size(), 3);
  o.most_iterations = 0;
  o.precision = 64;
  std::vector<double> start(static_cast<std::size_t>(g.vertices()));
  for (std::size_t v = 0; v < start.size(); ++v) start[v] = static_cast<double>(v);
  const double sum = static_cast<double>(start.size() * (start.size() - 1) / 2);
  const auto ranks = as_doubles(pagerank_solver(*machine_, g, o).run({}, start).ranks);
  for (std::size_t v = 0; v < start.size(); ++v) ASSERT_EQ(ranks[v], start[v] / sum) << v;
}

/// Rows in chunks and short ones, one way and both; jumps to few vertices; dangling ones.
TEST_P(PagerankGpus, PushesAlongRowsOfAnyLength) {
  const graph skewed = generate(parse_generator("kron:14")),
              road = generate(parse_generator("road:200"));
  for (const graph& g : {long_rows(true), long_rows(false), skewed, road})
    for (const int precision : {32, 64}) {
      pagerank_options o;
      o.precision = precision;
      ASSERT_NO_FATAL_FAILURE(expect_pushed(*machine_, g, o));
      std::vector<double> jumps(static_cast<std::size_t>(g.vertices()), 0.0);
      jumps[7] = 1;
      jumps.back() = 2;
      o.weighted = g.weighted();
      o.damping = precision == 32 ? 0.85 : 0.5;
      ASSERT_NO_FATAL_FAILURE(expect_pushed(*machine_, g, o, jumps));
    }
}

/// Weights of every kind, as doubles there: large, not whole, and none at all along some rows.
template <class Weight>
void push_weighted(machine& m) {
  graph g = from_arcs<vertex64>("weighted", 6000, random_arcs(6000, 20000, 3), false);
  set_weights<Weight>(g, 3);
  pagerank_options o;
  o.weighted = true;
  o.precision = 64;
  expect_pushed(m, g, o);
}
TEST_P(PagerankGpus, PushesByWeights) {
  ASSERT_NO_FATAL_FAILURE(push_weighted<std::int32_t>(*machine_));
  ASSERT_NO_FATAL_FAILURE(push_weighted<float>(*machine_));
  ASSERT_NO_FATAL_FAILURE(push_weighted<double>(*machine_));
}

/// Two stars, the middle of each among the other's points: more messages at once than a ring has
/// places, and as many additions to one sum.
TEST_P(PagerankGpus, FullRingsHoldResidualsBack) {
  const std::int64_t n = std::int64_t{1} << 20;
  const graph g = two_stars(n);
  ASSERT_NO_FATAL_FAILURE(expect_pushed(*machine_, g, {}));
  pagerank_options o;
  o.engine = "async";
  const auto result = pagerank(*machine_, g, o);
  const worklist_counters& w = *result.work;
  EXPECT_EQ(w.bytes, w.sent * 12);
  EXPECT_LE(w.useless, w.sent);
  EXPECT_EQ(w.items - w.repeated, n) << "each vertex at least once";
  if (machine_->size() > 1) {
    EXPECT_GT(w.sent, 1 << 18);  // a ring's places at most
  } else {
    EXPECT_EQ(w.sent + w.filtered + w.parcels, 0);
  }
}

/// From hardly any work to hundreds of halvings.
TEST_P(PagerankGpus, PushesToAnyTolerance) {
  const graph g = generate(parse_generator("kron:10"));
  for (const double tolerance : {100.0, 0.5, 1e-3, 1e-13, 1e-60}) {
    pagerank_options o;
    o.engine = "async";
    o.precision = 64;
    o.tolerance = tolerance;
    const auto result = pagerank(*machine_, g, o);
    EXPECT_LE(result.change, tolerance);
    o.tolerance = std::max(tolerance, 1e-13);  // what doubles can show
    const auto verdict = verify_pagerank(g, as_doubles(result.ranks), o);
    ASSERT_TRUE(verdict.ok) << verdict.reason;
  }
}

/// By Groute's rule, in either order, by kernels and by host threads: small graphs of all kinds,
/// then rows in chunks, by weights, and jumps to few vertices.
TEST_P(PagerankGpus, LeavesVerticesAlone) {
  const auto check = [&](const graph& g, pagerank_options o, const std::vector<double>& jumps) {
    for (const char* engine : {"async", "host"})
      for (const char* priority : {"soft", "none"}) {
        SCOPED_TRACE(g.name + " " + engine + " " + priority);
        o.engine = engine;
        o.priority = priority;
        o.precision = 64;
        const auto found = pagerank_solver(*machine_, g, o).run(jumps);
        ASSERT_NO_FATAL_FAILURE(testing_pagerank::expect_left_alone(g, o, jumps, found));
      }
  };
  pagerank_options o = everyone();
  for (int number = 0; number < 200; ++number) {
    const graph g = many_graphs(number);
    o.weighted = number % 2 == 0 && g.weighted();
    o.residual = number % 3 == 0 ? 1e-9 : 0.01;
    ASSERT_NO_FATAL_FAILURE(check(g, o, {}));
  }
  o.residual = 0.01;
  for (const graph& g : {long_rows(true), generate(parse_generator("kron:13")),
                         generate(parse_generator("road:200"))}) {
    o.weighted = g.weighted();
    ASSERT_NO_FATAL_FAILURE(check(g, o, {}));
    std::vector<double> jumps(static_cast<std::size_t>(g.vertices()), 0.0);
    jumps[7] = jumps.back() = 1;
    ASSERT_NO_FATAL_FAILURE(check(g, o, jumps));
  }
}

/// Far less work than by the tolerance.
TEST_P(PagerankGpus, LeavingVerticesAloneSavesWork) {
  const graph g = generate(parse_generator("kron:13"));
  pagerank_options o = everyone();
  for (const char* engine : {"async", "host"}) {
    o.engine = engine;
    o.residual = 0;
    const auto fine = pagerank(*machine_, g, o);
    o.residual = 0.01;
    EXPECT_LT(2 * pagerank(*machine_, g, o).work->items, fine.work->items) << engine;
    o.residual = 1e-200;  // finer than counts, and taken for what is not
    EXPECT_LT(pagerank(*machine_, generate(parse_generator("kron:8")), o).change, 1e-90);
  }
}

void PagerankGpus::takes_what_it_planned(const std::string& engine, const std::string& partition) {
  const graph g = long_rows(true);
  pagerank_options o = everyone();
  o.engine = engine;
  o.weighted = true;
  o.partition = partition;
  if (partition == "file") o.part_of = drawn_parts(g, machine_->size(), 3);
  const std::vector<double> jumps(30000, 1.0);
  const auto plan = pagerank_solver::plan(*machine_, g, o);
  run_options small;  // what every run keeps is there before it is counted
  small.arenas = {{0, 0}};
  machine_->run([](rank&) {}, small);
  std::vector<std::int64_t> planned(cuda_devices().size() + 1);
  std::vector<memory_use> before;
  for (const auto& e : plan.entries)
    planned[e.kind == memory_kind::device
                ? static_cast<std::size_t>((*machine_)[e.rank].ordinal) + 1
                : 0] += e.bytes;
  for (std::size_t i = 0; i < planned.size(); ++i)
    before.push_back(memory_in_use(static_cast<int>(i) - 1));
  begin_peaks();
  pagerank_solver(*machine_, g, o).run(jumps, engine == "sync" ? jumps : std::vector<double>());
  for (std::size_t i = 0; i < planned.size(); ++i)
    EXPECT_LE(memory_in_use(static_cast<int>(i) - 1).peak - before[i].now, planned[i])
        << engine << ", " << partition << ", account " << static_cast<int>(i) - 1;
}
TEST_P(PagerankGpus, TakesWhatItPlanned) {
  for (const char* engine : {"sync", "async"})
    for (const char* partition : {"auto", "hash", "file"}) takes_what_it_planned(engine, partition);
}

TEST_P(PagerankGpus, StartsAnywhereAndEndsAnywhere) {
  const graph g = generate(parse_generator("kron:10"));
  pagerank_options o = everyone();
  o.most_iterations = 0;
  std::vector<double> start(static_cast<std::size_t>(g.vertices()), 0.0);
  start[5] = 3;
  start[9] = 1;
  const auto none = pagerank_solver(*machine_, g, o).run({}, start);
  EXPECT_EQ(none.iterations, 0);
  EXPECT_FALSE(none.converged);
  EXPECT_FLOAT_EQ(static_cast<float>(as_doubles(none.ranks)[5]), 0.75F);
  o.most_iterations = 20;
  o.tolerance = 0;
  const auto some = pagerank_solver(*machine_, g, o).run({}, start);
  EXPECT_EQ(some.iterations, 20);
  const graph none_at_all = from_arcs("isolated", 2, {}, true);
  ASSERT_NO_FATAL_FAILURE(expect_verified(*machine_, none_at_all, {}));
}

TEST_P(PagerankGpus, AsyncRefusesTheSameBits) {
  pagerank_options o = everyone();
  o.engine = "async";
  o.deterministic = true;
  expect_contains(message_of<usage_error>([&] { pagerank(*machine_, paper_example(), o); }),
                  "engine 'async' adds residuals in the order in which they arrive");
  o.deterministic = false;
  o.memory = 4096;
  expect_contains(message_of<capacity_error>([&] { pagerank(*machine_, paper_example(), o); }),
                  "ranks, residuals, lists and marks");
}

std::vector<std::string> specs_of_gpus() {
  auto specs = testing_machines::machine_specs();
  std::erase_if(specs, [](const std::string& s) { return s.find("cpu") != std::string::npos; });
  return specs;
}
INSTANTIATE_TEST_SUITE_P(Gpus, PagerankGpus, ::testing::ValuesIn(specs_of_gpus()),
                         testing_machines::spec_name<std::string>);

TEST(PagerankGpuPaths, ThroughPinnedMemoryAndInTurn) {
  const int there = static_cast<int>(cuda_devices().size());
  if (there == 0) GTEST_SKIP() << "needs a GPU";
  const auto check = [&](const std::string& spec, bool in_turn) {
    if (gpus_of(spec) > there) return;
    auto m = machine::open(spec);
    pagerank_options o = everyone();
    ASSERT_NO_FATAL_FAILURE(expect_verified(m, long_rows(true), o));
    o.precision = 64;
    o.weighted = true;
    ASSERT_NO_FATAL_FAILURE(expect_verified(m, long_rows(false), o));
    o.partition = "file";
    o.part_of = drawn_parts(long_rows(false), m.size(), 3);
    ASSERT_NO_FATAL_FAILURE(expect_verified(m, long_rows(false), o));
    if (!in_turn) {
      ASSERT_NO_FATAL_FAILURE(expect_pushed(m, long_rows(true), everyone()));
    }
    const auto result = pagerank(m, generate(parse_generator("kron:9")), everyone());
    EXPECT_EQ(result.phases.size(), m.size() > 1 ? 3U : 1U);
  };
  {
    const testing::scoped_variable off("GOSSAMER_PEER", "off");
    for (const char* spec : {"cuda:0", "cuda:0*3", "cuda:0-1"})
      ASSERT_NO_FATAL_FAILURE(check(spec, false));
  }
  const testing::scoped_variable off("GOSSAMER_SHARED_KERNELS", "off");
  ASSERT_NO_FATAL_FAILURE(check("cuda:0*3", true));
}

TEST(PagerankGpuPaths, RefusesMixedMachines) {
  if (cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
  auto m = machine::open("cpu:1x1+cuda:0");
  const auto text = message_of<not_compiled>([&] { pagerank(m, paper_example()); });
  expect_contains(text, "engine 'sync' of pagerank on CPUs and GPUs together not compiled in");
  expect_contains(text, "on GPUs of one process (give it cuda)");
}

}  // namespace
}  // namespace gossamer
