// One source: numbers of shortest paths level by level, then dependencies from the last level back.
//
// No step asks for a neighbour's level. A vertex holds one number, which is 0 until its level has
// it, and a sum over a row adds what is there:
//
//   Forward, pushing: a level's vertices add their counts to all neighbours. Those of levels before
//   get what nobody reads: counts are read out, by place in the list of vertices, as their level
//   is complete. Whose number was 0 is new.
//   Forward, pulling: who still has 0 sums over arcs in. Neighbours before it are of the last
//   level, or it would have been met; others have 0.
//   Back, pulling: numbers are 0 again. A level's vertices sum over arcs out, where those of the
//   next level hold (1 + dependency) / count, and others of the row, whose turn is later, 0.
//   Back, pushing: the next level's vertices add theirs along arcs in. Who is not of this level has
//   had its turn, or is not reached at all, where the graph is directed; all numbers are then set
//   to 0 in the end.
//
// A level is pushed or pulled, whichever looks at fewer arcs (Beamer, Asanovic, Patterson, SC'12,
// for searches): in a graph of small diameter that is a third of twice the arcs. Loops add to a
// number that is not read any more, or 0.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "algorithm/betweenness/sync/scaled.hpp"
#include "algorithm/driver/array_list.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::betweenness_detail {

/// What one thread works with. Numbers are 0 between two searches.
template <class Id>
struct thread_arrays {
  shared_array<double> value, count;                    ///< by vertex, and by place
  shared_array<std::int32_t> value_power, count_power;  ///< of scaled numbers
  shared_array<Id> order;                               ///< vertices by level
  shared_array<Id> level_begin;                         ///< places
  shared_array<double> scores;                          ///< sums, by row, or by arc

  void list(algorithm_detail::array_list& of, std::int64_t vertices, std::int64_t scored) {
    of.add(value, vertices);
    of.add(count, vertices);
    of.add(value_power, vertices);
    of.add(count_power, vertices);
    of.add(order, vertices + 1);  // whoever is not new is written behind the last
    of.add(level_begin, vertices + 2);
    of.add(scores, scored);
  }
};

/// Numbers as doubles, which counts may pass.
struct plain_numbers {
  using number = double;
  double* at;
  [[nodiscard]] number get(std::int64_t i) const { return at[i]; }
  void set(std::int64_t i, number n) const { at[i] = n; }
  void clear(std::int64_t i) const { at[i] = 0; }
};
/// Numbers that nothing passes.
struct scaled_numbers {
  using number = scaled;
  double* mantissa;
  std::int32_t* power;
  [[nodiscard]] number get(std::int64_t i) const { return {mantissa[i], power[i]}; }
  void set(std::int64_t i, const number& n) const {
    mantissa[i] = n.mantissa;
    power[i] = n.power;
  }
  void clear(std::int64_t i) const { mantissa[i] = 0; }
};

enum class search_end : std::uint8_t { done, stopped, too_large };

struct search_rules {
  bool edges = false, endpoints = false;
};

/// `Ask`: ask(looks) says whether to go on, after so many arcs and vertices.
template <class Id, class Numbers, class Ask>
class source_search {
 public:
  source_search(const csr_view<Id>& out, const csr_view<Id>& in, const thread_arrays<Id>& arrays,
                const search_rules& rules, const Ask& ask)
      : out_(out),
        in_(in),
        ask_(ask),
        rules_(rules),
        order_(arrays.order.data()),
        begin_(arrays.level_begin.data()),
        scores_(arrays.scores.data()),
        value_(numbers(arrays.value, arrays.value_power)),
        count_(numbers(arrays.count, arrays.count_power)) {}

  /// Adds what the source gives to scores; not if it stops, or counts become too large. Numbers
  /// are 0 again unless it stops.
  search_end from(Id source) {
    too_large_ = strayed_ = false;
    search_end end = count_paths(source);
    if (end == search_end::stopped) return end;
    for_reached([&](Id v) { value_.clear(static_cast<std::int64_t>(v)); });
    if (end == search_end::done) end = add_dependencies();
    if (end == search_end::stopped) return end;
    if (strayed_)
      for (std::int64_t v = 0; v < vertices(); ++v) value_.clear(v);
    else
      for_reached([&](Id v) { value_.clear(static_cast<std::int64_t>(v)); });
    return end;
  }

  /// Arcs and vertices since ask() was called last.
  std::int64_t looks() { return std::exchange(looks_, 0); }

 private:
  using number = typename Numbers::number;
  static constexpr bool is_plain = std::is_same_v<number, double>;
  /// Counts may grow so far that their products with what is 1 over such a count stay doubles.
  static constexpr double largest_count = 0x1p900;
  /// Levels whose arcs are counted: a graph of more has small ones, which are pushed forward and
  /// pulled back.
  static constexpr int counted_levels = 64;
  static constexpr std::int64_t worth_pulling = 4096;  // arcs of a level
  static constexpr std::int64_t at_once = 2048;        // vertices between two asks
  static constexpr std::int64_t ahead = 8;
  /// An arc that is pushed along is read and written, one that is pulled along read.
  static constexpr double push_over_pull = 1.5;

  static Numbers numbers(const shared_array<double>& values,
                         const shared_array<std::int32_t>& powers) {
    if constexpr (is_plain)
      return {values.data()};
    else
      return {values.data(), powers.data()};
  }
  static number one() { return number(1.0); }
  static double plain(const number& n) {
    if constexpr (is_plain)
      return n;
    else
      return n.value();
  }
  static bool is_zero(const number& n) {
    if constexpr (is_plain)
      return n == 0;
    else
      return n.zero();
  }
  [[nodiscard]] std::int64_t vertices() const { return out_.vertices(); }
  static std::int64_t length(const csr_view<Id>& rows, std::int64_t v) {
    return rows.offsets[v + 1] - rows.offsets[v];
  }
  template <class F>
  void for_reached(const F& f) const {
    for (std::int64_t i = 0; i < reached_; ++i) f(order_[i]);
  }
  void fetch_ahead(const csr_view<Id>& rows, std::int64_t i, std::int64_t end) const {
    if (i + ahead >= end) return;
    __builtin_prefetch(&rows.offsets[order_[i + ahead]]);
    __builtin_prefetch(rows.indices.data() + rows.offsets[order_[i + ahead / 2]]);
  }

  /// Of what neighbours hold. Four sums, so that additions need not wait for each other.
  number sum(const csr_view<Id>& rows, std::int64_t v) const {
    const Id* at = rows.indices.data() + rows.offsets[v];
    const Id* const end = rows.indices.data() + rows.offsets[v + 1];
    number sums[4] = {};
    for (; at + 4 <= end; at += 4)
      for (int i = 0; i < 4; ++i) sums[i] = sums[i] + value_.get(at[i]);
    for (; at < end; ++at) sums[0] = sums[0] + value_.get(*at);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  /// f(first, last) for places or vertices, and whether to go on.
  template <class F>
  bool in_pieces(std::int64_t first, std::int64_t last, const F& f) {
    for (std::int64_t to = first; first < last; first = to) {
      to = std::min(last, first + at_once);
      const std::int64_t arcs = f(first, to);
      looks_ += arcs + to - first;
      if (looks_ >= between_asks && !ask_(std::exchange(looks_, 0))) return false;
    }
    return true;
  }

  search_end count_paths(Id source) {
    order_[0] = source;
    count_.set(0, one());
    value_.set(static_cast<std::int64_t>(source), one());
    levels_ = 0;
    reached_ = 1;
    const std::int64_t half = vertices() / 2;  // looking at a vertex takes half as long as an arc
    std::int64_t unseen = std::ssize(in_.indices) - length(in_, source);  // arcs into those
    arcs_out_[0] = length(out_, source);
    arcs_in_[0] = length(in_, source);
    for (std::int64_t first = 0; first < reached_;) {
      begin_[levels_] = static_cast<Id>(first);
      const std::int64_t last = reached_;
      const bool counted = levels_ < counted_levels;
      const bool pull = counted && arcs_out_[at(levels_)] > worth_pulling &&
                        static_cast<double>(unseen + half) <
                            push_over_pull * static_cast<double>(arcs_out_[at(levels_)]);
      if (!(pull ? pull_counts(last) : push_counts(first, last))) return search_end::stopped;
      ++levels_;
      if (levels_ < counted_levels) {
        std::int64_t out = 0, in = 0;
        for (std::int64_t i = last; i < reached_; ++i) {
          out += length(out_, order_[i]);
          in += length(in_, order_[i]);
        }
        arcs_out_[at(levels_)] = out;
        arcs_in_[at(levels_)] = in;
        unseen -= in;
      }
      if (too_large_) return search_end::too_large;
      first = last;
    }
    begin_[levels_] = static_cast<Id>(reached_);
    return search_end::done;
  }

  bool push_counts(std::int64_t first, std::int64_t last) {
    std::int64_t tail = reached_;
    const bool goes_on = in_pieces(first, last, [&](std::int64_t from, std::int64_t to) {
      std::int64_t arcs = 0;
      for (std::int64_t i = from; i < to; ++i) {
        fetch_ahead(out_, i, last);
        const number own = count_.get(i);
        const auto row = out_.row(static_cast<std::int64_t>(order_[i]));
        for (const Id u : row) {
          const number before = value_.get(u);
          order_[tail] = u;
          tail += static_cast<std::int64_t>(is_zero(before));
          value_.set(u, before + own);
        }
        arcs += std::ssize(row);
      }
      return arcs;
    });
    for (std::int64_t i = reached_; i < tail; ++i) keep_count(i, value_.get(order_[i]));
    reached_ = tail;
    return goes_on;
  }

  bool pull_counts(std::int64_t first) {
    std::int64_t tail = first;
    const bool goes_on = in_pieces(0, vertices(), [&](std::int64_t from, std::int64_t to) {
      std::int64_t arcs = 0;
      for (std::int64_t v = from; v < to; ++v) {
        if (!is_zero(value_.get(v))) continue;
        const number paths = sum(in_, v);
        arcs += length(in_, v);
        if (is_zero(paths)) continue;
        order_[tail] = static_cast<Id>(v);
        keep_count(tail++, paths);
      }
      return arcs;
    });
    for (std::int64_t i = first; i < tail; ++i) value_.set(order_[i], count_.get(i));
    reached_ = tail;
    return goes_on;
  }

  void keep_count(std::int64_t place, const number& paths) {
    count_.set(place, paths);
    if constexpr (is_plain) too_large_ |= paths > largest_count;
  }

  /// From here on a place's count is replaced by (1 + dependency) / count, once it is known.
  search_end add_dependencies() {
    if (rules_.endpoints) {
      scores_[order_[0]] += static_cast<double>(reached_ - 1);
      for (std::int64_t i = begin_[levels_ - 1]; levels_ > 1 && i < reached_; ++i)
        scores_[order_[i]] += 1;
    }
    for (std::int64_t i = begin_[levels_ - 1]; i < reached_; ++i) {
      const number share = one() / count_.get(i);
      count_.set(i, share);
      value_.set(order_[i], share);
    }
    // Nothing is between the source and itself, but the first edges are.
    const std::int64_t last = rules_.edges ? 0 : 1;
    const bool symmetric = out_.indices.data() == in_.indices.data();
    const std::int64_t stray = symmetric ? 0 : vertices() / 4;
    for (std::int64_t level = levels_ - 2; level >= last; --level) {
      const bool push = !rules_.edges && level + 1 < counted_levels &&
                        push_over_pull * static_cast<double>(arcs_in_[at(level + 1)] + stray) <
                            static_cast<double>(arcs_out_[at(level)]);
      strayed_ |= push && !symmetric;
      if (!(push ? push_back(level) : pull_back(level))) return search_end::stopped;
    }
    return search_end::done;
  }

  bool pull_back(std::int64_t level) {
    const std::int64_t first = begin_[level], last = begin_[level + 1];
    const bool goes_on = in_pieces(first, last, [&](std::int64_t from, std::int64_t to) {
      std::int64_t arcs = 0;
      for (std::int64_t i = from; i < to; ++i) {
        fetch_ahead(out_, i, last);
        const auto v = static_cast<std::int64_t>(order_[i]);
        finish(i, rules_.edges ? sum_of_edges(v, count_.get(i)) : sum(out_, v));
        arcs += length(out_, v);
      }
      return arcs;
    });
    for (std::int64_t i = first; i < last; ++i) value_.set(order_[i], count_.get(i));
    return goes_on;
  }

  bool push_back(std::int64_t level) {
    const std::int64_t first = begin_[level], last = begin_[level + 1], end = begin_[level + 2];
    const bool goes_on = in_pieces(last, end, [&](std::int64_t from, std::int64_t to) {
      std::int64_t arcs = 0;
      for (std::int64_t i = from; i < to; ++i) {
        fetch_ahead(in_, i, end);
        const number share = count_.get(i);
        const auto row = in_.row(static_cast<std::int64_t>(order_[i]));
        for (const Id u : row) value_.set(u, value_.get(u) + share);
        arcs += std::ssize(row);
      }
      return arcs;
    });
    for (std::int64_t i = first; i < last; ++i) {
      finish(i, value_.get(order_[i]));
      value_.set(order_[i], count_.get(i));
    }
    return goes_on;
  }

  /// `shares`: what the next level's vertices hold, those that the one at this place leads to.
  void finish(std::int64_t place, const number& shares) {
    const number paths = count_.get(place);
    const double dependency = plain(paths * shares);
    if (!rules_.edges) scores_[order_[place]] += rules_.endpoints ? dependency + 1 : dependency;
    count_.set(place, number(1 + dependency) / paths);
  }

  number sum_of_edges(std::int64_t v, const number& paths) {
    number all{};
    for (edge_offset k = out_.offsets[v]; k < out_.offsets[v + 1]; ++k) {
      const number share = value_.get(out_.indices[k]);
      if (is_zero(share)) continue;
      scores_[k] += plain(paths * share);
      all = all + share;
    }
    return all;
  }

  static std::size_t at(std::int64_t level) { return static_cast<std::size_t>(level); }
  /// Arcs between two asks whether to stop: well below a millisecond.
  static constexpr std::int64_t between_asks = 1 << 16;

  const csr_view<Id>& out_;
  const csr_view<Id>& in_;
  const Ask& ask_;
  const search_rules rules_;
  Id* const order_;
  Id* const begin_;
  double* const scores_;
  const Numbers value_, count_;
  std::int64_t reached_ = 0, levels_ = 0, looks_ = 0;
  bool too_large_ = false, strayed_ = false;
  std::array<std::int64_t, counted_levels> arcs_out_{}, arcs_in_{};
};

}  // namespace gossamer::betweenness_detail
