// The verifier: the simple graph, a count of neighbours that are in each vertex's core, and
// vertices leaving in the order of their numbers. It shares no code with the engines.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "gossamer/algorithm/core_numbers.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

void check(const std::stop_token& stop) {
  if (stop.stop_requested()) throw cancelled_error("verify_core_numbers: stopped");
}

/// Every vertex's neighbours. Of a directed graph those of arcs out, then those of arcs in.
class neighbour_lists {
 public:
  neighbour_lists(const graph& g, const std::stop_token& stop) {
    const graph reversed = g.symmetric ? graph() : g.transposed(stop);
    ids_.reserve(static_cast<std::size_t>(g.symmetric ? g.arcs() : 2 * g.arcs()));
    for (std::int64_t v = 0; v < g.vertices(); ++v) {
      if (v % 4096 == 0) check(stop);
      add(g, v);
      if (!g.symmetric) add(reversed, v);
      offsets_.push_back(ids_.size());
    }
  }

  [[nodiscard]] std::span<const std::int64_t> of(std::int64_t v) const {
    const std::size_t first = offsets_[static_cast<std::size_t>(v)];
    return std::span(ids_).subspan(first, offsets_[static_cast<std::size_t>(v) + 1] - first);
  }

 private:
  /// The distinct columns of v's row but v.
  void add(const graph& g, std::int64_t v) {
    const auto begin = std::ssize(ids_);
    g.visit([&](const auto& rows) {
      for (const auto u : rows.row(v))
        if (static_cast<std::int64_t>(u) != v) ids_.push_back(static_cast<std::int64_t>(u));
    });
    const auto first = ids_.begin() + begin;
    if (!std::is_sorted(first, ids_.end())) std::sort(first, ids_.end());
    ids_.erase(std::unique(first, ids_.end()), ids_.end());
  }

  std::vector<std::size_t> offsets_{0};
  std::vector<std::int64_t> ids_;
};

class core_check {
 public:
  core_check(const graph& g, std::span<const std::int32_t> numbers, const std::stop_token& stop)
      : g_(g), numbers_(numbers), lists_(g, stop), stop_(stop) {}

  verification all() {
    auto found = none_too_large();
    return found.ok ? none_too_small() : found;
  }

 private:
  [[nodiscard]] std::int32_t number(std::int64_t v) const {
    return numbers_[static_cast<std::size_t>(v)];
  }

  /// Vertices of k and more each have k neighbours among themselves: all are in the k-core.
  [[nodiscard]] verification none_too_large() const {
    for (std::int64_t v = 0; v < g_.vertices(); ++v) {
      if (v % 4096 == 0) check(stop_);
      const std::int32_t own = number(v);
      const std::int64_t as_large =
          std::ranges::count_if(lists_.of(v), [&](std::int64_t u) { return number(u) >= own; });
      if (own < 0 || as_large < own) return wrong(v, "neighbours of as much or more", as_large);
    }
    return {};
  }

  /// By rising number each vertex leaves with no more neighbours than its number: a core of more
  /// would keep the first of its vertices that leaves.
  verification none_too_small() {
    std::vector<std::int64_t> order;  // by number
    for (std::int64_t v = 0; v < g_.vertices(); ++v) {
      order.push_back(v);
      left_.push_back(std::ssize(lists_.of(v)));
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t u, std::int64_t v) { return number(u) < number(v); });
    gone_.assign(order.size(), false);
    for (auto first = order.begin(); first != order.end();) {
      const auto last = std::find_if(first, order.end(),
                                     [&](std::int64_t v) { return number(v) > number(*first); });
      for (auto v = first; v != last; ++v) leave(*v);
      for (auto v = first; v != last; ++v)
        if (!gone_[static_cast<std::size_t>(*v)])
          return wrong(*v, "neighbours when those of less have left",
                       left_[static_cast<std::size_t>(*v)]);
      first = last;
    }
    return {};
  }

  /// If v can leave, it does, and who then can and has its number.
  void leave(std::int64_t v) {
    if (gone_[static_cast<std::size_t>(v)] || left_[static_cast<std::size_t>(v)] > number(v))
      return;
    gone_[static_cast<std::size_t>(v)] = true;
    leaving_.assign(1, v);
    while (!leaving_.empty()) {
      const std::int64_t next = leaving_.back();
      leaving_.pop_back();
      if (++left_so_far_ % 4096 == 0) check(stop_);
      for (const std::int64_t u : lists_.of(next)) {
        const auto at = static_cast<std::size_t>(u);
        if (gone_[at] || --left_[at] > number(u) || number(u) != number(v)) continue;
        gone_[at] = true;
        leaving_.push_back(u);
      }
    }
  }

  [[nodiscard]] verification wrong(std::int64_t v, const char* what, std::int64_t count) const {
    std::ostringstream text;
    text << "the core number of vertex " << g_.names.name(v) << " is given as " << number(v) << "; "
         << what << ": " << count;
    return {false, text.str()};
  }

  const graph& g_;
  const std::span<const std::int32_t> numbers_;
  const neighbour_lists lists_;
  const std::stop_token& stop_;
  std::vector<std::int64_t> left_;  ///< neighbours that have not left
  std::vector<bool> gone_;
  std::vector<std::int64_t> leaving_;
  std::int64_t left_so_far_ = 0;  ///< vertices that have left
};

}  // namespace

verification verify_core_numbers(const graph& g, const core_number_array& numbers,
                                 const std::stop_token& stop) {
  g.require_here();
  const auto given = std::get<0>(numbers).span();
  if (std::ssize(given) != g.vertices())
    return {false, "core numbers need one entry for each of the " + std::to_string(g.vertices()) +
                       " vertices"};
  check(stop);
  return core_check(g, given, stop).all();
}

}  // namespace gossamer
