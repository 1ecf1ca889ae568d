// Strong components' labels, altered.
#include "gossamer/algorithm/strong_components.hpp"
#include "trials.hpp"
#include "unit/algorithm/simple_strong.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* strong_kinds[] = {"any vertex for a label",     "a label of its own",
                                        "another vertex's label",     "two components joined",
                                        "a component cut in two",     "no vertex for a label",
                                        "a component's other vertex", "the label of a neighbour"};

void alter_labels(int kind, std::vector<std::int64_t>& labels, const arc_set& arcs,
                  random_numbers& random) {
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
    default: {
      if (arcs.arcs.empty()) break;
      const auto [from, to] = arcs.arcs[static_cast<std::size_t>(
          random.below(static_cast<std::int64_t>(arcs.arcs.size())))];
      labels[static_cast<std::size_t>(from)] = labels[static_cast<std::size_t>(to)];
    }
  }
}

TEST(VerifierMutations, OfStrongComponents) {
  tally counted("verify_strong_components");
  for (const char* kind : strong_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& given, std::uint64_t seed) {
    random_numbers random(seed);
    const graph g = given.symmetric ? with_directions(given, random) : given;
    const auto want = strong_by_definition(g);
    const arc_set arcs(g);
    for (int i = 0; i < 60; ++i) {
      const int kind = static_cast<int>(random.below(std::size(strong_kinds)));
      auto labels = want;
      alter_labels(kind, labels, arcs, random);
      counted.count(strong_kinds[kind], g.name, labels != want,
                    verify_strong_components(g, to_array(labels)));
    }
  });
}

}  // namespace
}  // namespace gossamer
