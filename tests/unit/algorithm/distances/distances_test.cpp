// Distances on small graphs and on larger ones, on every kind of CPU machine or, with
// GOSSAMER_TEST_GPU, on GPUs, with GOSSAMER_TEST_STAND_INS on some that are not there: they equal
// those by definition, and the verifiers agree; stops, plans and errors.
#include "gossamer/algorithm/distances.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "algorithm/distances/sync/lane_counts.hpp"
#include "algorithm/distances/sync/near_order.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/kept.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/simple_distances.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

class DistancesOn : public testing_machines::OnMachine {};

std::vector<std::int64_t> wide(const depth_matrix& depths) {
  return std::visit(
      [](const auto& all) { return std::vector<std::int64_t>(all.begin(), all.end()); }, depths);
}

std::vector<std::int64_t> all_of(const graph& g) {
  std::vector<std::int64_t> vertices(static_cast<std::size_t>(g.vertices()));
  std::iota(vertices.begin(), vertices.end(), 0);
  return vertices;
}

void expect_numbers(const distances_result& result, const depth_rows& want,
                    const std::vector<std::int64_t>& sources) {
  ASSERT_EQ(result.reached.size(), sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto& depths = want[static_cast<std::size_t>(sources[i])];
    const auto number = [&](distance_kind kind) { return number_by_definition(kind, depths); };
    ASSERT_EQ(static_cast<double>(result.reached[i]), number(distance_kind::reached)) << i;
    ASSERT_EQ(static_cast<double>(result.sums[i]), number(distance_kind::sums)) << i;
    ASSERT_NEAR(result.reciprocals[i], number(distance_kind::harmonic), 1e-9) << i;
    ASSERT_EQ(result.eccentricities[i], number(distance_kind::eccentricity)) << i;
  }
}

void expect_matrix(distances_search& search, const graph& g, const depth_rows& want,
                   const std::vector<std::int64_t>& sources,
                   const std::vector<std::int64_t>& targets) {
  const auto result = search.run(sources, targets);
  const auto depths = wide(result.depths);
  ASSERT_EQ(depths.size(), sources.size() * targets.size());
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (std::size_t j = 0; j < targets.size(); ++j)
      ASSERT_EQ(depths[i * targets.size() + j],
                want[static_cast<std::size_t>(sources[i])][static_cast<std::size_t>(targets[j])])
          << g.name << " " << sources[i] << " " << targets[j];
  expect_numbers(result, want, sources);
}

void expect_right(machine& m, const graph& g, bool inward) {
  const auto want = depths_by_definition(g, inward);
  const auto all = all_of(g);
  distances_options o;
  o.inward = inward;
  distances_search search(m, g, o);
  const auto result = search.run();
  expect_numbers(result, want, all);
  bool connected = true;
  std::int64_t diameter = -1;
  for (const auto& row : want)
    for (const std::int64_t d : row) {
      connected &= d >= 0;
      diameter = std::max(diameter, d);
    }
  EXPECT_EQ(result.all_reached, connected);
  EXPECT_EQ(result.diameter, diameter);
  std::vector<std::int64_t> some, others;  // again and again, and in no order
  for (std::int64_t i = 0; i < 9 && g.vertices() > 0; ++i)
    some.push_back(i * i * 31 % g.vertices());
  for (std::int64_t v = g.vertices() - 1; v >= 0; v -= 3) others.push_back(v);
  expect_numbers(search.run(some), want, some);
  expect_matrix(search, g, want, some, others);
  expect_matrix(search, g, want, all, all);
  for (const auto measure : {distance_measure::eccentricity, distance_measure::diameter}) {
    o.measure = measure;
    const auto bounded = distances(m, g, o);
    EXPECT_EQ(bounded.diameter, diameter);
    EXPECT_EQ(bounded.all_reached, connected);
    if (diameter >= 0) {
      const auto& end = want[static_cast<std::size_t>(bounded.end)];
      EXPECT_EQ(*std::max_element(end.begin(), end.end()), diameter);
    }
    EXPECT_TRUE(bounded.reached.empty());
    if (measure == distance_measure::diameter) {
      EXPECT_TRUE(bounded.eccentricities.empty());
      continue;
    }
    ASSERT_EQ(bounded.eccentricities.size(), all.size());
    for (std::size_t v = 0; v < all.size(); ++v)
      ASSERT_EQ(bounded.eccentricities[v], *std::max_element(want[v].begin(), want[v].end())) << v;
  }
}

TEST_P(DistancesOn, OfManyGraphsAreThoseByDefinition) {
  int step = machine_->size() > 3 ? 7 : 1;
#ifdef GOSSAMER_TEST_STAND_INS
  step = 20;
#endif
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    if (g.vertices() > 150 && number % 3 != 0) continue;
    SCOPED_TRACE(g.name);
    ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g, number % 2 == 1));
  }
}

TEST_P(DistancesOn, OfPairsWithLoopsAreThoseByDefinition) {
  const arc_list loops[] = {{{0, 1}, {1, 1}},
                            {{0, 1}, {1, 1}, {1, 1}, {1, 1}},
                            {{0, 1}, {1, 1}, {2, 3}, {3, 4}, {4, 5}},
                            {{0, 1}, {1, 1}, {1, 2}, {2, 2}}};
  for (const arc_list& edges : loops) {
    ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, undirected("loops", 6, edges), true));
    ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, undirected<vertex64>("wide", 6, edges), false));
  }
}

#ifndef GOSSAMER_TEST_STAND_INS
TEST_P(DistancesOn, OfFamiliesAreThoseByDefinition) {
  for (const char* family :
       {"kron:6", "grid:9x11", "road:9", "star:90", "path:300", "tree:6", "cliques:9x12",
        "lollipop:8x200", "bipartite:4x90:2", "small-world:120:4:20", "web:150:4"}) {
    SCOPED_TRACE(family);
    ASSERT_NO_FATAL_FAILURE(
        expect_right(*machine_, generate(parse_generator(family)), machine_->size() % 2 == 0));
  }
}

// Each in a batch of 64 or by itself, pushed and pulled, and the verifiers of all of them.
TEST_P(DistancesOn, OfLargerGraphsAreWhatVerifiersAccept) {
  constexpr std::int64_t n = 3000;
  arc_list circle;
  for (std::int64_t v = 0; v < n; ++v) circle.emplace_back(v, (v + 1) % n);
  for (const graph& g :
       {undirected("circle", n, circle), from_arcs("one way", n, circle, false),
        from_arcs("sparse", n, random_arcs(n, n * 5 / 4, 1), false),
        from_arcs<vertex64>("dense", n, random_arcs(n, n * 4, 2), false),
        generate(parse_generator("kron:12")), generate(parse_generator("road:60"))}) {
    SCOPED_TRACE(g.name);
    distances_search search(*machine_, g);
    const auto result = search.run();
    const auto all = all_of(g);
    std::vector<double> sums(result.sums.begin(), result.sums.end());
    auto checked = verify_distances(g, distance_kind::sums, false, all, sums, 50);
    EXPECT_TRUE(checked.ok) << checked.reason;
    std::vector<std::int64_t> sources;
    for (std::int64_t i = 0; i < 300; ++i) sources.push_back(i * 7919 % g.vertices());
    checked = verify_depths(g, false, sources, search.run(sources, all).depths);
    EXPECT_TRUE(checked.ok) << checked.reason;
    distances_options o;
    o.measure = distance_measure::eccentricity;
    const auto bounded = distances(*machine_, g, o);
    for (std::size_t v = 0; v < all.size(); ++v)
      ASSERT_EQ(bounded.eccentricities[v], result.eccentricities[v]) << v;
    o.measure = distance_measure::diameter;
    EXPECT_EQ(distances(*machine_, g, o).diameter, result.diameter);
  }
}

#endif

// Depths that one byte does not say, and those that two bytes do not.
TEST_P(DistancesOn, OfPathsAreAsWideAsTheyNeed) {
#ifdef GOSSAMER_TEST_STAND_INS
  const std::vector<std::int64_t> lengths{128, 129, 300};
#else
  const std::vector<std::int64_t> lengths{128, 129, 500, 32768, 32769, 40000};
#endif
  for (const std::int64_t n : lengths) {
    arc_list path;
    for (std::int64_t v = 1; v < n; ++v) path.emplace_back(v - 1, v);
    const graph g = undirected("path", n, path);
    distances_search search(*machine_, g);
    const std::vector<std::int64_t> ends{0, n - 1, n / 2};
    const auto result = search.run(ends, ends);
    EXPECT_EQ(wide(result.depths),
              (std::vector<std::int64_t>{0, n - 1, n / 2, n - 1, 0, n - 1 - n / 2, n / 2,
                                         n - 1 - n / 2, 0}));
    EXPECT_EQ(result.depths.index(), n <= 128 ? 0U : n <= 32768 ? 1U : 2U) << n;
    distances_options o;
    o.measure = distance_measure::diameter;
    EXPECT_EQ(distances(*machine_, g, o).diameter, n - 1);
  }
}

TEST_P(DistancesOn, OfNothing) {
  graph none;
  none.offsets = shared_array<edge_offset>(1);
  none.offsets[0] = 0;
  for (const auto measure :
       {distance_measure::sums, distance_measure::eccentricity, distance_measure::diameter}) {
    distances_options o;
    o.measure = measure;
    const auto result = distances(*machine_, none, o);
    EXPECT_EQ(result.diameter, -1);
    EXPECT_EQ(result.end, -1);
    EXPECT_TRUE(result.all_reached);
    EXPECT_EQ(result.searches, 0);
  }
  ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, from_arcs("one", 1, {{0, 0}}, false), false));
  const graph g = undirected("three", 3, {{0, 1}});
  distances_search search(*machine_, g);
  EXPECT_EQ(search.run(std::vector<std::int64_t>{}).diameter, -1);
  EXPECT_TRUE(wide(search.run({}, std::vector<std::int64_t>{1}).depths).empty());
}

TEST_P(DistancesOn, StopWhenTheyAreTold) {
  // A GPU tells when a launch has ended.
  const int until = testing_machines::for_gpus ? 1 : 20;
#ifdef GOSSAMER_TEST_STAND_INS
  constexpr std::int64_t n = 300;
#else
  constexpr std::int64_t n = 40000;
#endif
  const graph g = undirected("long", n, random_arcs(n, 4 * n, 4));
  for (const auto measure : {distance_measure::sums, distance_measure::eccentricity}) {
    distances_options o;
    o.measure = measure;
    distances_search search(*machine_, g, o);
    std::stop_source stop;
    run_options how;
    how.cancel = stop.get_token();
    int told = 0;
    how.progress = [&](double done) {
      EXPECT_GE(done, 0);
      EXPECT_LE(done, 1);
      if (++told == until) stop.request_stop();
    };
    search.follow(how);
    EXPECT_THROW(search.run(), cancelled_error);
    EXPECT_GE(told, std::min(until, 2));
    search.follow({});
    const std::vector<std::int64_t> few{1, 2, 3};
    EXPECT_EQ(search.run(few).searches, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, DistancesOn,
                         ::testing::ValuesIn(testing_machines::unmixed_specs()),
                         testing_machines::spec_name<std::string>);

#if defined(GOSSAMER_TEST_GPU) && !defined(GOSSAMER_TEST_STAND_INS)
// Hubs that all blocks share, thousands of levels, and several batches.
TEST_P(DistancesOn, OfLargerGraphsAreThoseOfCpus) {
  auto cpus = machine::open("cpu");
  for (const char* spec : {"kron:17", "road:300", "uniform:17:16", "web:200000:12", "path:3000",
                           "lollipop:700x3000", "star:200000"}) {
    SCOPED_TRACE(spec);
    graph g = generate(parse_generator(spec));
    std::vector<std::int64_t> sources;
    for (std::int64_t i = 0; i < 150; ++i) sources.push_back(i * 7919 % g.vertices());
    const auto all = all_of(g);
    for (const bool symmetric : {true, false}) {
      g.symmetric = symmetric;  // as a directed graph each edge has both directions
      kept::forget(g);
      distances_search here(*machine_, g), there(cpus, g);
      const auto found = here.run(sources, all), right = there.run(sources, all);
      EXPECT_TRUE(std::ranges::equal(found.reached.span(), right.reached.span()));
      EXPECT_TRUE(std::ranges::equal(found.sums.span(), right.sums.span()));
      EXPECT_TRUE(std::ranges::equal(found.reciprocals.span(), right.reciprocals.span()));
      EXPECT_TRUE(std::ranges::equal(found.eccentricities.span(), right.eccentricities.span()));
      EXPECT_EQ(found.depths.index(), right.depths.index());
      EXPECT_EQ(wide(found.depths), wide(right.depths));
    }
    if (g.name.starts_with("uniform")) continue;  // bounds leave nearly all open
    g.symmetric = true;
    kept::forget(g);
    distances_options o;
    o.measure = distance_measure::diameter;
    EXPECT_EQ(distances(*machine_, g, o).diameter, distances(cpus, g, o).diameter);
  }
}
#endif

#ifdef GOSSAMER_TEST_GPU
TEST(DistancesGpu, ShareSourcesAndNotBounds) {
  if (!testing_machines::lacking("cuda:0-1").empty()) GTEST_SKIP() << "needs two GPUs";
  auto m = machine::open("cuda:0-1");
  const graph g = generate(parse_generator("kron:6"));
  distances_options o;
  EXPECT_EQ(distances(m, g, o).ranks_used, 2);
  o.measure = distance_measure::diameter;
  const auto bounded = distances(m, g, o);
  EXPECT_EQ(bounded.ranks_used, 1);
  EXPECT_EQ(bounded.ranks_reason,
            "1 of 2 ranks: each round goes by what all searches before have found");
  auto shared = machine::open("cuda:0*3");
  EXPECT_EQ(distances(shared, g).ranks_reason, "1 of 3 ranks: ranks that share a GPU take turns");
}
#endif

TEST(Distances, ReverseArcsAndOrderSourcesOnce) {
  auto m = machine::open("cpu:1x2");
  const graph g = from_arcs("once", 5000, random_arcs(5000, 20000, 5), false);
  const auto phases = [](const distances_result& r) {
    return std::pair(r.phases.at(0).second, r.phases.at(1).second);
  };
  const auto first = phases(distances(m, g)), again = phases(distances(m, g));
  EXPECT_GT(first.first, 0);
  EXPECT_GT(first.second, 0);
  EXPECT_EQ(again, std::pair(0.0, 0.0));
}

TEST(Distances, BoundsTakeFewSearches) {
  auto m = machine::open("cpu:1x2");
  const graph g = generate(parse_generator("kron:13"));
  distances_options o;
  o.measure = distance_measure::diameter;
  EXPECT_LT(distances(m, g, o).searches, 500);
  o.measure = distance_measure::eccentricity;
  EXPECT_LT(distances(m, g, o).searches, g.vertices() / 4);
}

TEST(Distances, WhereNothingIsSharedGoOneByOne) {
  auto m = machine::open("cpu:1x1");
  const graph g = generate(parse_generator("road:300"));
  distances_search search(m, g);
  std::vector<std::int64_t> spread;
  for (std::int64_t i = 0; i < 40; ++i) spread.push_back(i * g.vertices() / 40);
  EXPECT_EQ(search.run(spread).alone, 40);
  EXPECT_EQ(distances(m, generate(parse_generator("kron:12"))).alone, 0);
}

TEST(Distances, SayWhatIsWrong) {
  auto m = machine::open("cpu:1x1");
  const graph g = from_arcs("three", 3, {{0, 1}, {1, 2}}, false);
  const std::vector<std::int64_t> good{0}, bad{3}, twice{1, 1};
  distances_options o;
  o.engine = "fast";
  EXPECT_THROW(distances(m, g, o), usage_error);
  o = {};
  o.memory = 10;
  EXPECT_THROW(distances(m, g, o), capacity_error);
  distances_search search(m, g);
  EXPECT_EQ(message_of<usage_error>([&] { search.run(bad); }),
            "distances: source 3 is no vertex: the graph has 3");
  EXPECT_EQ(message_of<usage_error>([&] { search.run(good, bad); }),
            "distances: target 3 is no vertex: the graph has 3");
  EXPECT_EQ(message_of<usage_error>([&] { search.run(good, twice); }),
            "distances: target 1 is given twice");
  o = {};
  o.measure = distance_measure::diameter;
  distances_search diameter(m, g, o);
  EXPECT_EQ(message_of<usage_error>([&] { diameter.run(good); }),
            "distances: the diameter is of all vertices, not of some");
  EXPECT_EQ(message_of<usage_error>([&] { diameter.run(good, good); }),
            "distances: depths come with measure 'sums' alone");
  EXPECT_EQ(message_of<usage_error>([&] { distances(m, graph()); }),
            "distances: the graph has no offsets, not even of no vertices");
  o = {};
  o.memory = std::int64_t{1} << 20;
  const graph large = from_arcs("large", 3000, {{0, 1}}, false);
  const auto all = all_of(large);
  EXPECT_THROW(distances_search(m, large, o).run(all, all), capacity_error);
}

TEST(Distances, VerifiersFindWhatIsWrong) {
  const graph g = from_arcs("path", 3, {{0, 1}, {1, 2}}, false);
  const std::vector<std::int64_t> first{0}, none{7};
  const auto numbers = [&](distance_kind kind, double value) {
    return verify_distances(g, kind, false, first, std::vector{value}).reason;
  };
  EXPECT_EQ(numbers(distance_kind::reached, 3), "");
  EXPECT_EQ(numbers(distance_kind::sums, 3), "");
  EXPECT_EQ(numbers(distance_kind::sums, 4),
            "sum of distances of vertex 0 is 4, and a search from it finds 3");
  EXPECT_EQ(numbers(distance_kind::wide_closeness, 2.0 / 3), "");
  EXPECT_EQ(numbers(distance_kind::harmonic, 1),
            "harmonic centrality of vertex 0 is 1, and a search from it finds 1.500000");
  EXPECT_EQ(numbers(distance_kind::eccentricity, 1),
            "eccentricity of vertex 0 is 1, and a search from it finds 2");
  EXPECT_EQ(verify_distances(g, distance_kind::sums, true, first, std::vector{0.0}).reason, "");
  EXPECT_EQ(verify_distances(g, distance_kind::sums, true, first, {}).reason,
            "there are 0 numbers of 1 sources");
  EXPECT_EQ(message_of<usage_error>(
                [&] { verify_distances(g, distance_kind::sums, true, none, std::vector{0.0}); }),
            "distances: source 7 is no vertex: the graph has 3");
  const auto depths = [&](std::vector<std::int8_t> given, const std::stop_token& stop = {}) {
    shared_array<std::int8_t> row(given.size());
    std::copy(given.begin(), given.end(), row.begin());
    return verify_depths(g, false, first, row, stop).reason;
  };
  EXPECT_EQ(depths({0, 1, 2}), "");
  EXPECT_EQ(depths({0, 1, 1}),
            "from 0: vertex 2 has depth 1, and no arc from one of depth one less");
  EXPECT_EQ(depths({0, 1, 3}), "from 0: an arc joins vertex 1 of depth 1 and vertex 2 of depth 3");
  EXPECT_EQ(depths({1, 1, 2}), "from 0: vertex 0 has depth 1");
  EXPECT_EQ(depths({0, 1, -2}),
            "from 0: an arc joins vertex 1 of depth 1 and vertex 2 of depth -2");
  EXPECT_EQ(depths({0, 1}),
            "depths need one entry for each of the 3 vertices from each of the 1 sources");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(depths({0, 1, 2}, stop.get_token()), cancelled_error);
}

TEST(Distances, PlansAreBoundsBeforeThereIsAGraph) {
  auto m = machine::open("cpu:2x2");
  const graph g = generate(parse_generator("kron:12"));
  for (const auto measure : {distance_measure::sums, distance_measure::diameter}) {
    distances_options o;
    o.measure = measure;
    const auto exact = distances_search::plan(m, g, o);
    graph_shape shape{g.vertices(), g.arcs()};
    shape.symmetric = true;
    EXPECT_EQ(distances_search::plan(m, shape, o).total(), exact.total());
    shape.symmetric = false;  // or not known to be
    EXPECT_GT(distances_search::plan(m, shape, o).total(), exact.total());
  }
}

TEST(Distances, LanesAreCounted) {
  distances_detail::lane_counts counts;
  std::mt19937_64 random(7);
  for (const int words : {0, 1, 2, 3, 64, 1000, 4096}) {
    std::array<std::int64_t, 64> want{}, found{};
    for (int i = 0; i < words; ++i) {
      const std::uint64_t word = random() & random();
      counts.add(word);
      for (std::size_t lane = 0; lane < 64; ++lane)
        want[lane] += static_cast<std::int64_t>(word >> lane & 1);
    }
    EXPECT_EQ(counts.words(), static_cast<std::uint64_t>(words));
    counts.take(
        [&](int lane, std::int64_t count) { found[static_cast<std::size_t>(lane)] = count; });
    EXPECT_EQ(found, want) << words;
    EXPECT_EQ(counts.words(), 0U);
  }
}

TEST(Distances, NearOrdersHaveEachVertexOnce) {
  for (const char* family : {"kron:9", "road:30", "path:700", "cliques:5x6"}) {
    const graph g = generate(parse_generator(family));
    std::vector<std::int64_t> order(static_cast<std::size_t>(g.vertices()));
    g.visit([&]<class Id>(const csr_view<Id>& rows) {
      distances_detail::near_order<Id>(rows, 64, order.data(), [] { return true; });
    });
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, all_of(g)) << family;
  }
}

}  // namespace
}  // namespace gossamer
