// The verifier: modularity from edges, each once, and from degrees, community by community; and a
// search within each. It shares no code with the engines, nor with modularity().
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "gossamer/algorithm/communities.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

/// A sum that loses next to nothing (Neumaier, ZAMM 54, 1974).
class exact_sum {
 public:
  void operator+=(double value) {
    const double next = all_ + value;
    lost_ += std::abs(all_) >= std::abs(value) ? (all_ - next) + value : (value - next) + all_;
    all_ = next;
  }
  [[nodiscard]] double value() const { return all_ + lost_; }

 private:
  double all_ = 0, lost_ = 0;
};

template <class View, class Labels>
class communities_check {
 public:
  communities_check(const graph& g, const View& rows, const Labels& labels,
                    const std::stop_token& stop)
      : g_(g), rows_(rows), labels_(labels), stop_(stop) {}

  verification all(const claimed_communities& claimed) {
    auto found = check_labels();
    if (found.ok) found = check_modularity(claimed);
    if (found.ok && claimed.connected) found = check_connected();
    return found;
  }

 private:
  [[nodiscard]] std::int64_t label(std::int64_t v) const {
    return static_cast<std::int64_t>(labels_[static_cast<std::size_t>(v)]);
  }
  [[nodiscard]] std::string name(std::int64_t v) const { return std::to_string(g_.names.name(v)); }
  void look() {
    if (++looks_ % 65536 == 0 && stop_.stop_requested())
      throw cancelled_error("verify_communities: stopped");
  }

  /// The smallest vertex of a label comes first, and has its own.
  verification check_labels() {
    const std::int64_t n = rows_.vertices();
    if (std::ssize(labels_.span()) != n)
      return {false, "labels need one entry for each of the " + std::to_string(n) + " vertices"};
    for (std::int64_t v = 0; v < n; ++v) {
      look();
      if (label(v) < 0 || label(v) > v || label(label(v)) != label(v))
        return {false, "vertex " + name(v) + " has the label " + std::to_string(label(v)) +
                           ", which is not the smallest vertex with it"};
    }
    return {};
  }

  [[nodiscard]] double weight(std::int64_t arc) const {
    return std::visit(
        [&]<class Weights>(const Weights& weights) -> double {
          if constexpr (std::is_same_v<Weights, std::monostate>)
            return 1;
          else
            return static_cast<double>(weights[static_cast<std::size_t>(arc)]);
        },
        g_.weights);
  }

  verification check_modularity(const claimed_communities& claimed) {
    const auto n = static_cast<std::size_t>(rows_.vertices());
    std::vector<exact_sum> degree(n);
    exact_sum edges, inner;
    for (std::int64_t u = 0; u < rows_.vertices(); ++u)
      for (std::int64_t arc = rows_.offsets[u]; arc < rows_.offsets[u + 1]; ++arc) {
        look();
        const auto v = static_cast<std::int64_t>(rows_.indices[arc]);
        if (v < u) continue;
        const double w = weight(arc);
        edges += w;
        if (label(u) == label(v)) inner += w;
        degree[static_cast<std::size_t>(label(u))] += w;
        degree[static_cast<std::size_t>(label(v))] += w;
      }
    const double m = edges.value();
    exact_sum q;
    if (m > 0) {
      q += inner.value() / m;
      for (const exact_sum& of : degree) {
        look();
        const double d = of.value() / (2 * m);
        q += -claimed.resolution * d * d;
      }
    }
    if (std::abs(q.value() - claimed.modularity) <= 1e-11) return {};
    std::ostringstream text;
    text.precision(15);
    text << "the modularity is " << q.value() << ", not " << claimed.modularity;
    return {false, text.str()};
  }

  /// From each label's vertex all that have it are met.
  verification check_connected() {
    std::vector<char> met(static_cast<std::size_t>(rows_.vertices()), 0);
    std::vector<std::int64_t> queue;
    for (std::int64_t v = 0; v < rows_.vertices(); ++v) {
      if (label(v) != v) {
        // Its label is smaller, and was searched from.
        if (met[static_cast<std::size_t>(v)] == 0)
          return {false, "vertex " + name(v) + " is not connected to " + name(label(v)) +
                             " within their community"};
        continue;
      }
      queue.assign(1, v);
      met[static_cast<std::size_t>(v)] = 1;
      while (!queue.empty()) {
        const std::int64_t u = queue.back();
        queue.pop_back();
        for (const auto to : rows_.row(u)) {
          look();
          if (label(to) != v || met[static_cast<std::size_t>(to)] != 0) continue;
          met[static_cast<std::size_t>(to)] = 1;
          queue.push_back(to);
        }
      }
    }
    return {};
  }

  const graph& g_;
  const View& rows_;
  const Labels& labels_;
  const std::stop_token& stop_;
  std::size_t looks_ = 0;
};

}  // namespace

verification verify_communities(const graph& g, const label_array& labels,
                                const claimed_communities& claimed, const std::stop_token& stop) {
  g.require_here();
  require(g.symmetric, "verify_communities: " + g.name + " is directed");
  if (stop.stop_requested()) throw cancelled_error("verify_communities: stopped");
  return g.visit([&](const auto& rows) {
    return std::visit(
        [&](const auto& of) { return communities_check(g, rows, of, stop).all(claimed); }, labels);
  });
}

}  // namespace gossamer
