// The verifier: the forest's edges join components from the first on, each smaller one under the
// larger. So every vertex is a few joins below its tree's name, each later than the one before: the
// last edge of a path in the forest is that at which the ways up of its ends meet. It shares no
// code with the engines.
#include <algorithm>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "gossamer/algorithm/spanning_forest.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

void check(const std::stop_token& stop) {
  if (stop.stop_requested()) throw cancelled_error("verify_spanning_forest: stopped");
}

class forest_check {
 public:
  forest_check(const graph& g, std::span<const std::int64_t> arcs, bool any_of_equals,
               const std::stop_token& stop)
      : g_(g), arcs_(arcs), any_of_equals_(any_of_equals), stop_(stop) {}

  verification all() {
    auto found = list_edges();
    if (!found.ok) return found;
    found = join();
    return found.ok ? compare_others() : found;
  }

 private:
  struct tree_edge {
    std::int64_t arc, from, to;
  };

  [[nodiscard]] std::int64_t column(std::int64_t arc) const {
    return std::visit(
        [&](const auto& ids) {
          return static_cast<std::int64_t>(ids[static_cast<std::size_t>(arc)]);
        },
        g_.indices);
  }

  /// Whether edge `a` comes before edge `b`.
  [[nodiscard]] bool before(std::int64_t a, std::int64_t b) const {
    return std::visit(
        [&]<class Weights>(const Weights& weights) {
          if constexpr (!std::is_same_v<Weights, std::monostate>) {
            const auto of_a = weights[static_cast<std::size_t>(a)],
                       of_b = weights[static_cast<std::size_t>(b)];
            if (of_a != of_b) return of_a < of_b;
          }
          return !any_of_equals_ && a < b;
        },
        g_.weights);
  }

  [[nodiscard]] std::string name(std::int64_t from, std::int64_t to) const {
    return std::to_string(g_.names.name(from)) + " - " + std::to_string(g_.names.name(to));
  }

  /// They are arcs, each once, from smaller to larger vertices.
  verification list_edges() {
    edges_.reserve(arcs_.size());
    std::vector<std::int64_t> sorted(arcs_.begin(), arcs_.end());
    std::sort(sorted.begin(), sorted.end());
    std::int64_t from = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (i % 4096 == 0) check(stop_);
      const std::int64_t arc = sorted[i];
      if (arc < 0 || arc >= g_.arcs())
        return {false, "the forest has the arc " + std::to_string(arc) + ", and there are " +
                           std::to_string(g_.arcs())};
      while (g_.offsets[static_cast<std::size_t>(from) + 1] <= arc) ++from;
      const std::int64_t to = column(arc);
      if (i > 0 && sorted[i - 1] == arc)
        return {false, "the edge " + name(from, to) + " is in the forest twice"};
      if (to <= from)
        return {false, "arc " + std::to_string(arc) + ", " + name(from, to) +
                           ", does not lead from a smaller vertex to a larger"};
      edges_.push_back({arc, from, to});
    }
    return {};
  }

  /// No edge joins what is one tree before it.
  verification join() {
    std::sort(edges_.begin(), edges_.end(),
              [&](const tree_edge& a, const tree_edge& b) { return before(a.arc, b.arc); });
    const auto n = static_cast<std::size_t>(g_.vertices());
    above_.resize(n);
    std::iota(above_.begin(), above_.end(), 0);
    size_.assign(n, 1);
    joined_at_.assign(n, never);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (i % 4096 == 0) check(stop_);
      auto a = top(edges_[i].from), b = top(edges_[i].to);
      if (a == b)
        return {false, "the forest's edge " + name(edges_[i].from, edges_[i].to) +
                           " closes a circle with others of it"};
      if (size_[a] < size_[b]) std::swap(a, b);
      above_[b] = a;
      size_[a] += size_[b];
      joined_at_[b] = i;
    }
    return {};
  }

  [[nodiscard]] std::size_t top(std::int64_t v) const {
    auto at = static_cast<std::size_t>(v);
    while (above_[at] != at) at = above_[at];
    return at;
  }

  /// The place of the last edge between two vertices; `never` where there is no path.
  [[nodiscard]] std::size_t last_between(std::int64_t u, std::int64_t v) const {
    auto a = static_cast<std::size_t>(u), b = static_cast<std::size_t>(v);
    std::size_t last = 0;
    while (a != b) {
      if (joined_at_[a] > joined_at_[b]) std::swap(a, b);
      last = joined_at_[a];
      if (last == never) return never;
      a = above_[a];
    }
    return last;
  }

  [[nodiscard]] verification compare_others() const {
    for (std::int64_t u = 0, looks = 0; u < g_.vertices(); ++u) {
      for (std::int64_t arc = g_.offsets[static_cast<std::size_t>(u)];
           arc < g_.offsets[static_cast<std::size_t>(u) + 1]; ++arc) {
        if (looks++ % 4096 == 0) check(stop_);
        const std::int64_t v = column(arc);
        if (v <= u) continue;
        const std::size_t last = last_between(u, v);
        if (last == never)
          return {false, "the edge " + name(u, v) + " joins two trees of the forest"};
        const tree_edge& most = edges_[last];
        if (arc != most.arc && before(arc, most.arc))
          return {false, "the edge " + name(u, v) + " comes before " + name(most.from, most.to) +
                             ", which is in the forest in its place"};
      }
    }
    return {};
  }

  static constexpr std::size_t never = static_cast<std::size_t>(-1);

  const graph& g_;
  const std::span<const std::int64_t> arcs_;
  const bool any_of_equals_;
  const std::stop_token& stop_;
  std::vector<tree_edge> edges_;
  std::vector<std::size_t> above_, size_, joined_at_;
};

}  // namespace

verification verify_spanning_forest(const graph& g, const shared_array<std::int64_t>& arcs,
                                    bool any_of_equals, const std::stop_token& stop) {
  g.require_here();
  require(g.symmetric, "verify_spanning_forest: " + g.name + " is directed");
  check(stop);
  return forest_check(g, arcs.span(), any_of_equals, stop).all();
}

}  // namespace gossamer
