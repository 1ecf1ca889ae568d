// Communities' labels, altered.
#include "gossamer/algorithm/communities.hpp"

#include <algorithm>
#include <cmath>

#include "trials.hpp"
#include "unit/algorithm/simple_communities.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* community_kinds[] = {
    "any vertex for a label",    "a label of its own",       "another vertex's label",
    "two communities joined",    "a community cut in two",   "no vertex for a label",
    "a community's last vertex", "the label of a neighbour", "another modularity",
    "two vertices exchanged",    "a modularity that is none"};

void alter_communities(int kind, std::vector<std::int64_t>& labels, double& modularity,
                       const arc_set& arcs, random_numbers& random) {
  const auto n = static_cast<std::int64_t>(labels.size());
  const auto v = static_cast<std::size_t>(random.below(n)),
             w = static_cast<std::size_t>(random.below(n));
  const std::int64_t of_v = labels[v], of_w = labels[w];
  switch (kind) {
    case 0:
      labels[v] = random.below(n);
      break;
    case 1:
      labels[v] = static_cast<std::int64_t>(v);
      break;
    case 2:
      labels[v] = of_w;
      break;
    case 3:
      for (std::int64_t& label : labels)
        if (label == of_v || label == of_w) label = std::min(of_v, of_w);
      break;
    case 4: {  // from v on, in the order of vertices
      for (std::size_t u = v; u < labels.size(); ++u)
        if (labels[u] == of_v) labels[u] = static_cast<std::int64_t>(v);
      break;
    }
    case 5:
      labels[v] = random.below(2) == 0 ? n + random.below(3) : -1 - random.below(3);
      break;
    case 6:
      for (std::int64_t& label : labels)
        if (label == of_v) label = static_cast<std::int64_t>(v);
      break;
    case 7: {
      if (arcs.arcs.empty()) break;
      const auto [from, to] = arcs.arcs[static_cast<std::size_t>(
          random.below(static_cast<std::int64_t>(arcs.arcs.size())))];
      labels[static_cast<std::size_t>(from)] = labels[static_cast<std::size_t>(to)];
      break;
    }
    case 8:
      modularity += (random.unit() - 0.5) * std::pow(10.0, -static_cast<double>(random.below(8)));
      break;
    case 9:
      std::swap(labels[v], labels[w]);
      break;
    default:
      modularity = no_number(random);
  }
}

/// Whether each label is the smallest vertex with it.
bool are_smallest(const std::vector<std::int64_t>& labels) {
  const auto n = static_cast<std::int64_t>(labels.size());
  for (std::int64_t v = 0; v < n; ++v) {
    const std::int64_t label = labels[static_cast<std::size_t>(v)];
    if (label < 0 || label >= n) return false;
    for (std::int64_t u = 0; u <= v; ++u)
      if (labels[static_cast<std::size_t>(u)] == label) {
        if (u != label) return false;
        break;
      }
  }
  return true;
}

/// Whether arcs within labels join all that have them: names spread until none changes.
bool are_connected(const std::vector<std::int64_t>& labels, const arc_set& arcs) {
  std::vector<std::size_t> name(labels.size());
  for (std::size_t v = 0; v < name.size(); ++v) name[v] = v;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [from, to] : arcs.arcs) {
      const auto u = static_cast<std::size_t>(from), v = static_cast<std::size_t>(to);
      if (labels[u] != labels[v] || name[u] == name[v]) continue;
      name[u] = name[v] = std::min(name[u], name[v]);
      changed = true;
    }
  }
  for (std::size_t v = 0; v < name.size(); ++v)
    if (static_cast<std::int64_t>(name[v]) != labels[v]) return false;
  return true;
}

/// Parts that some of the arcs connect, by their smallest vertices; `joined`: each with another now
/// and then.
std::vector<std::int64_t> drawn_communities(const graph& g, const arc_set& arcs, bool joined,
                                            random_numbers& random) {
  std::vector<std::int64_t> labels(static_cast<std::size_t>(g.vertices()));
  for (std::size_t v = 0; v < labels.size(); ++v) labels[v] = static_cast<std::int64_t>(v);
  const auto join = [&](std::int64_t u, std::int64_t v) {
    const std::int64_t of_u = labels[static_cast<std::size_t>(u)],
                       of_v = labels[static_cast<std::size_t>(v)];
    if (of_u != of_v)
      std::replace(labels.begin(), labels.end(), std::max(of_u, of_v), std::min(of_u, of_v));
  };
  const std::int64_t one_of = 2 + random.below(6);
  for (const auto& [u, v] : arcs.arcs)
    if (random.below(one_of) == 0) join(u, v);
  for (std::int64_t i = 0; joined && i < 3; ++i)
    join(random.below(g.vertices()), random.below(g.vertices()));
  return labels;
}

TEST(VerifierMutations, OfCommunities) {
  tally louvain("verify_communities, louvain"), leiden("verify_communities, leiden");
  for (tally* counted : {&louvain, &leiden})
    for (const char* kind : community_kinds) counted->expect_kind(kind);
  on_graphs(louvain, [&](const graph& given, std::uint64_t seed) {
    if (!given.symmetric) return;
    random_numbers random(seed);
    graph g = given;
    if (seed % 3 == 0) g.weights = {};
    const double resolution = seed % 4 == 0 ? 1.5 : 1;
    const arc_set arcs(g);
    for (tally* counted : {&louvain, &leiden}) {
      const auto right = drawn_communities(g, arcs, counted == &louvain, random);
      const double modularity = modularity_by_definition(g, right, resolution);
      for (int i = 0; i < 40; ++i) {
        const int kind = static_cast<int>(random.below(std::size(community_kinds)));
        auto labels = right;
        double claimed = modularity;
        alter_communities(kind, labels, claimed, arcs, random);
        std::optional<bool> wrong = !are_smallest(labels);
        if (!*wrong) {
          const double off = std::abs(modularity_by_definition(g, labels, resolution) - claimed);
          if (off > 1e-12 && off < 1e-10)
            wrong = {};
          else
            wrong = !(off < 1e-10) || (counted == &leiden && !are_connected(labels, arcs));
        }
        counted->count(
            community_kinds[kind], g.name, wrong,
            verify_communities(g, to_array(labels), {claimed, resolution, counted == &leiden}));
      }
    }
  });
}

/// Claims at both ends of what may stand for the modularity.
void at_the_bound(tally& counted, const graph& g, double resolution, double rounding,
                  random_numbers& random) {
  const arc_set arcs(g);
  for (int i = 0; i < 10; ++i) {
    const auto labels = drawn_communities(g, arcs, true, random);
    const double want = modularity_by_definition(g, labels, resolution);
    count_at_bound(
        counted, g.name, want, 1e-11, rounding,
        [&](double x) { return std::abs(static_cast<long double>(x) - want) > 1e-11; },
        [&](double x) {
          return verify_communities(g, to_array(labels), {x, resolution, false});
        });
  }
}

/// With a power of two of edges, all of one weight, modularity is exact.
TEST(VerifierMutations, OfExactModularityAtTheBound) {
  tally counted("verify_communities, an ulp beyond the bound");
  for (std::uint64_t seed = 0; !counted.done(); ++seed) {
    random_numbers random(seed);
    const std::int64_t n = 1 + random.below(60);
    const graph g = undirected("of edges by a power of two", n,
                               random_arcs(n, std::int64_t{1} << random.below(9), seed));
    at_the_bound(counted, g, seed % 4 == 0 ? 1.5 : 1, 0, random);
  }
}

TEST(VerifierMutations, OfModularityAtTheBound) {
  tally counted("verify_communities, beyond the bound and rounding");
  on_graphs(counted, [&](const graph& given, std::uint64_t seed) {
    if (!given.symmetric) return;
    random_numbers random(seed);
    graph g = given;
    if (seed % 3 == 0) g.weights = {};
    at_the_bound(counted, g, seed % 4 == 0 ? 1.5 : 1, 4e-15, random);
  });
}

}  // namespace
}  // namespace gossamer
