// Triangles on two hundred small graphs and on larger ones, on every kind of CPU machine or, with
// GOSSAMER_TEST_GPU, on GPUs, with GOSSAMER_TEST_STAND_INS on some that are not there: counts and
// pairs equal those by definition, and the verifier agrees; stops, plans and errors.
#include "gossamer/algorithm/triangles.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithm/layouts/oriented_rows.hpp"
#include "algorithm/triangles/sync/hub_bits.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/statistics.hpp"
#include "gossamer/placement/kept.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/plan_entries.hpp"
#include "unit/algorithm/simple_triangles.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

class TrianglesOn : public testing_machines::OnMachine {};

void expect_right(machine& m, const graph& g, bool weighted) {
  const triangles_by_definition right(g, weighted);
  triangles_options o;
  o.weighted = weighted;
  const auto result = triangles(m, g, o);
  EXPECT_EQ(result.total, right.total);
  ASSERT_EQ(result.pairs.size(), right.pairs.size());
  double share = 0, worth = 0, pairs = 0;
  for (std::size_t v = 0; v < right.pairs.size(); ++v) {
    ASSERT_EQ(result.pairs[v], right.pairs[v]) << v;
    if (weighted)
      ASSERT_NEAR(std::get<1>(result.counts.get())[v], right.counts[v], 1e-9 * right.counts[v]);
    else
      ASSERT_EQ(std::get<0>(result.counts.get())[v], std::llround(right.counts[v])) << v;
    if (right.pairs[v] == 0) continue;
    share += right.counts[v] / static_cast<double>(right.pairs[v]);
    worth += right.counts[v];
    pairs += static_cast<double>(right.pairs[v]);
  }
  EXPECT_NEAR(result.average_clustering, share / static_cast<double>(right.pairs.size()), 1e-9);
  EXPECT_NEAR(result.transitivity, pairs > 0 ? worth / pairs : 0, 1e-9);
  const auto checked = verify_triangles(g, result.counts, weighted);
  EXPECT_TRUE(checked.ok) << checked.reason;
}

TEST_P(TrianglesOn, OfTwoHundredGraphsAreThoseByDefinition) {
  const int step = machine_->size() > 3 ? 4 : 1;
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    SCOPED_TRACE(g.name);
    for (const bool weighted : {false, true})
      ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g, weighted));
  }
}

TEST_P(TrianglesOn, OfDenseGraphsAreThoseByDefinition) {
  const auto edges = random_arcs(150, 4000, 5);
  for (graph g : {undirected("dense", 150, edges), from_arcs("directed", 150, edges, false),
                  undirected<vertex64>("wide", 150, edges), wheel(500), two_stars(300)}) {
    SCOPED_TRACE(g.name);
    set_weights<float>(g, 99);
    for (const bool weighted : {false, true})
      ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g, weighted));
  }
}

// Rows on both sides of the last hub, and of what marks and searches take.
TEST_P(TrianglesOn, OfFamiliesAddUpToTheStatistic) {
  generate_options weighted;
  weighted.weights = true;
#ifdef GOSSAMER_TEST_STAND_INS
  constexpr const char* kronecker = "kron:11";
#else
  constexpr const char* kronecker = "kron:13";
#endif
  for (const char* spec :
       {kronecker, "uniform:12:20", "cliques:60x70", "web:20000:8", "geometric:9000:12",
        "preferential:9000:9", "star:9000", "road:60", "bipartite:90x900:3"}) {
    SCOPED_TRACE(spec);
    const graph g = generate(parse_generator(spec), weighted);
    const auto result = triangles(*machine_, g);
    EXPECT_EQ(result.total, count_triangles(g));
    const auto checked = verify_triangles(g, result.counts);
    EXPECT_TRUE(checked.ok) << checked.reason;
    triangles_options o;
    o.weighted = true;
    const auto worth = triangles(*machine_, g, o);
    EXPECT_EQ(worth.total, result.total);
    const auto also = verify_triangles(g, worth.counts, true);
    EXPECT_TRUE(also.ok) << also.reason;
  }
}

TEST_P(TrianglesOn, OfRowsInAnyOrder) {
  for (const bool directed : {false, true}) {
    const auto arcs = random_arcs(60, 900, 8);
    graph g = directed ? from_arcs("directed", 60, arcs, false) : undirected("any", 60, arcs);
    set_weights<std::int32_t>(g, 99);
    const auto sorted = triangles(*machine_, g);
    auto& columns = std::get<shared_array<vertex32>>(g.indices);
    auto& weights = std::get<shared_array<std::int32_t>>(g.weights);
    for (std::int64_t v = 0; v < g.vertices(); ++v) {
      std::reverse(columns.data() + g.offsets[v], columns.data() + g.offsets[v + 1]);
      std::reverse(weights.data() + g.offsets[v], weights.data() + g.offsets[v + 1]);
    }
    g.sorted = false;
    kept::forget(g);
    EXPECT_EQ(triangles(*machine_, g).total, sorted.total);
    for (const bool weighted : {false, true})
      ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g, weighted));
  }
}

TEST_P(TrianglesOn, OfNothing) {
  graph none;
  none.offsets = shared_array<edge_offset>(1);
  none.offsets[0] = 0;
  none.symmetric = true;
  const auto result = triangles(*machine_, none);
  EXPECT_EQ(result.total, 0);
  EXPECT_EQ(result.average_clustering, 0);
  EXPECT_EQ(result.transitivity, 0);
  EXPECT_EQ(std::get<0>(result.counts.get()).size(), 0U);
  expect_right(*machine_, undirected("one", 1, {{0, 0}}), false);
}

TEST_P(TrianglesOn, StopWhenTheyAreTold) {
  const graph g = generate(parse_generator("kron:14"));
  triangles_search search(*machine_, g);
  std::stop_source stop;
  run_options how;
  how.cancel = stop.get_token();
  int told = 0;
  how.progress = [&](double done) {
    EXPECT_GT(done, 0);
    EXPECT_LE(done, 1);
    if (++told == 1) stop.request_stop();
  };
  search.follow(how);
  EXPECT_THROW(search.run(), cancelled_error);
  EXPECT_GE(told, 1);
  search.follow({});
  const auto again = search.run();
  EXPECT_EQ(again.total, count_triangles(g));
}

INSTANTIATE_TEST_SUITE_P(Machines, TrianglesOn,
                         ::testing::ValuesIn(testing_machines::unmixed_specs()),
                         testing_machines::spec_name<std::string>);

TEST(Triangles, LayRowsOutOnce) {
  auto m = machine::open("cpu:1x2");
  const graph g = generate(parse_generator("kron:10"));
  const auto orient = [](const triangles_result& r) { return r.phases.at(0).second; };
  EXPECT_GT(orient(triangles(m, g)), 0);
  EXPECT_EQ(orient(triangles(m, g)), 0);
  kept::forget(g);
  EXPECT_GT(orient(triangles(m, g)), 0);
}

// One rank counts in the caller's rows, two in rows that are laid out.
TEST(Triangles, OfShortRowsAreThoseOfRowsThatAreLaidOut) {
  auto one = machine::open("cpu:1x2"), two = machine::open("cpu:2x1");
  std::vector<graph> graphs{generate(parse_generator("road:200")),
                            generate(parse_generator("small-world:20000:6:100")),
                            generate(parse_generator("cliques:300x8"))};
  // Loops, parallel arcs; a row that is too long.
  arc_list arcs;
  for (const auto& [u, v] : random_arcs(3000, 6000, 5)) {
    arcs.emplace_back(u, v);
    arcs.emplace_back(v, u);
    if (u % 3 == 0) {
      arcs.emplace_back(u, v);
      arcs.emplace_back(v, u);
      arcs.emplace_back(u, u);
    }
  }
  graphs.push_back(from_arcs("parallel", 3000, arcs, true));
  graphs.push_back(from_arcs<vertex64>("wide", 3000, arcs, true));
  for (std::int64_t v = 1; v < 80; ++v) {
    arcs.emplace_back(0, v);
    arcs.emplace_back(v, 0);
  }
  graphs.push_back(from_arcs("hub", 3000, arcs, true));
  for (const graph& g : graphs) {
    SCOPED_TRACE(g.name);
    const auto here = triangles(one, g), there = triangles(two, g);
    const auto collects = [](const triangles_result& r) { return r.phases.back().second > 0; };
    EXPECT_TRUE(collects(there));
    EXPECT_EQ(collects(here), g.name == "hub");
    EXPECT_EQ(here.total, there.total);
    const auto a = std::get<0>(here.counts.get()).span(),
               b = std::get<0>(there.counts.get()).span();
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    const auto p = here.pairs.span(), q = there.pairs.span();
    EXPECT_TRUE(std::equal(p.begin(), p.end(), q.begin(), q.end()));
    EXPECT_DOUBLE_EQ(here.transitivity, there.transitivity);
  }
}

#ifdef GOSSAMER_TEST_GPU
#ifndef GOSSAMER_TEST_STAND_INS
// Rows of thousands of entries, names beyond the bits of a block, and what CPUs find there.
TEST_P(TrianglesOn, OfLargerGraphsAreThoseOfCpus) {
  auto cpus = machine::open("cpu");
  generate_options weighted;
  weighted.weights = true;
  for (const char* spec : {"kron:19", "web:600000:12", "uniform:19:64", "cliques:150x150"}) {
    SCOPED_TRACE(spec);
    graph g = generate(parse_generator(spec), weighted);
    for (const bool symmetric : {true, false}) {
      g.symmetric = symmetric;  // as a directed graph each edge has both directions
      kept::forget(g);
      const auto here = triangles(cpus, g), there = triangles(*machine_, g);
      EXPECT_EQ(there.total, here.total);
      const auto expected = std::get<0>(here.counts.get()).span();
      const auto counts = std::get<0>(there.counts.get()).span();
      ASSERT_TRUE(std::equal(counts.begin(), counts.end(), expected.begin(), expected.end()));
    }
    g.symmetric = true;
    kept::forget(g);
    triangles_options o;
    o.weighted = true;
    const auto here = triangles(cpus, g, o), there = triangles(*machine_, g, o);
    EXPECT_EQ(there.total, here.total);
    const auto expected = std::get<1>(here.counts.get()).span();
    const auto counts = std::get<1>(there.counts.get()).span();
    for (std::size_t v = 0; v < counts.size(); ++v)
      ASSERT_NEAR(counts[v], expected[v], 1e-8 * expected[v]) << v;
  }
}

#endif

TEST_P(TrianglesOn, FindTheirRowsAgain) {
  const graph g = generate(parse_generator("kron:12"));
  triangles_search search(*machine_, g);
  const auto first = search.run(), again = search.run();
  EXPECT_GT(first.phases.at(0).second, 0);
  EXPECT_EQ(again.phases.at(0).second, 0);
  EXPECT_GT(again.milliseconds, 0);
  const auto a = std::get<0>(first.counts.get()).span(), b = std::get<0>(again.counts.get()).span();
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

TEST_P(TrianglesOn, SayWhatDoesNotFit) {
  const graph g = generate(parse_generator("kron:14"));
  triangles_options o;
  o.memory = 1000;
  const std::string said = message_of<capacity_error>([&] { triangles(*machine_, g, o); });
  EXPECT_NE(said.find("rows and counts by name"), std::string::npos) << said;
}

TEST(Triangles, AreNotOfCpusAndGpusTogether) {
  if (!testing_machines::lacking("cuda:0").empty()) GTEST_SKIP();
  auto m = machine::open("cpu:1x1+cuda:0");
  const graph g = generate(parse_generator("kron:8"));
  EXPECT_EQ(message_of<not_compiled>([&] { triangles(m, g); }),
            "engine 'sync' of triangles on CPUs and GPUs together not compiled in: it runs on CPU "
            "ranks (give the machine cpu) and on GPUs of one process (give it cuda)");
}
#endif

TEST(OrientedRows, HaveEachEdgeOnceByFallingDegree) {
  const graph g = generate(parse_generator("kron:12"));
  for (const int threads : {1, 3}) {
    const auto made = algorithm_detail::orient<vertex32, std::monostate>(g, 0, threads);
    std::vector<std::int64_t> vertex(static_cast<std::size_t>(g.vertices()), -1);
    for (std::size_t v = 0; v < vertex.size(); ++v) vertex[made.name[v]] = std::int64_t(v);
    std::int64_t edges = 0;
    for (std::int64_t v = 0; v < g.vertices(); ++v) {
      if (v > 0) {
        EXPECT_GE(g.degree(vertex[v - 1]), g.degree(vertex[v]));
      }
      const auto row = made.row(v);
      edges += std::ssize(row);
      for (std::size_t i = 0; i < row.size(); ++i) {
        ASSERT_LT(i > 0 ? row[i - 1] : -1, row[i]);
        ASSERT_LT(row[i], v);
        const auto all = g.view<vertex32>().row(vertex[v]);
        ASSERT_TRUE(std::binary_search(all.begin(), all.end(), vertex32(vertex[row[i]])));
      }
      EXPECT_LE(std::ssize(row) * std::ssize(row), g.arcs());
    }
    EXPECT_EQ(2 * edges, g.arcs());
  }
}

TEST(HubBits, AreThoseOfTheRows) {
  const graph g = generate(parse_generator("kron:13"));
  const auto rows = algorithm_detail::orient<vertex32, std::monostate>(g, 0, 1);
  const triangles_detail::hub_bits bits(rows, g.vertices());
  ASSERT_EQ(bits.hubs(), triangles_detail::hub_bits::most);
  for (std::int64_t u = 0; u < bits.hubs(); ++u) {
    std::int64_t set = 0;
    for (std::int64_t w = 0; w <= u; ++w) set += bits.row(u)[w / 64] >> (w % 64) & 1;
    ASSERT_EQ(set, std::ssize(rows.row(u)));
    for (const auto w : rows.row(u)) ASSERT_TRUE(bits.row(u)[w / 64] >> (w % 64) & 1);
  }
}

TEST(Triangles, SayWhatIsWrong) {
  auto m = machine::open("cpu:1x1");
  graph g = undirected("three", 3, {{0, 1}, {1, 2}, {0, 2}});
  triangles_options o;
  o.weighted = true;
  EXPECT_TRUE(message_of<usage_error>([&] {
                triangles(m, g, o);
              }).starts_with("triangles: three has no weights for triangles to be worth (gener"));
  EXPECT_EQ(message_of<usage_error>([&] { verify_triangles(g, shared_array<double>(3), true); }),
            "verify_triangles: three has no weights for triangles to be worth");
  EXPECT_THROW(triangles(m, weighed<double>(g, {1, 1, -1, 1, 1, 1}), o), input_error);
  EXPECT_THROW(triangles(m, weighed<double>(g, {1, 1, NAN, 1, 1, 1}), o), input_error);
  o = {};
  o.engine = "fast";
  EXPECT_THROW(triangles(m, g, o), usage_error);
  o = {};
  o.memory = 100;
  EXPECT_THROW(triangles(m, g, o), capacity_error);
  EXPECT_EQ(message_of<usage_error>([&] { triangles(m, graph()); }),
            "triangles: the graph has no offsets, not even of no vertices");
}

TEST(Triangles, VerifierFindsWhatIsWrong) {
  const graph g = undirected("square", 4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}});
  const auto counts = [](std::vector<std::int64_t> given) {
    shared_array<std::int64_t> all(given.size());
    std::copy(given.begin(), given.end(), all.begin());
    return all;
  };
  EXPECT_TRUE(verify_triangles(g, counts({1, 1, 1, 0})).ok);
  EXPECT_EQ(verify_triangles(g, counts({1, 1, 2, 0})).reason,
            "the triangles of vertex 2 are given as 2, and its edges find 1");
  EXPECT_EQ(verify_triangles(g, counts({1, 1, 1})).reason,
            "counts need one entry for each of the 4 vertices");
  graph weighted = g;
  set_weights<double>(weighted, 9);
  auto m = machine::open("cpu:1x1");
  triangles_options o;
  o.weighted = true;
  const auto result = triangles(m, weighted, o);
  auto worth = std::get<1>(result.counts.get());
  EXPECT_TRUE(verify_triangles(weighted, worth, true).ok);
  worth[1] *= 1 + 1e-8;
  EXPECT_FALSE(verify_triangles(weighted, worth, true).ok);
  worth[1] = NAN;
  EXPECT_FALSE(verify_triangles(weighted, worth, true).ok);
  EXPECT_EQ(message_of<usage_error>([&] {
              verify_triangles(weighted, counts({1, 1, 1, 0}), true);
            }),
            "verify_triangles: counts by weights are numbers of double precision");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(verify_triangles(g, counts({1, 1, 1, 0}), false, stop.get_token()), cancelled_error);
}

TEST(Triangles, PlansAreBoundsBeforeThereIsAGraph) {
  auto m = machine::open("cpu:2x2");
  const graph g = generate(parse_generator("kron:12"));
  const auto exact = triangles_search::plan(m, g);
  graph_shape shape{g.vertices(), g.arcs()};
  shape.symmetric = true;
  EXPECT_EQ(triangles_search::plan(m, shape).total(), exact.total());
  shape.symmetric = false;
  EXPECT_GT(triangles_search::plan(m, shape).total(), exact.total());
}

}  // namespace
}  // namespace gossamer
