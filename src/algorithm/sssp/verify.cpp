// The verifier: what distances must satisfy, checked against nothing but graph and arrays.
//
// Pass 1 looks at every arc (u, v) with u reached: it must not shorten v's distance. With the
// source at 0 no distance is then larger than the true one. Pass 2 proves that none is smaller. A
// search from the source along tight arcs alone (distance(u) + weight = distance(v)) must meet
// every reached vertex, since the path it came by has just that length. Parents: each tree edge is
// among the tight arcs, and walks up the tree, each vertex walked over once, end at the source. The
// smallest ones, on request, are those that rows in ascending order meet first: along arcs from
// smaller distances, then, level by level, along those from the same distance.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/first_where.hpp"

namespace gossamer {

namespace {

constexpr const char* what = "verify_sssp";

template <class Distance>
constexpr Distance infinity() {
  using limits = std::numeric_limits<Distance>;
  return limits::has_infinity ? limits::infinity() : limits::max();
}

/// Of integers, which have 32 bits, in 64: nothing wraps. Of floats rounded to their type.
template <class Distance>
auto sum(Distance d, auto weight) {
  if constexpr (std::is_integral_v<Distance>)
    return static_cast<std::int64_t>(d) + static_cast<std::int64_t>(weight);
  else
    return static_cast<Distance>(d + weight);
}

template <class View, class Distance, class Weight>
class verifier {
 public:
  verifier(const graph& g, const View& rows, const shared_array<Weight>& weights,
           const shared_array<Distance>& distances, std::int64_t source, int threads,
           const std::stop_token& stop, parent_rule rule)
      : g_(g),
        rows_(rows),
        weights_(weights),
        d_(distances),
        source_(source),
        threads_(threads),
        stop_(stop),
        rule_(rule) {}

  verification run(std::span<const std::int64_t> parents) const {
    if (d_[at(source_)] != 0)
      return fail("the source " + name(source_) + " is at " + text(source_));
    const std::int64_t n = g_.vertices();
    const std::int64_t bad = first_where(n, threads_, stop_, what, [&](std::int64_t v) {
      if (std::is_floating_point_v<Distance> && !(d_[at(v)] >= 0)) return true;
      return reached(v) && shortened(v) >= 0;
    });
    if (bad != nowhere) {
      if (!(d_[at(bad)] >= 0)) return fail("vertex " + name(bad) + " is at " + text(bad));
      return describe(bad, rows_.indices[at(shortened(bad))]);
    }
    const auto verdict = check_tight();
    return !verdict.ok || parents.empty() ? verdict : check_tree(parents);
  }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] std::string name(std::int64_t v) const { return std::to_string(g_.names.name(v)); }
  [[nodiscard]] bool reached(std::int64_t v) const { return d_[at(v)] != infinity<Distance>(); }
  [[nodiscard]] std::string text(std::int64_t v) const {
    if (!reached(v)) return "infinity";
    std::ostringstream out;
    out.precision(std::numeric_limits<Distance>::max_digits10);
    out << d_[at(v)];
    return out.str();
  }
  static verification fail(std::string reason) { return {false, std::move(reason)}; }

  /// The first arc of u that leads to a vertex farther than the arc would bring it; -1 = none.
  [[nodiscard]] std::int64_t shortened(std::int64_t u) const {
    for (edge_offset k = rows_.offsets[at(u)]; k < rows_.offsets[at(u + 1)]; ++k) {
      const std::int64_t v = rows_.indices[at(k)];
      if (sum(d_[at(u)], weights_[at(k)]) < d_[at(v)]) return k;
    }
    return -1;
  }
  [[nodiscard]] verification describe(std::int64_t u, std::int64_t v) const {
    return fail("the arc " + name(u) + " -> " + name(v) + " would shorten the distance of " +
                name(v) + ": they are at " + text(u) + " and " + text(v));
  }

  [[nodiscard]] verification check_tight() const {
    const std::int64_t n = g_.vertices();
    std::vector<char> met(at(n), 0);
    std::vector<std::int64_t> waiting{source_};
    met[at(source_)] = 1;
    for (std::size_t looked = 0; !waiting.empty(); ++looked) {
      if (looked % 4096 == 0 && stop_.stop_requested())
        throw cancelled_error(std::string(what) + ": stopped");
      const std::int64_t u = waiting.back();
      waiting.pop_back();
      for (edge_offset k = rows_.offsets[at(u)]; k < rows_.offsets[at(u + 1)]; ++k) {
        const std::int64_t v = rows_.indices[at(k)];
        if (met[at(v)] != 0 || !reached(v) || sum(d_[at(u)], weights_[at(k)]) != d_[at(v)])
          continue;
        met[at(v)] = 1;
        waiting.push_back(v);
      }
    }
    for (std::int64_t v = 0; v < n; ++v)
      if (reached(v) && met[at(v)] == 0)
        return fail("no path from the source " + name(source_) + " to " + name(v) +
                    " has its distance, " + text(v));
    return {};
  }

  [[nodiscard]] verification check_tree(std::span<const std::int64_t> parents) const {
    const std::int64_t n = g_.vertices();
    if (static_cast<std::int64_t>(parents.size()) != n)
      return fail("parents need one entry for each of the " + std::to_string(n) + " vertices");
    if (parents[at(source_)] != source_)
      return fail("the source " + name(source_) + " is not its own parent");
    for (std::int64_t v = 0; v < n; ++v) {
      const std::int64_t u = parents[at(v)];
      if (u < -1 || u >= n) return fail("vertex " + name(v) + " has a parent that does not exist");
      if ((u >= 0) != reached(v))
        return fail("vertex " + name(v) + " has " +
                    (u < 0 ? "a distance but no parent" : "a parent but no distance"));
    }
    const verification chains = check_chains(parents, check_edges(parents));
    return chains.ok && rule_ == parent_rule::smallest ? check_smallest(parents) : chains;
  }

  /// Marks vertices whose tree edge is a tight arc.
  [[nodiscard]] std::vector<char> check_edges(std::span<const std::int64_t> parents) const {
    std::vector<char> tight(parents.size(), 0);
    for (std::int64_t u = 0; u < g_.vertices(); ++u) {
      if (!reached(u)) continue;
      for (edge_offset k = rows_.offsets[at(u)]; k < rows_.offsets[at(u + 1)]; ++k) {
        const std::int64_t v = rows_.indices[at(k)];
        if (parents[at(v)] == u && sum(d_[at(u)], weights_[at(k)]) == d_[at(v)]) tight[at(v)] = 1;
      }
    }
    return tight;
  }

  [[nodiscard]] verification check_chains(std::span<const std::int64_t> parents,
                                          const std::vector<char>& tight) const {
    std::vector<std::int64_t> walk(parents.size(), -1);  // the walk that met a vertex first
    walk[at(source_)] = source_;
    for (std::int64_t v = 0; v < g_.vertices(); ++v) {
      if (parents[at(v)] < 0 || v == source_) continue;
      if (tight[at(v)] == 0)
        return fail("the tree edge " + name(parents[at(v)]) + " -> " + name(v) +
                    " is no arc of the length that lies between them: they are at " +
                    text(parents[at(v)]) + " and " + text(v));
      std::int64_t u = v;
      for (; walk[at(u)] < 0; u = parents[at(u)]) walk[at(u)] = v;
      if (walk[at(u)] == v && u != source_)
        return fail("the parents of vertex " + name(u) + " go round in a circle");
    }
    return {};
  }

  /// f(v) for each vertex that has a tight arc from u.
  template <class F>
  void on_tight(std::int64_t u, const F& f) const {
    for (edge_offset k = rows_.offsets[at(u)]; k < rows_.offsets[at(u + 1)]; ++k) {
      const std::int64_t v = rows_.indices[at(k)];
      if (reached(v) && sum(d_[at(u)], weights_[at(k)]) == d_[at(v)]) f(v);
    }
  }

  [[nodiscard]] verification check_smallest(std::span<const std::int64_t> parents) const {
    std::vector<std::int64_t> smallest(parents.size(), -1), level, next;
    smallest[at(source_)] = source_;
    for (std::int64_t u = 0; u < g_.vertices(); ++u)
      if (reached(u))
        on_tight(u, [&](std::int64_t v) {
          if (smallest[at(v)] < 0 && d_[at(u)] < d_[at(v)]) smallest[at(v)] = u;
        });
    for (std::int64_t u = 0; u < g_.vertices(); ++u)
      if (smallest[at(u)] >= 0) level.push_back(u);
    for (; !level.empty(); level.swap(next)) {
      next.clear();
      for (const std::int64_t u : level)
        on_tight(u, [&](std::int64_t v) {
          if (smallest[at(v)] >= 0 || d_[at(u)] != d_[at(v)]) return;
          smallest[at(v)] = u;
          next.push_back(v);
        });
      std::sort(next.begin(), next.end());
    }
    for (std::int64_t v = 0; v < g_.vertices(); ++v)
      if (parents[at(v)] != smallest[at(v)])
        return fail("the parent of vertex " + name(v) + " is " + name(parents[at(v)]) + ", " +
                    name(smallest[at(v)]) + " comes first");
    return {};
  }

  const graph& g_;
  const View& rows_;
  const shared_array<Weight>& weights_;
  const shared_array<Distance>& d_;
  std::int64_t source_;
  int threads_;
  const std::stop_token& stop_;
  parent_rule rule_;
};

/// Types that belong together; anything else is a usage_error.
template <class Weight, class Distance>
constexpr bool belong = std::is_same_v<Weight, Distance> ||
                        (std::is_same_v<Weight, std::int32_t> &&
                         std::is_same_v<Distance, std::uint32_t>);

}  // namespace

verification verify_sssp(const graph& g, std::int64_t source, const distance_array& distances,
                         std::span<const std::int64_t> parents, int threads,
                         const std::stop_token& stop, parent_rule rule) {
  if (source < 0 || source >= g.vertices()) return {false, "the source does not exist"};
  threads = threads > 0 ? threads : host().cores;
  return std::visit(
      [&](const auto& d, const auto& weights) -> verification {
        using distance = std::remove_reference_t<decltype(d[0])>;
        using weights_type = std::decay_t<decltype(weights)>;
        if (static_cast<std::int64_t>(d.size()) != g.vertices())
          return {false, "distances need one entry for each of the " +
                             std::to_string(g.vertices()) + " vertices"};
        if constexpr (!std::is_same_v<weights_type, std::monostate>) {
          using weight = std::remove_reference_t<decltype(weights[0])>;
          if constexpr (belong<weight, distance>)
            return g.visit([&](const auto& rows) {
              return verifier(g, rows, weights, d, source, threads, stop, rule).run(parents);
            });
        }
        throw usage_error("verify_sssp: distances are not of the type that " + g.name +
                          "'s weights give");
      },
      distances, g.weights);
}

verification compare_distances(const graph& g, const distance_array& distances,
                               std::span<const double> expected, double tolerance) {
  return std::visit(
      [&](const auto& d) -> verification {
        using distance = std::remove_reference_t<decltype(d[0])>;
        if (d.size() != expected.size())
          return {false, "there are " + std::to_string(expected.size()) +
                             " distances to compare with, the graph has " +
                             std::to_string(d.size()) + " vertices"};
        for (std::size_t v = 0; v < d.size(); ++v) {
          const bool here = d[v] != infinity<distance>();
          const double ours = here ? static_cast<double>(d[v]) : HUGE_VAL;
          const double allowed =
              std::is_integral_v<distance> ? 0 : tolerance * std::abs(expected[v]);
          // NaN equals nothing. Not reached is plus infinity, beside which the tolerance would be
          // infinite.
          if (here ? std::isfinite(expected[v]) && std::abs(ours - expected[v]) <= allowed
                   : expected[v] == HUGE_VAL)
            continue;
          std::ostringstream text;
          text.precision(17);
          text << "vertex " << g.names.name(static_cast<std::int64_t>(v)) << " is at " << ours
               << ", expected " << expected[v];
          return {false, text.str()};
        }
        return {};
      },
      distances);
}

}  // namespace gossamer
