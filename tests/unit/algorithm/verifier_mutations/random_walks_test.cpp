// Random walks, altered.
#include "gossamer/algorithm/random_walks.hpp"
#include "trials.hpp"
#include "unit/algorithm/simple_random_walks.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* walk_kinds[] = {"another vertex",   "another arc",   "an end",
                                      "on after its end", "another walk",  "two swapped",
                                      "another seed",     "other p and q", "weights the other way",
                                      "one step late",    "another source"};

void alter_walks(int kind, walk_list& walks, const walk_list& others, const arc_set& arcs,
                 std::int64_t vertices, random_numbers& random) {
  auto& walk = walks[static_cast<std::size_t>(random.below(std::ssize(walks)))];
  auto& other = walks[static_cast<std::size_t>(random.below(std::ssize(walks)))];
  const auto s = static_cast<std::size_t>(1 + random.below(std::ssize(walk) - 1));
  switch (kind) {
    case 0:
      walk[s] = random.below(vertices);
      break;
    case 1: {
      std::vector<std::int64_t> to;
      for (const auto& [u, v] : arcs.arcs)
        if (u == walk[s - 1]) to.push_back(v);
      if (!to.empty()) walk[s] = to[static_cast<std::size_t>(random.below(std::ssize(to)))];
      break;
    }
    case 2:
      std::fill(walk.begin() + static_cast<std::ptrdiff_t>(s), walk.end(), -1);
      break;
    case 3:
      if (walk.back() < 0) walk.back() = random.below(vertices);
      break;
    case 4:
      walk = std::vector<std::int64_t>(other);
      break;
    case 5:
      std::swap(walk, other);
      break;
    case 9:
      walk.insert(walk.begin(), walk.front());
      walk.pop_back();
      break;
    case 10:
      walk[0] = random.below(vertices);
      break;
    default:
      walks = others;
  }
}

TEST(VerifierMutations, OfRandomWalks) {
  tally counted("verify_random_walks");
  for (const char* kind : walk_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& g, std::uint64_t seed) {
    random_numbers random(seed);
    if (g.vertices() > 200) return;
    const arc_set arcs(g);
    random_walks_options o;
    o.length = 1 + random.below(8);
    o.walks = 1 + random.below(2);
    o.seed = static_cast<std::int64_t>(seed);
    o.weighted = g.weighted() && random.below(2) == 0;
    constexpr double values[] = {1, 1, 0.5, 4, 1e-9, 1e9};
    o.p = values[random.below(6)];
    o.q = values[random.below(6)];
    std::vector<std::int64_t> sources;
    for (int i = 0; i < 4; ++i) sources.push_back(random.below(g.vertices()));
    const auto want = walks_by_definition(g, o).from(sources);
    for (int i = 0; i < 12; ++i) {
      const int kind = static_cast<int>(random.below(std::size(walk_kinds)));
      auto other = o;
      if (kind == 6) ++other.seed;
      if (kind == 7) other.p = other.q = 0.3;
      if (kind == 8) other.weighted = g.weighted() && !o.weighted;
      auto walks = want;
      alter_walks(kind, walks,
                  kind >= 6 && kind <= 8 ? walks_by_definition(g, other).from(sources) : want, arcs,
                  g.vertices(), random);
      shared_array<std::int32_t> given(walks.size() * walks[0].size());
      auto* to = given.data();
      for (const auto& walk : walks)
        for (const std::int64_t v : walk) *to++ = static_cast<std::int32_t>(v);
      counted.count(walk_kinds[kind], g.name, walks != want,
                    verify_random_walks(g, given, sources, o));
    }
  });
}

}  // namespace
}  // namespace gossamer
