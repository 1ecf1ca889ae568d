// BFS on many small graphs, machines, directions, partitions and orders: depths, counts and
// deterministic parents equal a serial search's, and the verifier agrees.
//
// The same source makes the CPU test and, with GOSSAMER_TEST_GPU, the one for GPUs.
#include <gtest/gtest.h>

#include <map>

#include "on_machine.hpp"
#include "unit/algorithm/bfs/checks.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

using testing_bfs::expect_right, testing_machines::OnMachine, testing_machines::machine_specs;

class BfsOn : public OnMachine {};

std::vector<std::int64_t> sources_of(const graph& g) {
  const std::int64_t n = g.vertices();
  if (n < 3) return {0};
  return {0, n / 2, n - 1};
}

std::string hand_made_partition(const graph& g, int p, place_options& options) {
  // Uneven on purpose: the last rank gets nothing when there are three or more.
  const int used = p > 2 ? p - 1 : p;
  options.part_of.resize(g.vertices());
  for (std::int64_t v = 0; v < g.vertices(); ++v) {
    options.part_of[v] = static_cast<std::int32_t>((v * v / 7 + v) % used);
  }
  return "file";
}

TEST_P(BfsOn, AgreesWithSerialSearch) {
  const int p = machine_->size();
  // Every level of p ranks on few cores costs p changes of thread: many ranks get fewer sources.
  const bool many = p > 3;
  int combination = 0;
  for (const graph& g : shapes()) {
    std::map<std::int64_t, reference> wanted;
    for (std::int64_t s : sources_of(g)) {
      if (wanted.empty() || !many) wanted.emplace(s, serial_bfs(g, s));
    }
    for (const char* partition : {"auto", "edges", "hash", "file"}) {
      for (const char* renumber : {"none", "degree"}) {
        if (many && ++combination % 3 != 0) continue;
        place_options placing;
        placing.partition = partition;
        placing.renumber = renumber;
        if (placing.partition == "file") hand_made_partition(g, p, placing);
        const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
        for (const auto direction :
             {bfs_direction::automatic, bfs_direction::top_down, bfs_direction::bottom_up}) {
          bfs_options options;
          options.direction = direction;
          options.deterministic = direction != bfs_direction::top_down;
          bfs_search search(placed, options);
          for (const auto& [source, want] : wanted) {
            SCOPED_TRACE(g.name + " from " + std::to_string(source) + ", partition " + partition +
                         ", renumber " + renumber + ", direction " +
                         std::to_string(static_cast<int>(direction)));
            ASSERT_NO_FATAL_FAILURE(
                expect_right(g, search.run(source), want, options.deterministic));
          }
        }
        ASSERT_EQ(placed->uploads(), 1);
      }
    }
  }
}

TEST_P(BfsOn, RunsOfThinLevels) {
  // Levels of a vertex or two run 512 at a time, until a star or the end stops them.
  if (machine_->size() > 3) GTEST_SKIP() << "every level costs ranks on few cores a switch";
  // Where a row has 16 arcs or more no level is thin.
  for (const auto& stars : {std::vector<int>{2, 7, 8, 9, 13}, std::vector<int>{5, 300, 8}}) {
    arc_list edges;
    std::int64_t last = 0;
    for (const int leaves : stars) {
      for (int i = 0; i < 520; ++i, ++last) edges.emplace_back(last, last + 1);
      const std::int64_t centre = last;
      for (int i = 0; i < leaves; ++i) edges.emplace_back(centre, ++last);
    }
    const std::int64_t n = last + 1;
    const graph g = undirected("stars on a path", n, edges);
    bfs_search search(std::make_shared<const placed_graph>(place(*machine_, g)));
    for (const std::int64_t source : {std::int64_t{0}, n / 2, n - 1})
      ASSERT_NO_FATAL_FAILURE(expect_right(g, search.run(source), serial_bfs(g, source), false));
  }
}

TEST_P(BfsOn, RowsLikeTheNext) {
  // Levels of more arcs than are worth threads, and a vertex that is not reached.
  if (machine_->size() > 3) GTEST_SKIP() << "every level costs ranks on few cores a switch";
  arc_list tree, grid;
  constexpr std::int64_t nodes = (1 << 16) - 1, side = 150;
  for (std::int64_t v = 1; v < nodes; ++v) tree.emplace_back((v - 1) / 2, v);
  for (std::int64_t v = 0; v < side * side; ++v) {
    if (v % side != 0) grid.emplace_back(v - 1, v);
    if (v >= side) grid.emplace_back(v - side, v);
  }
  for (const graph& g : {undirected("tree", nodes, tree), undirected("grid", side * side, grid),
                         undirected("tree and a vertex", nodes + 1, tree)}) {
    const auto placed = std::make_shared<const placed_graph>(place(*machine_, g));
    for (const auto direction : {bfs_direction::automatic, bfs_direction::top_down}) {
      bfs_options options;
      options.direction = direction;
      bfs_search search(placed, options);
      for (const std::int64_t source : {std::int64_t{0}, g.vertices() / 2, g.vertices() - 1})
        ASSERT_NO_FATAL_FAILURE(expect_right(g, search.run(source), serial_bfs(g, source), false));
    }
  }
}

TEST_P(BfsOn, ChangesDirectionOnASkewedGraph) {
  // Large enough that ranges need no renumbering, threads share levels, and both turns happen.
  const std::int64_t n = 20000;
  arc_list edges;
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t a = random() % n, b = random() % n;
    edges.emplace_back(a * b / n, random() % n);  // small ids are hubs
  }
  for (std::int64_t v = n; v < n + 300; ++v) edges.emplace_back(v - 1, v);  // a tail to go back for
  const graph g = undirected("skewed", n + 300, edges);
  for (const char* renumber : {"none", "degree"}) {
    place_options placing;
    placing.renumber = renumber;
    const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
    for (const auto direction :
         {bfs_direction::automatic, bfs_direction::top_down, bfs_direction::bottom_up}) {
      bfs_options options;
      options.direction = direction;
      bfs_search search(placed, options);
      for (std::int64_t source : {std::int64_t{0}, std::int64_t{17}, n + 299}) {
        SCOPED_TRACE(std::string(renumber) + " from " + std::to_string(source));
        const reference want = serial_bfs(g, source);
        const bfs_result result = search.run(source);
        ASSERT_NO_FATAL_FAILURE(expect_right(g, result, want, false));
        if (direction != bfs_direction::automatic) continue;
        bool up = false;
        for (const bfs_level& level : result.per_level) up |= level.bottom_up;
        EXPECT_TRUE(up) << "no level went bottom-up";
        if (source < n) {
          EXPECT_FALSE(result.per_level.back().bottom_up);
        }
      }
    }
  }
}

TEST_P(BfsOn, DirectedWithoutInArcsGoesTopDownOnly) {
  const graph g = from_arcs("directed", 2000, random_arcs(2000, 30000, 9), false);
  place_options placing;
  placing.both_directions = false;
  const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
  EXPECT_FALSE(placed->has_in_adjacency());
  bfs_search search(placed);
  const bfs_result result = search.run(3);
  ASSERT_NO_FATAL_FAILURE(expect_right(g, result, serial_bfs(g, 3), false));
  for (const bfs_level& level : result.per_level) EXPECT_FALSE(level.bottom_up);
  // Engines refuse such a placement, or do without.
  int refused = 0;
  for (const char* engine : {"async", "published", "tasks", "vector_queue"})
    for (const char* duplicates : {"vector", "sort-unique"}) {
      bfs_options other;
      other.engine = engine;
      if (other.engine == "vector_queue") other.duplicates = duplicates;
      SCOPED_TRACE(other.engine + ", " + other.duplicates);
      std::unique_ptr<bfs_search> made;
      try {
        made = std::make_unique<bfs_search>(placed, other);
      } catch (const usage_error&) {
        ++refused;
        continue;
      }
      const bfs_result ran = made->run(3);
      const auto found = ran.depths();
      EXPECT_EQ(std::vector(found.begin(), found.end()), serial_bfs(g, 3).depths);
    }
  bool mixed = false;  // where these engines all refuse to run
  for (int r = 1; r < machine_->size(); ++r)
    mixed |= (*machine_)[r].is_cuda() != (*machine_)[0].is_cuda();
  EXPECT_TRUE(mixed || refused < 8) << refused;
  bfs_options options;
  options.direction = bfs_direction::bottom_up;
  EXPECT_THROW(bfs_search(placed, options), usage_error);
  options.direction = bfs_direction::automatic;
  options.deterministic = true;
  EXPECT_THROW(bfs_search(placed, options), usage_error);
}

TEST_P(BfsOn, TableOfPaperA) {
  bfs_options options;
  options.deterministic = true;
  const bfs_result result = bfs(*machine_, paper_example(), 0, options);
  const auto depths = result.depths();
  const auto parents = result.parents();
  EXPECT_EQ(std::vector(depths.begin(), depths.end()),
            (std::vector<std::int32_t>{0, 1, 1, 2, 1, 3, 2, 4}));
  EXPECT_EQ(std::vector(parents.begin(), parents.end()),
            (std::vector<std::int64_t>{0, 0, 0, 2, 0, 3, 1, 5}));
  EXPECT_EQ(result.levels, 5);
  EXPECT_EQ(result.arcs_of_reached, 26);
  bool timed = false;
  for (const auto& [name, seconds] : result.phases) timed |= name == "deterministic";
  EXPECT_TRUE(timed) << "the deterministic pass reports its time";
}

TEST_P(BfsOn, ResultsOutliveTheSearch) {
  const graph g = undirected("sparse", 4000, random_arcs(4000, 9000, 11));
  std::vector<bfs_result> kept;
  {
    bfs_search search(std::make_shared<const placed_graph>(place(*machine_, g)));
    for (std::int64_t s : {0, 1, 2, 3}) kept.push_back(search.run(s));
  }
  for (const bfs_result& result : kept) {
    ASSERT_NO_FATAL_FAILURE(expect_right(g, result, serial_bfs(g, result.source), false));
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, BfsOn, ::testing::ValuesIn(machine_specs()),
                         testing_machines::spec_name<std::string>);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BfsOn);

}  // namespace
}  // namespace gossamer
