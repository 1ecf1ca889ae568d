// The kernel of 64 searches without a GPU (tests/emulated_gpu), by one block and by several at
// once, with small lists and short rows: numbers and depths are those by definition, whatever is
// pushed, pulled, or both at once, in one launch and in one a level.
#include <gtest/gtest.h>

#include "device.hpp"

// The kernels' headers, as the emulated compiler takes them.
#include "algorithm/distances/sync/cuda/depth_steps.cuh"
#include "algorithm/distances/sync/cuda/search.cuh"

#include <sys/wait.h>

#include "gossamer/graph/generators.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/simple_distances.hpp"

namespace gossamer::distances_detail::cuda {
namespace {

using namespace testing_graphs;

/// Rows in parts of 3 arcs, and all else as small; some are pulled beside others that are pushed.
struct small_parts : gpu_sizes {
  static constexpr unsigned threads = 64, at_once = 2, part_arcs = 3, looked_arcs = 5;
  static constexpr unsigned large_part = 16, pulled_part = 20;
  static constexpr unsigned long long arcs_worth_settling = 40, arcs_listed = 100;
};
/// Hardly anything is pulled.
struct pushed_mostly : gpu_sizes {
  static constexpr unsigned threads = 64, large_part = 3, pulled_part = 3;
};
/// Frontiers of few vertices are pulled, and rows are long.
struct pulled_mostly : gpu_sizes {
  static constexpr unsigned threads = 64, part_arcs = 40, looked_arcs = 20, large_part = 400;
};

/// Memory that all blocks see, of a run.
template <class Id>
struct memory {
  template <class T>
  static T* zero(std::size_t n) {
    return emulated::shared<T>(n + 1);
  }

  memory(const csr_view<Id>& along, const csr_view<Id>& against,
         const std::vector<std::int64_t>& sources, int width, unsigned part_arcs) {
    const auto n = static_cast<std::size_t>(along.vertices()), m = along.indices.size();
    view.along = {along.offsets.data(), along.indices.data()};
    view.against = {against.offsets.data(), against.indices.data()};
    view.vertices = along.vertices();
    view.arcs = std::ssize(along.indices);
    view.count = std::ssize(sources);
    view.width = width;
    view.lanes = lanes_at_most / width;
    view.deepest = std::numeric_limits<std::int32_t>::max();
    auto* const from = zero<std::int64_t>(sources.size());
    std::copy(sources.begin(), sources.end(), from);
    view.sources = from;
    view.met = zero<lane_word>(n);
    for (int turn = 0; turn < 3; ++turn) {
      view.words[turn] = zero<lane_word>(n);
      std::fill(view.words[turn], view.words[turn] + n, ~lane_word{0});  // of another run
      view.parts[turn] = zero<row_part<Id>>(n + m / part_arcs);
    }
    view.planes = zero<lane_word>(depth_words * n);
    std::fill(view.planes, view.planes + depth_words * n, ~lane_word{0});
    view.totals = zero<lane_total>(sources.size());
    view.sums = zero<search_sums>(3);
    view.state = zero<search_state>(1);
    view.arrived = zero<std::uint32_t>(2);
  }
  [[nodiscard]] depth_planes depths(int lanes) const {
    return {view.vertices, view.met, view.planes, lanes, view.width, view.state->depth - 1};
  }

  search_view<Id> view{};
};

/// Until all batches are done; launches.
template <class Sizes, class Id>
int search_all(const search_view<Id>& of, unsigned blocks) {
  static block_memory<Sizes> mine;
  int launches = 0;
  do {
    ++launches;
    const bool well = emulated::run_blocks(blocks, [&] { search<Sizes, Id>(of, mine).run(); });
    EXPECT_TRUE(well);
    if (!well) return 0;
  } while (of.state->batch < of.batches() && of.state->too_deep == 0);
  return launches;
}

/// A matrix of the last batch, to every second vertex.
template <class Depth, class Id>
void expect_matrix(const memory<Id>& of, const std::vector<std::int64_t>& sources,
                   const depth_rows& want) {
  const int lanes = static_cast<int>((of.view.count - 1) % of.view.lanes + 1);
  const std::int64_t first = of.view.count - lanes, n = of.view.vertices;
  std::vector<Id> targets;
  for (std::int64_t v = n - 1; v >= 0; v -= 2) targets.push_back(static_cast<Id>(v));
  const std::int64_t columns = std::ssize(targets), row = (columns + 31) / 32 * 32;
  auto* const depths = emulated::shared<Depth>(static_cast<std::size_t>(lanes * row) + 1);
  const depth_planes from = of.depths(lanes);
  const depth_matrix_view<Id> to{targets.data(), columns, row, depths};
  gridDim.x = 1;
  blockIdx.x = 0;
  emulated::run_block(
      [&] { matrix_rows<Id>(from, to).write(threadIdx.x, std::int64_t{emulated::threads}); });
  for (int lane = 0; lane < lanes; ++lane)
    for (std::int64_t j = 0; j < columns; ++j)
      ASSERT_EQ(depths[lane * row + j],
                want[static_cast<std::size_t>(sources[static_cast<std::size_t>(first + lane)])]
                    [static_cast<std::size_t>(targets[static_cast<std::size_t>(j)])])
          << lane << " " << j;
}

template <class Sizes, class Id>
void expect_right(const graph& g, bool inward, unsigned blocks, unsigned long long pause,
                  int width) {
  SCOPED_TRACE(g.name + " " + std::to_string(blocks) + " " + std::to_string(width));
  const auto want = depths_by_definition(g, inward);
  const graph reversed = g.symmetric ? g : g.transposed();
  const auto rows = g.view<Id>(), back = reversed.view<Id>();
  std::vector<std::int64_t> sources;
  for (std::int64_t i = 0; i < 80 / width && g.vertices() > 0; ++i)
    sources.push_back(i * i * 31 % g.vertices());
  memory<Id> of(inward ? back : rows, inward ? rows : back, sources, width, Sizes::part_arcs);
  of.view.pause = pause;
  const int launches = search_all<Sizes>(of.view, blocks);
  if (pause == 0) EXPECT_GE(launches, of.view.batches());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto& depths = want[static_cast<std::size_t>(sources[i])];
    const lane_total& found = of.view.totals[i];
    const auto number = [&](distance_kind kind) { return number_by_definition(kind, depths); };
    ASSERT_EQ(static_cast<double>(found.reached), number(distance_kind::reached)) << i;
    ASSERT_EQ(static_cast<double>(found.sum), number(distance_kind::sums)) << i;
    ASSERT_NEAR(found.reciprocals, number(distance_kind::harmonic), 1e-9) << i;
    ASSERT_EQ(found.eccentricity, number(distance_kind::eccentricity)) << i;
  }
  if (sources.empty()) return;
  if (width == 1 && of.view.state->depth <= 128)
    expect_matrix<std::int8_t>(of, sources, want);
  else if (width == 2)
    expect_matrix<std::int16_t>(of, sources, want);
  else if (width == 4)
    expect_matrix<std::int32_t>(of, sources, want);
}

template <class Sizes>
void expect_all(const graph& g, bool inward) {
  struct how {
    unsigned blocks;
    unsigned long long pause;
    int width;
  };
  for (const auto& [blocks, pause, width] : {how{1, ~0ULL, 1}, {3, ~0ULL, 2}, {2, 0, 4}})
    if (g.id_width() == 4)
      ASSERT_NO_FATAL_FAILURE((expect_right<Sizes, vertex32>(g, inward, blocks, pause, width)));
    else
      ASSERT_NO_FATAL_FAILURE((expect_right<Sizes, vertex64>(g, inward, blocks, pause, width)));
}

TEST(EmulatedSearches, OfManyGraphs) {
  for (int number = 0; number < 200; number += 50) {
    const bool inward = number % 100 == 0;
    ASSERT_NO_FATAL_FAILURE(expect_all<small_parts>(many_graphs(number), inward));
    ASSERT_NO_FATAL_FAILURE(expect_all<pushed_mostly>(many_graphs(number + 1), inward));
    ASSERT_NO_FATAL_FAILURE(expect_all<pulled_mostly>(many_graphs(number + 2), inward));
  }
}

TEST(EmulatedSearches, OfDenseGraphs) {
  const auto edges = random_arcs(150, 4000, 5);
  for (const graph& g : {undirected("dense", 150, edges), from_arcs("directed", 150, edges, false),
                         undirected<vertex64>("wide", 150, edges), wheel(300), two_stars(200)}) {
    ASSERT_NO_FATAL_FAILURE(expect_all<small_parts>(g, false));
    ASSERT_NO_FATAL_FAILURE(expect_all<pulled_mostly>(g, true));
  }
}

TEST(EmulatedSearches, OfFamilies) {
  for (const char* spec :
       {"kron:8", "path:40", "tree:5", "cliques:4x20", "road:8", "star:150", "lollipop:30x25"}) {
    const graph g = generate(parse_generator(spec));
    ASSERT_NO_FATAL_FAILURE(expect_all<small_parts>(g, false));
    ASSERT_NO_FATAL_FAILURE(expect_all<pushed_mostly>(g, false));
  }
}

TEST(EmulatedSearches, StopWhereDepthsHaveNoRoom) {
  const graph g = generate(parse_generator("path:200"));
  memory<vertex32> of(g.view<vertex32>(), g.view<vertex32>(), {0}, 1, gpu_sizes::part_arcs);
  of.view.pause = ~0ULL;
  of.view.deepest = 127;
  search_all<pushed_mostly>(of.view, 2);
  EXPECT_EQ(of.view.state->too_deep, 1U);
  EXPECT_EQ(of.view.state->depth, 128);
}

}  // namespace
}  // namespace gossamer::distances_detail::cuda
