// The verifier: Graph500's rules, checked against nothing but the graph and the two arrays.
//
// Pass 1 looks at every vertex: the source is its own parent at depth 0, and nobody else is at
// depth 0; parents and depths are there together; depth(v) = depth(parent(v)) + 1. The last makes
// the parents a tree without looking for cycles: depths fall by one along every chain of parents,
// so it ends, and it can end only at depth 0, at the source. Pass 2 looks at every arc (u, v) with
// u reached: v is reached, at most one level deeper; and every tree edge is met among the arcs.
// With that the tree covers exactly what the source reaches. Depths are copied into bytes when they
// fit, so that the random access of pass 2 stays in the cache. Pass 3, on request, compares with
// each vertex's smallest parent: rows are met in ascending order, so that the first arc from one
// level above comes from it.
#include <algorithm>
#include <limits>
#include <stop_token>
#include <vector>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/first_where.hpp"

namespace gossamer {

namespace {

constexpr const char* what = "verify_bfs";

class verifier {
 public:
  verifier(const graph& g, std::int64_t source, std::span<const std::int64_t> parents,
           std::span<const std::int32_t> depths, int threads, const std::stop_token& stop,
           parent_rule rule)
      : g_(g),
        source_(source),
        parents_(parents),
        depths_(depths),
        threads_(threads),
        stop_(stop),
        rule_(rule) {}

  verification run() const {
    const std::int64_t n = g_.vertices();
    if (source_ < 0 || source_ >= n) return fail("the source does not exist");
    if (static_cast<std::int64_t>(parents_.size()) != n ||
        static_cast<std::int64_t>(depths_.size()) != n) {
      return fail("parents and depths need one entry for each of the " + std::to_string(n) +
                  " vertices");
    }
    if (parents_[source_] != source_) {
      return fail("the source " + name(source_) + " is not its own parent");
    }
    if (depths_[source_] != 0) {
      return fail("the source " + name(source_) + " has depth " + std::to_string(depths_[source_]));
    }
    const std::int64_t v = first_where(n, threads_, stop_, what,
                                       [&](std::int64_t i) { return vertex_fault(i) != nullptr; });
    if (v != nowhere) return describe_vertex(v);
    const std::int32_t deepest = *std::max_element(depths_.begin(), depths_.end());
    return g_.visit([&](const auto& view) {
      const verification arcs =
          deepest < 254 ? check_arcs<std::uint8_t>(view) : check_arcs<std::uint32_t>(view);
      return arcs.ok && rule_ == parent_rule::smallest ? check_smallest(view) : arcs;
    });
  }

 private:
  [[nodiscard]] std::string name(std::int64_t v) const { return std::to_string(g_.names.name(v)); }
  static verification fail(std::string reason) { return {false, std::move(reason)}; }

  [[nodiscard]] const char* vertex_fault(std::int64_t v) const {
    const std::int64_t u = parents_[v];
    const std::int32_t depth = depths_[v];
    if (v == source_) return nullptr;
    if (u < -1 || u >= g_.vertices()) return "has a parent that does not exist";
    if (depth < -1) return "has a negative depth";
    if ((u < 0) != (depth < 0))
      return u < 0 ? "has a depth but no parent" : "has a parent but no depth";
    if (u < 0) return nullptr;
    if (depth == 0) return "has depth 0 but is not the source";
    if (depths_[u] != depth - 1) return "spans";
    return nullptr;
  }

  [[nodiscard]] verification describe_vertex(std::int64_t v) const {
    const std::string fault = vertex_fault(v);
    if (fault != "spans") return fail("vertex " + name(v) + " " + fault);
    const std::int64_t u = parents_[v];
    return fail("the tree edge " + name(u) + " -> " + name(v) +
                " does not span one level: depths " + std::to_string(depths_[u]) + " and " +
                std::to_string(depths_[v]));
  }

  /// `Depth`: unsigned, so that "not reached" is its largest value and deeper than any level.
  template <class Depth, class View>
  [[nodiscard]] verification check_arcs(const View& view) const {
    const std::int64_t n = view.vertices();
    constexpr Depth unreached = std::numeric_limits<Depth>::max();
    shared_array<Depth> level(n);
    static_cast<void>(first_where(n, threads_, stop_, what, [&](std::int64_t v) {
      level[v] = static_cast<Depth>(depths_[v]);
      return false;
    }));
    const std::int64_t u = first_where(n, threads_, stop_, what, [&](std::int64_t v) {
      const Depth here = level[v];
      if (here == unreached) return false;
      const Depth most = static_cast<Depth>(here + 1);
      const std::int64_t parent = parents_[v];
      bool wrong = false, met = v == source_;
      if (g_.symmetric) {
        for (const auto w : view.row(v)) {
          wrong |= level[w] > most;
          met |= w == parent;
        }
      } else {
        for (const auto w : view.row(v)) wrong |= level[w] > most;
        met = met || has_arc(view, parent, v);
      }
      return wrong || !met;
    });
    if (u == nowhere) return {};
    for (const auto w : view.row(u)) {
      if (depths_[w] < 0) {
        return fail("vertex " + name(w) + " is not reached, but the arc " + name(u) + " -> " +
                    name(w) + " begins at a reached vertex");
      }
      if (depths_[w] > depths_[u] + 1) {
        return fail("the arc " + name(u) + " -> " + name(w) +
                    " spans more than one level: depths " + std::to_string(depths_[u]) + " and " +
                    std::to_string(depths_[w]));
      }
    }
    return fail("the tree edge " + name(parents_[u]) + " -> " + name(u) +
                " is not an arc of the graph");
  }

  template <class View>
  [[nodiscard]] verification check_smallest(const View& view) const {
    const std::int64_t n = view.vertices();
    shared_array<std::uint8_t> met(static_cast<std::size_t>(n));
    std::fill(met.begin(), met.end(), std::uint8_t{0});
    for (std::int64_t u = 0; u < n; ++u) {
      if (u % 65536 == 0 && stop_.stop_requested())
        throw cancelled_error(std::string(what) + ": stopped");
      if (depths_[u] < 0) continue;
      for (const auto v : view.row(u)) {
        if (depths_[v] != depths_[u] + 1 || met[v] != 0) continue;
        met[v] = 1;
        if (parents_[v] != u)
          return fail("the parent of vertex " + name(v) + " is " + name(parents_[v]) + ", " +
                      name(u) + " is the smallest that is possible");
      }
    }
    return {};
  }

  template <class View>
  [[nodiscard]] bool has_arc(const View& view, std::int64_t u, std::int64_t v) const {
    const auto row = view.row(u);
    if (g_.sorted) return std::binary_search(row.begin(), row.end(), v);
    return std::find(row.begin(), row.end(), v) != row.end();
  }

  const graph& g_;
  std::int64_t source_;
  std::span<const std::int64_t> parents_;
  std::span<const std::int32_t> depths_;
  int threads_;
  const std::stop_token& stop_;
  parent_rule rule_;
};

}  // namespace

verification verify_bfs(const graph& g, std::int64_t source, std::span<const std::int64_t> parents,
                        std::span<const std::int32_t> depths, int threads,
                        const std::stop_token& stop, parent_rule rule) {
  threads = threads > 0 ? threads : host().cores;
  return verifier(g, source, parents, depths, threads, stop, rule).run();
}

}  // namespace gossamer
