// GPU graphs without a GPU: plans of what building takes, arrays copied to the host, refusals.
#include "gossamer/graph/device_csr.hpp"

#include <gtest/gtest.h>

#include "gossamer/graph/device_builder.hpp"
#include "unit/graph/sample_graphs.hpp"

namespace gossamer {
namespace {

constexpr std::int64_t list_edges = std::int64_t{1} << 28, most_vertices = std::int64_t{1} << 28;

/// The list and the graph, as the promise counts them.
std::int64_t list_and_graph(std::int64_t n, std::int64_t edges, int weight_bytes, bool mirror) {
  const std::int64_t arcs = edges * (mirror ? 2 : 1);
  return edges * (8 + weight_bytes) + arcs * (4 + weight_bytes) + 8 * (n + 1);
}

TEST(DeviceBuildPlan, KeepsThePromiseForAnyList) {
  for (const bool mirror : {false, true})
    for (const bool deduplicate : {false, true})
      for (const int weight_bytes : {0, 4, 8})
        for (const std::int64_t n : {std::int64_t{2}, most_vertices}) {
          device_build_options o;
          o.symmetrize = mirror;
          o.deduplicate = deduplicate;
          const std::int64_t both = list_and_graph(n, list_edges, weight_bytes, mirror);
          const std::int64_t list = list_edges * (8 + weight_bytes);
          EXPECT_LE(list + plan_device_build(n, list_edges, weight_bytes, o).total(), 3 * both);
          EXPECT_LE(list + plan_device_build(n, list_edges, weight_bytes, o, 0).total(), 2 * both)
              << "without rows of more arcs than a piece";
        }
}

TEST(DeviceBuildPlan, CountsLongRowsAndSaturates) {
  device_build_options o;
  const auto usual = plan_device_build(1000, list_edges, 0, o, 1000);
  EXPECT_EQ(plan_device_build(1000, list_edges, 0, o, usual.piece_arcs).total(), usual.total());
  EXPECT_GT(plan_device_build(1000, list_edges, 0, o, usual.piece_arcs + 1).total(), usual.total());
  EXPECT_EQ(plan_device_build(1000, list_edges, 0, o, list_edges).total(),
            plan_device_build(1000, list_edges, 0, o).total());
  EXPECT_LT(plan_device_build(1000, list_edges, 0, o, 0, 1 << 22).total(), usual.total());
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(plan_device_build(most, most, 8, o).total(), most);
}

TEST(DeviceBuildPlan, CountsWhatCsrArraysAreConvertedTo) {
  device_csr_arrays a;
  a.offsets.count = 101;
  a.offsets.type = element::int64;
  a.indices.count = 1000;
  a.weights = device_view{nullptr, 1000, element::float64};
  EXPECT_EQ(csr_on_device_bytes(a, {}), 101 * 8 + 1000 * 4 + 1000 * 8);
  a.owner = std::make_shared<int>();
  EXPECT_EQ(csr_on_device_bytes(a, {}), 0);
  a.offsets.type = element::int32;
  EXPECT_EQ(csr_on_device_bytes(a, {}), 101 * 8);
  a.indices.type = element::int64;
  EXPECT_EQ(csr_on_device_bytes(a, {}), 101 * 8);
  device_csr_options narrow;
  narrow.narrow = true;
  EXPECT_EQ(csr_on_device_bytes(a, narrow), 101 * 8 + 1000 * 4);
  a.indices.type = element::uint32;
  EXPECT_EQ(csr_on_device_bytes(a, {}), 101 * 8 + 1000 * 4);
}

TEST(DeviceCsr, IsCopiedToTheHost) {
  // Host memory has no GPU, and is copied as any other.
  for (const bool weighted : {false, true}) {
    const test::sample s = test::random_sample(5000, 4000, 30000, 3);
    const graph g = weighted ? test::build_sample<vertex32, float>(s) : test::build_sample(s);
    const auto shared = [](const auto& a) { return device_array(a.data(), a.size(), a.owner()); };
    device_csr d;
    d.name = "sample";
    d.offsets = shared(g.offsets);
    d.columns = shared(std::get<shared_array<vertex32>>(g.indices));
    if (weighted) d.weights = shared(std::get<shared_array<float>>(g.weights));
    d.steps = {"a step"};
    EXPECT_EQ(d.vertices(), g.vertices());
    EXPECT_EQ(d.arcs(), g.arcs());
    EXPECT_EQ(d.id_width(), 4);
    EXPECT_EQ(d.weighted(), weighted);
    const graph back = to_host(d);
    EXPECT_TRUE(test::bytes_of(back) == test::bytes_of(g));
    EXPECT_EQ(back.name, "sample");
    EXPECT_EQ(back.steps, d.steps);
    EXPECT_EQ(back.weight_source, weighted ? "caller" : "none");
  }
}

TEST(DeviceCsr, IsRefusedWhereThereIsNoGpu) {
  if (!cuda_devices().empty()) GTEST_SKIP() << "there is a GPU";
  EXPECT_THROW(build_on_device({}), usage_error);
  device_csr_arrays arrays;
  arrays.offsets.count = 2;
  EXPECT_THROW(csr_on_device(arrays), usage_error);
}

}  // namespace
}  // namespace gossamer
