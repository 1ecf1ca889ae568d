// Vertices that leave: a list that each vertex enters once, and what their leaving does to degrees.
//
// A degree says how many neighbours are left, but never less than the level: that of a vertex that
// has left stays at the level it left at, which is its core number. So no other array says who is
// there.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>

#include "gossamer/graph/csr.hpp"

namespace gossamer::core_numbers_detail {

template <class Id>
class leaving {
 public:
  using both_rows = std::array<csr_view<Id>, 2>;  ///< out, and in of a directed graph

  /// `queue`: [n + 1], the last for what is written and not taken.
  leaving(const both_rows& rows, Id* queue) : rows_(rows), queue_(queue) {}

  void begin(std::int32_t* degrees) {
    degrees_ = degrees;
    head_ = tail_ = 0;
  }
  /// Vertices in the list that nobody has taken. Not while threads work.
  [[nodiscard]] std::int64_t waiting() const { return tail_ - head_; }
  /// Those that were ever in it. Any thread.
  [[nodiscard]] std::int64_t entered() {
    const std::lock_guard mine(lock_);
    return tail_;
  }

  /// Any thread.
  void enter(std::span<const Id> some) {
    const std::lock_guard mine(lock_);
    std::copy(some.begin(), some.end(), queue_ + tail_);
    tail_ += std::ssize(some);
  }

  /// One thread, nobody beside it: takes vertices until none is left, more than `most` wait, or
  /// about `arcs` arcs were looked at; how many were. There is no branch on a degree: who leaves
  /// next is as good as random, and a store costs less than a guess that fails.
  std::int64_t take_alone(std::int32_t level, std::int64_t most, std::int64_t arcs) {
    std::int32_t* const degrees = degrees_;
    Id* const queue = queue_;
    std::int64_t head = head_, tail = tail_, looks = 0;
    while (head < tail && tail - head <= most && looks < arcs) {
      if (head + offsets_ahead < tail) fetch_offsets(queue[head + offsets_ahead]);
      if (head + columns_ahead < tail) fetch_columns(queue[head + columns_ahead]);
      const auto v = static_cast<std::int64_t>(queue[head++]);
      ++looks;
      for (const csr_view<Id>& rows : rows_) {
        if (rows.indices.empty()) continue;
        const auto row = rows.row(v);
        looks += std::ssize(row);
        auto before = static_cast<Id>(-1);
        for (const Id u : row) {
          const std::int32_t degree = degrees[u];
          const int less = static_cast<int>(degree > level) & static_cast<int>(u != before);
          degrees[u] = degree - less;
          queue[tail] = u;
          tail += less & static_cast<int>(degree == level + 1);
          before = u;
        }
      }
    }
    head_ = head;
    tail_ = tail;
    return looks;
  }

  /// One of several threads: takes vertices until none waits. Those that it finds it takes itself,
  /// but hands half of them over when it has many. `told(arcs)` now and then; false: leave.
  template <class Told>
  void take(std::int32_t level, std::int64_t most, const Told& told) {
    std::array<Id, lot> own;
    std::size_t count = 0;
    std::int64_t taken = 0, arcs = 0;
    for (;;) {
      if (count == 0) {
        const auto room = std::min<std::int64_t>(most - taken, lot / 2);
        count = take_waiting(std::span(own).first(static_cast<std::size_t>(room)));
        taken += static_cast<std::int64_t>(count);
        for (std::size_t i = 0; i < count; ++i) fetch_offsets(own[i]);
      }
      if (arcs > arcs_between_words || count == 0) {
        if (!told(std::exchange(arcs, 0)) || count == 0) return;
      }
      if (count > columns_ahead) fetch_columns(own[count - 1 - columns_ahead]);
      arcs += remove(own[--count], level, own, count);
    }
  }

  static constexpr std::size_t lot = 256;
  static constexpr std::int64_t arcs_between_words = 1 << 15;

 private:
  static constexpr auto relaxed = std::memory_order_relaxed;
  /// Vertices whose rows are asked for before their turn: rows lie anywhere, and are short.
  static constexpr std::int64_t offsets_ahead = 12, columns_ahead = 4;
  static constexpr std::int64_t ids_of_line = 64 / sizeof(Id);

  void fetch_offsets(Id v) const {
    for (const csr_view<Id>& rows : rows_)
      if (!rows.indices.empty()) __builtin_prefetch(&rows.offsets[static_cast<std::size_t>(v)]);
  }
  /// The first two lines: the processor follows a longer row by itself.
  void fetch_columns(Id v) const {
    for (const csr_view<Id>& rows : rows_) {
      if (rows.indices.empty()) continue;
      const Id* const row = rows.indices.data() + rows.offsets[static_cast<std::size_t>(v)];
      __builtin_prefetch(row);
      __builtin_prefetch(row + ids_of_line);
    }
  }

  std::size_t take_waiting(std::span<Id> to) {
    const std::lock_guard mine(lock_);
    const std::int64_t count = std::min(std::ssize(to), tail_ - head_);
    std::copy_n(queue_ + head_, count, to.begin());
    head_ += count;
    return static_cast<std::size_t>(count);
  }

  /// The arcs that were looked at. Two threads may take a degree below the level together; who
  /// finds that puts back what it took. A degree is one above the level once: one thread finds it
  /// so.
  std::int64_t remove(Id v, std::int32_t level, std::array<Id, lot>& own, std::size_t& count) {
    std::int64_t arcs = 1;
    for (const csr_view<Id>& rows : rows_) {
      if (rows.indices.empty()) continue;
      const auto row = rows.row(static_cast<std::int64_t>(v));
      arcs += std::ssize(row);
      auto before = static_cast<Id>(-1);
      for (const Id u : row) {
        std::atomic_ref degree(degrees_[u]);
        if (u == std::exchange(before, u) || degree.load(relaxed) <= level) continue;
        const std::int32_t had = degree.fetch_sub(1, relaxed);
        if (had > level + 1) continue;
        if (had <= level) {
          degree.fetch_add(1, relaxed);
          continue;
        }
        if (count == lot) {
          enter(std::span(own).last(lot / 2));
          count = lot / 2;
        }
        own[count++] = u;
      }
    }
    return arcs;
  }

  both_rows rows_;
  Id* queue_;
  std::int32_t* degrees_ = nullptr;
  std::mutex lock_;
  std::int64_t head_ = 0, tail_ = 0;
};

}  // namespace gossamer::core_numbers_detail
