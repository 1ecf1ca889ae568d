// The kernel of betweenness without a GPU (tests/emulated_gpu), by groups of one block and of
// several at once, which leave and go on: sums are those that CPU ranks find, of every kind of
// graph, and bit for bit the same whatever blocks a group has.
#include <gtest/gtest.h>

#include "device.hpp"

// The kernel's header, as the emulated compiler takes it.
#include "algorithm/betweenness/sync/cuda/search.cuh"

#include <sys/wait.h>

#include "algorithm/betweenness/laid_rows.hpp"
#include "algorithm/betweenness/sync/edge_scores.hpp"
#include "gossamer/algorithm/betweenness.hpp"
#include "gossamer/graph/generators.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer::betweenness_detail::cuda {
namespace {

using namespace testing_graphs;

struct small_sizes : gpu_sizes {
  static constexpr unsigned threads = 64, short_row = 6, warp_row = 20;
};

template <class T>
T* filled(std::size_t n, int byte) {
  T* const at = emulated::shared<T>(n + 1);
  std::memset(static_cast<void*>(at), byte, n * sizeof(T));
  return at;
}

/// Memory that all blocks see, of all sources.
template <class Id>
search_view<Id> view_of(const found_rows& found, const betweenness_options& o, unsigned groups,
                        unsigned blocks) {
  const graph& out = found.rows->out;
  search_view<Id> v{};
  for (int way = 0; way < 2; ++way) {
    const auto rows = (way == 0 ? out : found.in()).template view<Id>();
    v.rows[way] = {rows.offsets.data(), rows.indices.data()};
  }
  v.vertices = out.vertices();
  v.scored = o.edges ? out.arcs() : v.vertices;
  v.symmetric = out.symmetric;
  v.edges = o.edges;
  v.endpoints = o.endpoints;
  v.searches = v.vertices;
  v.ranks = 1;
  v.groups = groups;
  v.blocks = blocks;
  const auto n = static_cast<std::size_t>(groups * v.vertices);
  v.values = filled<double>(n, 0x33);
  v.powers = filled<std::int32_t>(n, 0x33);
  v.codes = filled<std::uint32_t>(static_cast<std::size_t>(groups * code_words(v.vertices)), 0x55);
  v.order = filled<named_row<Id>>(n, 0xff);
  v.level_begin = filled<Id>(n + groups, 0xff);
  v.scores = filled<double>(static_cast<std::size_t>(groups * v.scored), 0);
  v.states = filled<group_state>(groups, 0);
  v.words = filled<unsigned long long>(groups * group_words, 0);
  v.pause = 6;  // looks at the clock, which counts them
  return v;
}

template <class Id>
void launch(const search_view<Id>& of) {
  static block_memory<small_sizes, Id> mine;
  ASSERT_TRUE(emulated::run_blocks(of.groups * of.blocks,
                                   [&] { search<small_sizes, Id>(of, mine).run(); }));
}

/// Groups, and blocks of each.
using shape = std::pair<unsigned, unsigned>;

/// Sums by row or arc, from as many sources of the first.
template <class Id>
std::vector<double> sums_of(const found_rows& found, const betweenness_options& o, unsigned groups,
                            unsigned blocks, std::int64_t searches, std::int64_t* rescaled) {
  search_view<Id> of = view_of<Id>(found, o, groups, blocks);
  of.searches = searches;
  const auto over = [&](unsigned g) { return of.states[g].stage == search_stage::over; };
  for (bool all = false; !all;) {
    launch(of);
    if (::testing::Test::HasFatalFailure()) return {};
    all = true;
    for (unsigned g = 0; g < groups; ++g) all = all && over(g);
  }
  *rescaled = 0;
  for (unsigned g = 0; g < groups; ++g) *rescaled += of.states[g].rescaled;
  std::vector<double> sums(static_cast<std::size_t>(of.scored));
  collect({of.scores, of.scored, groups, nullptr, sums.data()}, 0, 1);
  return sums;
}

template <class Id>
void expect_right(const graph& g, betweenness_options o, const std::vector<shape>& shapes,
                  std::int64_t searches, std::int64_t expected_rescaled) {
  auto cpus = machine::open("cpu:1x2");
  const std::int64_t n = g.vertices();
  std::vector<std::int64_t> sources;
  for (std::int64_t v = 0; v < searches; ++v) sources.push_back(v);
  o.normalized = false;
  const auto right = betweenness(cpus, g, sources, o);
  const auto scores = std::get<0>(right.scores.get()).span();
  const found_rows found = lay_out(g, {o.edges, 1}, {});  // rows stay in their order
  std::vector<double> first;
  for (const auto& [groups, blocks] : shapes) {
    SCOPED_TRACE(std::to_string(groups) + " groups of " + std::to_string(blocks));
    std::int64_t rescaled = 0;
    auto sums = sums_of<Id>(found, o, groups, blocks, searches, &rescaled);
    if (::testing::Test::HasFatalFailure()) return;
    EXPECT_EQ(rescaled, expected_rescaled);
    if (first.empty()) first = sums;
    if (groups == 1) ASSERT_EQ(sums, first);
    std::vector<double> given = sums;
    if (o.edges) {
      const auto rows = found.rows->out.view<Id>(), callers = g.view<Id>();
      collecting_arrays arrays;
      arrays.next = make_array<edge_offset>(static_cast<std::size_t>(n));
      arrays.parallel = make_array<std::int32_t>(static_cast<std::size_t>(rows.indices.size()));
      const edge_scores<Id> of(callers, rows, arrays);
      if (g.symmetric) {
        auto joined = sums;
        for (unsigned thread = 0; thread < 6; ++thread)
          join_directions<Id>({{rows.offsets.data(), rows.indices.data()}, n, joined.data()},
                              thread / 3, 2, thread % 3, 3);
        of.join_directions(sums.data());
        ASSERT_EQ(joined, sums);
      }
      given.resize(static_cast<std::size_t>(g.arcs()));
      for (std::int64_t v = 0; v < n; ++v) of.share_out(v, sums.data(), given.data());
    }
    const bool own = o.edges || o.endpoints;
    const auto others = static_cast<double>(own ? n : n - 1);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const bool is_source = !own && static_cast<std::int64_t>(i) < searches;
      const auto pairs = static_cast<double>(searches - (is_source ? 1 : 0));
      if (others < 2 || pairs == 0) continue;
      const double score = given[i] * others / pairs / (g.symmetric ? 2 : 1);
      ASSERT_NEAR(score, scores[i], 1e-10 * scores[i]) << i;
    }
  }
}

enum class kind : unsigned char { vertices, endpoints, edges };
const std::vector<kind> all_kinds = {kind::vertices, kind::endpoints, kind::edges};

void expect_all(const graph& g, std::int64_t searches, const std::vector<kind>& kinds = all_kinds,
                const std::vector<shape>& shapes = {{1, 1}, {1, 3}, {2, 2}},
                std::int64_t rescaled = 0) {
  SCOPED_TRACE(g.name);
  for (const kind k : kinds) {
    SCOPED_TRACE(static_cast<int>(k));
    betweenness_options o;
    o.endpoints = k == kind::endpoints;
    o.edges = k == kind::edges;
    if (g.id_width() == 4)
      ASSERT_NO_FATAL_FAILURE(expect_right<vertex32>(g, o, shapes, searches, rescaled));
    else
      ASSERT_NO_FATAL_FAILURE(expect_right<vertex64>(g, o, shapes, searches, rescaled));
  }
}

TEST(EmulatedBetweenness, OfManyGraphs) {
  for (int number = 0; number < 200; number += 41) {
    const graph g = many_graphs(number);
    ASSERT_NO_FATAL_FAILURE(expect_all(g, std::min<std::int64_t>(g.vertices(), 5)));
  }
}

// Of all sources, with rows for threads, warps and blocks.
TEST(EmulatedBetweenness, OfSmallGraphsFromAll) {
  ASSERT_NO_FATAL_FAILURE(expect_all(from_arcs("sparse", 12, random_arcs(12, 20, 1), false), 12));
  ASSERT_NO_FATAL_FAILURE(expect_all(undirected("dense", 30, random_arcs(30, 400, 2)), 15,
                                     {kind::vertices}, {{1, 1}, {3, 1}}));
  ASSERT_NO_FATAL_FAILURE(
      expect_all(from_arcs<vertex64>("wide", 30, random_arcs(30, 200, 3), false), 30, {kind::edges},
                 {{2, 2}}));
}

TEST(EmulatedBetweenness, OfFamilies) {
  for (const char* spec : {"kron:7", "path:60", "cliques:4x25", "road:10", "star:300"})
    ASSERT_NO_FATAL_FAILURE(expect_all(generate(parse_generator(spec)), 3, {kind::vertices}));
}

// Layers of eight, each joined to all of the next: 8^320 paths from end to end, which no double
// holds. Arcs that lead far back change no path, where there is a direction.
TEST(EmulatedBetweenness, OfMorePathsThanDoublesHold) {
  constexpr std::int64_t layers = 320, each = 8;
  arc_list arcs;
  for (std::int64_t l = 0; l + 1 < layers; ++l)
    for (std::int64_t i = 0; i < each; ++i)
      for (std::int64_t j = 0; j < each; ++j) arcs.emplace_back(l * each + i, (l + 1) * each + j);
  ASSERT_NO_FATAL_FAILURE(
      expect_all(undirected("layers", layers * each, arcs), 1, {kind::vertices}, {{1, 3}}, 1));
  for (std::int64_t v = 0; v < layers * each; ++v)
    for (const std::int64_t back : {1, 2, 4, 5, 8, 40})
      if (v - back * each >= 0) arcs.emplace_back(v, v - back * each);
  ASSERT_NO_FATAL_FAILURE(
      expect_all(from_arcs("back", layers * each, arcs, false), 1, {kind::edges}, {{1, 1}}, 1));
}

}  // namespace
}  // namespace gossamer::betweenness_detail::cuda
