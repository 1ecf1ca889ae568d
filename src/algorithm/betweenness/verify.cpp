// The verifier: a queue from each source, with lists of predecessors, whose shares of a vertex's
// paths are kept with it; what is between adds up from the queue's end. It shares no code with the
// engines.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "gossamer/algorithm/betweenness.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer {

namespace {

/// A positive number: fraction * 2^exponent, the fraction at least 1/2 and below 1.
struct big_count {
  long double fraction = 0;
  std::int64_t exponent = 0;

  void add(const big_count& other) {
    if (fraction == 0) {
      *this = other;
      return;
    }
    const std::int64_t high = std::max(exponent, other.exponent);
    int moved = 0;
    fraction = std::frexp(lowered(high) + other.lowered(high), &moved);
    exponent = high + moved;
  }
  /// Of this in `all`, which is no less.
  [[nodiscard]] long double share_in(const big_count& all) const {
    return lowered(all.exponent) / all.fraction;
  }

 private:
  [[nodiscard]] long double lowered(std::int64_t to) const {
    return to - exponent > 200 ? 0 : std::ldexp(fraction, static_cast<int>(exponent - to));
  }
};

/// Neighbours of each vertex, ascending, each once, without itself.
struct neighbours {
  std::vector<std::int64_t> begin{0};
  std::vector<std::int64_t> to;

  explicit neighbours(const graph& g, const std::stop_token& stop) {
    begin.reserve(static_cast<std::size_t>(g.vertices()) + 1);
    to.reserve(static_cast<std::size_t>(g.arcs()));
    g.visit([&](const auto& rows) {
      for (std::int64_t v = 0; v < rows.vertices(); ++v) {
        if (v % 4096 == 0 && stop.stop_requested())
          throw cancelled_error("verify_betweenness: stopped");
        for (const auto u : rows.row(v))
          if (static_cast<std::int64_t>(u) != v) to.push_back(static_cast<std::int64_t>(u));
        std::sort(to.begin() + begin.back(), to.end());
        to.erase(std::unique(to.begin() + begin.back(), to.end()), to.end());
        begin.push_back(std::ssize(to));
      }
    });
  }
  [[nodiscard]] std::int64_t vertices() const { return std::ssize(begin) - 1; }
  [[nodiscard]] std::int64_t arc(std::int64_t from, std::int64_t u) const {
    return std::lower_bound(to.begin() + begin[static_cast<std::size_t>(from)],
                            to.begin() + begin[static_cast<std::size_t>(from) + 1], u) -
           to.begin();
  }
};

/// What a thread has found, and works with.
class between {
 public:
  void from(const neighbours& of, std::int64_t source, bool edges, bool endpoints) {
    const auto n = static_cast<std::size_t>(of.vertices());
    sums.resize(edges ? of.to.size() : n);
    depth_.resize(n, -1);
    paths_.resize(n);
    inside_.resize(n);
    queue_.assign(1, source);
    depth_[index(source)] = 0;
    paths_[index(source)] = {0.5L, 1};
    links_.clear();
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const std::int64_t v = queue_[head];
      for (std::int64_t k = of.begin[index(v)]; k < of.begin[index(v) + 1]; ++k) {
        const std::int64_t u = of.to[index(k)];
        if (depth_[index(u)] < 0) {
          depth_[index(u)] = depth_[index(v)] + 1;
          queue_.push_back(u);
        }
        if (depth_[index(u)] != depth_[index(v)] + 1) continue;
        paths_[index(u)].add(paths_[index(v)]);
        links_.push_back({v, u, k});
      }
    }
    // Links were found by the level of their first ends: from the last on, their second ends have
    // all that comes from behind them.
    std::reverse(links_.begin(), links_.end());
    for (const link& l : links_) {
      const long double flow =
          (1 + inside_[index(l.to)]) * paths_[index(l.from)].share_in(paths_[index(l.to)]);
      inside_[index(l.from)] += flow;
      if (edges) sums[index(l.arc)] += static_cast<double>(flow);
    }
    for (const std::int64_t v : queue_) {
      if (!edges && v != source)
        sums[index(v)] += static_cast<double>(inside_[index(v)]) + (endpoints ? 1 : 0);
      depth_[index(v)] = -1;
      paths_[index(v)] = {};
      inside_[index(v)] = 0;
    }
    if (endpoints) sums[index(source)] += static_cast<double>(queue_.size() - 1);
  }
  void operator+=(const between& other) {
    sums.resize(std::max(sums.size(), other.sums.size()));
    for (std::size_t i = 0; i < other.sums.size(); ++i) sums[i] += other.sums[i];
  }

  std::vector<double> sums;  ///< by vertex, or by arc of the neighbours

 private:
  struct link {
    std::int64_t from, to, arc;
  };
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  std::vector<std::int64_t> depth_, queue_;
  std::vector<big_count> paths_;
  std::vector<long double> inside_;  ///< what is between the source and others
  std::vector<link> links_;
};

std::string differ(const std::string& what, double given, double found) {
  std::ostringstream text;
  text.precision(12);
  text << "the betweenness of " << what << " is given as " << given
       << ", and searches from all sources find " << found;
  return text.str();
}

bool equal(double given, double found) {
  if (std::isnan(given) || std::isnan(found)) return std::isnan(given) && std::isnan(found);
  // Beside infinity the tolerance is infinite: any number would be within it.
  return std::isfinite(given) &&
         std::abs(given - found) <= 1e-9 * std::max(std::abs(given), std::abs(found));
}

/// What one path of a pair is worth, of `pairs` sources and as many targets as may be.
double worth(const graph& g, const betweenness_options& o, double pairs, double targets) {
  const double ordered = pairs * (targets - 1);
  if (targets < 2) return 1;
  if (o.normalized) return 1 / ordered;
  return targets * (targets - 1) / ordered / (g.symmetric ? 2 : 1);
}

verification check_vertices(const graph& g, std::span<const double> scores,
                            std::span<const std::int64_t> sources, const betweenness_options& o,
                            const between& found) {
  const auto n = static_cast<double>(g.vertices());
  std::vector<bool> is_source(scores.size(), sources.empty());
  for (const std::int64_t v : sources) is_source[static_cast<std::size_t>(v)] = true;
  const double searches = sources.empty() ? n : static_cast<double>(sources.size());
  for (std::size_t v = 0; v < scores.size(); ++v) {
    // Sources beside the vertex itself, which is none of its pairs' ends.
    const double others = searches - (is_source[v] && !o.endpoints ? 1 : 0);
    const double sum = found.sums.empty() ? 0 : found.sums[v];
    const double score = sum * worth(g, o, others, o.endpoints ? n : n - 1);
    if (!equal(scores[v], score))
      return {false, differ("vertex " + std::to_string(g.names.name(static_cast<std::int64_t>(v))),
                            scores[v], score)};
  }
  return {};
}

verification check_arcs(const graph& g, std::span<const double> scores, double searches,
                        const betweenness_options& o, const neighbours& of, const between& found) {
  const double one = worth(g, o, searches, static_cast<double>(g.vertices()));
  return g.visit([&](const auto& rows) -> verification {
    for (std::int64_t v = 0; v < rows.vertices(); ++v) {
      const auto row = rows.row(v);
      for (std::size_t i = 0; i < row.size(); ++i) {
        const auto u = static_cast<std::int64_t>(row[i]);
        double score = 0;
        if (u != v) {
          score = found.sums[static_cast<std::size_t>(of.arc(v, u))];
          if (g.symmetric) score += found.sums[static_cast<std::size_t>(of.arc(u, v))];
          if (g.sorted) {
            const auto [first, last] = std::equal_range(row.begin(), row.end(), row[i]);
            score *= one / static_cast<double>(last - first);
          } else {
            score *= one / static_cast<double>(std::count(row.begin(), row.end(), row[i]));
          }
        }
        const double given = scores[static_cast<std::size_t>(rows.offsets[v]) + i];
        if (!equal(given, score))
          return {false, differ("the arc " + std::to_string(g.names.name(v)) + " - " +
                                    std::to_string(g.names.name(u)),
                                given, score)};
      }
    }
    return {};
  });
}

}  // namespace

verification verify_betweenness(const graph& g, const betweenness_array& scores,
                                std::span<const std::int64_t> sources,
                                const betweenness_options& options, const std::stop_token& stop) {
  g.require_here();
  const auto given = std::get<0>(scores).span();
  const std::int64_t n = g.vertices(), expected = options.edges ? g.arcs() : n;
  if (std::ssize(given) != expected)
    return {false, "scores need one entry for each of the " + std::to_string(expected) +
                       (options.edges ? " arcs" : " vertices")};
  for (const std::int64_t v : sources)
    require(v >= 0 && v < n, [&] {
      return "verify_betweenness: there is no vertex with index " + std::to_string(v);
    });
  const neighbours of(g, stop);
  const std::int64_t searches = sources.empty() ? n : std::ssize(sources);
  between found = sum_pieces<between>(
      cpu_team{host().cores}, searches, 1,
      [&](std::int64_t first, std::int64_t last, between& mine) {
        for (std::int64_t i = first; i < last && !stop.stop_requested(); ++i)
          mine.from(of, sources.empty() ? i : sources[static_cast<std::size_t>(i)], options.edges,
                    options.endpoints);
      });
  if (stop.stop_requested()) throw cancelled_error("verify_betweenness: stopped");
  if (!options.edges) return check_vertices(g, given, sources, options, found);
  found.sums.resize(of.to.size());
  return check_arcs(g, given, static_cast<double>(searches), options, of, found);
}

}  // namespace gossamer
