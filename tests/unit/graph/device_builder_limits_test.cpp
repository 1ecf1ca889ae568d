// What a GPU's builder refuses, when it stops, and how much memory it takes.
#include <gtest/gtest.h>

#include <optional>
#include <stop_token>

#include "gossamer/base/memory_use.hpp"
#include "unit/graph/device_lists.hpp"

namespace gossamer {
namespace {

using test::arc;
using test::name_of;
using test::sample;

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
  EXPECT_EQ(test::difference(got, test::built_on_host<char>(s, o)), "");
  o.memory = 1 << 20;
  EXPECT_NE(test::words_of([&] {
              build_on_device(list.edges(), o);
            }).find("from_edges: the graph does not fit: 1048576 vertices, 12000000 edges"),
            std::string::npos);
}

}  // namespace
}  // namespace gossamer
