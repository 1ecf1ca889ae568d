// Graphs whose arrays lie on a GPU: every algorithm finds what it finds on the host's graph, from
// the arrays as they are; the host reads none of them unless asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "algorithm/layouts/arc_weights.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/graph/device_builder.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/kept.hpp"
#include "message_of.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

template <class T>
device_array<T> uploaded(const shared_array<T>& from) {
  buffer<T> there(memory_kind::device, 0, std::max<std::size_t>(from.size(), 1));
  copy_bytes(there.data(), from.data(), from.size() * sizeof(T));
  return device_array<T>(std::move(there)).first(from.size());
}

graph on_gpu(const graph& g) {
  device_csr there;
  there.ordinal = 0;
  there.name = g.name;
  there.offsets = uploaded(g.offsets);
  std::visit([&](const auto& columns) { there.columns = uploaded(columns); }, g.indices);
  std::visit(
      [&](const auto& weights) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>)
          there.weights = uploaded(weights);
      },
      g.weights);
  there.symmetric = g.symmetric;
  there.sorted = g.sorted;
  return as_graph(there);
}

/// Of the same type, and element by element.
template <class Variant>
void expect_equal(const Variant& a, const Variant& b) {
  ASSERT_EQ(a.index(), b.index());
  std::visit(
      [](const auto& one, const auto& other) {
        ASSERT_EQ(one.size(), other.size());
        for (std::size_t v = 0; v < one.size(); ++v) ASSERT_EQ(one[v], other[v]) << v;
      },
      a, b);
}

class GraphsOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
    kept::forget_all();
    m_.emplace(machine::open("cuda:0"));
  }
  void TearDown() override { kept::forget_all(); }

  void expect_same(const graph& here) {
    SCOPED_TRACE(here.name);
    const graph there = on_gpu(here);
    ASSERT_EQ(there.vertices(), here.vertices());
    ASSERT_EQ(there.arcs(), here.arcs());
    if (here.vertices() == 0) return;
    expect_equal(components(*m_, there).labels.get(), components(*m_, here).labels.get());
    const auto ranks = pagerank(*m_, there), wanted = pagerank(*m_, here);
    EXPECT_EQ(ranks.iterations, wanted.iterations);
    expect_equal(ranks.ranks.get(), wanted.ranks.get());
    if (here.symmetric) {
      const auto tree = bfs(*m_, there, 0), other = bfs(*m_, here, 0);
      EXPECT_TRUE(std::ranges::equal(tree.depths().span(), other.depths().span()));
    }
    if (!here.weighted()) return;
    const auto paths = sssp(*m_, there, 0), others = sssp(*m_, here, 0);
    EXPECT_EQ(paths.reached, others.reached);
    expect_equal(paths.distances.get(), others.distances.get());
  }

  std::optional<machine> m_;
};

TEST_F(GraphsOnGpu, AreSearchedAsTheHosts) {
  for (int number = 0; number < 200; number += 7) expect_same(many_graphs(number));
  for (const char* spec : {"kron:14", "grid:200x100", "uniform:12", "road:80"}) {
    generate_options o;
    o.weights = true;
    expect_same(generate(parse_generator(spec), o));
  }
}

TEST_F(GraphsOnGpu, HaveTheSameFacts) {
  for (int number = 0; number < 200; number += 11) {
    const graph here = many_graphs(number), there = on_gpu(here);
    const auto a = algorithm_detail::degrees_of(here), b = algorithm_detail::degrees_of(there);
    EXPECT_EQ(a.longest, b.longest) << here.name;
    EXPECT_EQ(a.most_connected, b.most_connected) << here.name;
    EXPECT_EQ(a.skewed, b.skewed) << here.name;
    if (!here.weighted()) continue;
    const auto w = algorithm_detail::check_weights(here, "x"),
               v = algorithm_detail::check_weights(there, "x");
    EXPECT_EQ(w.largest, v.largest) << here.name;
    EXPECT_DOUBLE_EQ(w.mean, v.mean) << here.name;
  }
}

TEST_F(GraphsOnGpu, StayWhereTheyAre) {
  const graph here = generate(parse_generator("kron:16"));
  const graph there = on_gpu(here);
  components(*m_, there);  // arenas, kernels
  kept::forget_all();
  begin_peaks();
  const auto host = memory_in_use(host_account).now, gpu = memory_in_use(0).now;
  components(*m_, there);
  pagerank(*m_, there);
  bfs(*m_, there, 0);
  EXPECT_LT(memory_in_use(host_account).peak - host, 4 * here.vertices());
  std::int64_t placed = 0;
  for (const auto& item : kept::items())
    if (item.what.starts_with("placement")) placed += item.bytes.at(0);
  EXPECT_LT(placed, 10 * here.vertices()) << "columns are the caller's";
  EXPECT_GT(memory_in_use(0).now, gpu);
  kept::forget(there);
  EXPECT_LE(memory_in_use(0).now, gpu + (std::int64_t{64} << 20));
}

TEST_F(GraphsOnGpu, ComeBackWhenAsked) {
  graph here = generate(parse_generator("kron:10"));
  const graph there = on_gpu(here), back = on_host(there);
  EXPECT_TRUE(std::ranges::equal(back.offsets.span(), here.offsets.span()));
  EXPECT_TRUE(std::ranges::equal(back.view<vertex32>().indices, here.view<vertex32>().indices));
  EXPECT_NE(back.life.id(), there.life.id());
  expect_contains(message_of<usage_error>([&] { there.validate(); }),
                  "lies in the memory of cuda:0, where the CPU cannot read it");
  auto elsewhere = machine::open("cpu:1");
  EXPECT_THROW(place(elsewhere, there), usage_error);
  EXPECT_EQ(draw_sources(there, 7, 3), draw_sources(here, 7, 3));
}

}  // namespace
}  // namespace gossamer
