// The verifier: the simple graph with both directions of every edge, and for each edge the shorter
// row of its ends searched for in the longer. It shares no code with the engines.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <sstream>
#include <vector>

#include "gossamer/algorithm/triangles.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer {

namespace {

/// What one arc says: where it leads, whether it does so backwards, and its weight.
struct arc {
  std::int64_t to;
  bool back;
  double weight;
  bool operator<(const arc& other) const {
    if (to != other.to) return to < other.to;
    return back != other.back ? !back : weight < other.weight;
  }
};

double weight_at(const graph& g, bool weighted, edge_offset at) {
  if (!weighted) return 1;
  return std::visit(
      [&]<class Weights>(const Weights& w) -> double {
        if constexpr (std::is_same_v<Weights, std::monostate>)
          return 1;
        else
          return static_cast<double>(w[static_cast<std::size_t>(at)]);
      },
      g.weights);
}

void check(const std::stop_token& stop) {
  if (stop.stop_requested()) throw cancelled_error("verify_triangles: stopped");
}

/// Every vertex's neighbours, ascending, and what the edges to them are worth.
template <class Sum>
class simple_graph {
 public:
  simple_graph(const graph& g, bool weighted, const std::stop_token& stop) {
    const graph reversed = g.symmetric ? graph() : g.transposed(stop);
    double largest = 1;
    if (weighted) {
      largest = 0;
      for (edge_offset k = 0; k < g.arcs(); ++k) largest = std::max(largest, weight_at(g, true, k));
    }
    const auto root = [&](double weight) { return largest > 0 ? std::cbrt(weight / largest) : 0; };
    std::vector<arc> arcs;
    const auto collect = [&](const graph& of, std::int64_t v, bool back) {
      of.visit([&](const auto& rows) {
        for (edge_offset k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k)
          arcs.push_back(
              {static_cast<std::int64_t>(rows.indices[k]), back, weight_at(of, weighted, k)});
      });
    };
    for (std::int64_t v = 0; v < g.vertices(); ++v) {
      if (v % 4096 == 0) check(stop);
      arcs.clear();
      collect(g, v, false);
      if (!g.symmetric) collect(reversed, v, true);
      std::sort(arcs.begin(), arcs.end());
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        const arc& a = arcs[i];
        if (a.to == v) continue;
        const bool again = i > 0 && arcs[i - 1].to == a.to;
        if (again && arcs[i - 1].back == a.back) continue;  // parallel
        const auto worth = static_cast<Sum>(weighted ? root(a.weight) : 1);
        if (again) {
          worths_.back() += worth;
        } else {
          ids_.push_back(a.to);
          worths_.push_back(worth);
        }
      }
      offsets_.push_back(std::ssize(ids_));
    }
  }

  /// Adds to both ends of v's edges to larger vertices what triangles with them are worth. All
  /// vertices' edges together give each vertex twice its own.
  void add_edges(std::int64_t v, std::vector<Sum>& twice) const {
    for (edge_offset k = offsets_[v]; k < offsets_[v + 1]; ++k) {
      if (ids_[k] < v) continue;
      const Sum sum = worths_[k] * shared(v, ids_[k]);
      if (sum == Sum{}) continue;
      for (const std::int64_t end : {v, ids_[k]})
        std::atomic_ref(twice[static_cast<std::size_t>(end)]).fetch_add(sum, relaxed);
    }
  }

 private:
  static constexpr auto relaxed = std::memory_order_relaxed;

  /// What third vertices add that are neighbours of both.
  [[nodiscard]] Sum shared(std::int64_t u, std::int64_t v) const {
    if (offsets_[u + 1] - offsets_[u] > offsets_[v + 1] - offsets_[v]) std::swap(u, v);
    const auto begin = ids_.begin() + offsets_[v], end = ids_.begin() + offsets_[v + 1];
    Sum sum{};
    auto from = begin;
    for (edge_offset k = offsets_[u]; k < offsets_[u + 1] && from != end; ++k) {
      from = std::lower_bound(from, end, ids_[k]);
      if (from != end && *from == ids_[k])
        sum += worths_[k] * worths_[static_cast<std::size_t>(from - ids_.begin())];
    }
    return sum;
  }

  std::vector<edge_offset> offsets_{0};
  std::vector<std::int64_t> ids_;
  std::vector<Sum> worths_;
};

template <class Sum>
bool differs(Sum found, Sum given) {
  // Beside infinity the tolerance is infinite: any number would be within it.
  if constexpr (std::is_same_v<Sum, double>)
    return !std::isfinite(given) ||
           !(std::abs(found - given) <= 1e-9 * std::max(std::abs(found), std::abs(given)));
  else
    return found != given;
}

template <class Sum>
verification compare(const graph& g, const shared_array<Sum>& counts, bool weighted,
                     const std::stop_token& stop) {
  const std::int64_t n = g.vertices();
  if (std::ssize(counts.span()) != n)
    return {false, "counts need one entry for each of the " + std::to_string(n) + " vertices"};
  const simple_graph<Sum> simple(g, weighted, stop);
  std::vector<Sum> twice(static_cast<std::size_t>(n));
  for_pieces(cpu_team{host().cores}, n, 64, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t v = first; v < last && !stop.stop_requested(); ++v)
      simple.add_edges(v, twice);
  });
  check(stop);
  for (std::size_t v = 0; v < twice.size(); ++v) {
    // Half of what was found: twice what is given may pass a number's range.
    if (!differs(twice[v] / 2, counts[v])) continue;
    std::ostringstream text;
    text << "the triangles of vertex " << g.names.name(static_cast<std::int64_t>(v))
         << " are given as " << counts[v] << ", and its edges find " << twice[v] / 2;
    return {false, text.str()};
  }
  return {};
}

}  // namespace

verification verify_triangles(const graph& g, const triangle_counts& counts, bool weighted,
                              const std::stop_token& stop) {
  g.require_here();
  require(!weighted || g.weighted(),
          "verify_triangles: " + g.name + " has no weights for triangles to be worth");
  if (std::holds_alternative<shared_array<double>>(counts))
    return compare(g, std::get<shared_array<double>>(counts), weighted, stop);
  require(!weighted, "verify_triangles: counts by weights are numbers of double precision");
  return compare(g, std::get<shared_array<std::int64_t>>(counts), false, stop);
}

}  // namespace gossamer
