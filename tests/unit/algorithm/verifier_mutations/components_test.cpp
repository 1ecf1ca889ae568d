// Labels of components, altered.
#include <numeric>

#include "gossamer/algorithm/components.hpp"
#include "trials.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* label_kinds[] = {"a label off by one",
                                       "a label of another vertex",
                                       "a label that is no vertex",
                                       "two components merged",
                                       "a component split",
                                       "another representative of a component",
                                       "the labels of two components swapped",
                                       "a vertex alone"};

/// The smallest vertex of each vertex's component, by a forest.
std::vector<std::int64_t> labels_of(const graph& g) {
  std::vector<std::int64_t> above(static_cast<std::size_t>(g.vertices()));
  std::iota(above.begin(), above.end(), 0);
  const auto root = [&](std::int64_t v) {
    while (above[static_cast<std::size_t>(v)] != v) v = above[static_cast<std::size_t>(v)];
    return v;
  };
  for (const auto& [u, v] : arc_set(g).arcs) {
    const std::int64_t a = root(u), b = root(v);
    above[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }
  std::vector<std::int64_t> labels(above.size());
  for (std::size_t v = 0; v < labels.size(); ++v) labels[v] = root(static_cast<std::int64_t>(v));
  return labels;
}

void alter_labels(int kind, std::vector<std::int64_t>& labels, random_numbers& random) {
  const auto n = static_cast<std::int64_t>(labels.size());
  const std::int64_t v = random.below(n), w = random.below(n);
  const std::int64_t of_v = labels[static_cast<std::size_t>(v)],
                     of_w = labels[static_cast<std::size_t>(w)];
  const auto replace = [&](std::int64_t label, std::int64_t by) {
    for (std::int64_t& l : labels)
      if (l == label) l = by;
  };
  switch (kind) {
    case 0:
      labels[static_cast<std::size_t>(v)] += random.below(2) == 0 ? 1 : -1;
      break;
    case 1:
      labels[static_cast<std::size_t>(v)] = of_w;
      break;
    case 2:
      labels[static_cast<std::size_t>(v)] = random.below(2) == 0 ? n + random.below(9) : -1;
      break;
    case 3:
      replace(std::max(of_v, of_w), std::min(of_v, of_w));
      break;
    case 4:  // those from v on get a label of their own
      for (std::int64_t i = v; i < n; ++i)
        if (labels[static_cast<std::size_t>(i)] == of_v) labels[static_cast<std::size_t>(i)] = v;
      break;
    case 5:
      replace(of_v, v);
      break;
    case 6:
      replace(of_v, -1);
      replace(of_w, of_v);
      replace(-1, of_w);
      break;
    default:
      labels[static_cast<std::size_t>(v)] = v;
  }
}

template <class Id>
label_array as_ids(const std::vector<std::int64_t>& labels) {
  shared_array<Id> ids(labels.size());
  for (std::size_t v = 0; v < labels.size(); ++v) ids[v] = static_cast<Id>(labels[v]);
  return ids;
}

TEST(VerifierMutations, OfComponents) {
  tally counted("verify_components");
  for (const char* kind : label_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& g, std::uint64_t seed) {
    random_numbers random(seed);
    const auto want = labels_of(g);
    for (int i = 0; i < 60; ++i) {
      const int kind = static_cast<int>(random.below(std::size(label_kinds)));
      auto labels = want;
      alter_labels(kind, labels, random);
      counted.count(label_kinds[kind], g.name, labels != want,
                    verify_components(g, g.indices.index() == 0 ? as_ids<vertex32>(labels)
                                                                : as_ids<vertex64>(labels)));
    }
  });
}

}  // namespace
}  // namespace gossamer
