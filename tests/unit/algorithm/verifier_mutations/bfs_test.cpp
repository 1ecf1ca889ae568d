// Trees of breadth-first search, altered; whole, and in parts on ranks.
#include <memory>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"
#include "trials.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* depth_kinds[] = {"a depth off by one",
                                       "a depth of another vertex",
                                       "an unreached vertex reached",
                                       "a reached vertex unreached",
                                       "a depth out of range",
                                       "a vertex one level deeper",
                                       "all depths but the source's shifted"};

struct tree {
  std::vector<std::int64_t> parents;
  std::vector<std::int32_t> depths;
};

void alter_depths(int kind, tree& t, const arc_set& arcs, std::int64_t source,
                  random_numbers& random) {
  const auto n = static_cast<std::int64_t>(t.depths.size());
  const auto v = static_cast<std::size_t>(random.below(n));
  switch (kind) {
    case 0:
      t.depths[v] += random.below(2) == 0 ? 1 : -1;
      break;
    case 1:
      t.depths[v] = t.depths[static_cast<std::size_t>(random.below(n))];
      break;
    case 2: {  // below a reached vertex, as if there were an arc
      const std::int64_t u = random.below(n);
      if (t.depths[v] >= 0 || t.depths[static_cast<std::size_t>(u)] < 0) return;
      t.depths[v] = t.depths[static_cast<std::size_t>(u)] + 1;
      t.parents[v] = u;
      break;
    }
    case 3:
      t.depths[v] = -1;
      t.parents[v] = -1;
      break;
    case 4: {
      constexpr std::int32_t far[] = {std::numeric_limits<std::int32_t>::max(),
                                      std::numeric_limits<std::int32_t>::min(),
                                      -2,
                                      254,
                                      255,
                                      256};
      t.depths[v] = far[random.below(std::size(far))];
      break;
    }
    case 5: {  // with a parent at its own level, so that tree and depths fit
      if (arcs.arcs.empty()) return;
      const auto [u, w] = arcs.arcs[static_cast<std::size_t>(
          random.below(static_cast<std::int64_t>(arcs.arcs.size())))];
      const auto from = static_cast<std::size_t>(u), to = static_cast<std::size_t>(w);
      if (t.depths[from] != t.depths[to] || t.depths[to] < 0 || u == w) return;
      t.depths[to] += 1;
      t.parents[to] = u;
      break;
    }
    default:
      for (std::size_t i = 0; i < t.depths.size(); ++i)
        if (static_cast<std::int64_t>(i) != source && t.depths[i] >= 0) t.depths[i] += 1;
  }
}

bool is_right(const tree& t, const reference& want, const arc_set& arcs, std::int64_t source) {
  if (t.depths != want.depths) return false;
  for (std::size_t v = 0; v < t.parents.size(); ++v) {
    const std::int64_t u = t.parents[v];
    if (static_cast<std::int64_t>(v) == source) {
      if (u != source) return false;
    } else if (want.depths[v] < 0) {
      if (u != -1) return false;
    } else if (u < 0 || u >= static_cast<std::int64_t>(t.parents.size()) ||
               want.depths[static_cast<std::size_t>(u)] + 1 != want.depths[v] ||
               !arcs.has(u, static_cast<std::int64_t>(v))) {
      return false;
    }
  }
  return true;
}

constexpr int of_depths = std::size(depth_kinds), of_trees = std::size(tree_kinds);

/// f(tree that was altered, its kind) for some alterations of the right one.
template <class F>
void alter(const reference& want, const arc_set& arcs, std::int64_t source, random_numbers& random,
           int times, const F& f) {
  for (int i = 0; i < times; ++i) {
    tree t{want.smallest_parents, want.depths};
    const int kind = static_cast<int>(random.below(of_depths + of_trees));
    if (kind < of_depths)
      alter_depths(kind, t, arcs, source, random);
    else
      alter_tree(kind - of_depths, t.parents, want.depths, arcs, source, random);
    f(t, kind < of_depths ? depth_kinds[kind] : tree_kinds[kind - of_depths]);
  }
}

void expect_kinds(tally& counted) {
  for (const char* kind : depth_kinds) counted.expect_kind(kind);
  for (const char* kind : tree_kinds) counted.expect_kind(kind);
}

TEST(VerifierMutations, OfBreadthFirstTrees) {
  tally any("verify_bfs"), smallest("verify_bfs, smallest parents");
  expect_kinds(any);
  expect_kinds(smallest);
  on_graphs(any, [&](const graph& g, std::uint64_t seed) {
    random_numbers random(seed);
    const std::int64_t source = random.below(g.vertices());
    const reference want = serial_bfs(g, source);
    const arc_set arcs(g);
    alter(want, arcs, source, random, 60, [&](const tree& t, const char* kind) {
      any.count(kind, g.name, !is_right(t, want, arcs, source),
                verify_bfs(g, source, t.parents, t.depths, 1));
      smallest.count(kind, g.name, t.depths != want.depths || t.parents != want.smallest_parents,
                     verify_bfs(g, source, t.parents, t.depths, 1, {}, parent_rule::smallest));
    });
  });
}

/// A result of a search that nobody made.
bfs_result in_parts(std::shared_ptr<const placed_graph> placed, const tree& t,
                    std::int64_t source) {
  bfs_result result;
  result.source = source;
  result.graph_ = placed;
  for (int r = 0; r < placed->on().size(); ++r) {
    const std::int64_t rows = placed->owners().local_size(r);
    const std::int64_t first = rows > 0 ? placed->owners().global(r, 0) : 0;
    auto own = std::make_shared<std::pair<std::vector<vertex32>, std::vector<std::int32_t>>>();
    own->first.assign(static_cast<std::size_t>(rows), static_cast<vertex32>(-1));
    own->second.assign(static_cast<std::size_t>(rows), -1);
    for (std::int64_t i = 0; i < rows && first + i < placed->vertices(); ++i) {
      const auto at = static_cast<std::size_t>(i), v = static_cast<std::size_t>(first + i);
      own->first[at] = static_cast<vertex32>(t.parents[v]);
      own->second[at] = t.depths[v];
    }
    result.parts_.push_back({r, -1, own->first.data(), own->second.data(), rows, 4, own});
  }
  return result;
}

/// Large enough that ranks own contiguous ranges; some in pieces.
constexpr const char* large[] = {"kron:10",          "uniform:10:1",  "grid:40x30",
                                 "road:35:0.5",      "star:1100",     "path:1100",
                                 "tree:9",           "cliques:30x40", "small-world:1100:4:100",
                                 "geometric:1100:3", "web:1100:3"};

TEST(VerifierMutations, OfBreadthFirstTreesInParts) {
  tally counted("verify_parts", 10);  // each trial is a run
  expect_kinds(counted);
  auto m = machine::open("cpu:2x1");
  for (std::uint64_t seed = 0; !counted.done(); ++seed)
    for (const char* spec : large) {
      const graph g = generate(parse_generator(spec));
      if (!g.symmetric) continue;
      random_numbers random(seed);
      const std::int64_t source = random.below(g.vertices());
      const reference want = serial_bfs(g, source);
      const arc_set arcs(g);
      const auto placed = std::make_shared<const placed_graph>(place(m, g, {}));
      if (!placed->identity() || !placed->owners().contiguous()) continue;
      alter(want, arcs, source, random, 30, [&](const tree& t, const char* kind) {
        counted.count(kind, g.name, !is_right(t, want, arcs, source),
                      verify_parts(in_parts(placed, t, source)));
      });
    }
}

}  // namespace
}  // namespace gossamer
