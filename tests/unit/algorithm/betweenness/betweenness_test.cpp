// Betweenness on small graphs and on larger ones, on every kind of CPU machine or, with
// GOSSAMER_TEST_GPU, on GPUs, with GOSSAMER_TEST_STAND_INS on some that are not there: scores are
// those by definition, and the verifier agrees; numbers of paths beyond doubles; stops, plans and
// errors.
#include "gossamer/algorithm/betweenness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/kept.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/simple_betweenness.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

class BetweennessOn : public testing_machines::OnMachine {};

std::span<const double> scores_of(const betweenness_result& result) {
  return std::get<0>(result.scores.get()).span();
}

/// All that scores may mean.
std::vector<betweenness_options> all_meanings() {
  std::vector<betweenness_options> all;
  for (const bool normalized : {true, false})
    for (int kind = 0; kind < 3; ++kind) {
      betweenness_options o;
      o.normalized = normalized;
      o.endpoints = kind == 1;
      o.edges = kind == 2;
      all.push_back(o);
    }
  return all;
}

void expect_right(const graph& g, const betweenness_result& result, const betweenness_options& o) {
  const auto expected = betweenness_by_definition(g, result.sources, o);
  const auto found = scores_of(result);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_TRUE(same_score(found[i], expected[i])) << i << ": " << found[i] << " " << expected[i];
  const auto checked = verify_betweenness(g, result.scores.get(), result.sources, o);
  EXPECT_TRUE(checked.ok) << checked.reason;
}

TEST_P(BetweennessOn, OfManyGraphsAreThoseByDefinition) {
  int step = machine_->size() > 3 ? 3 : 1;
#ifdef GOSSAMER_TEST_STAND_INS
  step = 34;
#endif
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    if (g.vertices() > 50) continue;  // the definition takes n^2 m
    SCOPED_TRACE(g.name);
    for (betweenness_options o : all_meanings()) {
      SCOPED_TRACE((o.normalized ? "normalized " : "") +
                   std::string(o.endpoints ? "endpoints" : "") + (o.edges ? "edges" : ""));
      const auto all = betweenness(*machine_, g, o);
      EXPECT_TRUE(all.sources.empty());
      EXPECT_EQ(all.searches, g.vertices());
      ASSERT_NO_FATAL_FAILURE(expect_right(g, all, o));
      o.samples = 1 + number % std::min<std::int64_t>(5, g.vertices());
      o.seed = number;
      const auto some = betweenness(*machine_, g, o);
      ASSERT_EQ(std::ssize(some.sources), o.samples);
      ASSERT_NO_FATAL_FAILURE(expect_right(g, some, o));
    }
  }
}

// Large enough that teams work, hubs go first, and levels are pulled and pushed both ways.
TEST_P(BetweennessOn, OfLargerGraphsAreVerified) {
#ifdef GOSSAMER_TEST_STAND_INS
  constexpr std::int64_t n = 200, samples = 8;
  const char *const skewed = "kron:8", *const roads = "road:12";
#else
  constexpr std::int64_t n = 5000, samples = 40;
  const char *const skewed = "kron:12", *const roads = "road:60";
#endif
  for (const graph& g : {generate(parse_generator(skewed)), generate(parse_generator(roads)),
                         from_arcs("directed", n, random_arcs(n, n * 8, 2), false),
                         from_arcs<vertex64>("wide", n, random_arcs(n, n * 5, 3), false)}) {
    SCOPED_TRACE(g.name);
    for (const bool edges : {false, true}) {
      betweenness_options o;
      o.edges = edges;
      o.samples = samples;
      const auto result = betweenness(*machine_, g, o);
      EXPECT_EQ(std::set(result.sources.begin(), result.sources.end()).size(), samples);
      EXPECT_EQ(result.rescaled, 0);
      const auto checked = verify_betweenness(g, result.scores.get(), result.sources, o);
      EXPECT_TRUE(checked.ok) << checked.reason;
    }
  }
}

#ifndef GOSSAMER_TEST_STAND_INS
// From a corner of the grid there are up to 2^1032 paths to others, which no double holds.
TEST_P(BetweennessOn, OfMorePathsThanDoublesHold) {
  const graph g = generate(parse_generator("grid:520x520"));
  const std::vector<std::int64_t> corners = {0, 519, 520 * 519, 520 * 520 - 1};
  for (const bool edges : {false, true}) {
    betweenness_options o;
    o.normalized = false;
    o.edges = edges;
    const auto result = betweenness(*machine_, g, corners, o);
    EXPECT_EQ(result.rescaled, 4);
    double sum = 0;
    for (const double score : scores_of(result)) {
      ASSERT_TRUE(std::isfinite(score) && score >= 0);
      sum += score;
    }
    // Each path has as many edges, and one vertex less between its ends, as its ends are apart:
    // to all others of a corner 519 in the mean.
    const double n = 520.0 * 520, apart = 519 * n * n;
    if (edges) {
      EXPECT_NEAR(sum / apart, 1, 1e-9);  // an edge has two arcs, and a pair two ends
    }
    if (machine_->size() > 1) continue;
    const auto checked = verify_betweenness(g, result.scores.get(), corners, o);
    EXPECT_TRUE(checked.ok) << checked.reason;
  }
}

#endif

TEST_P(BetweennessOn, OfNothing) {
  graph none;
  none.offsets = shared_array<edge_offset>(1);
  none.offsets[0] = 0;
  for (betweenness_options o : all_meanings()) {
    o.run.progress = [](double done) { EXPECT_TRUE(done >= 0 && done <= 1) << done; };
    EXPECT_TRUE(scores_of(betweenness(*machine_, none, o)).empty());
    const graph loop = from_arcs("one", 1, {{0, 0}}, false);
    EXPECT_EQ(scores_of(betweenness(*machine_, loop, o))[0], 0);
  }
}

TEST_P(BetweennessOn, RunAgainAndAgain) {
  const graph g = from_arcs("again", 500, random_arcs(500, 1400, 3), false);
  betweenness_options o;
  o.sources = 3;
  betweenness_search search(*machine_, g, o);
  for (const std::vector<std::int64_t>& sources :
       {std::vector<std::int64_t>{1, 2, 3}, {7}, {499, 0}, {1, 2, 3}}) {
    const auto result = search.run(sources);
    EXPECT_EQ(result.sources, sources);
    const auto checked = verify_betweenness(g, result.scores.get(), sources, o);
    EXPECT_TRUE(checked.ok) << checked.reason;
  }
}

TEST_P(BetweennessOn, StopWhenTheyAreTold) {
#ifdef GOSSAMER_TEST_STAND_INS
  const graph g = generate(parse_generator("path:300"));
#else
  const graph g = undirected("long", 20000, random_arcs(20000, 80000, 4));
#endif
  betweenness_options o;
  o.samples = testing_machines::for_gpus ? 3 : 40;
  betweenness_search search(*machine_, g, o);
  std::stop_source stop;
  run_options how;
  how.cancel = stop.get_token();
  // A GPU tells when its kernel has ended.
  const int until = testing_machines::for_gpus ? 1 : 2;
  int told = 0;
  how.progress = [&](double done) {
    EXPECT_GE(done, 0);
    EXPECT_LE(done, 1);
    if (++told == until) stop.request_stop();
  };
  search.follow(how);
  EXPECT_THROW(search.run(), cancelled_error);
  EXPECT_GE(told, until);
  search.follow({});
  const auto result = search.run();  // what was left half done is not added
  const auto checked = verify_betweenness(g, result.scores.get(), result.sources, o);
  EXPECT_TRUE(checked.ok) << checked.reason;
}

INSTANTIATE_TEST_SUITE_P(Machines, BetweennessOn,
                         ::testing::ValuesIn(testing_machines::unmixed_specs()),
                         testing_machines::spec_name<std::string>);

#if defined(GOSSAMER_TEST_GPU) && !defined(GOSSAMER_TEST_STAND_INS)
// By all blocks of a GPU together, by some, and by each for itself: the same as CPUs find, and
// again.
TEST_P(BetweennessOn, OfLargerGraphsAreThoseOfCpus) {
  auto cpus = machine::open("cpu");
  for (const graph& g :
       {generate(parse_generator("kron:16")), generate(parse_generator("road:300")),
        generate(parse_generator("star:100000")),
        from_arcs("directed", 200000, random_arcs(200000, 1000000, 2), false)})
    for (const std::int64_t samples : {1, 2, 16, 400})
      for (const bool edges : {false, true}) {
        if (samples == 400 && g.vertices() > 100000) continue;
        SCOPED_TRACE(g.name + " from " + std::to_string(samples) + (edges ? ", edges" : ""));
        betweenness_options o;
        o.edges = edges;
        o.samples = samples;
        o.endpoints = !edges;
        const auto found = betweenness(*machine_, g, o), again = betweenness(*machine_, g, o),
                   right = betweenness(cpus, g, o);
        for (std::size_t i = 0; i < scores_of(right).size(); ++i) {
          ASSERT_NEAR(scores_of(found)[i], scores_of(right)[i], 1e-9 * scores_of(right)[i]) << i;
          ASSERT_EQ(scores_of(found)[i], scores_of(again)[i]) << i;
        }
      }
}
#endif

TEST(Betweenness, LayRowsOutOnce) {
  auto m = machine::open("cpu:1x2");
  const graph g = from_arcs("once", 5000, random_arcs(5000, 20000, 5), false);
  betweenness_options o;
  o.samples = 2;
  const auto laid = [](const betweenness_result& r) { return r.phases.at(0).second; };
  EXPECT_GT(laid(betweenness(m, g, o)), 0);
  EXPECT_EQ(laid(betweenness(m, g, o)), 0);
}

TEST(Betweenness, SamplesFollowFromTheSeed) {
  auto m = machine::open("cpu:1x1");
  const graph g = generate(parse_generator("road:20"));
  betweenness_options o;
  o.samples = 30;
  const auto first = betweenness(m, g, o).sources;
  EXPECT_EQ(first, betweenness(m, g, o).sources);
  o.seed = 2;
  EXPECT_NE(first, betweenness(m, g, o).sources);
  o.samples = g.vertices();
  auto all = betweenness(m, g, o).sources;
  std::sort(all.begin(), all.end());
  for (std::int64_t v = 0; v < g.vertices(); ++v) ASSERT_EQ(all[static_cast<std::size_t>(v)], v);
}

// Scores of all sources are those of all of them as samples.
TEST(Betweenness, OfAllAsSamplesAreThoseOfAll) {
  auto m = machine::open("cpu:1x1");
  const graph g = undirected("all", 60, random_arcs(60, 150, 5));
  std::vector<std::int64_t> all(60);
  std::iota(all.begin(), all.end(), 0);
  for (const betweenness_options& o : all_meanings()) {
    const auto one = betweenness(m, g, o), other = betweenness(m, g, all, o);
    for (std::size_t i = 0; i < scores_of(one).size(); ++i)
      ASSERT_NEAR(scores_of(one)[i], scores_of(other)[i], 1e-12 * (1 + scores_of(one)[i]));
  }
}

TEST(Betweenness, SayWhatIsWrong) {
  auto m = machine::open("cpu:1x1");
  const graph g = from_arcs("three", 3, {{0, 1}, {1, 2}}, false);
  const auto said = [&](const betweenness_options& o) {
    return message_of<usage_error>([&] { betweenness(m, g, o); });
  };
  betweenness_options o;
  o.engine = "fast";
  EXPECT_THROW(betweenness(m, g, o), usage_error);
  o = {};
  o.edges = o.endpoints = true;
  EXPECT_EQ(said(o),
            "betweenness: endpoints are on no edge: they are an option of vertices' scores");
  o = {};
  o.samples = 4;
  EXPECT_EQ(said(o), "betweenness: 4 samples of 3 vertices");
  o.sources = 1;
  EXPECT_EQ(said(o), "betweenness: sources are either given or drawn, and samples are drawn");
  o = {};
  o.memory = 10;
  EXPECT_THROW(betweenness(m, g, o), capacity_error);
  EXPECT_EQ(message_of<usage_error>([&] { betweenness(m, graph()); }),
            "betweenness: the graph has no offsets, not even of no vertices");
  o = {};
  o.sources = 2;
  betweenness_search search(m, g, o);
  const auto refused = [&](const std::vector<std::int64_t>& sources) {
    return message_of<usage_error>([&] { search.run(sources); });
  };
  EXPECT_EQ(refused({}), "betweenness: no sources are given");
  EXPECT_EQ(refused({1, 1}), "betweenness: source 1 is given more than once");
  EXPECT_EQ(refused({3}), "betweenness: there is no vertex with index 3: the graph has 3 vertices");
  EXPECT_EQ(refused({0, -1}),
            "betweenness: there is no vertex with index -1: the graph has 3 vertices");
  EXPECT_EQ(refused({0, 1, 2}),
            "betweenness: 3 sources, and the search was prepared for 2 at most");
  EXPECT_EQ(search.run(std::vector<std::int64_t>{0}).searches, 1);
}

TEST(Betweenness, VerifierFindsWhatIsWrong) {
  const graph g = undirected("path", 4, {{0, 1}, {1, 2}, {2, 3}});
  const auto verify = [&](std::vector<double> given, const betweenness_options& o = {},
                          const std::vector<std::int64_t>& sources = {},
                          const std::stop_token& stop = {}) {
    shared_array<double> all(given.size());
    std::copy(given.begin(), given.end(), all.begin());
    return verify_betweenness(g, all, sources, o, stop);
  };
  betweenness_options counts;
  counts.normalized = false;
  EXPECT_TRUE(verify({0, 2, 2, 0}, counts).ok);
  EXPECT_TRUE(verify({0, 2 / 3., 2 / 3., 0}).ok);
  EXPECT_EQ(verify({0, 2, 2.5, 0}, counts).reason,
            "the betweenness of vertex 2 is given as 2.5, and searches from all sources find 2");
  EXPECT_FALSE(verify({0, 2, std::nan(""), 0}, counts).ok);
  EXPECT_EQ(verify({0, 2, 2}, counts).reason, "scores need one entry for each of the 4 vertices");
  counts.edges = true;
  EXPECT_TRUE(verify({3, 3, 4, 4, 3, 3}, counts).ok);
  EXPECT_EQ(verify({3, 3, 4, 3, 3, 3}, counts).reason,
            "the betweenness of the arc 2 - 1 is given as 3, and searches from all sources find 4");
  EXPECT_EQ(verify({3}, counts).reason, "scores need one entry for each of the 6 arcs");
  EXPECT_TRUE(verify({std::nan(""), 1, .5, 0}, {}, {0}).ok);
  EXPECT_FALSE(verify({0, 1, .5, 0}, {}, {0}).ok);
  EXPECT_THROW(verify({0, 1, .5, 0}, {}, {4}), usage_error);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(verify({0, 2, 2, 0}, {}, {}, stop.get_token()), cancelled_error);
}

TEST(Betweenness, PlansAreBoundsBeforeThereIsAGraph) {
  auto m = machine::open("cpu:2x2");
  const graph g = generate(parse_generator("kron:12"));
  for (const bool edges : {false, true}) {
    betweenness_options o;
    o.edges = edges;
    const auto exact = betweenness_search::plan(m, g, o);
    graph_shape shape{g.vertices(), g.arcs()};
    for (const bool symmetric : {true, false}) {
      shape.symmetric = symmetric;
      EXPECT_GE(betweenness_search::plan(m, shape, o).total(), exact.total());
    }
  }
  // Sources are counted, and no more threads than sources work.
  betweenness_options one, two;
  one.samples = 1;
  two.sources = 2;
  EXPECT_LT(betweenness_search::plan(m, g, one).total(),
            betweenness_search::plan(m, g, two).total());
  two.sources = 3000;
  one.samples = 2000;
  EXPECT_EQ(
      betweenness_search::plan(m, g, two).total() - betweenness_search::plan(m, g, one).total(),
      16 * 1000);
}

}  // namespace
}  // namespace gossamer
