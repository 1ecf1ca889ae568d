// Rounds of moves without a GPU (tests/emulated_gpu), by several blocks at once and in several
// launches: communities and parts are those that one block finds, in as many rounds. What one finds
// is compared with CPUs' on stand-ins (communities_test.cpp).
#include <gtest/gtest.h>

#include "device.hpp"

// The kernel's header, as the emulated compiler takes it.
#include "algorithm/communities/sync/cuda/level_steps.cuh"
#include "algorithm/communities/sync/cuda/rounds.cuh"

#include <sys/wait.h>

#include "algorithm/communities/sync/strengths.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/graph/generators.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer::communities_detail::cuda {
namespace {

using namespace testing_graphs;

/// Rows of some dozens are in pieces.
struct small_sizes : gpu_sizes {
  static constexpr unsigned threads = 64, table_bytes = 1024;
};

template <class T>
T* filled(std::int64_t n, int byte) {
  T* const at = emulated::shared<T>(static_cast<std::size_t>(n) + 1);
  std::memset(static_cast<void*>(at), byte, static_cast<std::size_t>(n) * sizeof(T));
  return at;
}

/// Every vertex alone, in memory that all blocks see.
template <class Id, class Sum>
move_view<Id, Sum> view_of(const graph& g, unsigned long long pause) {
  const std::int64_t n = g.vertices(), m = g.arcs();
  const auto rows = g.view<Id>();
  move_view<Id, Sum> v{};
  auto& level = v.level;
  level.vertices = n;
  level.arcs = m;
  level.offsets = rows.offsets.data();
  level.columns = rows.indices.data();
  auto* const weights = filled<Sum>(m, 0);
  auto* const strengths = filled<std::int64_t>(n, 0);
  level.whole = static_cast<double>(weigh<Id>(g, strengths, weights, 1, {}));
  level.weights = std::holds_alternative<std::monostate>(g.weights) ? nullptr : weights;
  level.strengths = strengths;
  level.resolution = 1;
  level.seed = 7;
  level.community = filled<Id>(n, 0);
  level.total = filled<std::int64_t>(n, 0);
  level.size = filled<Id>(n, 0);
  for (std::int64_t i = 0; i < n; ++i) {
    level.community[i] = static_cast<Id>(i);
    level.total[i] = strengths[i];
    level.size[i] = 1;
  }
  level.awake = filled<std::uint8_t>(n, 0x55);
  level.target = filled<Id>(n, 0x33);
  level.part = filled<Id>(n, 0x33);
  level.part_total = filled<std::int64_t>(n, 0x33);
  level.part_size = filled<Id>(n, 0x33);
  level.outward = filled<std::int64_t>(n, 0x33);
  level.bond = filled<Sum>(n, 0x33);
  level.listed = filled<Id>(n, 0x33);
  const std::int64_t pieces = most_pieces<small_sizes, Id, Sum>(m);
  level.pieces = filled<row_piece<Id>>(pieces, 0x33);
  level.choices = filled<choice<Id, Sum>>(pieces, 0x33);
  level.looked = filled<unsigned>(pieces, 0);
  level.keys = filled<Id>(2 * m, 0xff);
  level.sums = filled<Sum>(2 * m, 0);
  v.place = filled<meeting_place>(1, 0);
  v.state = filled<move_state>(1, 0);
  v.pause = pause;
  return v;
}

template <class F>
void launch(unsigned blocks, const F& kernel) {
  ASSERT_TRUE(emulated::run_blocks(blocks, kernel));
}

/// Moves, then parts; launches that it took.
template <class Id, class Sum>
int run(move_view<Id, Sum>& v, unsigned blocks) {
  static block_memory<small_sizes, Id, Sum> mine;
  int launches = 0;
  do {
    std::memset(static_cast<void*>(v.place), 0, sizeof(meeting_place));
    launch(blocks, [&] { rounds<small_sizes, Id, Sum, move_rule>(v, mine).move(); });
    v.draws = v.state->draws;
    v.rounds = v.state->rounds;
    ++launches;
  } while (!v.state->done && !testing::Test::HasFatalFailure());
  std::memset(static_cast<void*>(v.place), 0, sizeof(meeting_place));
  launch(blocks, [&] { rounds<small_sizes, Id, Sum, part_rule>(v, mine).refine(); });
  return launches;
}

template <class Id, class Sum>
void expect_same(const graph& g) {
  constexpr unsigned long long never = ~0ULL;
  auto one = view_of<Id, Sum>(g, never);
  EXPECT_EQ((run<Id, Sum>(one, 1)), 1);
  for (const unsigned blocks : {2U, 3U}) {
    SCOPED_TRACE(blocks);
    auto several = view_of<Id, Sum>(g, blocks == 2 ? 0 : never);
    const int launches = run<Id, Sum>(several, blocks);
    EXPECT_EQ(launches, blocks == 2 ? one.rounds : 1);
    EXPECT_EQ(several.rounds, one.rounds);
    EXPECT_EQ(several.state->draws, one.state->draws);
    const auto &a = several.level, &b = one.level;
    for (std::int64_t v = 0; v < g.vertices(); ++v) {
      ASSERT_EQ(a.community[v], b.community[v]) << v;
      ASSERT_EQ(a.total[v], b.total[v]) << v;
      ASSERT_EQ(a.size[v], b.size[v]) << v;
      ASSERT_EQ(a.part[v], b.part[v]) << v;
      ASSERT_EQ(a.part_size[v], b.part_size[v]) << v;
      ASSERT_EQ(a.outward[v], b.outward[v]) << v;
    }
    for (std::int64_t i = 0; i < 2 * g.arcs(); ++i) {  // as they were given
      ASSERT_EQ(a.keys[i], -1);
      ASSERT_EQ(a.sums[i], 0U);
    }
  }
}

void expect_all(const graph& g) {
  SCOPED_TRACE(g.name);
  const bool narrow = std::holds_alternative<std::monostate>(g.weights);
  if (g.id_width() == 4)
    narrow ? expect_same<vertex32, std::uint32_t>(g) : expect_same<vertex32, std::int64_t>(g);
  else
    narrow ? expect_same<vertex64, std::uint32_t>(g) : expect_same<vertex64, std::int64_t>(g);
}

TEST(EmulatedRounds, OfManyGraphs) {
  for (int number = 0; number < 200; number += 43)
    if (const graph g = many_graphs(number); g.symmetric) ASSERT_NO_FATAL_FAILURE(expect_all(g));
}

// Rows of a thread, of a warp, of a block and in pieces.
TEST(EmulatedRounds, OfFamilies) {
  generate_options weighted;
  weighted.weights = true;
  for (const char* spec : {"kron:6", "star:300", "cliques:3x30"})
    for (const bool with : {false, true})
      ASSERT_NO_FATAL_FAILURE(
          expect_all(generate(parse_generator(spec), with ? weighted : generate_options{})));
}

// All of one community, which ends as its connected parts.
TEST(EmulatedSteps, SplitCommunities) {
  using steps = level_steps<small_sizes, vertex32, std::uint32_t>;
  auto cpu = machine::open("cpu:1x1");
  for (const char* spec : {"road:25", "kron:8", "path:500", "cliques:9x7"}) {
    SCOPED_TRACE(spec);
    const graph g = generate(parse_generator(spec));
    const auto labels = std::get<shared_array<vertex32>>(components(cpu, g).labels.get());
    const auto v = view_of<vertex32, std::uint32_t>(g, 0);
    std::fill_n(v.level.community, g.vertices(), 0);
    launch(3, [&] { steps(v.level).alone(v.level.target, g.vertices()); });
    launch(3, [&] { steps(v.level).join(v.level.target); });
    launch(3, [&] { steps(v.level).joined(v.level.target); });
    for (std::int64_t i = 0; i < g.vertices(); ++i)
      ASSERT_EQ(v.level.community[i], labels[static_cast<std::size_t>(i)]) << i;
  }
}

}  // namespace
}  // namespace gossamer::communities_detail::cuda
