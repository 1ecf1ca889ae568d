// What a GPU builds of its edge lists is what the host builds of them, bit by bit.
#include "gossamer/graph/device_builder.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/memory_use.hpp"
#include "unit/graph/device_lists.hpp"

namespace gossamer {
namespace {

using test::arc;
using test::sample;

#define NEEDS_GPU() \
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason()

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

std::string name_of(const device_build_options& o) {
  return std::string(o.symmetrize ? "symmetrize " : "") + (o.deduplicate ? "deduplicate " : "") +
         (o.remove_self_loops ? "remove_self_loops " : "") + (o.listed_once ? "listed_once" : "");
}

/// Both directions of every arc, as an undirected list may have them.
sample both_ways(sample s) {
  const std::vector<arc> once = s.arcs;
  for (const auto& [u, v, w] : once)
    if (u != v) s.arcs.emplace_back(v, u, w);
  s.name += ", both ways";
  return s;
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
  const graph expected =
      test::built_on_host<std::conditional_t<sizeof(Id) == 8, vertex64, vertex32>, Weight>(s, o);
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

/// The words for a list that is wrong.
template <class Id>
std::string refused(const std::vector<Id>& u, const std::vector<Id>& v,
                    std::optional<std::int64_t> vertices = {}) {
  const test::uploaded<Id> sources(u), targets(v);
  device_edges list;
  list.sources = sources.view();
  list.targets = targets.view();
  device_build_options o;
  o.vertices = vertices;
  return test::words_of([&] { build_on_device(list, o); });
}

TEST(DeviceBuilder, RefusesWhatFromEdgesRefuses) {
  NEEDS_GPU();
  using ids = std::vector<std::int32_t>;
  EXPECT_EQ(refused<std::int32_t>({0, 1, -5, -7}, {-1, 0, 0, 0}),
            "from_edges: edge 2: source vertex -5 is negative");
  EXPECT_EQ(refused<std::int64_t>({0, 1, 5, 7}, {1, 0, 0, -9'000'000'000}),
            "from_edges: edge 3: target vertex -9000000000 is negative");
  EXPECT_EQ(refused<std::int32_t>({0, 9}, {3, 0}, 9),
            "from_edges: vertex 9 is not below the number of vertices, 9");
  EXPECT_EQ(refused<std::uint32_t>({0, 4'000'000'000u}, {3, 0}, 9),
            "from_edges: vertex 4000000000 is not below the number of vertices, 9");
  EXPECT_EQ(refused<std::int32_t>({}, {}), "from_edges: the graph has no vertices");
  EXPECT_EQ(refused<std::int32_t>({}, {}, 0), "from_edges: the graph has no vertices");
  EXPECT_EQ(refused<std::int32_t>({0, 1}, {1}), "from_edges: 2 sources, but 1 targets");

  // The lowest index, wherever in a long list it is.
  ids u(1'000'000, 3), v(u.size(), 4);
  for (std::size_t i = 700'001; i < u.size(); i += 13) v[i] = -2;
  EXPECT_EQ(refused(u, v), "from_edges: edge 700001: target vertex -2 is negative");

  const test::uploaded<std::int32_t> two(ids{0, 1}), three(ids{0, 1, 2});
  const test::uploaded<std::int64_t> wide(std::vector<std::int64_t>{0, 1});
  device_edges list;
  list.sources = two.view();
  list.targets = wide.view();
  EXPECT_EQ(test::words_of([&] { build_on_device(list); }),
            "from_edges: sources and targets differ in type");
  list.targets = two.view();
  list.weights = three.view();
  EXPECT_EQ(test::words_of([&] { build_on_device(list); }), "from_edges: 2 edges, but 3 weights");
  list.weights = wide.view();
  EXPECT_EQ(test::words_of([&] { build_on_device(list); }),
            "weights: expected int32, float32 or float64");
  list.weights.reset();
  const ids host{0, 1};
  list.sources.data = host.data();
  EXPECT_EQ(test::words_of([&] { build_on_device(list); }),
            "from_edges: sources do not lie in the memory of cuda:0");
}

TEST(DeviceBuilder, StopsWhenAsked) {
  NEEDS_GPU();
  const test::uploaded_list<std::int32_t, char> list(
      test::random_sample(1 << 16, 1 << 16, 3'000'000, 4));
  std::stop_source stop;
  device_build_options o;
  o.symmetrize = true;
  o.stop = stop.get_token();
  int pieces = 0;
  o.progress = [&](double) {
    ++pieces;
    stop.request_stop();
  };
  const std::int64_t before = memory_in_use(0).now;
  EXPECT_THROW(build_on_device(list.edges(), o), cancelled_error);
  EXPECT_EQ(pieces, 1) << "of four";
  EXPECT_THROW(build_on_device(list.edges(), o), cancelled_error);
  EXPECT_EQ(pieces, 1) << "stopped before it began";
  EXPECT_EQ(memory_in_use(0).now, before);
}

template <class Weight>
void expect_the_plan_kept(const sample& s, device_build_options o) {
  const test::uploaded_list<std::int32_t, Weight> list(s);
  const auto m = static_cast<std::int64_t>(s.arcs.size());
  const int weight_bytes = std::is_same_v<Weight, char> ? 0 : sizeof(Weight);
  o.vertices = s.vertices;
  const std::int64_t planned = plan_device_build(s.vertices, m, weight_bytes, o).total();
  begin_peaks();
  const std::int64_t before = memory_in_use(0).now;
  {
    const device_csr g = build_on_device(list.edges(), o);
    EXPECT_LE(memory_in_use(0).peak - before, planned) << s.name << ' ' << name_of(o);
    EXPECT_LE(memory_in_use(0).now - before,
              8 * (s.vertices + 1) + g.arcs() * (4 + weight_bytes) * 32 / 31 + 64)
        << "the graph alone is left";
  }
  EXPECT_EQ(memory_in_use(0).now, before);
}

TEST(DeviceBuilder, TakesNoMoreThanPlanned) {
  NEEDS_GPU();
  constexpr std::int64_t m = 4'000'000;
  sample same{"one edge again and again", 100, std::vector<arc>(m, arc{98, 99, 1})};
  for (const sample& s : {test::random_sample(1 << 18, 1 << 18, m, 21), same})
    for (const bool symmetrize : {false, true})
      for (const bool deduplicate : {false, true}) {
        device_build_options o;
        o.symmetrize = symmetrize;
        o.deduplicate = deduplicate;
        expect_the_plan_kept<char>(s, o);
        expect_the_plan_kept<float>(s, o);
        expect_the_plan_kept<double>(s, o);
      }
}

TEST(DeviceBuilder, MakesSmallerPiecesForALimit) {
  NEEDS_GPU();
  constexpr std::int64_t m = 12'000'000;
  const sample s = test::random_sample(1 << 20, 1 << 20, m, 31);
  device_build_options o;
  o.symmetrize = true;
  o.vertices = s.vertices;
  o.memory = plan_device_build(s.vertices, m, 0, o, 0, std::int64_t{1} << 22).total() + (1 << 20);
  ASSERT_LT(o.memory, plan_device_build(s.vertices, m, 0, o, 0).total());
  int pieces = 0;
  o.progress = [&](double) { ++pieces; };
  begin_peaks();
  const test::uploaded_list<std::int32_t, char> list(s);
  const std::int64_t before = memory_in_use(0).now;
  const graph got = to_host(build_on_device(list.edges(), o));
  EXPECT_GE(pieces, 6);
  EXPECT_LE(memory_in_use(0).peak - before, o.memory);
  EXPECT_EQ(test::difference(got, test::built_on_host<vertex32, char>(s, o)), "");
  o.memory = 1 << 20;
  EXPECT_NE(test::words_of([&] {
              build_on_device(list.edges(), o);
            }).find("from_edges: the graph does not fit: 1048576 vertices, 12000000 edges"),
            std::string::npos);
}

}  // namespace
}  // namespace gossamer
