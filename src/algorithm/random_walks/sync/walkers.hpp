// Walks of one thread, many at once: each goes on until it needs memory that may be far, asks for
// it, and waits while the others go on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "algorithm/random_walks/sync/walk_graph.hpp"

namespace gossamer::random_walks_detail {

/// Walks that a thread has at once: enough for all the misses that a core can wait for.
inline constexpr int walks_at_once = 24;

/// Times that each of them goes on before the thread looks up.
inline constexpr int rounds = 512;

/// Steps, and walks that ended before they were asked to.
struct walk_counts {
  std::int64_t steps = 0, ended = 0;
};

/// Weighted: arcs are drawn by sums of weights. Second: p and q count.
template <class Id, bool Weighted, bool Second>
class walkers {
 public:
  explicit walkers(const walk_graph<Id>& g) : g_(g) {}

  /// All that `next` hands out: next(walk, row) sets a number and where its vertices go, of which
  /// the first is there, or says that there is none. ask(n) after n looks says whether to go on.
  template <class Next, class Ask>
  void run(const Next& next, const Ask& ask, walk_counts& counts) {
    int count = 0;
    while (count < walks_at_once && begin(lanes_[static_cast<std::size_t>(count)], next)) ++count;
    while (count > 0) {
      for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < count; ++i) {
          lane& of = lanes_[static_cast<std::size_t>(i)];
          if (go_on(of)) continue;
          finish(of, counts);
          if (begin(of, next)) continue;
          of = lanes_[static_cast<std::size_t>(--count)];
          --i;
        }
      if (!ask(std::int64_t{rounds} * count)) return;
    }
  }

 private:
  enum class waits : std::uint8_t { offsets, sums, column, other_row, look_up };

  struct lane {
    waits state = waits::offsets;
    std::uint32_t step = 0, attempt = 0;
    std::uint64_t walk = 0;
    Id* to = nullptr;  ///< where the vertex that the walk is at stands
    Id at = 0, before = 0, candidate = 0;
    edge_offset first = 0, first_before = 0;
    std::int64_t degree = 0, degree_before = 0;
    drawn_words words;
    std::int64_t low = 0, high = 0, middle = 0;  ///< a search in a row
    int stride = 0;
    const Id* row = nullptr;  ///< in which the arc from `before` is looked up
    Id wanted = 0;
  };

  template <class Next>
  bool begin(lane& of, const Next& next) const {
    if (!next(of.walk, of.to)) return false;
    of.step = 0;
    arrive(of, *of.to);
    return true;
  }
  void arrive(lane& of, Id v) const {
    of.at = v;
    of.state = waits::offsets;
    const auto vertex = static_cast<std::int64_t>(v);
    __builtin_prefetch(g_.offsets + vertex);
    if constexpr (Weighted) __builtin_prefetch(g_.row_sum + vertex);
  }
  void finish(lane& of, walk_counts& counts) const {
    counts.steps += of.step;
    if (of.step == g_.length) return;
    ++counts.ended;
    std::fill(of.to + 1, of.to + 1 + (g_.length - of.step), Id{-1});
  }

  /// Up to the next memory that is far; false where the walk has ended.
  bool go_on(lane& of) const {
    switch (of.state) {
      case waits::offsets: {
        const auto v = static_cast<std::int64_t>(of.at);
        of.first = g_.offsets[v];
        of.degree = g_.offsets[v + 1] - of.first;
        of.attempt = 0;
        if (of.degree == 0) return false;
        if constexpr (Weighted)
          if (g_.row_sum[v] == 0) return false;
        return draw_arc(of);
      }
      case waits::sums:
        return search_sums(of);
      case waits::column:
        return look_at(of, g_.columns[of.first + of.low]);
      case waits::other_row:
        choose_row(of);
        return true;
      case waits::look_up:
        break;
    }
    return look_up(of);
  }

  bool draw_arc(lane& of) const {
    of.words = draw(g_.seed, of.walk, of.step, of.attempt);
    if constexpr (Second)
      if (of.attempt == attempts_at_most) return take(of, g_.columns[of.first + exact(of)]);
    const auto guess =
        static_cast<std::int64_t>(part_of(of.words.a, static_cast<std::uint64_t>(of.degree)));
    if constexpr (Weighted) {
      of.low = 0;
      of.high = of.degree - 1;
      if (of.high == 0) return wait_for_column(of);
      of.middle = std::min(guess, of.high - 1);
      of.stride = 0;
      of.state = waits::sums;
      __builtin_prefetch(g_.up_to + of.first + of.middle);
    } else {
      of.low = guess;
      return wait_for_column(of);
    }
    return true;
  }
  bool wait_for_column(lane& of) const {
    of.state = waits::column;
    __builtin_prefetch(g_.columns + of.first + of.low);
    return true;
  }

  /// The first arc whose sum is beyond what was drawn lies in [low, high]. From where it would be
  /// if weights were equal, in strides that double, then by halves.
  bool search_sums(lane& of) const {
    const std::uint64_t* const sums = g_.up_to + of.first;
    const std::uint64_t drawn = part_of(of.words.a, g_.row_sum[static_cast<std::int64_t>(of.at)]);
    const bool beyond = sums[of.middle] > drawn;
    (beyond ? of.high : of.low) = beyond ? of.middle : of.middle + 1;
    // Positive strides lead up, negative ones down; where they would turn, halves begin.
    constexpr int halves = 1 << 30;
    if (of.stride == 0)
      of.stride = beyond ? -8 : 8;
    else if (of.stride != halves)
      of.stride =
          beyond == (of.stride < 0) && std::abs(of.stride) < halves / 4 ? 2 * of.stride : halves;
    const std::int64_t left = of.high - of.low;
    if (left <= 8) {
      while (of.low < of.high && sums[of.low] <= drawn) ++of.low;
      return wait_for_column(of);
    }
    if (of.stride == halves)
      of.middle = of.low + left / 2;
    else if (of.stride < 0)
      of.middle = std::max(of.low, of.high + of.stride);
    else
      of.middle = std::min(of.high - 1, of.low + of.stride);
    __builtin_prefetch(sums + of.middle);
    return true;
  }

  bool look_at(lane& of, Id x) const {
    if constexpr (!Second) return take(of, x);
    if (of.step == 0) return take(of, x);
    const std::uint64_t bar = of.words.b >> 1;
    if (x == of.before) return bar < g_.counts.back ? take(of, x) : again(of);
    if (bar < std::min(g_.counts.near, g_.counts.far)) return take(of, x);
    if (bar >= std::max(g_.counts.near, g_.counts.far)) return again(of);
    of.candidate = x;
    if (g_.symmetric) {  // either row says whether there is an arc
      of.state = waits::other_row;
      __builtin_prefetch(g_.offsets + static_cast<std::int64_t>(x));
      return true;
    }
    look_in(of, of.first_before, of.degree_before, x);
    return true;
  }
  /// The shorter of the two.
  void choose_row(lane& of) const {
    const auto x = static_cast<std::int64_t>(of.candidate);
    const edge_offset first = g_.offsets[x];
    const std::int64_t degree = g_.offsets[x + 1] - first;
    if (degree < of.degree_before)
      look_in(of, first, degree, of.before);
    else
      look_in(of, of.first_before, of.degree_before, of.candidate);
  }
  void look_in(lane& of, edge_offset first, std::int64_t degree, Id wanted) const {
    of.row = g_.columns + first;
    of.wanted = wanted;
    of.low = 0;
    of.high = degree;
    of.state = waits::look_up;
    __builtin_prefetch(of.row + degree / 2);
  }
  /// A half of the row, or what is left of it.
  bool look_up(lane& of) const {
    if (g_.sorted && of.high - of.low > 16) {
      const std::int64_t middle = of.low + (of.high - of.low) / 2;
      (of.row[middle] <= of.wanted ? of.low : of.high) = middle;
      __builtin_prefetch(of.row + of.low + (of.high - of.low) / 2);
      return true;
    }
    const bool there = row_has(of.row + of.low, of.high - of.low, of.wanted, g_.sorted);
    const std::uint64_t counts = there ? g_.counts.near : g_.counts.far;
    return of.words.b >> 1 < counts ? take(of, of.candidate) : again(of);
  }

  bool again(lane& of) const {
    ++of.attempt;
    return draw_arc(of);
  }
  [[nodiscard]] std::int64_t exact(const lane& of) const {
    const walk_row<Id> at{g_.columns + of.first, Weighted ? g_.up_to + of.first : nullptr,
                          of.degree};
    const walk_row<Id> before{g_.columns + of.first_before, nullptr, of.degree_before};
    return exact_arc(at, before, of.before, g_.counts, g_.sorted, of.words.a);
  }

  bool take(lane& of, Id x) const {
    *++of.to = x;
    ++of.step;
    if constexpr (Second) {
      of.before = of.at;
      of.first_before = of.first;
      of.degree_before = of.degree;
    }
    if (of.step == g_.length) return false;
    arrive(of, x);
    return true;
  }

  const walk_graph<Id> g_;
  std::array<lane, walks_at_once> lanes_;
};

}  // namespace gossamer::random_walks_detail
