// The kernel that peels without a GPU (tests/emulated_gpu), by one block and by several at once,
// with small lists: core numbers are those by definition, on every kind of graph, in one launch and
// in one a level.
#include <gtest/gtest.h>

#include "device.hpp"

// The kernel's header, as the emulated compiler takes it.
#include "algorithm/core_numbers/sync/cuda/peel.cuh"

#include <sys/wait.h>

#include <set>

#include "algorithm/layouts/simple_degrees.hpp"
#include "gossamer/graph/generators.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/simple_cores.hpp"

namespace gossamer::core_numbers_detail::cuda {
namespace {

using namespace testing_graphs;

/// Lists of 16 and 8 vertices: nearly all go to the list of all blocks.
struct short_lists : gpu_sizes {
  static constexpr unsigned threads = 64, waiting_bytes = 64, at_once = 2;
};
/// Lists of 256 and 128, most of which are given to others that are idle.
struct longer_lists : gpu_sizes {
  static constexpr unsigned threads = 64, waiting_bytes = 1024, shared_arcs = 8;
};

/// Memory that all blocks see, of a search.
template <class Id>
struct memory {
  template <class T>
  static T* filled(std::size_t n, int byte) {
    T* const at = emulated::shared<T>(n + 1);
    std::memset(static_cast<void*>(at), byte, n * sizeof(T));
    return at;
  }

  memory(const algorithm_detail::simple_degrees& counted, unsigned blocks, unsigned threads) {
    const auto rows = counted.rows<Id>();
    for (int way = 0; way < 2; ++way)
      if (!rows[way].offsets.empty())
        view.rows[way] = {rows[way].offsets.data(), rows[way].indices.data()};
    const std::size_t n = counted.degrees.size();
    view.vertices = static_cast<std::int64_t>(n);
    view.words = filled<std::uint32_t>(n, 0);
    std::copy(counted.degrees.begin(), counted.degrees.end(), view.words);
    view.left = filled<Id>(n + threads, 0);
    view.left_of = filled<std::int64_t>(blocks, 0);
    view.waiting = filled<Id>(n, 0xff);
    view.ends = filled<unsigned long long>(2, 0);
    view.sums = filled<level_sums>(3, 0);
    view.state = filled<peel_state>(1, 0);
  }

  peel_view<Id> view{};
};

/// Until all have left; launches.
template <class Sizes, class Id>
int peel_all(const peel_view<Id>& of, unsigned blocks) {
  static block_memory<Sizes, Id> mine;
  int launches = 0;
  do {
    ++launches;
    const bool well = emulated::run_blocks(blocks, [&] { peel<Sizes, Id>(of, mine).run(); });
    EXPECT_TRUE(well);
    if (!well) return 0;
  } while (of.state->taken < static_cast<unsigned long long>(of.vertices));
  return launches;
}

template <class Sizes, class Id>
void expect_right(const graph& g, unsigned blocks, unsigned long long pause) {
  const std::vector<std::int32_t> right = cores_by_definition(g);
  const std::set<std::int32_t> levels(right.begin(), right.end());
  const auto counted = algorithm_detail::count_simple_degrees(g, 1);
  memory<Id> of(counted, blocks, Sizes::threads);
  of.view.pause = pause;
  const int launches = peel_all<Sizes>(of.view, blocks);
  for (std::size_t v = 0; v < right.size(); ++v)
    ASSERT_EQ(of.view.words[v], static_cast<std::uint32_t>(right[v])) << v;
  EXPECT_EQ(of.view.state->degeneracy, levels.empty() ? 0 : *levels.rbegin());
  EXPECT_EQ(of.view.state->rounds, levels.size());
  if (pause == 0 && !levels.empty()) EXPECT_GE(launches, std::ssize(levels));
}

template <class Sizes>
void expect_all(const graph& g) {
  SCOPED_TRACE(g.name);
  for (const auto& [blocks, pause] : {std::pair{1U, ~0ULL}, {3U, ~0ULL}, {2U, 0ULL}}) {
    SCOPED_TRACE(blocks);
    if (g.id_width() == 4)
      ASSERT_NO_FATAL_FAILURE((expect_right<Sizes, vertex32>(g, blocks, pause)));
    else
      ASSERT_NO_FATAL_FAILURE((expect_right<Sizes, vertex64>(g, blocks, pause)));
  }
}

TEST(EmulatedPeel, OfManyGraphs) {
  for (int number = 0; number < 200; number += 25) {
    ASSERT_NO_FATAL_FAILURE(expect_all<short_lists>(many_graphs(number)));
    ASSERT_NO_FATAL_FAILURE(expect_all<longer_lists>(many_graphs(number + 1)));
  }
}

TEST(EmulatedPeel, OfDenseGraphs) {
  const auto edges = random_arcs(150, 4000, 5);
  for (const graph& g : {undirected("dense", 150, edges), from_arcs("directed", 150, edges, false),
                         undirected<vertex64>("wide", 150, edges), wheel(500), two_stars(300)})
    ASSERT_NO_FATAL_FAILURE(expect_all<short_lists>(g));
}

TEST(EmulatedPeel, OfFamilies) {
  for (const char* spec :
       {"kron:8", "path:300", "tree:8", "cliques:6x20", "road:25", "star:500", "lollipop:30x100"}) {
    const graph g = generate(parse_generator(spec));
    ASSERT_NO_FATAL_FAILURE(expect_all<short_lists>(g));
    ASSERT_NO_FATAL_FAILURE(expect_all<longer_lists>(g));
  }
}

// Blocks that have nothing more leave at once; the others do not share with them.
TEST(EmulatedPeel, EndsWhenTheRunIsOver) {
  const graph g = undirected("alone", 30000, {});
  const auto counted = algorithm_detail::count_simple_degrees(g, 1);
  memory<vertex32> of(counted, 3, longer_lists::threads);
  const std::uint32_t over = 1;
  emulated::over = &over;
  static block_memory<longer_lists, vertex32> mine;
  EXPECT_TRUE(emulated::run_blocks(3, [&] { peel<longer_lists, vertex32>(of.view, mine).run(); }));
  emulated::over = nullptr;
}

}  // namespace
}  // namespace gossamer::core_numbers_detail::cuda
