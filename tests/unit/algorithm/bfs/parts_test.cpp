// Searches of graphs that lie in parts: the same depths as of the whole graph, the same roots and
// counts, and a verifier that finds what is wrong wherever it lies. The same source makes the CPU
// test and, with GOSSAMER_TEST_GPU, the one for GPUs.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/graph/generated_list.hpp"
#include "gossamer/placement/generated_placement.hpp"
#include "on_machine.hpp"

namespace gossamer {
namespace {

using testing_machines::for_gpus, testing_machines::OnMachine;

constexpr const char* pair = for_gpus ? "cuda:0*2" : "cpu:2x1";
constexpr const char* three = for_gpus ? "cuda:0*3" : "cpu:3x1";

class BfsParts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = testing_machines::lacking(three); !why.empty()) GTEST_SKIP() << why;
  }
};

std::shared_ptr<const placed_graph> in_parts(machine& m, const char* spec) {
  return std::make_shared<const placed_graph>(generate_placed(m, parse_generator(spec)));
}

bfs_options towards(bfs_direction direction) {
  bfs_options options;
  options.direction = direction;
  return options;
}

class BfsPartsOn : public OnMachine {};

TEST_P(BfsPartsOn, SearchesAsTheWholeGraph) {
  for (const char* spec : {"kron:12", "uniform:11:2:5", "grid:80x40"}) {
    SCOPED_TRACE(spec);
    const graph whole = generate(parse_generator(spec));
    const auto parts = in_parts(*machine_, spec);
    const auto roots = draw_sources(whole, 5, 3);
    EXPECT_EQ(draw_sources(*parts, 5, 3), roots);
    for (const auto direction :
         {bfs_direction::automatic, bfs_direction::top_down, bfs_direction::bottom_up}) {
      bfs_search search(parts, towards(direction));
      auto one = machine::open("cpu:1x1");
      for (const std::int64_t root : roots) {
        const bfs_result result = search.run(root);
        const bfs_result other = bfs(one, whole, root);
        EXPECT_TRUE(std::ranges::equal(result.depths(), other.depths()));
        EXPECT_EQ(result.arcs_of_reached, other.arcs_of_reached);
        EXPECT_TRUE(verify_bfs(whole, root, result.parents().span(), result.depths().span()).ok);
        const verification v = verify_parts(result);
        EXPECT_TRUE(v.ok) << v.reason;
      }
    }
  }
}

TEST_P(BfsPartsOn, EveryEngineSearchesThem) {
#ifdef GOSSAMER_TEST_GPU
  const std::vector<std::string> engines = {"sync", "vector_queue", "published", "single_kernel",
                                            "async"};
#else
  const std::vector<std::string> engines = {"sync", "vector_queue", "published", "async", "tasks"};
#endif
  for (const char* spec : {"kron:12", "road:60"}) {
    const graph whole = generate(parse_generator(spec));
    const auto parts = in_parts(*machine_, spec);
    const std::int64_t root = draw_sources(whole, 1, 9).at(0);
    auto one = machine::open("cpu:1x1");
    const bfs_result other = bfs(one, whole, root);
    for (const std::string& engine : engines) {
      SCOPED_TRACE(std::string(spec) + " " + engine);
      bfs_options options;
      options.engine = engine;
      bfs_search search(parts, options);
      const bfs_result result = search.run(root);
      EXPECT_TRUE(std::ranges::equal(result.depths(), other.depths()));
      const verification v = verify_parts(result);
      EXPECT_TRUE(v.ok) << v.reason;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, BfsPartsOn,
                         ::testing::ValuesIn(testing_machines::cpus_or_gpus(
                             {"cpu:1x1", "cpu:1x2", "cpu:2x1", "cpu:3x2"},
                             {"cuda:0", "cuda:0*3", "cuda:0-1", "cuda:0-3"})),
                         testing_machines::spec_name<std::string>);

#ifdef GOSSAMER_TEST_GPU
TEST_F(BfsParts, ResultsOnTheHostAreNotCheckedOnGpus) {
  auto m = machine::open("cuda:0");
  bfs_options options;
  options.engine = "vector_queue";
  options.results = "serial";
  bfs_search search(in_parts(m, "kron:12"), options);
  const bfs_result result = search.run(1);
  try {
    static_cast<void>(verify_parts(result));
    FAIL() << "checked";
  } catch (const usage_error& e) {
    EXPECT_NE(std::string(e.what()).find("rank 0 is the host's, its graph a GPU's"),
              std::string::npos)
        << e.what();
  }
}
#endif

TEST_F(BfsParts, DrawsAllThatThereAre) {
  auto m = machine::open(pair);
  // Most vertices of a list this short have no edge.
  const graph whole = generate(parse_generator("kron:11:1"));
  const auto all = draw_sources(whole, 1 << 11, 7);
  ASSERT_LT(all.size(), std::size_t{1} << 11);
  EXPECT_EQ(draw_sources(*in_parts(m, "kron:11:1"), 1 << 11, 7), all);
  EXPECT_EQ(draw_sources(place(m, whole), 1 << 11, 7), all);
}

TEST_F(BfsParts, CountsEntriesOfTheComponent) {
  auto m = machine::open(three);
  const char* spec = "kron:11:1:6";
  const auto counts = generated_list(parse_generator(spec), {}).count_by_source();
  const auto parts = in_parts(m, spec);
  bfs_search search(parts);
  std::int64_t fewest = parse_generator(spec).candidates(), most = 0;
  for (const std::int64_t root : draw_sources(*parts, 64, 1)) {
    const bfs_result result = search.run(root);
    const auto depths = result.depths();
    std::int64_t expected = 0;
    for (std::int64_t v = 0; v < parts->vertices(); ++v)
      if (depths[v] >= 0) expected += counts[v];
    EXPECT_EQ(entries_of_reached(result), expected);
    fewest = std::min(fewest, expected);
    most = std::max(most, expected);
  }
  EXPECT_LT(fewest, most);  // several components
  const graph whole = generate(parse_generator(spec));
  EXPECT_THROW(static_cast<void>(entries_of_reached(bfs(m, whole, 0))), usage_error);
}

/// A right tree of a graph in parts on three ranks, to be made wrong.
class PartsVerifier : public BfsParts {
 protected:
  void SetUp() override {
    BfsParts::SetUp();
    if (IsSkipped()) return;
    m.emplace(machine::open(three));
    g = in_parts(*m, "grid:60x40");
    result = bfs_search(g).run(0);
  }
  std::optional<machine> m;
  std::shared_ptr<const placed_graph> g;
  bfs_result result;

  void set_depth(std::int64_t v, std::int32_t depth) {
    copy_bytes(result.parts()[g->owners().owner(v)].depths + g->owners().local(v), &depth,
               sizeof depth);
  }
  void set_parent(std::int64_t v, vertex32 parent) {
    copy_bytes(
        static_cast<vertex32*>(result.parts()[g->owners().owner(v)].parents) + g->owners().local(v),
        &parent, sizeof parent);
  }
  void expect_rejected(const std::string& part) {
    const verification v = verify_parts(result);
    EXPECT_FALSE(v.ok);
    EXPECT_NE(v.reason.find(part), std::string::npos) << v.reason;
    // The verifier on the host rejects it, too.
    EXPECT_FALSE(verify_bfs(generate(parse_generator("grid:60x40")), 0, result.parents().span(),
                            result.depths().span())
                     .ok);
  }
};

TEST_F(PartsVerifier, AcceptsTheTree) {
  ASSERT_EQ(m->size(), 3);
  ASSERT_EQ(g->owners().owner(2399), 2);
  EXPECT_TRUE(verify_parts(result).ok);
}
TEST_F(PartsVerifier, SourceIsNotItsOwnParent) {
  set_parent(0, 1);
  expect_rejected("vertex 0 is the source, but not its own parent");
}
TEST_F(PartsVerifier, SourceIsNotAtDepthZero) {
  set_depth(0, 1);
  expect_rejected("vertex 0 is the source, but not at depth 0");
}
TEST_F(PartsVerifier, ParentDoesNotExist) {
  set_parent(2399, 2400);
  expect_rejected("vertex 2399 has a parent that does not exist");
}
TEST_F(PartsVerifier, ParentWithoutDepth) {
  set_depth(1300, -1);
  expect_rejected("vertex 1300 has a parent but no depth");
}
TEST_F(PartsVerifier, NegativeDepth) {
  set_depth(1300, -2);
  expect_rejected("vertex 1300 has a negative depth");
}
TEST_F(PartsVerifier, SecondRoot) {
  set_parent(2399, 2399);
  set_depth(2399, 0);
  expect_rejected("vertex 2399 has depth 0 but is not the source");
}
TEST_F(PartsVerifier, ParentAtTheWrongDepth) {
  set_parent(900, 900);
  expect_rejected("vertex 900 is not one below its parent");
}
TEST_F(PartsVerifier, ParentThatIsNoNeighbour) {
  // Vertex 1 + 60 lies at depth 2, as 2 does, and is no neighbour of 3.
  set_parent(3, 61);
  expect_rejected("the tree edge 61 -> 3 is not an arc of the graph");
}
TEST_F(PartsVerifier, VertexLeftOut) {
  set_parent(2399, -1);
  set_depth(2399, -1);
  expect_rejected("vertex 2399 is not reached, but the arc 2339 -> 2399");
}
TEST_F(PartsVerifier, TheFirstViolationIsNamed) {
  set_parent(2399, 2400);
  set_parent(1300, 2400);
  expect_rejected("vertex 1300 has");
}

TEST_F(BfsParts, ChecksDeepTrees) {
  auto m = machine::open(pair);
  const auto g = in_parts(m, "grid:1200x2");  // more than 254 levels
  const bfs_result result = bfs_search(g).run(0);
  EXPECT_TRUE(verify_parts(result).ok);
  EXPECT_EQ(verify_parts_bytes(*g, result.levels), 4 * g->owners().placed());
  EXPECT_EQ(verify_parts_bytes(*g, 20), (g->owners().placed() + 255) / 256 * 256);
  const auto& last = result.parts().back();
  const std::int64_t deepest = g->owners().local(2399);
  std::int32_t depth = 0;
  copy_bytes(&depth, last.depths + deepest, sizeof depth);
  ASSERT_GT(depth, 254);
  depth = 254;
  copy_bytes(last.depths + deepest, &depth, sizeof depth);
  EXPECT_NE(verify_parts(result).reason.find("vertex 2399 is not one below"), std::string::npos);
}

TEST_F(BfsParts, RefusesPlacementsItCannotCheck) {
  auto m = machine::open(pair);
  const graph whole = generate(parse_generator("kron:11"));
  place_options options;
  options.partition = "hash";
  const auto placed = std::make_shared<const placed_graph>(place(m, whole, options));
  const bfs_result result = bfs_search(placed).run(0);
  EXPECT_THROW(static_cast<void>(verify_parts(result)), usage_error);
  const auto ranges = std::make_shared<const placed_graph>(place(m, whole));
  EXPECT_TRUE(verify_parts(bfs_search(ranges).run(0)).ok);
}

}  // namespace
}  // namespace gossamer
