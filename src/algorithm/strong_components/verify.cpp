// The verifier: searches that keep to one label, along arcs and against them, must meet all who
// have it; and components must be able to leave, each when no arc of those that are left leads to
// it. It shares no code with the engines.
#include <string>
#include <vector>

#include "gossamer/algorithm/strong_components.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

template <class View, class Id>
class strong_check {
 public:
  strong_check(const graph& g, const View& out, const View& in, std::span<const Id> labels,
               const std::stop_token& stop)
      : g_(g), out_(out), in_(in), labels_(labels), stop_(stop) {}

  verification all() {
    auto found = labels_are_smallest();
    if (found.ok) found = none_too_large();
    return found.ok ? none_too_small() : found;
  }

 private:
  [[nodiscard]] std::int64_t label(std::int64_t v) const {
    return static_cast<std::int64_t>(labels_[static_cast<std::size_t>(v)]);
  }
  [[nodiscard]] std::string name(std::int64_t v) const { return std::to_string(g_.names.name(v)); }
  void look() {
    if (looked_++ % 65536 == 0 && stop_.stop_requested())
      throw cancelled_error("verify_strong_components: stopped");
  }

  /// Each label is a vertex that has itself for its label, and no larger one than whoever has it.
  verification labels_are_smallest() {
    for (std::int64_t v = 0; v < g_.vertices(); ++v) {
      look();
      const std::int64_t of = label(v);
      if (of < 0 || of > v || label(of) != of)
        return {false, "vertex " + name(v) + " (index " + std::to_string(v) + ") has the label " +
                           std::to_string(of) + ", which is not the smallest vertex with it"};
    }
    return {};
  }

  verification none_too_large() {
    for (const auto* const rows : {&out_, &in_}) {
      std::vector<char> met(labels_.size(), 0);
      for (std::int64_t v = 0; v < g_.vertices(); ++v)
        if (label(v) == v) search(*rows, v, met);
      for (std::int64_t v = 0; v < g_.vertices(); ++v)
        if (met[static_cast<std::size_t>(v)] == 0) {
          const std::int64_t of = label(v);
          const bool along = rows == &out_;
          return {false, "vertices " + name(of) + " and " + name(v) +
                             " have one label, but no path within it leads from " +
                             name(along ? of : v) + " to " + name(along ? v : of)};
        }
    }
    return {};
  }

  void search(const View& rows, std::int64_t start, std::vector<char>& met) {
    queue_.assign(1, start);
    met[static_cast<std::size_t>(start)] = 1;
    while (!queue_.empty()) {
      const std::int64_t u = queue_.back();
      queue_.pop_back();
      look();
      for (const auto v : rows.row(u)) {
        const auto to = static_cast<std::int64_t>(v);
        if (met[static_cast<std::size_t>(to)] != 0 || label(to) != start) continue;
        met[static_cast<std::size_t>(to)] = 1;
        queue_.push_back(to);
      }
    }
  }

  /// Components whose arcs in come from those that have left leave, until all have.
  verification none_too_small() {
    std::vector<std::int64_t> arcs(labels_.size(), 0), next(labels_.size(), -1);
    std::int64_t left = 0;
    for (std::int64_t v = g_.vertices() - 1; v >= 0; --v) {
      look();
      // Lists of who has a label, behind the vertex that it is.
      const auto of = static_cast<std::size_t>(label(v));
      if (label(v) != v) {
        next[static_cast<std::size_t>(v)] = next[of];
        next[of] = v;
      } else {
        ++left;
      }
      for (const auto u : out_.row(v))
        if (label(static_cast<std::int64_t>(u)) != label(v))
          ++arcs[static_cast<std::size_t>(label(static_cast<std::int64_t>(u)))];
    }
    queue_.clear();
    for (std::int64_t v = 0; v < g_.vertices(); ++v)
      if (label(v) == v && arcs[static_cast<std::size_t>(v)] == 0) queue_.push_back(v);
    while (!queue_.empty()) {
      const std::int64_t of = queue_.back();
      queue_.pop_back();
      --left;
      for (std::int64_t v = of; v >= 0; v = next[static_cast<std::size_t>(v)]) {
        look();
        for (const auto u : out_.row(v)) {
          const std::int64_t to = label(static_cast<std::int64_t>(u));
          if (to != of && --arcs[static_cast<std::size_t>(to)] == 0) queue_.push_back(to);
        }
      }
    }
    if (left == 0) return {};
    for (std::int64_t v = 0; v < g_.vertices(); ++v)
      if (label(v) == v && arcs[static_cast<std::size_t>(v)] > 0)
        return {false,
                "arcs lead in a circle through several components, one before the one of "
                "vertex " +
                    name(v) + " or through it"};
    return {};
  }

  const graph& g_;
  const View &out_, &in_;
  const std::span<const Id> labels_;
  const std::stop_token& stop_;
  std::vector<std::int64_t> queue_;
  std::size_t looked_ = 0;
};

}  // namespace

verification verify_strong_components(const graph& g, const label_array& labels,
                                      const std::stop_token& stop) {
  g.require_here();
  const graph reversed = g.transposed(stop);
  return std::visit(
      [&](const auto& given) -> verification {
        if (std::ssize(given.span()) != g.vertices())
          return {false, "labels need one entry for each of the " + std::to_string(g.vertices()) +
                             " vertices"};
        return g.visit([&](const auto& out) -> verification {
          using view = std::decay_t<decltype(out)>;
          const view in = reversed.visit([](const auto& rows) {
            if constexpr (std::is_same_v<std::decay_t<decltype(rows)>, view>)
              return rows;
            else
              return view();
          });
          using id = std::decay_t<decltype(*given.data())>;
          return strong_check<view, id>(g, out, in, given.span(), stop).all();
        });
      },
      labels);
}

}  // namespace gossamer
