// What shortest paths refuse, and in which words; what the verifier finds.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/cg.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/graph/arc_error.hpp"
#include "message_of.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

/// 1 -> 2 -> 3 by names, 4 alone.
template <class Weight>
graph chain(Weight first, Weight second) {
  graph g = weighed<Weight>(from_arcs("chain.gr", 4, {{0, 1}, {1, 2}}, false), {first, second});
  g.names.base = 1;
  return g;
}

template <class Distance>
shared_array<Distance> array_of(const std::vector<Distance>& values) {
  shared_array<Distance> array(values.size());
  std::copy(values.begin(), values.end(), array.begin());
  return array;
}

/// Of whatever algorithm: before anybody reads what the CPU cannot.
TEST(SsspErrors, GraphsThatLieOnAGpu) {
  auto m = machine::open("cpu:1x1");
  graph there = chain<std::int32_t>(1, 2);
  there.gpu = 0;
  const std::string line =
      "chain.gr lies in the memory of cuda:0, where the CPU cannot read it: on_host() copies it";
  EXPECT_EQ(message_of<usage_error>([&] { sssp(m, there, 0); }), line);
  EXPECT_EQ(message_of<usage_error>([&] { components(m, there); }), line);
  EXPECT_EQ(message_of<usage_error>([&] { pagerank(m, there); }), line);
  EXPECT_EQ(message_of<usage_error>([&] { cg_solver(m, there); }), line);
  expect_contains(message_of<usage_error>([&] { bfs(m, there, 0); }), "chain.gr lies on cuda:0");
}

TEST(SsspErrors, Weights) {
  auto m = machine::open("cpu:1x1");
  const auto refused = [&](const graph& g) {
    return message_of<input_error>([&] { sssp(m, g, 0); });
  };
  EXPECT_EQ(
      refused(chain<std::int32_t>(1, -7)),
      "chain.gr: the arc 2 -> 3 has the weight -7; shortest paths need finite weights of zero "
      "or more");
  graph towns = chain<float>(1, -0.5F);
  towns.names.base = 0;
  towns.names.texts = std::make_shared<std::vector<std::string>>(
      std::vector<std::string>{"ann", "bob", "cleo", "dan"});
  expect_contains(refused(towns), "chain.gr: the arc 'bob' -> 'cleo' has the weight -0.5; ");
  try {
    sssp(m, towns, 0);
  } catch (const arc_error& e) {
    EXPECT_EQ(e.source(), 1);
    EXPECT_EQ(e.target(), 2);
    EXPECT_EQ(e.before() + "'bob' -> 'cleo'" + e.after(), e.what());
  }
  expect_contains(refused(chain<float>(-0.5F, 1)), "the arc 1 -> 2 has the weight -0.5");
  expect_contains(refused(chain<double>(1, NAN)), "the arc 2 -> 3 has the weight nan");
  expect_contains(refused(chain<float>(1, INFINITY)), "has the weight inf");
  const auto none = message_of<usage_error>([&] { sssp(m, paper_example(), 0); });
  expect_contains(none, "paper-a-table-1 has no weights");
  expect_contains(none, "--weights");
}

TEST(SsspErrors, Options) {
  auto m = machine::open("cpu:1x1");
  const graph g = chain<std::int32_t>(70000, 0);
  sssp_options options;
  const auto text = [&] { return message_of<usage_error>([&] { sssp(m, g, 0, options); }); };
  options.engine = "quick";
  EXPECT_EQ(text(), "sssp: unknown engine 'quick' (there are auto, sync, async, host, tasks)");
  options.engine = "auto";
  for (const double delta : {0.0, -1.0, static_cast<double>(NAN)}) {
    options.delta = delta;
    expect_contains(text(), "is not a positive number");
  }
  options.delta = 0.5;
  expect_contains(text(),
                  "makes too many buckets: the largest weight is 70000, so that delta must "
                  "be at least 1.06812");
  options.engine = "tasks";
  expect_contains(text(), "makes too many buckets: the largest weight is 70000");
  options.engine = "async";  // has no buckets
  EXPECT_EQ(sssp(m, g, 0, options).reached, 3);
  options.delta = 0;
  expect_contains(text(), "is not a positive number");
  options.delta.reset();
  EXPECT_EQ(sssp(m, g, 0, options).engine, "async");
  EXPECT_EQ(sssp(m, g, 0, options).engine_reason, "asked for");
  options.balance = "push";
  EXPECT_EQ(text(), "sssp: unknown balance 'push' (there are none, steal)");
  options.balance = "steal";
  EXPECT_EQ(sssp(m, g, 0, options).reached, 3);
  options.engine = "sync";
  EXPECT_EQ(text(), "sssp: balance 'steal' is of engines 'async' and 'host', and this is 'sync'");
  options.balance = "none";
  options.engine = "host";
  EXPECT_EQ(text(),
            "engine 'host' of sssp on CPU ranks: it runs on GPUs (give the machine cuda); "
            "engines 'sync', 'async' and 'tasks' run on CPU ranks");
  options.engine = "async";
  options.route = "ring";
  EXPECT_EQ(text(), "sssp: route 'ring' is of engine 'host', and this is 'async'");
  options.route = "star";
  EXPECT_EQ(text(), "sssp: unknown route 'star' (there are direct, ring)");
  for (const std::int64_t source : {-1, 4})
    expect_contains(
        message_of<usage_error>([&] { sssp(m, g, source); }),
        "no vertex with index " + std::to_string(source) + ": the graph has 4 vertices");
  EXPECT_EQ(sssp(m, g, 0).engine, "sync");
  EXPECT_FALSE(sssp(m, g, 0).engine_reason.empty());
}

TEST(SsspErrors, MemoryIsRefusedBeforeItIsTaken) {
  auto m = machine::open("cpu:2x1");
  sssp_options options;
  options.memory = 1000;
  const auto text =
      message_of<capacity_error>([&] { sssp(m, chain<std::int32_t>(1, 1), 0, options); });
  expect_contains(text, "distances");
}

void refuse_what_does_not_fit(const char* spec, const char* engine) {
  SCOPED_TRACE(std::string(engine) + " on " + spec);
  sssp_options options;
  options.engine = engine;
  auto m = machine::open(spec);
  const auto paths = [&](const graph& g, std::int64_t source) {
    return sssp(m, g, source, options);
  };
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  // Two such arcs fit exactly below "not reached", and so does a third of weight 0.
  const auto fits = paths(chain<std::int32_t>(most, most), 0);
  EXPECT_EQ(std::get<0>(fits.distances.get())[2], 4294967294U);
  const graph g = weighed<std::int32_t>(
      from_arcs("long.gr", 5, {{0, 1}, {1, 2}, {2, 3}, {2, 4}}, false), {most, most, 0, 1});
  EXPECT_EQ(message_of<usage_error>([&] { paths(g, 0); }),
            "sssp: the distance from 0 to 4 of long.gr does not fit 32 bits without a sign; give "
            "the weights as double");
  EXPECT_EQ(paths(g, 1).reached, 4);  // from there it does
  // A sum beyond the type, which would be a short distance if it wrapped.
  const graph beyond = weighed<std::int32_t>(
      from_arcs("beyond.gr", 4, {{0, 1}, {1, 2}, {2, 3}}, false), {most, most, most});
  expect_contains(message_of<usage_error>([&] { paths(beyond, 0); }),
                  "the distance from 0 to 3 of beyond.gr does not fit");
  const float large = 3e38F;
  expect_contains(message_of<usage_error>([&] { paths(chain<float>(large, large), 0); }),
                  "does not fit a float");
}

TEST(SsspErrors, DistancesThatDoNotFit) {
  for (const char* engine : {"sync", "async", "tasks"})
    for (const char* spec : {"cpu:1x1", "cpu:2x1"}) refuse_what_does_not_fit(spec, engine);
}

TEST(SsspVerifier, FindsWhatIsWrong) {
  graph g = weighed<std::int32_t>(from_arcs("square", 5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, false),
                                  {2, 5, 2, 2});
  const std::uint32_t far = std::numeric_limits<std::uint32_t>::max();
  const auto reason = [&](std::vector<std::uint32_t> d, std::vector<std::int64_t> parents = {}) {
    const auto v = verify_sssp(g, 0, array_of(d), parents);
    EXPECT_EQ(v.ok, v.reason.empty());
    return v.reason;
  };
  EXPECT_EQ(reason({0, 2, 5, 4, far}, {0, 0, 0, 1, -1}), "");
  EXPECT_EQ(reason({1, 2, 5, 4, far}), "the source 0 is at 1");
  EXPECT_EQ(reason({0, 2, 6, 4, far}),
            "the arc 0 -> 2 would shorten the distance of 2: they are at 0 and 6");
  EXPECT_EQ(reason({0, 2, far, 4, far}),
            "the arc 0 -> 2 would shorten the distance of 2: they are at 0 and infinity");
  EXPECT_EQ(reason({0, 2, 5, 3, far}), "no path from the source 0 to 3 has its distance, 3");
  EXPECT_EQ(reason({0, 2, 5, 4, 9}), "no path from the source 0 to 4 has its distance, 9");
  EXPECT_EQ(reason({0, 2}), "distances need one entry for each of the 5 vertices");
  EXPECT_EQ(reason({0, 2, 5, 4, far}, {0, 0, 0, 2, -1}),
            "the tree edge 2 -> 3 is no arc of the length that lies between them: they are at 5 "
            "and 4");
  EXPECT_EQ(reason({0, 2, 5, 4, far}, {0, 0, 0, -1, -1}), "vertex 3 has a distance but no parent");
  EXPECT_EQ(reason({0, 2, 5, 4, far}, {0, 0, 0, 1, 1}), "vertex 4 has a parent but no distance");
  EXPECT_EQ(reason({0, 2, 5, 4, far}, {1, 0, 0, 1, -1}), "the source 0 is not its own parent");
  EXPECT_EQ(reason({0, 2, 5, 4, far}, {0, 0, 0, 7, -1}),
            "vertex 3 has a parent that does not exist");
  EXPECT_EQ(reason({0, 2, 5, 4, far}, {0, 0}), "parents need one entry for each of the 5 vertices");
  EXPECT_FALSE(verify_sssp(g, 9, array_of<std::uint32_t>({0, 0, 0, 0, 0})).ok);
  EXPECT_EQ(message_of<usage_error>([&] {
              verify_sssp(g, 0, array_of<float>({0, 2, 5, 4, 9}));
            }),
            "verify_sssp: distances are not of the type that square's weights give");
}

TEST(SsspVerifier, FindsCirclesOfZeroWeights) {
  graph g = undirected("zeros", 3, {{0, 1}, {1, 2}});
  set_weights<std::int32_t>(g, 0);
  const auto d = array_of<std::uint32_t>({0, 0, 0});
  EXPECT_TRUE(verify_sssp(g, 0, d, std::vector<std::int64_t>{0, 0, 1}).ok);
  EXPECT_EQ(verify_sssp(g, 0, d, std::vector<std::int64_t>{0, 2, 1}).reason,
            "the parents of vertex 1 go round in a circle");
}

TEST(SsspVerifier, FindsParentsThatAreNotTheSmallest) {
  // 3 comes by 1 and by 2; 4 by 3 or 5, which lie at its own distance, and 3 is nearer by arcs.
  const graph g = weighed<std::int32_t>(
      from_arcs("ways", 6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {5, 4}}, false),
      {1, 1, 1, 1, 0, 0, 0});
  const auto d = array_of<std::uint32_t>({0, 1, 1, 2, 2, 2});
  const auto reason = [&](const std::vector<std::int64_t>& parents, parent_rule rule) {
    return verify_sssp(g, 0, d, parents, 1, {}, rule).reason;
  };
  EXPECT_EQ(reason({0, 0, 0, 1, 3, 3}, parent_rule::smallest), "");
  EXPECT_EQ(reason({0, 0, 0, 2, 5, 3}, parent_rule::any), "");
  EXPECT_EQ(reason({0, 0, 0, 2, 3, 3}, parent_rule::smallest),
            "the parent of vertex 3 is 2, 1 comes first");
  EXPECT_EQ(reason({0, 0, 0, 1, 5, 3}, parent_rule::smallest),
            "the parent of vertex 4 is 5, 3 comes first");
}

TEST(SsspVerifier, ComparesWithSomebodyElses) {
  const graph g = chain<std::int32_t>(1, 2);
  const std::uint32_t far = std::numeric_limits<std::uint32_t>::max();
  const distance_array d = array_of<std::uint32_t>({0, 1, 3, far});
  const auto reason = [&](const distance_array& ours, const std::vector<double>& theirs) {
    return compare_distances(g, ours, theirs).reason;
  };
  EXPECT_EQ(reason(d, {0, 1, 3, INFINITY}), "");
  EXPECT_EQ(reason(d, {0, 1, 3.00001, INFINITY}), "vertex 3 is at 3, expected 3.0000100000000001");
  EXPECT_EQ(reason(d, {0, 1, 3, 8}), "vertex 4 is at inf, expected 8");
  EXPECT_EQ(reason(d, {0, 1, INFINITY, INFINITY}), "vertex 3 is at 3, expected inf");
  EXPECT_EQ(reason(d, {0}), "there are 1 distances to compare with, the graph has 4 vertices");
  EXPECT_EQ(reason(array_of<float>({0, 1, 3.00001F, INFINITY}), {0, 1, 3, INFINITY}), "");
}

}  // namespace
}  // namespace gossamer
