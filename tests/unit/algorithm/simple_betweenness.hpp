// Betweenness by its definition, for small graphs: of each pair of a source and a target the share
// of paths through a vertex, or along an arc, from all distances and numbers of paths. In long
// doubles; numbers of paths stay small.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gossamer/algorithm/betweenness.hpp"

namespace gossamer::testing_graphs {

class all_paths {
 public:
  explicit all_paths(const graph& g)
      : n_(static_cast<std::size_t>(g.vertices())),
        joined_(n_, std::vector<int>(n_, 0)),
        far_(n_, std::vector<int>(n_, none)),
        paths_(n_, std::vector<long double>(n_, 0)) {
    g.visit([&](const auto& rows) {
      for (std::size_t v = 0; v < n_; ++v)
        for (const auto u : rows.row(static_cast<std::int64_t>(v)))
          if (static_cast<std::size_t>(u) != v) ++joined_[v][static_cast<std::size_t>(u)];
    });
    // Distance by distance: who is one arc behind those that are so far.
    for (std::size_t s = 0; s < n_; ++s) {
      far_[s][s] = 0;
      paths_[s][s] = 1;
      for (int d = 0, met = 1; met > 0; ++d) {
        met = 0;
        for (std::size_t v = 0; v < n_; ++v) {
          if (far_[s][v] != d) continue;
          for (std::size_t u = 0; u < n_; ++u) {
            if (joined_[v][u] == 0 || (far_[s][u] != none && far_[s][u] != d + 1)) continue;
            far_[s][u] = d + 1;
            paths_[s][u] += paths_[s][v];
            ++met;
          }
        }
      }
    }
  }

  /// Of the paths from s to t those through v.
  [[nodiscard]] long double through(std::size_t s, std::size_t t, std::size_t v) const {
    if (!reaches(s, v) || !reaches(v, t) || far_[s][v] + far_[v][t] != far_[s][t]) return 0;
    return paths_[s][v] * paths_[v][t] / paths_[s][t];
  }
  /// Of the paths from s to t those along the arc from v to u.
  [[nodiscard]] long double along(std::size_t s, std::size_t t, std::size_t v,
                                  std::size_t u) const {
    if (joined_[v][u] == 0 || !reaches(s, v) || !reaches(u, t) ||
        far_[s][v] + 1 + far_[u][t] != far_[s][t])
      return 0;
    return paths_[s][v] * paths_[u][t] / paths_[s][t];
  }
  [[nodiscard]] bool reaches(std::size_t s, std::size_t t) const { return far_[s][t] != none; }
  [[nodiscard]] int arcs_between(std::size_t v, std::size_t u) const { return joined_[v][u]; }
  [[nodiscard]] std::size_t vertices() const { return n_; }

 private:
  static constexpr int none = -1;
  std::size_t n_;
  std::vector<std::vector<int>> joined_, far_;
  std::vector<std::vector<long double>> paths_;
};

/// As betweenness() gives it. `sources` empty: all.
inline std::vector<double> betweenness_by_definition(const graph& g,
                                                     std::vector<std::int64_t> sources,
                                                     const betweenness_options& o) {
  const all_paths paths(g);
  const std::size_t n = paths.vertices();
  if (sources.empty())
    for (std::size_t v = 0; v < n; ++v) sources.push_back(static_cast<std::int64_t>(v));
  // Of so many pairs of ends as there are in all: each is worth as much as those that were left
  // out. In an undirected graph a pair is counted from both its ends.
  const auto score = [&](auto&& share, auto&& is_end) {
    long double sum = 0, pairs = 0, all = 0;
    std::vector<bool> is_source(n, false);
    for (const std::int64_t s : sources) is_source[static_cast<std::size_t>(s)] = true;
    for (std::size_t s = 0; s < n; ++s)
      for (std::size_t t = 0; t < n; ++t) {
        if (s == t || is_end(s) || is_end(t)) continue;
        ++all;
        if (!is_source[s]) continue;
        ++pairs;
        if (paths.reaches(s, t)) sum += share(s, t);
      }
    if (all == 0) return 0.0;
    if (pairs == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(o.normalized ? sum / pairs
                                            : sum * all / pairs / (g.symmetric ? 2 : 1));
  };
  std::vector<double> scores;
  if (!o.edges) {
    for (std::size_t v = 0; v < n; ++v)
      scores.push_back(score([&](std::size_t s, std::size_t t) { return paths.through(s, t, v); },
                             [&](std::size_t end) { return end == v && !o.endpoints; }));
    return scores;
  }
  g.visit([&](const auto& rows) {
    for (std::size_t v = 0; v < n; ++v)
      for (const auto to : rows.row(static_cast<std::int64_t>(v))) {
        const auto u = static_cast<std::size_t>(to);
        scores.push_back(u == v ? 0
                                : score(
                                      [&](std::size_t s, std::size_t t) {
                                        return (paths.along(s, t, v, u) +
                                                (g.symmetric ? paths.along(s, t, u, v) : 0)) /
                                               paths.arcs_between(v, u);
                                      },
                                      [](std::size_t) { return false; }));
      }
  });
  return scores;
}

inline bool same_score(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  // Beside infinity the tolerance is infinite: any number would be within it.
  return std::isfinite(a - b) && std::abs(a - b) <= 1e-11 * std::max(std::abs(a), std::abs(b));
}

}  // namespace gossamer::testing_graphs
