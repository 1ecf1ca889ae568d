// What one thread of engine sync does for a row: every triangle whose largest name is the row's
// vertex v. For each u of the row, the neighbours w that the rows of u and v share close one.
//
// Whichever looks at least finds them: all of u's row in marks of v's; of what stands before u in
// v's row, each in u's bits, if u is a hub, or by binary search in u's row; or an AND of both
// vertices' bits.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/layouts/oriented_rows.hpp"
#include "algorithm/triangles/sync/hub_bits.hpp"

namespace gossamer::triangles_detail {

using algorithm_detail::oriented_rows;

/// What triangles are worth, added up.
template <class Value>
using worth_of = std::conditional_t<std::is_same_v<Value, double>, double, std::int64_t>;

/// Vertices of which each thread has a counter of its own. Others, of lower degree, share one.
inline constexpr std::int64_t most_private = std::int64_t{1} << 20;

/// Of one thread.
template <class Value>
struct thread_arrays {
  static constexpr bool valued = !std::is_same_v<Value, std::monostate>;
  shared_array<std::uint64_t> marks;     ///< [n / 64] a bit for each vertex of the row
  shared_array<worth_of<Value>> counts;  ///< [n or most_private]
  shared_array<worth_of<Value>> shares;  ///< [longest row] of the vertices of a row
  shared_array<Value> values;            ///< [n] of edges to marked vertices
  void list(algorithm_detail::array_list& of, std::int64_t n, std::int64_t longest) {
    of.add(marks, (n + 63) / 64);
    of.add(counts, std::min(n, most_private));
    of.add(shares, longest);
    if constexpr (valued) of.add(values, n);
  }
};

template <class Id, class Value>
class row_counter {
 public:
  using worth = worth_of<Value>;
  using rows_type = oriented_rows<Id, Value>;

  /// `beyond`: counters of vertices from most_private on, shared by all threads. Clears the rest.
  row_counter(const rows_type& rows, const hub_bits& hubs, thread_arrays<Value>& mine,
              worth* beyond)
      : rows_(rows),
        hubs_(hubs),
        marks_(mine.marks.data()),
        counts_(mine.counts.data()),
        shares_(mine.shares.data()),
        beyond_(beyond) {
    if constexpr (valued) values_ = mine.values.data();
    std::fill_n(marks_, mine.marks.size(), 0);
    std::fill_n(counts_, mine.counts.size(), worth{});
    std::fill_n(shares_, mine.shares.size(), worth{});
  }

  /// Triangles of rows first … last - 1.
  std::int64_t count(std::int64_t first, std::int64_t last) {
    const std::int64_t before = found_;
    for (std::int64_t v = first; v < last; ++v) count_row(v);
    return found_ - before;
  }

 private:
  static constexpr bool valued = !std::is_same_v<Value, std::monostate>;

  void count_row(std::int64_t v) {
    const auto row = rows_.row(v);
    const auto k = static_cast<std::int64_t>(row.size());
    if (k < 2) return;
    begin_ = rows_.offsets[v];
    bool marked = false;
    worth all{};
    for (std::int64_t i = 1; i < k; ++i) {
      const std::int64_t u = row[static_cast<std::size_t>(i)];
      const auto other = rows_.row(u);
      const auto length = static_cast<std::int64_t>(other.size());
      if (length == 0) continue;
      worth shared{};
      if constexpr (valued)
        edge_ = static_cast<worth>(rows_.values[static_cast<std::size_t>(begin_ + i)]);
      const bool hub = !valued && u < hubs_.hubs();
      // By what a look takes: a bit of a hub's row or a mark one, a word of an AND two.
      const std::int64_t looked_up = hub ? i : i * (std::bit_width(row.size()) + 4);
      const std::int64_t anded = hub ? 2 * (u / 64 + 1) : length + 1;
      if (!marked && (looked_up > length || looked_up > anded)) {
        mark(row);
        marked = true;
      }
      if (looked_up <= length && looked_up <= anded)
        shared = hub ? look_up(row, i, hubs_.row(u)) : search(row, i, other, rows_.offsets[u]);
      else if (anded <= length)
        shared = and_words(hubs_.row(u), u / 64 + 1);
      else
        shared = look_for_marks(other, rows_.offsets[u]);
      if constexpr (valued) shared *= edge_;
      shares_[i] += shared;
      all += shared;
    }
    if (marked) unmark(row);
    if (all == worth{}) return clear_shares(k);
    add(v, all);
    for (std::int64_t i = 0; i < k; ++i) {
      if (shares_[i] != worth{}) add(row[static_cast<std::size_t>(i)], shares_[i]);
      shares_[i] = worth{};
    }
  }
  void clear_shares(std::int64_t k) { std::fill_n(shares_, k, worth{}); }

  void mark(std::span<const Id> row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Id w = row[i];
      marks_[static_cast<std::size_t>(w) >> 6] |= std::uint64_t{1} << (w & 63);
      if constexpr (valued) values_[w] = rows_.values[static_cast<std::size_t>(begin_) + i];
    }
  }
  void unmark(std::span<const Id> row) {
    for (const Id w : row) marks_[static_cast<std::size_t>(w) >> 6] = 0;
  }

  void add(std::int64_t w, worth more) {
    if (w < most_private)
      counts_[w] += more;
    else
      std::atomic_ref(beyond_[w - most_private]).fetch_add(more, std::memory_order_relaxed);
  }

  static worth bit(const std::uint64_t* bits, Id w) {
    return static_cast<worth>(bits[static_cast<std::size_t>(w) >> 6] >> (w & 63) & 1);
  }

  worth look_up(std::span<const Id> row, std::int64_t i, const std::uint64_t* bits) {
    worth sum{};
    for (std::int64_t j = 0; j < i; ++j) {
      const worth hit = bit(bits, row[static_cast<std::size_t>(j)]);
      shares_[j] += hit;
      sum += hit;
    }
    found_ += static_cast<std::int64_t>(sum);
    return sum;
  }

  worth and_words(const std::uint64_t* bits, std::int64_t words) {
    worth sum{};
    for (std::int64_t at = 0; at < words; ++at)
      for (std::uint64_t left = bits[at] & marks_[at]; left != 0; left &= left - 1) {
        counts_[at * 64 + std::countr_zero(left)] += 1;
        sum += 1;
      }
    found_ += static_cast<std::int64_t>(sum);
    return sum;
  }

  worth look_for_marks(std::span<const Id> other, edge_offset begin) {
    worth sum{};
    for (std::size_t j = 0; j < other.size(); ++j) {
      const Id w = other[j];
      if ((marks_[static_cast<std::size_t>(w) >> 6] >> (w & 63) & 1) == 0) continue;
      ++found_;
      if constexpr (valued) {
        const worth product =
            static_cast<worth>(rows_.values[static_cast<std::size_t>(begin) + j]) *
            static_cast<worth>(values_[w]);
        sum += product;
        add(w, product * edge_);
      } else {
        sum += 1;
        add(w, 1);
      }
    }
    return sum;
  }

  worth search(std::span<const Id> row, std::int64_t i, std::span<const Id> other,
               edge_offset begin) {
    worth sum{};
    auto from = other.begin();
    for (std::int64_t j = 0; j < i; ++j) {
      const Id w = row[static_cast<std::size_t>(j)];
      from = std::lower_bound(from, other.end(), w);
      if (from == other.end()) break;
      if (*from != w) continue;
      ++found_;
      if constexpr (valued) {
        const worth product =
            static_cast<worth>(
                rows_.values[static_cast<std::size_t>(begin + (from - other.begin()))]) *
            static_cast<worth>(rows_.values[static_cast<std::size_t>(begin_ + j)]);
        sum += product;
        shares_[j] += product * edge_;
      } else {
        sum += 1;
        shares_[j] += 1;
      }
    }
    return sum;
  }

  const rows_type& rows_;
  const hub_bits& hubs_;
  std::uint64_t* marks_;
  worth *counts_, *shares_;
  Value* values_ = nullptr;
  worth* beyond_;
  edge_offset begin_ = 0;  ///< of v's row
  worth edge_ = 1;         ///< of the edge of v and u
  std::int64_t found_ = 0;
};

}  // namespace gossamer::triangles_detail
