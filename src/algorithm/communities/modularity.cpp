// Modularity of any labels: arcs within labels by vertex, then labels' weights, in one order.
#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithm/layouts/arc_weights.hpp"
#include "gossamer/algorithm/communities.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer {

namespace {

constexpr std::int64_t vertices_a_piece = 1024;

/// By a piece of the vertices.
template <class Sum>
struct piece_sums {
  Sum all{}, within{};
};

/// `weight(arc)`. Sums of integers are exact; those of doubles are made by piece, in order.
template <class Sum, class View, class Labels, class Weight>
double modularity_of(const View& rows, const Labels& labels, double resolution, int threads,
                     const std::stop_token& stop, const Weight& weight) {
  const std::int64_t n = rows.vertices();
  const std::int64_t pieces = (n + vertices_a_piece - 1) / vertices_a_piece;
  auto strengths = make_array<Sum>(static_cast<std::size_t>(n));
  std::vector<piece_sums<Sum>> sums(static_cast<std::size_t>(pieces));
  for_pieces(cpu_team{threads}, n, vertices_a_piece, [&](std::int64_t first, std::int64_t last) {
    if (stop.stop_requested()) return;
    piece_sums<Sum> mine;
    for (std::int64_t v = first; v < last; ++v) {
      Sum strength{};
      const auto own = labels[static_cast<std::size_t>(v)];
      for (std::int64_t arc = rows.offsets[v]; arc < rows.offsets[v + 1]; ++arc) {
        const auto u = static_cast<std::int64_t>(rows.indices[arc]);
        const Sum w = u == v ? 2 * static_cast<Sum>(weight(arc)) : static_cast<Sum>(weight(arc));
        strength += w;
        mine.within += labels[static_cast<std::size_t>(u)] == own ? w : Sum{};
      }
      strengths[static_cast<std::size_t>(v)] = strength;
      mine.all += strength;
    }
    sums[static_cast<std::size_t>(first / vertices_a_piece)] = mine;
  });
  if (stop.stop_requested()) throw cancelled_error("modularity: stopped");
  piece_sums<Sum> total;
  for (const auto& of : sums) {
    total.all += of.all;
    total.within += of.within;
  }
  if (!(total.all > 0)) return 0;
  auto of_label = make_array<Sum>(static_cast<std::size_t>(n));
  std::fill_n(of_label.data(), of_label.size(), Sum{});
  for (std::int64_t v = 0; v < n; ++v)
    of_label[static_cast<std::size_t>(labels[static_cast<std::size_t>(v)])] +=
        strengths[static_cast<std::size_t>(v)];
  const auto all = static_cast<double>(total.all);
  double expected = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    const double share = static_cast<double>(of_label[static_cast<std::size_t>(v)]) / all;
    expected += share * share;
  }
  return static_cast<double>(total.within) / all - resolution * expected;
}

}  // namespace

double modularity(const graph& g, const label_array& labels, double resolution, int threads,
                  const std::stop_token& stop) {
  g.require_here();
  require(g.symmetric, "modularity: " + g.name +
                           " is directed, and this is of undirected graphs: make it one "
                           "(--symmetrize, rebuild(symmetrize=True))");
  require(resolution >= 0 && std::isfinite(resolution),
          "modularity: resolution is negative or not finite");
  if (threads <= 0) threads = host().cores;
  if (!std::holds_alternative<std::monostate>(g.weights))
    algorithm_detail::check_weights(g, "modularity needs", stop);
  const std::int64_t n = g.vertices();
  return std::visit(
      [&](const auto& of) {
        require(std::ssize(of.span()) == n, "modularity: labels need one entry for each of the " +
                                                std::to_string(n) + " vertices");
        for (std::int64_t v = 0; v < n; ++v) {
          const auto label = static_cast<std::int64_t>(of[static_cast<std::size_t>(v)]);
          if (label < 0 || label >= n)
            throw usage_error("modularity: vertex " + std::to_string(g.names.name(v)) +
                              " has the label " + std::to_string(label) +
                              ", and labels are below " + std::to_string(n));
        }
        return g.visit([&](const auto& rows) {
          return std::visit(
              [&]<class Weights>(const Weights& weights) {
                const auto weight = [&](std::int64_t arc) {
                  if constexpr (std::is_same_v<Weights, std::monostate>)
                    return 1;
                  else
                    return weights[static_cast<std::size_t>(arc)];
                };
                using whole = std::is_integral<decltype(weight(0))>;
                using sum = std::conditional_t<whole::value, std::int64_t, double>;
                return modularity_of<sum>(rows, of, resolution, threads, stop, weight);
              },
              g.weights);
        });
      },
      labels);
}

}  // namespace gossamer
