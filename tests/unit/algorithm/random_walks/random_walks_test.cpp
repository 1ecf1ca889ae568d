// Random walks on small graphs and on larger ones, on every kind of CPU machine or, with
// GOSSAMER_TEST_GPU, on GPUs, with GOSSAMER_TEST_STAND_INS on some that are not there: they are
// those by definition, go where they are meant to as often as they are meant to, and the verifier
// agrees; stops, plans and errors.
#include "gossamer/algorithm/random_walks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/arc_error.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/kept.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/simple_random_walks.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

class RandomWalksOn : public testing_machines::OnMachine {};

walk_list rows_of(const random_walks_result& result) {
  walk_list rows;
  std::visit(
      [&](const auto& all) {
        for (std::int64_t walk = 0; walk < result.count; ++walk) {
          const auto* const first = all.data() + walk * (result.length + 1);
          rows.emplace_back(first, first + result.length + 1);
        }
      },
      result.walks);
  return rows;
}

std::vector<std::int64_t> all_of(const graph& g) {
  std::vector<std::int64_t> vertices(static_cast<std::size_t>(g.vertices()));
  std::iota(vertices.begin(), vertices.end(), 0);
  return vertices;
}

random_walks_options of_length(std::int64_t length, bool weighted = false, double p = 1,
                               double q = 1) {
  random_walks_options o;
  o.length = length;
  o.weighted = weighted;
  o.p = p;
  o.q = q;
  return o;
}

void expect_right(machine& m, const graph& g, const random_walks_options& o) {
  const auto all = all_of(g);
  random_walks_search search(m, g, o);
  const auto result = search.run();
  const auto want = walks_by_definition(g, o).from(all);
  ASSERT_EQ(rows_of(result), want);
  std::int64_t steps = 0, ended = 0;
  for (const auto& walk : want) {
    for (std::size_t i = 1; i < walk.size(); ++i) steps += walk[i] >= 0;
    ended += walk.back() < 0;
  }
  EXPECT_EQ(result.steps, steps);
  EXPECT_EQ(result.ended, ended);
  EXPECT_EQ(result.count, g.vertices() * o.walks);
  auto found = verify_random_walks(g, result.walks, {}, o);
  ASSERT_TRUE(found.ok) << found.reason;
  std::vector<std::int64_t> some;  // again and again, and in no order
  for (std::int64_t i = 0; i < 9 && g.vertices() > 0; ++i)
    some.push_back(i * i * 31 % g.vertices());
  const auto from_some = search.run(some);
  ASSERT_EQ(rows_of(from_some), walks_by_definition(g, o).from(some));
  found = verify_random_walks(g, from_some.walks, some, o);
  ASSERT_TRUE(found.ok) << found.reason;
}

TEST_P(RandomWalksOn, OfManyGraphsAreThoseByDefinition) {
  int step = machine_->size() > 3 ? 7 : 1;
#ifdef GOSSAMER_TEST_STAND_INS
  step = 7;
#endif
  constexpr double pairs[][2] = {{1, 1}, {0.5, 2}, {4, 0.25}, {1e-9, 1}, {1e9, 1e9}, {1, 1e4}};
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    if (g.vertices() > 150 && number % 3 != 0) continue;
    SCOPED_TRACE(g.name);
    const auto& [p, q] = pairs[number % 6];
    auto o = of_length(number % 5 == 0 ? 1 : 13, g.weighted() && number % 4 < 2, p, q);
    o.walks = 1 + number % 3;
    o.seed = number % 2 == 0 ? number : std::numeric_limits<std::int64_t>::max() - number;
    ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g, o));
  }
}

TEST_P(RandomWalksOn, OfFamiliesAreThoseByDefinition) {
  generate_options weights;
  weights.weights = true;
  for (const char* family :
       {"kron:7", "grid:9x11", "road:9", "star:90", "path:30", "tree:6", "cliques:9x12",
        "lollipop:8x20", "bipartite:4x90:2", "small-world:120:4:20", "web:150:4"})
    for (const bool weighted : {false, true})
      for (const auto& [p, q] : {std::pair(1.0, 1.0), std::pair(0.5, 2.0)}) {
        SCOPED_TRACE(family);
        const graph g = generate(parse_generator(family), weights);
        ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g, of_length(20, weighted, p, q)));
      }
}

#ifndef GOSSAMER_TEST_STAND_INS
// On all machines the same; the verifier, which searches rows, is quick enough for these.
TEST_P(RandomWalksOn, OfLargerGraphsAreWhatTheVerifierAccepts) {
  generate_options weights;
  weights.weights = true;
  for (const char* family : {"kron:12", "road:60", "web:4000:5"}) {
    graph g = generate(parse_generator(family), weights);
    const graph one_way = from_arcs<vertex64>("one way", 3000, random_arcs(3000, 9000, 2), false);
    for (const bool weighted : {false, true})
      for (const auto& [p, q] : {std::pair(1.0, 1.0), std::pair(0.5, 2.0), std::pair(8.0, 0.1)}) {
        SCOPED_TRACE(family);
        auto o = of_length(40, weighted, p, q);
        o.seed = std::int64_t{1} << 40;
        auto found = verify_random_walks(g, random_walks(*machine_, g, o).walks, {}, o);
        EXPECT_TRUE(found.ok) << found.reason;
        o.weighted = false;
        found = verify_random_walks(one_way, random_walks(*machine_, one_way, o).walks, {}, o);
        EXPECT_TRUE(found.ok) << found.reason;
      }
  }
}

#endif

TEST_P(RandomWalksOn, OfNothing) {
  graph none;
  none.offsets = shared_array<edge_offset>(1);
  none.offsets[0] = 0;
  const auto result = random_walks(*machine_, none);
  EXPECT_EQ(result.count, 0);
  EXPECT_TRUE(rows_of(result).empty());
  const graph g = from_arcs("three", 3, {{0, 1}}, false);
  random_walks_search search(*machine_, g, of_length(2));
  EXPECT_EQ(search.run(std::vector<std::int64_t>{}).count, 0);
  EXPECT_EQ(rows_of(search.run()), (walk_list{{0, 1, -1}, {1, -1, -1}, {2, -1, -1}}));
}

TEST_P(RandomWalksOn, StopWhenTheyAreTold) {
  const std::int64_t n = testing_machines::for_gpus ? 400 : 4000;
  const graph g = undirected("long", n, random_arcs(n, 4 * n, 4));
  // A GPU tells after each launch.
  const int until = testing_machines::for_gpus ? 2 : 20;
  random_walks_search search(*machine_, g, of_length(4000, false, 0.5, 2));
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
  EXPECT_GE(told, 2);
  search.follow({});
  EXPECT_EQ(search.run(std::vector<std::int64_t>{1, 2, 3}).count, 3);
}

INSTANTIATE_TEST_SUITE_P(Machines, RandomWalksOn,
                         ::testing::ValuesIn(testing_machines::unmixed_specs()),
                         testing_machines::spec_name<std::string>);

#if defined(GOSSAMER_TEST_GPU) && !defined(GOSSAMER_TEST_STAND_INS)
bool same(const label_array& a, const label_array& b) {
  return std::visit(
      []<class A, class B>(const A& x, const B& y) {
        return std::is_same_v<A, B> && std::ranges::equal(x.span(), y.span());
      },
      a, b);
}

// Several slices, on the larger graphs.
TEST_P(RandomWalksOn, OfLargerGraphsAreThoseOfCpus) {
  auto cpus = machine::open("cpu");
  generate_options weights;
  weights.weights = true;
  for (const char* family : {"kron:18", "road:500", "web:200000:12"}) {
    const graph g = generate(parse_generator(family), weights);
    for (const bool weighted : {false, true})
      for (const auto& [p, q] : {std::pair(1.0, 1.0), std::pair(0.5, 2.0)}) {
        SCOPED_TRACE(family);
        auto o = of_length(80, weighted, p, q);
        o.walks = 5;
        EXPECT_TRUE(same(random_walks(*machine_, g, o).walks, random_walks(cpus, g, o).walks));
      }
  }
}
#endif

// As Random123's file of known answers has them (kat_vectors).
TEST(Philox, HasItsKnownAnswers) {
  const auto words = [](philox_words counter, std::uint64_t key) {
    const auto found = philox4x32(counter, key);
    return std::vector<std::uint32_t>(found.word, found.word + 4);
  };
  EXPECT_EQ(words({}, 0),
            (std::vector<std::uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(words({{~0U, ~0U, ~0U, ~0U}}, ~std::uint64_t{0}),
            (std::vector<std::uint32_t>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(words({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0x299f31d0a4093822),
            (std::vector<std::uint32_t>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

/// How often a walk's second step led to each vertex, of many walks from one.
std::map<std::int64_t, double> second_steps(const graph& g, random_walks_options o,
                                            std::int64_t source, std::int64_t by_way_of) {
  auto m = machine::open("cpu:1x2");
  o.walks = 200000;
  o.length = 2;
  std::map<std::int64_t, double> shares;
  double all = 0;
  for (const auto& walk :
       rows_of(random_walks_search(m, g, o).run(std::vector<std::int64_t>{source}))) {
    if (walk[1] != by_way_of) continue;
    ++shares[walk[2]];
    ++all;
  }
  for (auto& [v, share] : shares) share /= all;
  return shares;
}

// From 0 by way of 1: back to 0, to 2, which 0 has an arc to, or to 3 and 4, which it has not.
TEST(RandomWalks, GoWhereTheyAreMeantTo) {
  graph g = undirected("house", 5, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {1, 4}});
  const auto expect = [&](const random_walks_options& o, std::vector<double> counts) {
    const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
    const auto found = second_steps(g, o, 0, 1);
    const std::vector<std::int64_t> to{0, 2, 3, 4};
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto share = found.find(to[i]);
      // Five deviations of 60,000 walks or more.
      EXPECT_NEAR(share == found.end() ? 0 : share->second, counts[i] / all, 0.011) << to[i];
    }
  };
  expect(of_length(2), {1, 1, 1, 1});
  expect(of_length(2, false, 0.5, 2), {2, 1, 0.5, 0.5});
  expect(of_length(2, false, 4, 0.25), {0.25, 1, 4, 4});
  expect(of_length(2, false, 1e6, 1e-6), {0, 0, 1, 1});
  expect(of_length(2, false, 1e-9, 1), {1, 0, 0, 0});
  shared_array<double> weights(static_cast<std::size_t>(g.arcs()));
  std::fill(weights.begin(), weights.end(), 1.0);
  const auto row = static_cast<std::size_t>(g.offsets[1]);
  for (std::size_t i = 0; i < 4; ++i) weights[row + i] = 0.5 * static_cast<double>(i);
  g.weights = weights;
  expect(of_length(2, true), {0, 1, 2, 3});
  expect(of_length(2, true, 0.5, 2), {0, 1, 1, 1.5});
}

TEST(RandomWalks, AreTheSameByWhateverTypeOfWeights) {
  auto m = machine::open("cpu:2x1");
  graph g = generate(parse_generator("kron:8"));
  set_weights<std::int32_t>(g, 40);
  for (const double q : {1.0, 3.0}) {
    const auto o = of_length(30, true, 1, q);
    const auto whole = rows_of(random_walks(m, g, o));
    for (const double unit : {1.0, 0.125, 0x1p-900, 0x1p+900}) {
      graph other = g;
      const auto& from = std::get<shared_array<std::int32_t>>(g.weights);
      shared_array<double> weights(from.size());
      for (std::size_t i = 0; i < from.size(); ++i) weights[i] = from[i] * unit;
      other.weights = weights;
      other.life = {};
      EXPECT_EQ(rows_of(random_walks(m, other, o)), whole) << unit;
    }
  }
}

TEST(RandomWalks, WithPAndQOfOneAreThoseWithout) {
  auto m = machine::open("cpu:1x1");
  const graph g = generate(parse_generator("kron:8"));
  // The bound of each is the largest, so that each first attempt is taken.
  auto nearly = of_length(30, false, 1, 1);
  const auto plain = rows_of(random_walks(m, g, nearly));
  nearly.p = 1 + 1e-15;
  EXPECT_EQ(rows_of(random_walks(m, g, nearly)), plain);
}

TEST(RandomWalks, DoNotAskForRowsThatAscend) {
  graph g = from_arcs("three", 4, {{0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 2}, {2, 0}, {3, 0}}, false);
  auto& columns = std::get<shared_array<vertex32>>(g.indices);
  std::reverse(columns.begin(), columns.begin() + 3);
  g.sorted = false;
  auto m = machine::open("cpu:1x1");
  ASSERT_NO_FATAL_FAILURE(expect_right(m, g, of_length(50, false, 3, 0.2)));
}

TEST(RandomWalks, AddWeightsUpOnce) {
  auto m = machine::open("cpu:1x2");
  graph g = generate(parse_generator("kron:10"));
  set_weights<float>(g, 9);
  const auto o = of_length(3, true);
  EXPECT_GT(random_walks(m, g, o).phases.at(0).second, 0);
  auto other = o;
  other.p = 2;
  EXPECT_EQ(random_walks(m, g, other).phases.at(0).second, 0);
  EXPECT_EQ(random_walks(m, g, o).phases.at(0).first, "sum");
}

TEST(RandomWalks, SayWhatIsWrong) {
  auto m = machine::open("cpu:1x1");
  graph g = from_arcs("three", 3, {{0, 1}, {1, 2}}, false);
  const std::vector<std::int64_t> bad{3};
  const auto message = [&](const random_walks_options& o) {
    return message_of<usage_error>([&] { random_walks(m, g, o); });
  };
  random_walks_options o;
  o.engine = "fast";
  EXPECT_THROW(random_walks(m, g, o), usage_error);
  EXPECT_NE(message(of_length(0)).find("length"), std::string::npos);
  EXPECT_NE(message(of_length(std::int64_t{1} << 31)).find("length"), std::string::npos);
  EXPECT_NE(message(of_length(1, false, 0)).find("random_walks: p"), std::string::npos);
  EXPECT_NE(message(of_length(1, false, 1, -1)).find("random_walks: q"), std::string::npos);
  EXPECT_NE(message(of_length(1, false, std::nan(""))).find("random_walks: p"), std::string::npos);
  o = {};
  o.walks = 0;
  EXPECT_NE(message(o).find("walks"), std::string::npos);
  EXPECT_TRUE(message(of_length(1, true))
                  .starts_with("random_walks: three has no weights to walk by (generators make"));
  EXPECT_EQ(message_of<usage_error>([&] { random_walks_search(m, g).run(bad); }),
            "random_walks: source 3 is no vertex: the graph has 3");
  EXPECT_EQ(message_of<usage_error>([&] { random_walks(m, graph()); }),
            "random_walks: the graph has no offsets, not even of no vertices");
  o = {};
  o.walks = std::int64_t{1} << 50;
  EXPECT_THROW(random_walks(m, g, o), capacity_error);
  shared_array<float> weights(2);
  weights[0] = 1;
  weights[1] = -1;
  g.weights = weights;
  EXPECT_THROW(random_walks(m, g, of_length(1, true)), arc_error);
  random_walks(m, g, of_length(1));
  weights[1] = std::numeric_limits<float>::infinity();
  g.life = {};
  EXPECT_THROW(random_walks(m, g, of_length(1, true)), arc_error);
}

TEST(RandomWalks, VerifierFindsWhatIsWrong) {
  const graph g = from_arcs("path", 4, {{0, 1}, {0, 2}, {1, 2}}, false);
  const auto verdict = [&](std::vector<std::int32_t> given, const random_walks_options& o,
                           const std::vector<std::int64_t>& sources,
                           const std::stop_token& stop = {}) {
    shared_array<std::int32_t> walks(given.size());
    std::copy(given.begin(), given.end(), walks.begin());
    return verify_random_walks(g, walks, sources, o, stop).reason;
  };
  const auto o = of_length(2);
  const std::vector<std::int64_t> one{1}, first{0};
  EXPECT_EQ(verdict({1, 2, -1}, o, one), "");
  EXPECT_EQ(verdict({2, -1, -1}, o, one),
            "walk 0: it begins at vertex 2, not at its source vertex 1");
  EXPECT_EQ(verdict({1, 0, 1}, o, one), "walk 0: no arc leads from vertex 1 to vertex 0 at step 0");
  EXPECT_EQ(verdict({1, 7, 1}, o, one), "walk 0: no arc leads from vertex 1 to entry 7 at step 0");
  EXPECT_EQ(verdict({1, -1, -1}, o, one),
            "walk 0: it ends at vertex 1 at step 0, where arcs lead on");
  EXPECT_EQ(verdict({1, 2, 2}, o, one), "walk 0: no arc leads from vertex 2 to vertex 2 at step 1");
  const bool short_one = walks_by_definition(g, o).from(first)[0][1] == 2;
  EXPECT_EQ(verdict(short_one ? std::vector{0, 1, 2} : std::vector{0, 2, -1}, o, first),
            short_one
                ? "walk 0: from vertex 0 at step 0 it goes to vertex 1, and what is drawn leads to "
                  "vertex 2"
                : "walk 0: from vertex 0 at step 0 it goes to vertex 2, and what is drawn leads to "
                  "vertex 1");
  EXPECT_EQ(verdict({2, -1, 1}, o, {2}), "walk 0: vertex 1 at step 1 follows its end");
  EXPECT_EQ(verdict({1, 2}, o, one),
            "walks need 3 entries for each of 1 from 1 sources, and there are 2");
  EXPECT_EQ(message_of<usage_error>([&] {
              verdict({9, -1, -1}, o, {9});
            }),
            "verify_random_walks: source 9 is no vertex: the graph has 4");
  EXPECT_EQ(message_of<usage_error>([&] {
              verdict({1, 2, -1}, of_length(2, true), one);
            }),
            "verify_random_walks: path has no weights to walk by");
  EXPECT_EQ(message_of<usage_error>([&] {
              verdict({1, 2, -1}, of_length(2, false, 0), one);
            }),
            "verify_random_walks: p and q are from 1e-9 to 1e9");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(verdict({1, 2, -1}, o, one, stop.get_token()), cancelled_error);
}

TEST(RandomWalks, PlansAreKnownBeforeThereIsAGraph) {
  auto m = machine::open("cpu:2x2");
  graph g = generate(parse_generator("kron:12"));
  for (const bool weighted : {false, true}) {
    if (weighted) set_weights<float>(g, 3);
    const auto o = of_length(10, weighted);
    const auto exact = random_walks_search::plan(m, g, o);
    EXPECT_EQ(random_walks_search::plan(m, graph_shape{g.vertices(), g.arcs()}, o).total(),
              exact.total());
    EXPECT_GE(exact.total(), 44 * g.vertices());
  }
}

}  // namespace
}  // namespace gossamer
