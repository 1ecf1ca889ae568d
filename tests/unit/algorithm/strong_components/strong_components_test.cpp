// Strong components on small graphs and on larger ones, on every kind of CPU machine or, with
// GOSSAMER_TEST_GPU, on GPUs, with GOSSAMER_TEST_STAND_INS on some that are not there: they equal
// those by definition, and the verifier agrees; stops, plans and errors.
#include "gossamer/algorithm/strong_components.hpp"

#include <gtest/gtest.h>

#include <map>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/kept.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/simple_strong.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

class StrongComponentsOn : public testing_machines::OnMachine {};

std::vector<std::int64_t> labels_of(const strong_components_result& result) {
  return std::visit(
      [](const auto& labels) { return std::vector<std::int64_t>(labels.begin(), labels.end()); },
      result.labels.get());
}

void expect_counts(const strong_components_result& result,
                   const std::vector<std::int64_t>& labels) {
  std::map<std::int64_t, std::int64_t> sizes;
  for (const std::int64_t label : labels) ++sizes[label];
  EXPECT_EQ(result.count, std::ssize(sizes));
  std::int64_t largest = 0, of = 0;
  for (const auto& [label, size] : sizes)
    if (size > largest) {
      largest = size;
      of = label;
    }
  EXPECT_EQ(result.largest, largest);
  EXPECT_EQ(result.largest_label, of);
}

void expect_right(machine& m, const graph& g) {
  const auto result = strong_components(m, g);
  const auto labels = labels_of(result);
  ASSERT_EQ(labels, strong_by_definition(g));
  expect_counts(result, labels);
  const auto checked = verify_strong_components(g, result.labels);
  EXPECT_TRUE(checked.ok) << checked.reason;
}

TEST_P(StrongComponentsOn, OfManyGraphsAreThoseByDefinition) {
  int step = machine_->size() > 3 ? 3 : 1;
#ifdef GOSSAMER_TEST_STAND_INS
  step = 3;
#endif
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    SCOPED_TRACE(g.name);
    ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g));
  }
}

// About as many arcs as vertices: components of every size, in every part.
TEST_P(StrongComponentsOn, OfSparseDirectedGraphsAreThoseByDefinition) {
#ifdef GOSSAMER_TEST_STAND_INS
  constexpr std::uint32_t seeds = 2;
#else
  constexpr std::uint32_t seeds = 8;
#endif
  for (const int arcs : {60, 90, 120, 150, 200, 300, 400})
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
      SCOPED_TRACE(arcs);
      const auto drawn = random_arcs(100, arcs, seed);
      ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, from_arcs("narrow", 100, drawn, false)));
      ASSERT_NO_FATAL_FAILURE(
          expect_right(*machine_, from_arcs<vertex64>("wide", 100, drawn, false)));
    }
}

#ifndef GOSSAMER_TEST_STAND_INS
// Large enough that teams work; circles of circles, and a path of which trimming takes one vertex a
// round, so that depth first has the rest.
TEST_P(StrongComponentsOn, OfLargerGraphsAreWhatOneThreadFinds) {
  auto one = machine::open("cpu:1x1");
  constexpr std::int64_t n = 30000;
  arc_list circles, path, circle;
  for (std::int64_t v = 0; v < n; ++v) {
    circles.emplace_back(v, v / 3 * 3 + (v + 1) % 3);
    if (v + 3 < n) circles.emplace_back(v, v + 3);
    if (v > 0) path.emplace_back(v, v - 1);
    circle.emplace_back(v, (v + 1) % n);
  }
  for (const graph& g :
       {from_arcs("circles", n, circles, false), from_arcs("path", n, path, false),
        from_arcs("circle", n, circle, false),
        from_arcs("sparse", n, random_arcs(n, n * 5 / 4, 1), false),
        from_arcs("dense", n, random_arcs(n, n * 4, 2), false),
        generate(parse_generator("kron:13")), generate(parse_generator("road:100"))}) {
    SCOPED_TRACE(g.name);
    const auto result = strong_components(*machine_, g);
    const auto labels = labels_of(result);
    expect_counts(result, labels);
    EXPECT_EQ(labels, labels_of(strong_components(one, g)));
    const auto checked = verify_strong_components(g, result.labels);
    EXPECT_TRUE(checked.ok) << checked.reason;
  }
}

#endif

TEST_P(StrongComponentsOn, OfNothing) {
  graph none;
  none.offsets = shared_array<edge_offset>(1);
  none.offsets[0] = 0;
  const auto result = strong_components(*machine_, none);
  EXPECT_EQ(result.count, 0);
  EXPECT_EQ(result.largest, 0);
  EXPECT_TRUE(labels_of(result).empty());
  ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, from_arcs("one", 1, {{0, 0}}, false)));
}

TEST_P(StrongComponentsOn, RunAgainAndAgain) {
  const graph g = from_arcs("again", 500, random_arcs(500, 700, 3), false);
  strong_components_search search(*machine_, g);
  const auto first = search.run(), again = search.run();
  EXPECT_EQ(labels_of(first), labels_of(again));
  EXPECT_EQ(first.count, again.count);
}

TEST_P(StrongComponentsOn, StopWhenTheyAreTold) {
  const graph g = from_arcs("long", 40000, random_arcs(40000, 160000, 4), false);
  strong_components_search search(*machine_, g);
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
  EXPECT_TRUE(verify_strong_components(g, search.run().labels).ok);
}

INSTANTIATE_TEST_SUITE_P(Machines, StrongComponentsOn,
                         ::testing::ValuesIn(testing_machines::unmixed_specs()),
                         testing_machines::spec_name<std::string>);

#if defined(GOSSAMER_TEST_GPU) && !defined(GOSSAMER_TEST_STAND_INS)
// Giant components, thousands of small ones, and circles that are left to the host.
TEST_P(StrongComponentsOn, OfLargerGraphsAreThoseOfCpus) {
  auto cpus = machine::open("cpu");
  constexpr std::int64_t n = 600000;
  arc_list circle;
  for (std::int64_t v = 0; v < n; ++v) circle.emplace_back(v, (v + 1) % n);
  for (const graph& g :
       {from_arcs("circle", n, circle, false),
        from_arcs("sparse", n, random_arcs(n, n * 5 / 4, 1), false),
        from_arcs("dense", n, random_arcs(n, n * 4, 2), false),
        from_arcs<vertex64>("wide", n, random_arcs(n, n * 2, 3), false),
        generate(parse_generator("kron:18")), generate(parse_generator("road:700"))}) {
    SCOPED_TRACE(g.name);
    const auto found = strong_components(*machine_, g), right = strong_components(cpus, g);
    EXPECT_EQ(labels_of(found), labels_of(right));
    EXPECT_EQ(found.count, right.count);
    EXPECT_EQ(found.largest, right.largest);
    EXPECT_EQ(found.largest_label, right.largest_label);
  }
}
#endif

TEST(StrongComponents, ReverseArcsOnce) {
  auto m = machine::open("cpu:1x2");
  const graph g = from_arcs("once", 5000, random_arcs(5000, 20000, 5), false);
  const auto reverse = [](const strong_components_result& r) { return r.phases.at(0).second; };
  EXPECT_GT(reverse(strong_components(m, g)), 0);
  EXPECT_EQ(reverse(strong_components(m, g)), 0);
}

TEST(StrongComponents, SayWhatIsWrong) {
  auto m = machine::open("cpu:1x1");
  const graph g = from_arcs("three", 3, {{0, 1}, {1, 2}}, false);
  strong_components_options o;
  o.engine = "fast";
  EXPECT_THROW(strong_components(m, g, o), usage_error);
  o = {};
  o.memory = 10;
  EXPECT_THROW(strong_components(m, g, o), capacity_error);
  EXPECT_EQ(message_of<usage_error>([&] { strong_components(m, graph()); }),
            "strong_components: the graph has no offsets, not even of no vertices");
}

TEST(StrongComponents, VerifierFindsWhatIsWrong) {
  const graph g = from_arcs("tailed", 4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}, false);
  const auto verify = [&](std::vector<vertex32> given, const std::stop_token& stop = {}) {
    shared_array<vertex32> all(given.size());
    std::copy(given.begin(), given.end(), all.begin());
    return verify_strong_components(g, all, stop);
  };
  EXPECT_TRUE(verify({0, 0, 0, 3}).ok);
  EXPECT_EQ(verify({0, 0, 0, 0}).reason,
            "vertices 0 and 3 have one label, but no path within it leads from 3 to 0");
  EXPECT_EQ(verify({0, 0, 2, 3}).reason,
            "vertices 0 and 1 have one label, but no path within it leads from 1 to 0");
  EXPECT_EQ(verify({0, 1, 2, 3}).reason,
            "arcs lead in a circle through several components, one before the one of vertex 0 or "
            "through it");
  EXPECT_EQ(verify({1, 1, 1, 3}).reason,
            "vertex 0 (index 0) has the label 1, which is not the smallest vertex with it");
  EXPECT_FALSE(verify({0, 0, 0, 7}).ok);
  EXPECT_FALSE(verify({0, 0, 0, -1}).ok);
  EXPECT_EQ(verify({0, 0, 0}).reason, "labels need one entry for each of the 4 vertices");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(verify({0, 0, 0, 3}, stop.get_token()), cancelled_error);
}

TEST(StrongComponents, PlansAreBoundsBeforeThereIsAGraph) {
  auto m = machine::open("cpu:2x2");
  const graph g = generate(parse_generator("kron:12"));
  const auto exact = strong_components_search::plan(m, g);
  graph_shape shape{g.vertices(), g.arcs()};
  shape.symmetric = true;
  EXPECT_EQ(strong_components_search::plan(m, shape).total(), exact.total());
  shape.symmetric = false;
  EXPECT_GT(strong_components_search::plan(m, shape).total(), exact.total());
}

}  // namespace
}  // namespace gossamer
