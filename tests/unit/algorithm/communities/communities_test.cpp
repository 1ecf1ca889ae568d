// Communities on small graphs and on larger ones, on every kind of CPU machine or, with
// GOSSAMER_TEST_GPU, on GPUs, with GOSSAMER_TEST_STAND_INS on some that are not there: they are
// those that one thread finds, the verifier agrees, and modularity is what its definition says;
// stops, plans and errors.
#include "gossamer/algorithm/communities.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/kept.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/simple_communities.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

constexpr const char* methods[] = {"louvain", "leiden"};
/// Kernels that are emulated take long.
#ifdef GOSSAMER_TEST_STAND_INS
constexpr bool emulated = true;
#else
constexpr bool emulated = false;
#endif

class CommunitiesOn : public testing_machines::OnMachine {};

communities_options by(const std::string& method, double resolution = 1, std::int64_t seed = 0) {
  communities_options o;
  o.method = method;
  o.resolution = resolution;
  o.seed = seed;
  return o;
}

std::vector<std::int64_t> labels_of(const label_array& of) {
  return std::visit(
      [](const auto& labels) { return std::vector<std::int64_t>(labels.begin(), labels.end()); },
      of);
}
std::vector<std::int64_t> labels_of(const communities_result& result) {
  return labels_of(result.labels.get());
}

void expect_counts(const communities_result& result) {
  std::map<std::int64_t, std::int64_t> sizes;
  for (const std::int64_t label : labels_of(result)) ++sizes[label];
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

void expect_verified(const graph& g, const communities_result& result,
                     const communities_options& o) {
  const auto checked =
      verify_communities(g, result.labels, {result.modularity, o.resolution, o.method == "leiden"});
  EXPECT_TRUE(checked.ok) << checked.reason;
}

// Another resolution in every third.
TEST_P(CommunitiesOn, OfManyGraphsAreWhatOneThreadFinds) {
  auto one = machine::open("cpu:1x1");
  const int step = emulated ? 19 : machine_->size() > 3 ? 3 : 1;
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    if (!g.symmetric) continue;
    SCOPED_TRACE(g.name);
    const auto o = by(methods[number / 2 % 2], number % 3 == 0 ? 0.5 + number / 100.0 : 1, number);
    const auto result = communities(*machine_, g, o);
    const auto labels = labels_of(result);
    const auto right = communities(one, g, o);
    ASSERT_EQ(labels, labels_of(right));
    ASSERT_EQ(result.rounds, right.rounds);
    ASSERT_EQ(result.levels, right.levels);
    ASSERT_NEAR(result.modularity, modularity_by_definition(g, labels, o.resolution), 1e-9);
    ASSERT_NO_FATAL_FAILURE(expect_counts(result));
    ASSERT_NO_FATAL_FAILURE(expect_verified(g, result, o));
  }
}

// Large enough that teams work and levels are many.
TEST_P(CommunitiesOn, OfLargerGraphsAreWhatOneThreadFinds) {
  auto one = machine::open("cpu:1x1");
  generate_options weighted;
  weighted.weights = true;
  const auto families =
      emulated ? std::vector{"kron:7", "road:15", "small-world:300:6:30"}
               : std::vector{"kron:13", "road:120", "web:9000:6", "small-world:20000:6:30"};
  for (const char* family : families)
    for (const bool with : {false, true})
      for (const char* method : methods) {
        SCOPED_TRACE(family);
        const graph g = generate(parse_generator(family), with ? weighted : generate_options{});
        if (!g.symmetric) continue;
        const auto result = communities(*machine_, g, by(method));
        EXPECT_EQ(labels_of(result), labels_of(communities(one, g, by(method))));
        EXPECT_GT(result.levels, 2);
        EXPECT_GT(result.rounds, result.levels);
        expect_counts(result);
        expect_verified(g, result, by(method));
      }
}

// Each clique has one arc to the next: it is a community.
TEST_P(CommunitiesOn, OfCliquesAreThese) {
  arc_list edges;
  constexpr std::int64_t cliques = emulated ? 12 : 60, size = 8;
  for (std::int64_t c = 0; c < cliques; ++c) {
    for (std::int64_t a = 0; a < size; ++a)
      for (std::int64_t b = 0; b < a; ++b) edges.emplace_back(c * size + a, c * size + b);
    edges.emplace_back(c * size, (c + 1) % cliques * size + 1);
  }
  const graph g = undirected("ring of cliques", cliques * size, edges);
  for (const char* method : methods)
    for (std::int64_t seed = 0; seed < 4; ++seed) {
      const auto result = communities(*machine_, g, by(method, 2, seed));
      EXPECT_EQ(result.count, cliques);
      const auto labels = labels_of(result);
      for (std::int64_t v = 0; v < g.vertices(); ++v)
        EXPECT_EQ(labels[static_cast<std::size_t>(v)], v / size * size);
    }
}

// Where both ends are of one group neither joins the other, and connected parts are what is left.
TEST_P(CommunitiesOn, OfTwoAreOne) {
  const graph pair = undirected("pair", 3, {{0, 2}});
  for (std::int64_t seed = 0; seed < 40; ++seed)
    EXPECT_EQ(labels_of(communities(*machine_, pair, by("leiden", 1, seed))),
              (std::vector<std::int64_t>{0, 1, 0}))
        << seed;
}

TEST_P(CommunitiesOn, OfNoResolutionAreComponents) {
  auto one = machine::open("cpu:1x1");
  for (const char* method : methods)
    for (const char* family : {"road:30", "cliques:9x12", emulated ? "kron:7" : "kron:9"}) {
      SCOPED_TRACE(family);
      const graph g = generate(parse_generator(family));
      EXPECT_EQ(labels_of(communities(*machine_, g, by(method, 0))),
                labels_of(components(one, g).labels));
      const auto alone = communities(*machine_, g, by(method, 1e9));
      EXPECT_EQ(alone.count, g.vertices());
      EXPECT_LT(alone.modularity, 0);
    }
}

TEST_P(CommunitiesOn, OfNothing) {
  graph none;
  none.offsets = shared_array<edge_offset>(1);
  none.offsets[0] = 0;
  none.symmetric = true;
  graph weightless = undirected("weightless", 3, {{0, 1}, {1, 2}});
  weightless.weights = shared_array<double>(4);
  std::fill_n(std::get<shared_array<double>>(weightless.weights).data(), 4, 0.0);
  for (const char* method : methods) {
    const auto result = communities(*machine_, none, by(method));
    EXPECT_EQ(result.count, 0);
    EXPECT_EQ(result.largest, 0);
    EXPECT_EQ(result.modularity, 0);
    EXPECT_TRUE(labels_of(result).empty());
    const auto alone = communities(*machine_, weightless, by(method));
    EXPECT_EQ(labels_of(alone), (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(alone.modularity, 0);
    const auto pair = communities(*machine_, undirected("pair", 3, {{1, 2}, {2, 2}}), by(method));
    EXPECT_EQ(labels_of(pair), (std::vector<std::int64_t>{0, 1, 1}));
    EXPECT_EQ(pair.modularity, 0);
  }
}

TEST_P(CommunitiesOn, RunAgainAndAgain) {
  const graph g = generate(parse_generator(emulated ? "kron:7" : "kron:11"));
  for (const char* method : methods) {
    communities_search search(*machine_, g, by(method));
    const auto first = search.run(), again = search.run();
    EXPECT_EQ(labels_of(first), labels_of(again));
    EXPECT_EQ(first.modularity, again.modularity);
    EXPECT_EQ(first.rounds, again.rounds);
    EXPECT_EQ(first.modularity, modularity(g, first.labels));
    EXPECT_EQ(first.modularity, modularity(g, first.labels, 1, 1));
  }
}

TEST_P(CommunitiesOn, StopWhenTheyAreTold) {
  const graph g = generate(parse_generator(emulated ? "kron:7" : "kron:13"));
  const auto right = labels_of(communities(*machine_, g, by("leiden")));
  communities_search search(*machine_, g, by("leiden"));
  // A GPU tells after each step of a level.
  for (const int at :
       testing_machines::for_gpus ? std::vector{1, 3, 7} : std::vector{1, 3, 40, 90}) {
    std::stop_source stop;
    run_options how;
    how.cancel = stop.get_token();
    int told = 0;
    how.progress = [&](double done) {
      EXPECT_GE(done, 0);
      EXPECT_LE(done, 1);
      if (++told == at) stop.request_stop();
    };
    search.follow(how);
    EXPECT_THROW(search.run(), cancelled_error);
    EXPECT_GE(told, at);
    search.follow({});
    EXPECT_EQ(labels_of(search.run()), right);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, CommunitiesOn,
                         ::testing::ValuesIn(testing_machines::unmixed_specs()),
                         testing_machines::spec_name<std::string>);

#if defined(GOSSAMER_TEST_GPU) && !defined(GOSSAMER_TEST_STAND_INS)
// Rows of every length, many blocks, and rounds behind a pause.
TEST_P(CommunitiesOn, OfLargeGraphsAreThoseOfCpus) {
  auto cpus = machine::open("cpu");
  for (const char* spec : {"kron:16", "road:500", "web:100000:12", "star:200000", "uniform:15:32"})
    for (const bool weights : {false, true})
      for (const char* method : methods) {
        SCOPED_TRACE(spec);
        generate_options how;
        how.weights = weights;
        const graph g = generate(parse_generator(spec), how);
        if (!g.symmetric) continue;
        const auto here = communities(*machine_, g, by(method)),
                   there = communities(cpus, g, by(method));
        EXPECT_EQ(labels_of(here), labels_of(there));
        EXPECT_EQ(here.rounds, there.rounds);
        EXPECT_EQ(here.levels, there.levels);
      }
}
#endif

TEST(Communities, DependOnSeedsAndOnIterations) {
  auto m = machine::open("cpu:1x2");
  const graph g = generate(parse_generator("kron:12"));
  auto o = by("louvain");
  const auto first = communities(m, g, o);
  o.seed = 1;
  EXPECT_NE(labels_of(communities(m, g, o)), labels_of(first));
  o.seed = std::numeric_limits<std::int64_t>::max();
  EXPECT_NE(labels_of(communities(m, g, o)), labels_of(first));
  o.seed = 0;
  o.iterations = 1;
  const auto short_run = communities(m, g, o);
  EXPECT_LT(short_run.levels, first.levels);
  EXPECT_LT(short_run.modularity, first.modularity);
  o.iterations = 1000;  // one that changes nothing ends it
  EXPECT_LT(communities(m, g, o).levels, 1000);
}

// Integers, and doubles that are a power of two times as large, are the same weights.
TEST(Communities, AreTheSameInAnyUnit) {
  auto m = machine::open("cpu:1x2");
  graph g = generate(parse_generator("road:60"));
  set_weights<std::int32_t>(g, 200);
  const auto whole = std::get<shared_array<std::int32_t>>(g.weights);
  for (const char* method : methods) {
    g.weights = whole;
    kept::forget(g);
    const auto right = labels_of(communities(m, g, by(method)));
    for (const double unit : {0x1p-300, 0.25, 0x1p200}) {
      shared_array<double> real(whole.size());
      for (std::size_t i = 0; i < real.size(); ++i) real[i] = unit * whole[i];
      g.weights = real;
      kept::forget(g);
      EXPECT_EQ(labels_of(communities(m, g, by(method))), right) << unit;
    }
  }
}

TEST(Communities, CountLoopsTwice) {
  graph g = undirected("loop", 3, {{0, 0}, {0, 1}, {1, 2}});
  const auto q = [&](std::vector<vertex32> given, double resolution = 1) {
    shared_array<vertex32> all(given.size());
    std::copy(given.begin(), given.end(), all.begin());
    return modularity(g, all, resolution);
  };
  EXPECT_DOUBLE_EQ(q({0, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(q({0, 1, 1}), 4.0 / 6 - (9.0 + 9) / 36);
  EXPECT_DOUBLE_EQ(q({2, 0, 0}), 4.0 / 6 - (9.0 + 9) / 36);
  EXPECT_DOUBLE_EQ(q({0, 1, 2}), 2.0 / 6 - (9.0 + 4 + 1) / 36);
  EXPECT_DOUBLE_EQ(q({0, 1, 2}, 0.5), 2.0 / 6 - 0.5 * (9.0 + 4 + 1) / 36);
  EXPECT_EQ(message_of<usage_error>([&] {
              q({0, 1});
            }),
            "modularity: labels need one entry for each of the 3 vertices");
  EXPECT_EQ(message_of<usage_error>([&] {
              q({0, 3, 0});
            }),
            "modularity: vertex 1 has the label 3, and labels are below 3");
  EXPECT_EQ(message_of<usage_error>([&] {
              q({0, 0, -1});
            }),
            "modularity: vertex 2 has the label -1, and labels are below 3");
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(message_of<usage_error>([&] {
                q({0, 0, 0}, bad);
              }),
              "modularity: resolution is negative or not finite");
}

TEST(Communities, SayWhatIsWrong) {
  auto m = machine::open("cpu:1x1");
  graph g = undirected("three", 3, {{0, 1}, {1, 2}, {0, 2}});
  auto o = by("louvain");
  o.engine = "fast";
  EXPECT_THROW(communities(m, g, o), usage_error);
  EXPECT_EQ(message_of<usage_error>([&] { communities(m, g, by("label")); }),
            "communities: unknown method 'label' (there are louvain, leiden)");
  EXPECT_EQ(message_of<usage_error>([&] { communities(m, g, by("leiden", -1)); }),
            "communities: resolution -1 is negative");
  EXPECT_EQ(message_of<usage_error>([&] { communities(m, g, by("leiden", INFINITY)); }),
            "communities: resolution is not finite");
  o = by("louvain");
  o.iterations = 0;
  EXPECT_EQ(message_of<usage_error>([&] { communities(m, g, o); }),
            "communities: iterations 0 is less than 1");
  o = by("louvain");
  o.memory = 10;
  EXPECT_THROW(communities(m, g, o), capacity_error);
  EXPECT_EQ(message_of<usage_error>([&] { communities(m, graph()); }),
            "communities: the graph has no offsets, not even of no vertices");
  const graph directed = from_arcs("one way", 3, {{0, 1}, {1, 2}}, false);
  EXPECT_EQ(message_of<usage_error>([&] { communities(m, directed); }),
            "communities: one way is directed, and communities are of undirected graphs: make it "
            "one (--symmetrize, rebuild(symmetrize=True))");
  EXPECT_EQ(message_of<usage_error>([&] { modularity(directed, shared_array<vertex32>(3)); }),
            "modularity: one way is directed, and this is of undirected graphs: make it one "
            "(--symmetrize, rebuild(symmetrize=True))");
  EXPECT_EQ(
      message_of<usage_error>([&] { verify_communities(directed, shared_array<vertex32>(3), {}); }),
      "verify_communities: one way is directed");
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    set_weights<double>(g, 9);
    std::get<shared_array<double>>(g.weights)[1] = bad;
    kept::forget(g);
    const std::string said = message_of<input_error>([&] { communities(m, g); });
    EXPECT_NE(said.find("; communities needs finite weights of zero or more"), std::string::npos)
        << said;
  }
}

TEST(Communities, VerifierFindsWhatIsWrong) {
  // Two triangles and an edge between them.
  const graph g = undirected("two", 6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {2, 3}});
  const double right = 6.0 / 7 - 0.5;
  const auto verify = [&](std::vector<vertex32> given, const claimed_communities& claimed,
                          const std::stop_token& stop = {}) {
    shared_array<vertex32> all(given.size());
    std::copy(given.begin(), given.end(), all.begin());
    return verify_communities(g, all, claimed, stop);
  };
  EXPECT_TRUE(verify({0, 0, 0, 3, 3, 3}, {right}).ok);
  EXPECT_TRUE(verify({0, 0, 0, 3, 3, 3}, {right, 1, true}).ok);
  EXPECT_TRUE(verify({0, 0, 0, 3, 3, 3}, {6.0 / 7 - 1, 2, true}).ok);
  EXPECT_EQ(verify({0, 0, 0, 3, 3, 3}, {right, 2}).reason,
            "the modularity is -0.142857142857143, not 0.357142857142857");
  EXPECT_EQ(verify({0, 0, 0, 3, 3, 3}, {right + 1e-9}).reason,
            "the modularity is 0.357142857142857, not 0.357142858142857");
  EXPECT_EQ(verify({1, 1, 1, 3, 3, 3}, {right}).reason,
            "vertex 0 has the label 1, which is not the smallest vertex with it");
  EXPECT_EQ(verify({0, 0, 0, 3, 4, 4}, {right}).reason.substr(0, 18), "the modularity is ");
  EXPECT_EQ(verify({0, 0, 0, 3, 3, -1}, {right}).reason,
            "vertex 5 has the label -1, which is not the smallest vertex with it");
  EXPECT_EQ(verify({0, 0, 0}, {right}).reason, "labels need one entry for each of the 6 vertices");
  const double apart = modularity_by_definition(g, {0, 1, 1, 3, 0, 3}, 1);
  EXPECT_TRUE(verify({0, 1, 1, 3, 0, 3}, {apart}).ok);
  EXPECT_EQ(verify({0, 1, 1, 3, 0, 3}, {apart, 1, true}).reason,
            "vertex 4 is not connected to 0 within their community");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(verify({0, 0, 0, 3, 3, 3}, {right}, stop.get_token()), cancelled_error);
}

TEST(Communities, PlansAreBoundsBeforeThereIsAGraph) {
  auto m = machine::open("cpu:2x2");
  graph g = generate(parse_generator("kron:12"));
  graph_shape shape{g.vertices(), g.arcs()};
  shape.symmetric = true;
  const auto before = communities_search::plan(m, shape).total();
  EXPECT_GT(before, communities_search::plan(m, g).total());
  EXPECT_LT(before, communities_search::plan(m, shape, by("leiden")).total());
  set_weights<double>(g, 9);
  EXPECT_EQ(before, communities_search::plan(m, g).total());
}

}  // namespace
}  // namespace gossamer
