// What a GPU builds of its edge lists is what the host builds of them, bit by bit.
#include "gossamer/graph/device_builder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "unit/graph/device_lists.hpp"

namespace gossamer {
namespace {

using test::arc;
using test::both_ways;
using test::name_of;
using test::sample;

std::vector<device_build_options> all_options() {
  std::vector<device_build_options> all;
  for (int bits = 0; bits < 16; ++bits) {
    device_build_options o;
    o.symmetrize = (bits & 1) != 0;
    o.deduplicate = (bits & 2) != 0;
    o.remove_self_loops = (bits & 4) != 0;
    o.listed_once = (bits & 8) != 0;
    all.push_back(o);
  }
  return all;
}

/// Row v has about as many arcs as v's share of a harmonic sum.
sample skewed_sample(std::int64_t n, std::int64_t m, std::uint64_t seed) {
  sample s = test::random_sample(n, n, m, seed);
  s.name = "skewed";
  const auto random = counter_random::of(seed, 7);
  for (std::size_t i = 0; i < s.arcs.size(); ++i) {
    std::get<0>(s.arcs[i]) >>= random(2 * i) % 24;
    std::get<1>(s.arcs[i]) >>= random(2 * i + 1) % 24;
  }
  return s;
}

template <class Id, class Weight>
void expect_the_same(const sample& s, device_build_options o) {
  SCOPED_TRACE(s.name + "; " + name_of(o));
  o.vertices = s.vertices;
  o.name = "a graph";
  const test::uploaded_list<Id, Weight> list(s);
  const device_csr made = build_on_device(list.edges(), o);
  const graph expected = test::built_on_host<Weight>(s, o);
  const graph got = to_host(made);
  EXPECT_EQ(test::difference(got, expected), "");
  EXPECT_EQ(got.steps, expected.steps);
  EXPECT_EQ(got.name, "a graph");
  EXPECT_EQ(made.ordinal, 0);
  EXPECT_EQ(made.longest_row, test::longest_of(expected));
  EXPECT_EQ(made.arcs(), expected.arcs());
}

TEST(DeviceBuilder, MakesTheHostsGraphs) {
  NEEDS_GPU();
  std::vector<sample> all = test::samples();
  all.push_back(skewed_sample(3000, 20000, 5));
  for (std::size_t i = all.size(); i-- > 2;) all.push_back(both_ways(all[i]));
  for (const sample& s : all)
    for (const auto& o : all_options()) {
      expect_the_same<std::int32_t, char>(s, o);
      expect_the_same<std::int64_t, char>(s, o);
      expect_the_same<std::uint32_t, char>(s, o);
      expect_the_same<std::int32_t, std::int32_t>(s, o);
      expect_the_same<std::int32_t, float>(s, o);
      expect_the_same<std::int64_t, double>(s, o);
    }
}

TEST(DeviceBuilder, MakesTheHostsGraphsOfWideIds) {
  NEEDS_GPU();
  ASSERT_EQ(setenv("GOSSAMER_WIDE_IDS", "on", 1), 0);
  for (const sample& s : test::samples())
    for (const auto& o : all_options()) {
      expect_the_same<std::int64_t, char>(s, o);
      expect_the_same<std::uint32_t, float>(s, o);
      expect_the_same<std::int64_t, double>(s, o);
    }
  unsetenv("GOSSAMER_WIDE_IDS");
}

TEST(DeviceBuilder, MakesTheHostsGraphsOfManyPieces) {
  NEEDS_GPU();
  constexpr std::int64_t m = 3'000'000;
  std::vector<sample> all{test::random_sample(1 << 20, 1 << 20, m, 11),
                          test::random_sample(1 << 22, 1000, m, 12),  // all in a few rows
                          skewed_sample(1 << 22, m, 13),
                          {"star", m + 1, {}},
                          {"one edge again and again", 100, {}}};
  for (std::int64_t v = 1; v <= m; ++v) {
    all[3].arcs.emplace_back(0, v, v % 7);
    all[4].arcs.emplace_back(98, 99, v % 1000);
  }
  for (const sample& s : all)
    for (int bits = 0; bits < 4; ++bits) {
      device_build_options o;
      o.symmetrize = (bits & 1) != 0;
      o.deduplicate = (bits & 2) != 0;
      expect_the_same<std::int32_t, char>(s, o);
      expect_the_same<std::int64_t, float>(s, o);
      expect_the_same<std::int32_t, double>(s, o);
    }
}

TEST(DeviceBuilder, OrdersParallelArcsByAnyWeight) {
  NEEDS_GPU();
  const std::vector<float> values{0.0f,
                                  -0.0f,
                                  -1.5f,
                                  2.0f,
                                  std::numeric_limits<float>::infinity(),
                                  -std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN(),
                                  -std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::denorm_min()};
  const auto random = counter_random::of(3, 4);
  std::vector<std::int32_t> u, v, integers;
  std::vector<float> floats;
  std::vector<double> doubles;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    u.push_back(static_cast<std::int32_t>(random(3 * i) % 9));
    v.push_back(static_cast<std::int32_t>(random(3 * i + 1) % 9));
    floats.push_back(values[random(3 * i + 2) % values.size()]);
    doubles.push_back(floats.back());
    integers.push_back(static_cast<std::int32_t>(random(5 * i + 7)));
  }
  const test::uploaded<std::int32_t> sources(u), targets(v);
  const auto check = [&](const auto& weights) {
    using Weight = typename std::decay_t<decltype(weights)>::value_type;
    const test::uploaded<Weight> w(weights);
    for (const auto& o : all_options()) {
      edge_chunks<vertex32> chunks;
      chunks.vertices = 9;
      shared_array<edge<vertex32>> edges(u.size());
      shared_array<Weight> copies(u.size());
      for (std::size_t i = 0; i < u.size(); ++i) {
        edges[i] = {u[i], v[i]};
        copies[i] = weights[i];
      }
      chunks.edges = {edges};
      chunks.weights = std::vector<shared_array<Weight>>{copies};
      build_options host;
      host.symmetrize = o.symmetrize;
      host.deduplicate = o.deduplicate;
      host.remove_self_loops = o.remove_self_loops;
      host.listed_once = o.listed_once;
      const graph expected = build_csr(std::move(chunks), host);
      device_edges list;
      list.sources = sources.view();
      list.targets = targets.view();
      list.weights = w.view();
      const graph got = to_host(build_on_device(list, o));
      EXPECT_TRUE(test::bytes_of(got) == test::bytes_of(expected)) << name_of(o);
      EXPECT_EQ(got.steps, expected.steps);
      EXPECT_EQ(got.symmetric, expected.symmetric || is_symmetric(expected));
    }
  };
  check(floats);
  check(doubles);
  check(integers);
}

TEST(DeviceBuilder, FindsTheVerticesAndTakesMore) {
  NEEDS_GPU();
  const sample s{"", 0, {{3, 7, 1}, {7, 2, 1}}};
  const test::uploaded_list<std::int32_t, char> list(s);
  EXPECT_EQ(build_on_device(list.edges()).vertices(), 8);
  device_build_options o;
  o.vertices = 1000;
  EXPECT_EQ(build_on_device(list.edges(), o).vertices(), 1000);
  const test::uploaded_list<std::int64_t, char> none(sample{"", 0, {}});
  const device_csr empty = build_on_device(none.edges(), o);
  EXPECT_EQ(empty.vertices(), 1000);
  EXPECT_EQ(empty.arcs(), 0);
  EXPECT_EQ(empty.longest_row, 0);
  EXPECT_TRUE(empty.symmetric);
}

TEST(DeviceBuilder, ChecksSymmetryThatIsClaimed) {
  NEEDS_GPU();
  const sample once = test::random_sample(100, 60, 400, 2), twice = both_ways(once);
  device_build_options o;
  o.known_symmetric = true;
  for (const bool symmetrize : {false, true}) {
    o.symmetrize = symmetrize;
    expect_the_same<std::int32_t, std::int32_t>(twice, o);
    const test::uploaded_list<std::int32_t, char> list(once);
    EXPECT_EQ(test::words_of([&] { build_on_device(list.edges(), o); }),
              "the graph is said to be symmetric, but some arc has no mirror");
  }
}

}  // namespace
}  // namespace gossamer
