// 64 searches at once by one thread, and one search by itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "algorithm/distances/sync/lane_counts.hpp"
#include "algorithm/distances/sync/lane_total.hpp"
#include "algorithm/driver/array_list.hpp"
#include "gossamer/base/shared_array.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::distances_detail {

/// A graph of more levels is no small world.
constexpr std::int64_t many_levels = 50;

using lane_totals = std::array<lane_total, lanes_at_most>;

enum class ending : std::uint8_t {
  finished,
  stopped,   ///< somebody asked for it
  too_deep,  ///< a depth does not fit where it is written
  apart      ///< frontiers share next to nothing: one by one is faster
};

/// Bytes from one lane's row of depths to the next one's. Rows are written side by side, and with a
/// page's length between them all would be in one set of the cache.
constexpr std::int64_t row_bytes(std::int64_t columns, std::size_t width) {
  return (columns * static_cast<std::int64_t>(width) + 4095) / 4096 * 4096 + 64;
}

/// Writes depths of each lane to a row of its own, at the vertex or at its column.
template <class Depth>
struct depth_rows {
  std::array<Depth*, lanes_at_most> row{};
  const std::int64_t* column = nullptr;  ///< of each vertex, -1: none; null: its own number

  /// Rows of nobody in `bytes`, lanes_at_most * row_bytes() or as many as lanes take.
  depth_rows(std::byte* bytes, std::size_t lanes, std::int64_t columns,
             const std::int64_t* column_of)
      : column(column_of) {
    const std::int64_t step = row_bytes(columns, sizeof(Depth));
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      row[lane] = reinterpret_cast<Depth*>(bytes + static_cast<std::int64_t>(lane) * step);
      std::fill(row[lane], row[lane] + columns, static_cast<Depth>(-1));
    }
  }

  static constexpr std::int64_t deepest = std::numeric_limits<Depth>::max();
  void operator()(std::uint64_t lanes, std::int64_t v, std::int64_t depth) const {
    const std::int64_t at = column == nullptr ? v : column[v];
    if (at < 0) return;
    for (; lanes != 0; lanes &= lanes - 1)
      row[static_cast<std::size_t>(std::countr_zero(lanes))][at] = static_cast<Depth>(depth);
  }
};
struct no_rows {
  static constexpr std::int64_t deepest = std::numeric_limits<std::int64_t>::max();
  void operator()(std::uint64_t, std::int64_t, std::int64_t) const {}
};

/// What one thread searches with.
template <class Id>
struct lane_arrays {
  shared_array<std::uint64_t> met, front, next;  ///< a bit a search of each vertex
  shared_array<Id> queue;          ///< two times the vertices: levels lie behind each other
  shared_array<std::byte> depths;  ///< of bounds: rows of all lanes

  void list(algorithm_detail::array_list& of, std::int64_t vertices, bool rows) {
    of.add(met, vertices);
    of.add(front, vertices);
    of.add(next, vertices);
    of.add(queue, 2 * vertices);
    if (rows) of.add(depths, lanes_at_most * row_bytes(vertices, 1));
  }
};

template <class Id>
class lane_search {
 public:
  /// `along`: rows that searches follow; `against`: the same arcs from their other ends.
  lane_search(const csr_view<Id>& along, const csr_view<Id>& against, lane_arrays<Id>& arrays)
      : along_(along),
        against_(against),
        vertices_(along.vertices()),
        met_(arrays.met.data()),
        front_(arrays.front.data()),
        next_(arrays.next.data()),
        queue_(arrays.queue.data()) {}

  /// From as many sources as there are lanes, or fewer. `ask(looks)`: whether to go on.
  template <class Rows, class Ask>
  ending run(std::span<const std::int64_t> sources, lane_totals& totals, const Rows& rows,
             const Ask& ask) {
    begin(sources, totals, rows);
    std::int64_t visits = 0, met = std::ssize(sources), arcs_to_pull = along_arcs();
    bool asked_apart = false;
    for (std::int64_t depth = 1; active_ != 0; ++depth) {
      const bool pull = arcs_ * pull_pays > arcs_to_pull;
      if (!(pull ? pull_level(depth, arcs_to_pull, rows, ask) : push_level(depth, rows, ask)))
        return ending::stopped;
      visits += static_cast<std::int64_t>(counts_.words());
      active_ = 0;
      counts_.take([&](int lane, std::int64_t count) {
        totals[static_cast<std::size_t>(lane)].meet(count, static_cast<std::int32_t>(depth));
        met += count;
        active_ |= std::uint64_t{1} << lane;
      });
      if (active_ != 0 && depth > rows.deepest) return ending::too_deep;
      // One search of many levels never pulls.
      if (sources.size() == 1 && depth == many_levels && 2 * visits < vertices_)
        return ending::apart;
      // A visit of 64 searches costs up to two of one, whose bits are in the cache.
      if (!asked_apart && visits >= vertices_ && sources.size() > 1) {
        asked_apart = true;
        if (2 * met < 3 * visits) return ending::apart;
      }
    }
    return ending::finished;
  }

  /// From one source, as lane `lane`: a bit a vertex says who was met, and stays in the cache.
  template <class Rows, class Ask>
  ending run_alone(std::int64_t source, int lane, lane_total& total, const Rows& rows,
                   const Ask& ask) {
    logged_ = false;
    std::memset(met_, 0, bytes((vertices_ + 63) / 64));
    const auto meets = [&](std::int64_t v) {
      std::uint64_t& word = met_[v / 64];
      const std::uint64_t bit = std::uint64_t{1} << (v % 64), before = word;
      word |= bit;
      return (before & bit) == 0;
    };
    const std::uint64_t as_lane = std::uint64_t{1} << lane;
    std::int64_t head = 0, tail = 0;
    queue_[tail++] = static_cast<Id>(source);
    meets(source);
    total = {};
    rows(as_lane, source, 0);
    for (std::int64_t depth = 1; head < tail; ++depth) {
      const std::int64_t end = tail;
      for (std::int64_t looks = 0; head < end; ++head) {
        if (head + ahead < end) __builtin_prefetch(&along_.offsets[queue_[head + ahead]]);
        const auto row = along_.row(static_cast<std::int64_t>(queue_[head]));
        for (const Id v : row)
          if (meets(static_cast<std::int64_t>(v))) {
            queue_[tail++] = v;
            rows(as_lane, static_cast<std::int64_t>(v), depth);
          }
        looks += std::ssize(row) + 1;
        if (looks >= between_asks && !ask(std::exchange(looks, 0))) return ending::stopped;
      }
      if (tail == end) break;
      if (depth > rows.deepest) return ending::too_deep;
      total.meet(tail - end, static_cast<std::int32_t>(depth));
    }
    return ask(0) ? ending::finished : ending::stopped;
  }

 private:
  /// Arcs between two asks whether to stop: well below a millisecond.
  static constexpr std::int64_t between_asks = 1 << 16;
  /// A pulled arc costs less than a pushed one, and not all are pulled.
  static constexpr std::int64_t pull_pays = 3;
  static constexpr std::int64_t ahead = 8;

  [[nodiscard]] static std::size_t bytes(std::int64_t words) {
    return static_cast<std::size_t>(words) * sizeof(std::uint64_t);
  }
  [[nodiscard]] std::int64_t along_arcs() const { return std::ssize(along_.indices); }
  [[nodiscard]] std::int64_t arcs_of(std::int64_t v) const {
    return along_.offsets[v + 1] - along_.offsets[v];
  }

  template <class Rows>
  void begin(std::span<const std::int64_t> sources, lane_totals& totals, const Rows& rows) {
    if (logged_) {  // few were met
      for (std::int64_t i = 0; i < tail_; ++i)
        met_[queue_[i]] = front_[queue_[i]] = next_[queue_[i]] = 0;
    } else {
      for (std::uint64_t* words : {met_, front_, next_}) std::memset(words, 0, bytes(vertices_));
    }
    logged_ = listed_ = true;
    head_ = tail_ = arcs_ = 0;
    active_ = 0;
    counts_ = {};
    for (std::size_t lane = 0; lane < sources.size(); ++lane) {
      const std::int64_t v = sources[lane];
      const std::uint64_t bit = std::uint64_t{1} << lane;
      if (front_[v] == 0) {
        queue_[tail_++] = static_cast<Id>(v);
        arcs_ += arcs_of(v);
      }
      front_[v] |= bit;
      met_[v] |= bit;
      active_ |= bit;
      totals[lane] = {};
      rows(bit, v, 0);
    }
  }

  /// The frontier as a list, from the bits that pulling left; `next_` has nobody.
  void list_again() {
    head_ = tail_ = 0;
    for (std::int64_t v = 0; v < vertices_; ++v) {
      queue_[tail_] = static_cast<Id>(v);
      tail_ += front_[v] != 0;
      next_[v] = 0;
    }
    listed_ = true;
  }

  template <class Rows>
  void settle(std::int64_t v, std::uint64_t lanes, std::int64_t depth, const Rows& rows) {
    met_[v] |= lanes;
    counts_.add(lanes);
    arcs_ += arcs_of(v);
    rows(lanes, v, depth);
  }

  /// Whoever is in the frontier offers its searches along its arcs.
  template <class Rows, class Ask>
  bool push_level(std::int64_t depth, const Rows& rows, const Ask& ask) {
    if (!listed_) list_again();
    if (tail_ > vertices_) {  // there may be no room for one more level behind
      std::copy(queue_ + head_, queue_ + tail_, queue_);
      tail_ -= std::exchange(head_, 0);
      logged_ = false;
    }
    std::int64_t to = tail_, looks = 0;
    for (std::int64_t i = head_; i < tail_; ++i) {
      if (i + ahead < tail_) __builtin_prefetch(&along_.offsets[queue_[i + ahead]]);
      const Id u = queue_[i];
      const std::uint64_t offered = std::exchange(front_[u], 0);
      const auto row = along_.row(static_cast<std::int64_t>(u));
      for (const Id v : row) {
        const std::uint64_t lanes = offered & ~met_[v];
        if (lanes == 0) continue;
        if (next_[v] == 0) queue_[to++] = v;
        next_[v] |= lanes;
      }
      looks += std::ssize(row) + 1;
      if (looks >= between_asks && !ask(std::exchange(looks, 0))) return spoilt();
    }
    arcs_ = 0;
    for (std::int64_t i = tail_; i < to; ++i)
      settle(static_cast<std::int64_t>(queue_[i]), next_[queue_[i]], depth, rows);
    head_ = std::exchange(tail_, to);
    std::swap(front_, next_);
    return ask(looks) || spoilt();
  }

  /// Whoever is missed by a search that goes on looks for it at the other ends of its arcs.
  template <class Rows, class Ask>
  bool pull_level(std::int64_t depth, std::int64_t& arcs_to_pull, const Rows& rows,
                  const Ask& ask) {
    listed_ = logged_ = false;
    arcs_to_pull = 0;
    arcs_ = 0;
    std::int64_t looks = 0;
    for (std::int64_t v = 0; v < vertices_; ++v) {
      const std::uint64_t missing = active_ & ~met_[v];
      next_[v] = 0;
      if (missing == 0) continue;
      std::uint64_t offered = 0;
      const auto row = against_.row(v);
      std::size_t arc = 0;
      for (; arc < row.size() && (missing & ~offered) != 0; ++arc) offered |= front_[row[arc]];
      const std::uint64_t lanes = offered & missing;
      if (lanes != 0) {
        next_[v] = lanes;
        settle(v, lanes, depth, rows);
      }
      if (lanes != missing) arcs_to_pull += std::ssize(row);
      looks += static_cast<std::int64_t>(arc) + 1;
      if (looks >= between_asks && !ask(std::exchange(looks, 0))) return spoilt();
    }
    std::swap(front_, next_);
    return ask(looks) || spoilt();
  }

  /// Stopped in between: no list says whose bits are set.
  bool spoilt() {
    logged_ = false;
    return false;
  }

  const csr_view<Id> along_, against_;
  const std::int64_t vertices_;
  std::uint64_t *met_, *front_, *next_;
  Id* queue_;
  std::int64_t head_ = 0, tail_ = 0;  ///< of the queue: the frontier, while it is listed
  std::int64_t arcs_ = 0;             ///< of the frontier
  std::uint64_t active_ = 0;          ///< searches that met somebody on the last level
  bool listed_ = false;               ///< the frontier is a list
  bool logged_ = false;               ///< whoever has bits is in the queue before its end
  lane_counts counts_;
};

}  // namespace gossamer::distances_detail
