// Spanning forests, altered.
#include "gossamer/algorithm/spanning_forest.hpp"
#include "trials.hpp"
#include "unit/algorithm/simple_forests.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* forest_kinds[] = {"an edge less",
                                        "an edge more",
                                        "an edge in another's place",
                                        "an edge twice",
                                        "an arc back",
                                        "an arc that there is not",
                                        "the edge behind it",
                                        "two edges in others' places"};

void alter_forest(int kind, std::vector<std::int64_t>& arcs, const graph& g,
                  const std::vector<listed_edge>& edges, random_numbers& random) {
  const auto any = [&](const auto& of) {
    return static_cast<std::size_t>(random.below(std::ssize(of)));
  };
  if (arcs.empty() || edges.empty()) return;
  switch (kind) {
    case 0:
      arcs.erase(arcs.begin() + static_cast<std::ptrdiff_t>(any(arcs)));
      break;
    case 1:
      arcs.push_back(edges[any(edges)].arc);
      break;
    case 2:
      arcs[any(arcs)] = edges[any(edges)].arc;
      break;
    case 3:
      arcs.push_back(arcs[any(arcs)]);
      break;
    case 4:
      arcs[any(arcs)] = random.below(g.arcs());
      break;
    case 5:
      arcs[any(arcs)] = random.below(2) == 0 ? g.arcs() + random.below(3) : -1 - random.below(3);
      break;
    case 6: {  // of nearly the same weight
      std::int64_t& arc = arcs[any(arcs)];
      for (std::size_t i = 0; i + 1 < edges.size(); ++i)
        if (edges[i].arc == arc) {
          arc = edges[i + 1].arc;
          break;
        }
      break;
    }
    default:
      arcs[any(arcs)] = edges[any(edges)].arc;
      arcs[any(arcs)] = edges[any(edges)].arc;
  }
}

/// Whether the arcs are edges that join as much as `trees` trees do, with the same weights.
bool is_as_good(const std::vector<std::int64_t>& arcs, const std::vector<std::int64_t>& right,
                const graph& g, const std::vector<listed_edge>& edges) {
  if (arcs.size() != right.size()) return false;
  std::vector<std::int64_t> tree(static_cast<std::size_t>(g.vertices()));
  for (std::size_t v = 0; v < tree.size(); ++v) tree[v] = static_cast<std::int64_t>(v);
  std::vector<double> own, theirs;
  for (const auto& e : edges) {
    if (std::binary_search(right.begin(), right.end(), e.arc)) theirs.push_back(e.weight);
    if (!std::binary_search(arcs.begin(), arcs.end(), e.arc)) continue;
    const auto of_u = tree[static_cast<std::size_t>(e.u)],
               of_v = tree[static_cast<std::size_t>(e.v)];
    if (of_u == of_v) return false;
    std::replace(tree.begin(), tree.end(), of_v, of_u);
    own.push_back(e.weight);
  }
  return own == theirs;
}

TEST(VerifierMutations, OfSpanningForests) {
  tally counted("verify_spanning_forest"), loose("verify_spanning_forest, any of equals");
  for (const char* kind : forest_kinds) {
    counted.expect_kind(kind);
    loose.expect_kind(kind);
  }
  on_graphs(loose, [&](const graph& given, std::uint64_t seed) {
    if (!given.symmetric) return;
    random_numbers random(seed);
    graph g = given;
    if (seed % 3 == 0) g.weights = {};
    const auto right = forest_by_definition(g);
    const auto edges = edges_in_order(g);
    for (int i = 0; i < 60; ++i) {
      const int kind = static_cast<int>(random.below(std::size(forest_kinds)));
      auto arcs = right;
      alter_forest(kind, arcs, g, edges, random);
      std::sort(arcs.begin(), arcs.end());
      counted.count(forest_kinds[kind], g.name, arcs != right,
                    verify_spanning_forest(g, to_array(arcs)));
      loose.count(forest_kinds[kind], g.name, !is_as_good(arcs, right, g, edges),
                  verify_spanning_forest(g, to_array(arcs), true));
    }
  });
}

}  // namespace
}  // namespace gossamer
