// PageRank on two hundred small graphs and some larger ones, on every kind of machine that it runs
// on: ranks equal those of a serial iteration in double precision, and the verifier agrees; its
// errors. The same source makes the CPU test and, with GOSSAMER_TEST_GPU, the one for GPUs.
#include "gossamer/algorithm/pagerank.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gossamer/graph/generators.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/pagerank/checks.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_machines::OnMachine;
using testing_pagerank::as_doubles;

class PagerankOn : public OnMachine {
 protected:
  /// Of several ranks: times of exchange and agreement are told apart on CPUs.
  [[nodiscard]] std::size_t phases() const {
    return machine_->size() > 1 && !(*machine_)[0].is_cuda() ? 3 : 1;
  }
};

/// Machines of CPUs alone or of GPUs alone.
std::vector<std::string> pure_specs() {
  auto specs = testing_machines::machine_specs();
  std::erase_if(specs, [](const std::string& s) {
    return s.find("cpu") != std::string::npos && s.find("cuda") != std::string::npos;
  });
  return specs;
}

double weight_at(const graph& g, edge_offset k) {
  return std::visit(
      [&](const auto& w) {
        if constexpr (std::is_same_v<std::decay_t<decltype(w)>, std::monostate>)
          return 1.0;
        else
          return static_cast<double>(w[k]);
      },
      g.weights);
}

/// The definition, pushed, until nothing changes any more.
std::vector<double> serial_ranks(const graph& g, const pagerank_options& o,
                                 std::vector<double> jumps) {
  const auto n = static_cast<std::size_t>(g.vertices());
  if (jumps.empty()) jumps.assign(n, 1.0);
  const double sum = std::accumulate(jumps.begin(), jumps.end(), 0.0);
  for (double& p : jumps) p /= sum;
  std::vector<double> x(n, 1 / static_cast<double>(n));
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> next(n, 0.0);
    double dangling = 0;
    g.visit([&](const auto& rows) {
      for (std::size_t u = 0; u < n; ++u) {
        double out = 0;
        for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k)
          out += o.weighted ? weight_at(g, k) : 1;
        if (out == 0)
          dangling += x[u];
        else
          for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k)
            next[static_cast<std::size_t>(rows.indices[k])] +=
                x[u] * (o.weighted ? weight_at(g, k) : 1) / out;
      }
    });
    double change = 0;
    for (std::size_t v = 0; v < n; ++v) {
      next[v] = o.damping * (next[v] + dangling * jumps[v]) + (1 - o.damping) * jumps[v];
      change += std::abs(next[v] - x[v]);
    }
    x = next;
    if (change < 1e-14) break;
  }
  return x;
}

void expect_right(const graph& g, const pagerank_result& result, const pagerank_options& o,
                  const std::vector<double>& jumps) {
  const auto ranks = as_doubles(result.ranks);
  const auto want = serial_ranks(g, o, jumps);
  ASSERT_EQ(ranks.size(), want.size());
  ASSERT_TRUE(result.converged);
  double apart = 0;
  for (std::size_t v = 0; v < want.size(); ++v) apart += std::abs(ranks[v] - want[v]);
  // What is left of a geometric series that the last change began.
  ASSERT_LE(apart, o.tolerance / (1 - o.damping) + (o.precision == 32 ? 3e-6 : 1e-13));
  const auto verdict = verify_pagerank(g, ranks, o, jumps);
  ASSERT_TRUE(verdict.ok) << verdict.reason;
}

/// What the worklist of engine async says of itself.
void expect_counted(const pagerank_result& result, const pagerank_options& o, int ranks) {
  ASSERT_EQ(result.engine, "async");
  ASSERT_TRUE(result.work.has_value());
  const worklist_counters& work = *result.work;
  EXPECT_GT(work.items, 0);
  EXPECT_EQ(result.iterations, work.windows);
  EXPECT_LE(result.change, o.tolerance) << "the bound that the engine is built on";
  EXPECT_GE(work.sent, work.parcels);
  EXPECT_EQ(work.bytes > 0, work.sent > 0);
  if (ranks == 1) {
    EXPECT_EQ(work.sent + work.useless, 0);
  }
}

TEST_P(PagerankOn, AgreesOnTwoHundredGraphs) {
  const int step = machine_->size() > 3 ? 8 : 1;
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    SCOPED_TRACE(g.name);
    pagerank_options options;
    options.most_iterations = 1000;
    options.precision = number % 2 == 0 ? 64 : 32;
    options.tolerance = options.precision == 64 ? 1e-12 : 2e-6;
    options.weighted = number % 3 != 1;
    if (number % 7 == 0) options.damping = 0.5;
    std::vector<double> jumps;
    if (number % 5 == 0) {
      jumps.assign(static_cast<std::size_t>(g.vertices()), 0.0);
      jumps[static_cast<std::size_t>(number) % jumps.size()] = 3;
      jumps[0] += 1;
    }
    ASSERT_NO_FATAL_FAILURE(
        expect_right(g, pagerank(*machine_, g, options, jumps), options, jumps));
    options.engine = "async";
    const auto async = pagerank(*machine_, g, options, jumps);
    ASSERT_NO_FATAL_FAILURE(expect_right(g, async, options, jumps));
    ASSERT_NO_FATAL_FAILURE(expect_counted(async, options, machine_->size()));
  }
}

TEST_P(PagerankOn, ThreadsAndRanksShareALargerGraph) {
  const graph symmetric = generate(parse_generator("kron:13"));
  const graph directed = from_arcs("directed", 20000, random_arcs(20000, 90000, 8), false);
  for (const graph& g : {symmetric, directed}) {
    for (const int precision : {32, 64}) {
      pagerank_options options;
      options.precision = precision;
      pagerank_solver solver(*machine_, g, options);
      const auto first = solver.run(), again = solver.run();
      ASSERT_NO_FATAL_FAILURE(expect_right(g, first, options, {}));
      EXPECT_EQ(as_doubles(first.ranks), as_doubles(again.ranks)) << "the same bits";
      EXPECT_EQ(first.phases.size(), phases());
      // From the answer it is one iteration.
      const auto near = solver.run({}, as_doubles(first.ranks));
      EXPECT_EQ(near.iterations, 1);
      EXPECT_LT(near.change, options.tolerance);
      options.engine = "async";
      pagerank_solver pushing(*machine_, g, options);
      pushing.run();
      const auto pushed = pushing.run();
      ASSERT_NO_FATAL_FAILURE(expect_right(g, pushed, options, {}));
      ASSERT_NO_FATAL_FAILURE(expect_counted(pushed, options, machine_->size()));
      EXPECT_EQ(pushed.phases.size(), phases());
    }
  }
}

#ifdef GOSSAMER_TEST_GPU
// Skewed, with many more vertices than those whose offers lie in shared memory.
TEST_P(PagerankOn, MoreVerticesThanHubsInSharedMemory) {
  const generator_spec spec = parse_generator("kron:16");
  generate_options making;
  making.weights = true;
  arc_list arcs;
  for (const auto& e : generate_edges(spec, 0, spec.candidates() / 2))
    arcs.emplace_back(e.source, e.target);
  const graph symmetric = generate(spec, making);
  const graph directed = from_arcs("directed-kron", spec.vertices(), arcs, false);
  for (const graph* g : {&symmetric, &directed})
    for (const int precision : {32, 64}) {
      SCOPED_TRACE(g->name + " " + std::to_string(precision));
      pagerank_options options;
      options.precision = precision;
      options.weighted = g == &symmetric;
      ASSERT_NO_FATAL_FAILURE(expect_right(*g, pagerank(*machine_, *g, options), options, {}));
    }
}
#endif

// On roads the change falls slowly. The same arcs said to be directed take steps of the definition.
TEST(PagerankSymmetric, TakesFewerIterations) {
  const graph roads = generate(parse_generator("road:60"));
  graph directed = roads;
  directed.symmetric = false;
  std::vector<double> from_one(static_cast<std::size_t>(roads.vertices()), 0.0);
  from_one[7] = 1;
  for (const char* spec : {"cpu:1x2", "cpu:3x1"}) {
    machine m = machine::open(spec);
    for (const auto& jumps : {std::vector<double>{}, from_one})
      for (const int precision : {32, 64}) {
        SCOPED_TRACE(std::string(spec) + " " + std::to_string(precision));
        pagerank_options o;
        o.precision = precision;
        o.tolerance = precision == 32 ? 1e-5 : 1e-10;
        const auto fewer = pagerank(m, roads, o, jumps), all = pagerank(m, directed, o, jumps);
        ASSERT_NO_FATAL_FAILURE(expect_right(roads, fewer, o, jumps));
        EXPECT_LT(fewer.iterations, 0.6 * static_cast<double>(all.iterations));
        EXPECT_LE(fewer.change, o.tolerance);
        o.steps = "power";
        EXPECT_EQ(as_doubles(pagerank(m, roads, o, jumps).ranks),
                  as_doubles(pagerank(m, directed, o, jumps).ranks));
        o.steps = "auto";
        // Where it is not over, or asked for, the definition's steps are taken.
        o.tolerance = 0;
        o.most_iterations = 9;
        EXPECT_EQ(as_doubles(pagerank(m, roads, o, jumps).ranks),
                  as_doubles(pagerank(m, directed, o, jumps).ranks));
      }
  }
}

/// Directed, most arcs near, some vertices without out-arcs.
graph near_arcs(bool in_groups) {
  constexpr std::int64_t n = 20000;
  arc_list arcs;
  for (const auto& [u, v] : random_arcs(n, 90000, 9)) {
    const auto near = in_groups ? u / 40 * 40 + v % 40 : std::min(n - 1, u + 1 + v % 4);
    const auto back = std::max<std::int64_t>(0, u - 1);
    if (u % 50 != 0) arcs.emplace_back(u, v % 10 == 0 ? v : v % 3 == 0 ? back : near);
  }
  return from_arcs(in_groups ? "groups" : "chain", n, arcs, false);
}

graph weighed_by_target(const graph& g) {
  std::vector<double> weights;
  g.visit([&](const auto& rows) {
    for (const auto v : rows.indices) weights.push_back(1 + static_cast<double>(v % 5));
  });
  return weighed<double>(g, weights);
}

// One rank sweeps, with the same bits by any number of threads.
TEST(PagerankDirected, SweepsWhereArcsAreNear) {
  const graph chain = near_arcs(false), groups = near_arcs(true);
  const graph heavy = weighed_by_target(chain);
  std::vector<double> from_some(static_cast<std::size_t>(chain.vertices()), 0.0);
  for (std::size_t v = 0; v < from_some.size(); v += 3) from_some[v] = 1;
  machine one = machine::open("cpu:1x1"), several = machine::open("cpu:1x3");
  for (const graph* of : {&chain, &groups, &heavy})
    for (const auto& jumps : {std::vector<double>{}, from_some})
      for (const int precision : {32, 64}) {
        SCOPED_TRACE(of->name + " " + std::to_string(precision));
        pagerank_options o;
        o.precision = precision;
        o.weighted = of == &heavy;
        o.tolerance = precision == 32 ? 1e-5 : 1e-10;
        const auto swept = pagerank(one, *of, o, jumps);
        ASSERT_NO_FATAL_FAILURE(expect_right(*of, swept, o, jumps));
        EXPECT_LE(swept.change, o.tolerance);
        EXPECT_EQ(as_doubles(swept.ranks), as_doubles(pagerank(several, *of, o, jumps).ranks));
        const auto near = pagerank_solver(one, *of, o).run(jumps, as_doubles(swept.ranks));
        EXPECT_EQ(near.iterations, 1);
        // However many sweeps there were, ranks add up to 1.
        for (const int most : {2, 9, 10}) {
          auto few = o;
          few.most_iterations = most;
          const auto ranks = as_doubles(pagerank(several, *of, few, jumps).ranks);
          EXPECT_NEAR(std::accumulate(ranks.begin(), ranks.end(), 0.0), 1, 1e-5);
        }
        o.steps = "power";
        const auto all = pagerank(one, *of, o, jumps);
        if (of != &groups) {
          EXPECT_LT(swept.iterations, 0.8 * static_cast<double>(all.iterations));
        }
      }
}

// Where many lead nowhere, what sweeps lead to adds up to much less than 1.
TEST(PagerankDirected, SweepsStartNearWhereVerticesLeadNowhere) {
  const graph all = near_arcs(false);
  arc_list arcs;
  all.visit([&](const auto& rows) {
    for (std::int64_t u = 0; u < all.vertices(); ++u)
      for (edge_offset k = rows.offsets[u]; k < rows.offsets[u + 1]; ++k)
        if (u % 3 != 0) arcs.emplace_back(u, rows.indices[k]);
  });
  const graph g = from_arcs("sinks", all.vertices(), arcs, false);
  machine one = machine::open("cpu:1x2");
  for (const double tolerance : {1e-6, 1e-10}) {
    SCOPED_TRACE(tolerance);
    pagerank_options swept, power;
    swept.precision = power.precision = 64;
    swept.tolerance = power.tolerance = tolerance;
    power.steps = "power";
    const auto exact = pagerank(one, g, swept);
    ASSERT_NO_FATAL_FAILURE(expect_right(g, exact, swept, {}));
    EXPECT_LE(exact.iterations, pagerank(one, g, power).iterations);
    auto start = as_doubles(exact.ranks);
    for (std::size_t v = 0; v < start.size(); ++v) start[v] *= 1 + (v % 2 == 0 ? 1e-4 : -1e-4);
    EXPECT_LE(pagerank_solver(one, g, swept).run({}, start).iterations,
              pagerank_solver(one, g, power).run({}, start).iterations);
  }
}

TEST_P(PagerankOn, StopsAfterSoManyIterations) {
  pagerank_options options;
  options.most_iterations = 3;
  options.tolerance = 0;
  const auto result = pagerank(*machine_, generate(parse_generator("kron:8")), options);
  EXPECT_EQ(result.iterations, 3);
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.change, 0);
  const auto none = pagerank(*machine_, from_arcs("empty", 0, {}, true));
  EXPECT_TRUE(none.converged && as_doubles(none.ranks).empty());
  options = {};
  options.engine = "async";
  EXPECT_TRUE(
      as_doubles(pagerank(*machine_, from_arcs("empty", 0, {}, true), options).ranks).empty());
}

INSTANTIATE_TEST_SUITE_P(Machines, PagerankOn, ::testing::ValuesIn(pure_specs()),
                         testing_machines::spec_name<std::string>);

TEST(PagerankResidual, LeavesVerticesAlone) {
  const graph g = generate(parse_generator("kron:11:8"));
  machine one = machine::open("cpu:1x1");
  pagerank_options o;
  o.precision = 64;
  const auto exact = testing_pagerank::as_doubles(pagerank(one, g, o).ranks);
  o.engine = "async";
  for (const char* spec : {"cpu:1x1", "cpu:3x1", "sim:m60,ranks=4"}) {
    machine m = machine::open(spec);
    o.residual = 0;
    const auto fine = pagerank(m, g, o);
    for (const char* priority : {"soft", "none"}) {
      SCOPED_TRACE(std::string(spec) + " " + priority);
      auto coarse = o;
      coarse.priority = priority;
      coarse.residual = 0.01;
      const auto found = pagerank(m, g, coarse);
      EXPECT_LT(2 * found.work->items, fine.work->items);
      ASSERT_NO_FATAL_FAILURE(testing_pagerank::expect_left_alone(g, coarse, {}, found));
      // What waits is less than 0.01 a vertex of the mean, and would be passed on 1 / 0.15 times.
      const auto ranks = testing_pagerank::as_doubles(found.ranks);
      double apart = 0;
      for (std::size_t v = 0; v < ranks.size(); ++v) apart += std::abs(ranks[v] - exact[v]);
      EXPECT_LT(apart, 2 * 0.01 / 0.15);
      EXPECT_GT(apart, 1e-5);
    }
  }
}

TEST(PagerankResidual, IsOfWorklists) {
  machine m = machine::open("cpu:1x1");
  pagerank_options o;
  o.residual = 0.01;
  const auto text = [&] {
    return message_of<usage_error>([&] { pagerank(m, generate(parse_generator("kron:6:4")), o); });
  };
  expect_contains(text(), "is of engines 'async' and 'host'");
  o.engine = "async";
  o.residual = 2;
  expect_contains(text(), "residual");
  o.residual = 0.1;
  EXPECT_EQ(text(),
            "pagerank: engine 'async' needs a residual of half of 1 - damping at most, and "
            "0.1 is more");
}

TEST(PagerankErrors, Options) {
  auto m = machine::open("cpu:1x1");
  const graph g = paper_example();
  pagerank_options o;
  const auto text = [&] { return message_of<usage_error>([&] { pagerank(m, g, o); }); };
  o.engine = "quick";
  EXPECT_EQ(text(), "pagerank: unknown engine 'quick' (there are auto, sync, async, host)");
  o.engine = "async";
  o.deterministic = true;
  EXPECT_EQ(text(),
            "pagerank: engine 'async' adds residuals in the order in which they arrive, which is "
            "another one in every run; for the same bits take engine 'sync'");
  o.deterministic = false;
  o.tolerance = 0;
  EXPECT_EQ(text(), "pagerank: engine 'async' needs a tolerance of more than zero");
  o.tolerance = 1e-6;
  o.damping = 1;
  EXPECT_EQ(text(), "pagerank: engine 'async' needs jumps, a damping of less than 1");
  o.damping = 0.85;
  o.weighted = true;
  EXPECT_TRUE(text().starts_with("pagerank: paper-a-table-1 has no weights to follow arcs by ("));
  o.weighted = false;
  EXPECT_EQ(message_of<usage_error>(
                [&] { pagerank_solver(m, g, o).run({}, std::vector<double>(8, 1.0)); }),
            "pagerank: engine 'async' begins with no ranks at all; give no start");
  o = {};
  o.damping = 1.5;
  EXPECT_EQ(text(), "pagerank: damping 1.5 is not in 0 … 1");
  o = {};
  o.tolerance = -1;
  EXPECT_EQ(text(), "pagerank: tolerance -1 is negative");
  o = {};
  o.most_iterations = -1;
  EXPECT_EQ(text(), "pagerank: max_iterations -1 is negative");
  o = {};
  o.precision = 16;
  EXPECT_EQ(text(), "pagerank: precision 16 is neither 32 nor 64");
  o = {};
  o.weighted = true;
  EXPECT_TRUE(text().starts_with("pagerank: paper-a-table-1 has no weights to follow arcs by ("));
  o = {};
  o.memory = 64;
  expect_contains(message_of<capacity_error>([&] { pagerank(m, g, o); }), "ranks");
}

TEST(PagerankErrors, Distributions) {
  auto m = machine::open("cpu:1x1");
  const auto text = [&](const std::vector<double>& jumps, const std::vector<double>& start) {
    return message_of<usage_error>([&] { pagerank_solver(m, paper_example()).run(jumps, start); });
  };
  const std::vector<double> fine(8, 1.0), zeros(8, 0.0);
  EXPECT_EQ(text({1, 2}, {}),
            "pagerank: the personalization has 2 entries, the graph has 8 vertices");
  EXPECT_EQ(text(zeros, {}), "pagerank: the personalization does not add up to more than zero");
  EXPECT_EQ(text(std::vector<double>(8, 1e308), {}),
            "pagerank: the personalization adds up to more than double precision holds");
  auto bad = fine;
  bad[3] = -1;
  EXPECT_EQ(text(fine, bad), "pagerank: the start's entry 3 is not a number of zero or more");
  bad[3] = NAN;
  EXPECT_EQ(text(bad, {}),
            "pagerank: the personalization's entry 3 is not a number of zero or more");
}

TEST(PagerankErrors, Weights) {
  auto m = machine::open("cpu:1x1");
  const graph g = weighed<double>(from_arcs("chain", 3, {{0, 1}, {1, 2}}, false), {1, -2});
  pagerank_options o;
  EXPECT_TRUE(pagerank(m, g, o).converged) << "weights nobody asked for";
  o.weighted = true;
  EXPECT_EQ(message_of<input_error>([&] { pagerank(m, g, o); }),
            "chain: the arc 1 -> 2 has the weight -2; pagerank needs finite weights of zero or "
            "more");
  const graph wide = weighed<double>(from_arcs("wide", 2, {{0, 1}, {0, 1}}, false), {1e308, 1e308});
  EXPECT_EQ(message_of<input_error>([&] { pagerank(m, wide, o); }),
            "wide: the weights of vertex 0 add up to infinity");
}

TEST(PagerankVerifier, FindsWhatIsWrong) {
  const graph g = undirected("two", 2, {{0, 1}});
  pagerank_options o;
  const auto check = [&](const std::vector<double>& ranks) { return verify_pagerank(g, ranks, o); };
  EXPECT_TRUE(check({0.5, 0.5}).ok);
  EXPECT_TRUE(check({0.5 + 1e-7, 0.5 - 1e-7}).ok);
  EXPECT_EQ(check({0.6, 0.4}).reason,
            "another iteration changes the ranks by 0.37, 1.95367e-06 is allowed");
  EXPECT_EQ(check({1.5, -0.5}).reason, "vertex 1 has the rank -0.5");
  EXPECT_EQ(check({NAN, 0.5}).reason, "vertex 0 has the rank nan");
  EXPECT_EQ(check({1}).reason, "ranks need one entry for each of the 2 vertices");
  const std::vector<double> one(1, 1.0), half(2, 0.5);
  EXPECT_EQ(verify_pagerank(g, half, o, one).reason,
            "the personalization has 1 entries, the graph has 2 vertices");
  // With damping 1 every multiple of a fixed point is one.
  o.damping = 1;
  EXPECT_EQ(check({0.4, 0.4}).reason, "the ranks add up to 0.8, not to 1");
}

}  // namespace
}  // namespace gossamer
