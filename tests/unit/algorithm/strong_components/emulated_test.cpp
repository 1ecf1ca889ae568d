// The kernel of strong components without a GPU (tests/emulated_gpu), by one block and by several
// at once: labels are those by definition, on every kind of graph; where it may take few levels,
// what it leaves has no label, and the others have theirs.
#include <gtest/gtest.h>

#include "device.hpp"

// The kernel's header, as the emulated compiler takes it.
#include "algorithm/strong_components/sync/cuda/search.cuh"

#include <sys/wait.h>

#include <map>

#include "gossamer/graph/generators.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/simple_strong.hpp"

namespace gossamer::strong_components_detail::cuda {
namespace {

using namespace testing_graphs;

struct small_sizes : gpu_sizes {
  static constexpr unsigned threads = 64;
};

template <class T>
T* filled(std::size_t n, int byte) {
  T* const at = emulated::shared<T>(n + 1);
  std::memset(static_cast<void*>(at), byte, n * sizeof(T));
  return at;
}

/// Memory that all blocks see, of a search.
template <class Id>
search_view<Id> view_of(const graph& out, const graph& in, unsigned most_levels) {
  const auto n = static_cast<std::size_t>(out.vertices());
  search_view<Id> v{};
  for (int way = 0; way < 2; ++way) {
    const auto rows = (way == 0 ? out : in).view<Id>();
    v.rows[way] = {rows.offsets.data(), rows.indices.data()};
    v.met[way] = filled<std::uint32_t>(n / 32 + 1, 0);
    v.left[way] = filled<Id>(n, 0);
    for (auto& queue : v.queue[way]) queue = filled<Id>(n, 0);
  }
  v.vertices = out.vertices();
  v.symmetric = out.symmetric;
  v.most_levels = most_levels;
  v.parts = filled<std::uint8_t>(n, 0x77);
  v.color = filled<Id>(n, 0x33);
  v.stamp = filled<std::uint32_t>(n, 0);
  v.labels = filled<Id>(n, 0xff);
  v.sizes = filled<std::uint32_t>(n, 0);
  v.sums = filled<step_sums>(3, 0);
  for (int i = 0; i < 3; ++i) v.sums[i].first = ~0ULL;
  v.outcome = filled<search_outcome>(1, 0);
  v.arrived = filled<std::uint32_t>(2, 0);
  if (n == 0) return v;
  const std::size_t pivot = n / 2;  // any will do
  for (int way = 0; way < 2; ++way) {
    v.queue[way][0][0] = static_cast<Id>(pivot);
    v.met[way][pivot / 32] = 1U << (pivot % 32);
  }
  return v;
}

template <class Id>
void expect_right(const graph& g, unsigned blocks, unsigned most_levels) {
  const std::vector<std::int64_t> right = strong_by_definition(g);
  const graph in = g.symmetric ? g : g.transposed();
  const search_view<Id> of = view_of<Id>(g, in, most_levels);
  static block_memory<small_sizes, Id> mine;
  ASSERT_TRUE(emulated::run_blocks(blocks, [&] { search<small_sizes, Id>(of, mine).run(); }));
  std::int64_t left = 0;
  std::map<std::int64_t, std::int64_t> sizes;
  for (std::size_t v = 0; v < right.size(); ++v) {
    if (of.parts[v] != done_part) {
      ++left;
      continue;
    }
    ASSERT_EQ(of.labels[v], right[v]) << v;
    ++sizes[right[v]];
  }
  EXPECT_EQ(of.outcome->left, left);
  EXPECT_LE(of.outcome->levels, most_levels + 1);
  if (most_levels > 1000) EXPECT_EQ(left, 0);
  EXPECT_EQ(of.outcome->count, sizes.size());
  std::int64_t largest = 0, label = 0;
  for (const auto& [of_label, size] : sizes)
    if (size > largest) {
      largest = size;
      label = of_label;
    }
  EXPECT_EQ(of.outcome->largest, largest);
  if (largest > 0) EXPECT_EQ(of.outcome->largest_label, label);
}

void expect_all(const graph& g) {
  SCOPED_TRACE(g.name);
  for (const auto& [blocks, levels] : {std::pair{1U, 1U << 20}, {3U, 1U << 20}, {2U, 4U}}) {
    SCOPED_TRACE(blocks);
    if (g.id_width() == 4)
      ASSERT_NO_FATAL_FAILURE(expect_right<vertex32>(g, blocks, levels));
    else
      ASSERT_NO_FATAL_FAILURE(expect_right<vertex64>(g, blocks, levels));
  }
}

TEST(EmulatedStrongSearch, OfManyGraphs) {
  for (int number = 0; number < 200; number += 14)
    ASSERT_NO_FATAL_FAILURE(expect_all(many_graphs(number)));
}

// Many components, in chains.
TEST(EmulatedStrongSearch, OfSparseDirectedGraphs) {
  for (const int arcs : {100, 250, 330, 500, 900}) {
    ASSERT_NO_FATAL_FAILURE(expect_all(from_arcs("sparse", 250, random_arcs(250, arcs, 1), false)));
    ASSERT_NO_FATAL_FAILURE(
        expect_all(from_arcs<vertex64>("wide", 250, random_arcs(250, arcs, 10), false)));
  }
}

TEST(EmulatedStrongSearch, OfFamilies) {
  for (const char* spec : {"kron:9", "path:300", "cliques:6x20", "road:30", "star:500"})
    ASSERT_NO_FATAL_FAILURE(expect_all(generate(parse_generator(spec))));
}

// Colours come in one step, and all the way goes back.
TEST(EmulatedStrongSearch, OfALongWayBack) {
  constexpr std::int64_t rim = 300, vertices = 2 * rim + 100;
  arc_list arcs;
  for (std::int64_t v = 1; v <= rim; ++v) {
    arcs.emplace_back(0, v);
    arcs.emplace_back(v, v - 1);
  }
  const graph g = from_arcs("way back", vertices, arcs, false);
  ASSERT_NO_FATAL_FAILURE(expect_all(g));
  ASSERT_NO_FATAL_FAILURE(expect_right<vertex32>(g, 3, 40));
}

}  // namespace
}  // namespace gossamer::strong_components_detail::cuda
