// One rank's rows, from arcs that come in any order, twice: counted, then put in their places.
//
// One array serves as counter, cursor and offsets. Entry r + 1 first counts the arcs of row r, then
// holds where the row begins. When the last arc has been put, it holds where the row ends, which is
// where row r + 1 begins. So a rank takes its columns once and no list of arcs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "gossamer/machine/executor.hpp"
#include "gossamer/machine/memory.hpp"
#include "placement/arc_exchange.hpp"

namespace gossamer::placement_detail {

/// Adds to a word that nobody else changes; returns what it was.
struct lone_add {
  template <class T>
  T operator()(T& word, T amount) const {
    return std::exchange(word, word + amount);
  }
};
/// Adds to a word that other threads of the team change, too.
struct shared_add {
  template <class T>
  T operator()(T& word, T amount) const {
    return std::atomic_ref<T>(word).fetch_add(amount, std::memory_order_relaxed);
  }
};

template <class Id, class Add>
struct count_arc {
  const arc<Id>* arcs;
  std::int64_t first;  ///< placed id of row 0
  edge_offset* degree;
  std::int64_t* ends;
  Add add;
  void operator()(std::int64_t i) const {
    const arc<Id> a = arcs[i];
    const bool loop = first + a.row == a.column;
    add(ends[a.row], std::int64_t{loop ? 2 : 1});
    if (!loop) add(degree[a.row], edge_offset{1});
  }
};

template <class Id, class Add>
struct put_arc {
  const arc<Id>* arcs;
  std::int64_t first;
  edge_offset* next;
  Id* columns;
  Add add;
  void operator()(std::int64_t i) const {
    const arc<Id> a = arcs[i];
    if (first + a.row != a.column) columns[add(next[a.row], edge_offset{1})] = a.column;
  }
};

/// Sorts some rows; what remains of a row when repeated columns are dropped is its beginning, the
/// rest becomes -1, which no column is.
template <class Id>
struct sort_rows {
  static constexpr std::int64_t rows = 256;
  const edge_offset* offsets;
  Id* columns;
  std::int64_t last;
  void operator()(std::int64_t piece) const {
    for (std::int64_t v = piece * rows; v < std::min(last, (piece + 1) * rows); ++v) {
      Id* end = columns + offsets[v + 1];
      std::sort(columns + offsets[v], end);
      std::fill(std::unique(columns + offsets[v], end), end, Id{-1});
    }
  }
};

template <class Id>
class row_builder {
 public:
  /// `rows` rows, of which the first has placed id `first`.
  row_builder(const device& d, std::int64_t first, std::int64_t rows)
      : device_(&d),
        first_(first),
        rows_(rows),
        offsets_(make_native_buffer<edge_offset>(d, rows + 1)),
        ends_(make_native_buffer<std::int64_t>(d, std::max<std::int64_t>(rows, 1))) {
    std::fill_n(offsets_.data(), rows + 1, 0);
    std::fill_n(ends_.data(), rows, 0);
  }

  void count(std::span<const arc<Id>> arcs) {
    each(arcs, [&](auto add) {
      return count_arc<Id, decltype(add)>{arcs.data(), first_, offsets_.data() + 1, ends_.data(),
                                          add};
    });
  }
  /// After the last count(): from numbers to beginnings. Returns the arcs counted.
  std::int64_t begin_rows() {
    std::int64_t sum = 0;
    for (std::int64_t v = 0; v < rows_; ++v) sum += std::exchange(offsets_.data()[v + 1], sum);
    return counted_ = sum;
  }
  void allocate_columns() {
    columns_ = make_native_buffer<Id>(*device_, std::max<std::int64_t>(counted_, 1));
  }
  void put(std::span<const arc<Id>> arcs) {
    each(arcs, [&](auto add) {
      return put_arc<Id, decltype(add)>{arcs.data(), first_, offsets_.data() + 1, columns_.data(),
                                        add};
    });
  }
  /// After the last put(). `alive` is called every few milliseconds, with the share done.
  template <class Alive>
  void finish(const Alive& alive) {
    constexpr std::int64_t stride = 64 * sort_rows<Id>::rows;
    for (std::int64_t v = 0; v < rows_; v += stride) {
      const std::int64_t n = std::min(stride, rows_ - v);
      for_each(team(), (n + sort_rows<Id>::rows - 1) / sort_rows<Id>::rows,
               sort_rows<Id>{offsets_.data() + v, columns_.data(), n});
      alive(static_cast<double>(v + n) / static_cast<double>(rows_));
    }
    close_gaps();
  }

  [[nodiscard]] std::int64_t counted() const { return counted_; }
  [[nodiscard]] std::int64_t arcs() const { return offsets_.data()[rows_]; }
  [[nodiscard]] std::int64_t self_loops() const {
    std::int64_t sum = 0;
    for (std::int64_t v = 0; v < rows_; ++v) sum += ends_.data()[v];
    return (sum - counted_) / 2;
  }
  buffer<edge_offset>& offsets() { return offsets_; }
  buffer<Id>& columns() { return columns_; }
  /// Ends of entries of the list at each row: two for a self-loop, one for any other entry.
  buffer<std::int64_t>& ends() { return ends_; }

 private:
  [[nodiscard]] cpu_team team() const { return {device_->threads}; }
  template <class Make>
  void each(std::span<const arc<Id>> arcs, const Make& make) {
    const auto n = static_cast<std::int64_t>(arcs.size());
    if (team().threads > 1)
      for_each(team(), n, make(shared_add{}));
    else
      for_each(team(), n, make(lone_add{}));
  }
  void close_gaps() {
    edge_offset* offsets = offsets_.data();
    Id* columns = columns_.data();
    edge_offset begin = 0, to = 0;
    for (std::int64_t v = 0; v < rows_; ++v) {
      const Id* row = columns + begin;
      const Id* end = columns + offsets[v + 1];
      const Id* kept = std::partition_point(row, end, [](Id u) { return u >= 0; });
      if (columns + to != row)
        std::memmove(columns + to, row, static_cast<std::size_t>(kept - row) * sizeof(Id));
      begin = offsets[v + 1];
      offsets[v + 1] = to += kept - row;
    }
  }

  const device* device_;
  std::int64_t first_, rows_, counted_ = 0;
  buffer<edge_offset> offsets_;
  buffer<std::int64_t> ends_;
  buffer<Id> columns_;
};

}  // namespace gossamer::placement_detail
