// Bounded searches by one thread, which mark vertices in a small table: marks of all vertices would
// take longer to clear than the sample takes.
#include "algorithm/layouts/growth_facts.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gossamer/graph/random.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::algorithm_detail {

namespace {

constexpr std::int64_t most_vertices = 2048, most_looks = 16384;

/// Distinct vertices, at most `most_vertices`.
class vertex_table {
 public:
  /// Whether it was not there.
  bool insert(std::int64_t v) {
    auto at = (static_cast<std::uint64_t>(v) * 0x9e3779b97f4a7c15u) >> 51;
    for (; slots_[at] != v; at = (at + 1) % slots_.size()) {
      if (slots_[at] >= 0) continue;
      slots_[at] = v;
      return true;
    }
    return false;
  }

 private:
  std::vector<std::int64_t> slots_ = std::vector<std::int64_t>(std::size_t{1} << 13, -1);
};

template <class Id>
grown_ball grow(const csr_view<Id>& rows, std::int64_t source) {
  vertex_table seen;
  seen.insert(source);
  std::vector<std::int64_t> order{source};
  grown_ball ball{{1}};
  std::int64_t looks = 0;
  for (std::size_t first = 0; first < order.size();) {
    const std::size_t end = order.size();
    for (; first < end; ++first)
      for (const Id next : rows.row(order[first])) {
        if (seen.insert(next)) order.push_back(next);
        if (++looks < most_looks && std::ssize(order) < most_vertices) continue;
        ball.within.push_back(std::ssize(order));
        return ball;
      }
    ball.within.push_back(std::ssize(order));
  }
  ball.within.pop_back();  // the last level found none
  ball.whole = true;
  return ball;
}

/// The distance within which there are `count` vertices, between levels in proportion.
double distance_of(const grown_ball& ball, double count) {
  const auto& within = ball.within;
  std::size_t d = 0;
  while (static_cast<double>(within[d]) < count) ++d;
  if (d == 0) return 0;
  const auto before = static_cast<double>(within[d - 1]);
  return static_cast<double>(d) - 1 + (count - before) / (static_cast<double>(within[d]) - before);
}

}  // namespace

double levels_of(const grown_ball& ball, std::int64_t vertices) {
  const auto far = static_cast<double>(ball.within.size() - 1);
  if (ball.whole) return far + 1;
  const auto n = static_cast<double>(vertices), r = static_cast<double>(ball.within.back());
  // Self-loops alone may end a sample at its first vertex.
  const double multiplied = far * std::log(n) / std::log(std::max(r, 2.0)) + 1;
  if (far <= 5) return multiplied;
  const double half = distance_of(ball, r / 2), quarter = distance_of(ball, r / 4);
  const double late = r / 2 / (far - half), early = r / 4 / (half - quarter);
  const double middle = (far + half) / 2;
  double power = 1 + std::log(late / early) / std::log(2 * middle / (half + quarter));
  if (power > 4) return multiplied;
  power = std::max(power, 1.0);
  const double last = late * std::pow(far / middle, power - 1);
  const double all = far * std::pow(1 + (n - r) * power / (last * far), 1 / power);
  // A ball is centred, and a search ends at the farthest border.
  return (power < 1.5 ? 1.5 : 2) * all + 1;
}

growth_facts sample_growth(const graph& g) {
  constexpr std::size_t samples = 3;
  constexpr std::uint64_t tries = 64;  // for vertices that have arcs
  const auto random = counter_random::of(1, 0x67726f77);
  const auto n = static_cast<std::uint64_t>(g.vertices());
  std::vector<growth_facts> found;
  for (std::uint64_t i = 0; i < tries && n > 0 && found.size() < samples; ++i) {
    const auto source = static_cast<std::int64_t>(random(i) % n);
    if (g.degree(source) == 0) continue;
    const grown_ball ball = g.visit([&](const auto& rows) { return grow(rows, source); });
    found.push_back({levels_of(ball, g.vertices()),
                     static_cast<double>(ball.whole ? ball.within.back() : g.vertices())});
  }
  if (found.empty()) return {};
  std::ranges::sort(found, {}, &growth_facts::levels);
  return found[found.size() / 2];
}

growth_facts growth_of(const graph& g) {
  graph rows = g;
  rows.weights = {};
  return *kept::of_graph<growth_facts>(rows, "growth", [](const graph& bare) {
    return std::make_shared<growth_facts>(sample_growth(bare));
  });
}

}  // namespace gossamer::algorithm_detail
