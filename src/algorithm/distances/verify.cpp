// The verifiers. Numbers are compared with those of a search from each source, by lists of levels;
// depths with what arcs allow. They share no code with the engines.
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "gossamer/algorithm/distances.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

constexpr double tolerance = 1e-9;

const char* name_of(distance_kind kind) {
  switch (kind) {
    case distance_kind::reached:
      return "vertices reached";
    case distance_kind::sums:
      return "sum of distances";
    case distance_kind::closeness:
    case distance_kind::wide_closeness:
      return "closeness";
    case distance_kind::harmonic:
      return "harmonic centrality";
    case distance_kind::eccentricity:
      break;
  }
  return "eccentricity";
}

/// What a number must be, by how many vertices lie at each distance.
double value_of(distance_kind kind, const std::vector<std::int64_t>& at, std::int64_t vertices) {
  std::int64_t others = 0, sum = 0;
  double harmonic = 0;
  for (std::size_t d = 1; d < at.size(); ++d) {
    others += at[d];
    sum += at[d] * static_cast<std::int64_t>(d);
    harmonic += static_cast<double>(at[d]) / static_cast<double>(d);
  }
  const double closeness = sum == 0 ? 0 : static_cast<double>(others) / static_cast<double>(sum);
  switch (kind) {
    case distance_kind::reached:
      return static_cast<double>(others + 1);
    case distance_kind::sums:
      return static_cast<double>(sum);
    case distance_kind::closeness:
      return closeness;
    case distance_kind::wide_closeness:
      return vertices < 2
                 ? 0
                 : closeness * static_cast<double>(others) / static_cast<double>(vertices - 1);
    case distance_kind::harmonic:
      return harmonic;
    case distance_kind::eccentricity:
      break;
  }
  return static_cast<double>(at.size()) - 1;
}

template <class View>
class distance_check {
 public:
  distance_check(const graph& g, const View& rows, const std::stop_token& stop)
      : g_(g), rows_(rows), stop_(stop), met_(static_cast<std::size_t>(g.vertices()), -1) {}

  verification numbers(distance_kind kind, std::span<const std::int64_t> sources,
                       std::span<const double> values, std::int64_t samples) {
    const auto all = std::ssize(sources);
    const std::int64_t looked_at = samples <= 0 ? all : std::min(samples, all);
    for (std::int64_t i = 0; i < looked_at; ++i) {
      // All, or evenly spread.
      const auto at = static_cast<std::size_t>(i * all / looked_at);
      const double want = value_of(kind, levels_from(sources[at]), g_.vertices());
      if (std::abs(values[at] - want) <= tolerance * std::abs(want)) continue;
      return {false, std::string(name_of(kind)) + " of vertex " + name(sources[at]) + " is " +
                         text(values[at]) + ", and a search from it finds " + text(want)};
    }
    return {};
  }

  template <class Depth>
  verification depths(std::span<const std::int64_t> sources, std::span<const Depth> all) {
    const auto n = static_cast<std::size_t>(g_.vertices());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const auto found = row(sources[i], all.subspan(i * n, n));
      if (!found.ok) return found;
    }
    return {};
  }

 private:
  [[nodiscard]] std::string name(std::int64_t v) const { return std::to_string(g_.names.name(v)); }
  static std::string text(double number) {
    return number == std::floor(number) && std::abs(number) < 1e15
               ? std::to_string(static_cast<std::int64_t>(number))
               : std::to_string(number);
  }
  void look() {
    if (looked_++ % 65536 == 0 && stop_.stop_requested())
      throw cancelled_error("verify_distances: stopped");
  }

  /// Vertices at each distance.
  const std::vector<std::int64_t>& levels_from(std::int64_t source) {
    ++search_;
    level_.assign(1, source);
    met_[static_cast<std::size_t>(source)] = search_;
    at_.clear();
    while (!level_.empty()) {
      at_.push_back(std::ssize(level_));
      next_.clear();
      for (const std::int64_t u : level_) {
        look();
        for (const auto v : rows_.row(u)) {
          const auto to = static_cast<std::size_t>(v);
          if (met_[to] == search_) continue;
          met_[to] = search_;
          next_.push_back(static_cast<std::int64_t>(v));
        }
      }
      level_.swap(next_);
    }
    return at_;
  }

  template <class Depth>
  verification row(std::int64_t source, std::span<const Depth> depth) {
    const std::string of = "from " + name(source) + ": ";
    std::vector<bool> explained(depth.size());
    for (std::int64_t u = 0; u < g_.vertices(); ++u) {
      look();
      // NOLINTNEXTLINE(bugprone-signed-char-misuse,cert-str34-c): a depth, no character
      const std::int64_t d = depth[static_cast<std::size_t>(u)];
      if (d < -1 || (d == 0) != (u == source))
        return {false, of + "vertex " + name(u) + " has depth " + std::to_string(d)};
      if (d < 0) continue;
      for (const auto v : rows_.row(u)) {
        const auto to = static_cast<std::size_t>(v);
        // NOLINTNEXTLINE(bugprone-signed-char-misuse,cert-str34-c): a depth, no character
        const std::int64_t there = depth[to];
        if (there < 0 || there > d + 1)
          return {false, of + "an arc joins vertex " + name(u) + " of depth " + std::to_string(d) +
                             " and vertex " + name(static_cast<std::int64_t>(v)) + " of depth " +
                             std::to_string(there)};
        if (there == d + 1) explained[to] = true;
      }
    }
    for (std::int64_t v = 0; v < g_.vertices(); ++v)
      if (depth[static_cast<std::size_t>(v)] > 0 && !explained[static_cast<std::size_t>(v)])
        return {false, of + "vertex " + name(v) + " has depth " +
                           std::to_string(depth[static_cast<std::size_t>(v)]) +
                           ", and no arc from one of depth one less"};
    return {};
  }

  const graph& g_;
  const View& rows_;
  const std::stop_token& stop_;
  std::vector<std::int64_t> met_;  ///< the last search that met a vertex
  std::vector<std::int64_t> level_, next_, at_;
  std::int64_t search_ = -1;
  std::size_t looked_ = 0;
};

/// `check`: of a distance_check of the rows that distances follow.
template <class Check>
verification checked(const graph& g, bool inward, std::span<const std::int64_t> sources,
                     const std::stop_token& stop, const Check& check) {
  g.require_here();
  for (const std::int64_t v : sources)
    require(v >= 0 && v < g.vertices(), [&] {
      return "distances: source " + std::to_string(v) + " is no vertex: the graph has " +
             std::to_string(g.vertices());
    });
  const graph along = inward && !g.symmetric ? g.transposed(stop) : g;
  return along.visit([&]<class View>(const View& rows) {
    distance_check<View> of(g, rows, stop);
    return check(of);
  });
}

}  // namespace

verification verify_distances(const graph& g, distance_kind kind, bool inward,
                              std::span<const std::int64_t> sources, std::span<const double> values,
                              std::int64_t samples, const std::stop_token& stop) {
  if (values.size() != sources.size())
    return {false, "there are " + std::to_string(values.size()) + " numbers of " +
                       std::to_string(sources.size()) + " sources"};
  return checked(g, inward, sources, stop,
                 [&](auto& of) { return of.numbers(kind, sources, values, samples); });
}

verification verify_depths(const graph& g, bool inward, std::span<const std::int64_t> sources,
                           const depth_matrix& depths, const std::stop_token& stop) {
  return std::visit(
      [&]<class Depth>(const shared_array<Depth>& all) -> verification {
        if (std::ssize(all.span()) != std::ssize(sources) * g.vertices())
          return {false, "depths need one entry for each of the " + std::to_string(g.vertices()) +
                             " vertices from each of the " + std::to_string(sources.size()) +
                             " sources"};
        return checked(g, inward, sources, stop, [&](auto& of) {
          return of.depths(sources, std::span<const Depth>(all.data(), all.size()));
        });
      },
      depths);
}

}  // namespace gossamer
