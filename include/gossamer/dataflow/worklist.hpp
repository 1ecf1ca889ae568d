// worklist: a lock-free circular buffer of work items, many producers and one consumer.
//
// Contract of the layer `dataflow`: work that crosses ranks when it has to, without levels. The
// layer is built on collective and below and names no transport. It knows neither graphs nor
// placements: templates take what they need of those. Nothing is allocated while a run lasts.
//
// Method: Groute's queue (Ben-Nun, Sutton, Pai, Pingali, PPoPP'17), whose words are start, end and
// pending. Producers *reserve* by moving `pending`, write their items, and *publish* by moving
// `end`. The consumer moves `start` up when it has read items, and down when it *prepends* some. In
// Groute a kernel's end says that all reserved slots have been written. Here two more words do:
//
//   room   free slots. Whoever wants slots takes them from here first, by compare-and-swap; so a
//          reservation is all or nothing, and a full list refuses instead of overwriting.
//   done   items written so far. Whoever finds `done` equal to `pending` moves `end` there.
//
// Nobody waits for anybody: a producer that stops between reserve and publish only hides what was
// reserved after it. A list that producers keep busy still shows its items. It does so at the
// latest when its room is used up, because every reservation has to be followed by a publication.
//
// Memory order. (1) A publisher that reads done == pending has acquired all earlier publishers
// through `done` (a chain of read-modify-writes), hence has seen their values of `pending`. So the
// value it compares with is no older than any published reservation, and equality means that
// exactly the reservations below it are complete. (2) A producer whose reservation ends at m has
// acquired, through `pending`, all producers below m. The last of them to have passed `room` found
// m - capacity slots released there, and acquired the consumer's reading of them. The exhaustive
// check in tests/race/worklist_interleavings.cpp runs this code.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "gossamer/base/atomics.hpp"
#include "gossamer/base/large_array.hpp"

namespace gossamer {

/// T: trivially copyable. Atomics: std_atomics, unshared_words where producers and consumer are one
/// thread, or a model's. Positions count items since the beginning, modulo 2^64.
template <class T, class Atomics = std_atomics>
class worklist {
 public:
  /// Room for at least `capacity` items: the next power of two. Takes the memory; nothing later
  /// does.
  explicit worklist(std::size_t capacity = 1)
      : items_(make_array<T>(std::bit_ceil(std::max<std::size_t>(capacity, 1)))),
        room_(items_.size()) {}
  ~worklist() = default;
  worklist(worklist&&) noexcept = default;
  worklist& operator=(worklist&&) = delete;
  worklist(const worklist&) = delete;
  worklist& operator=(const worklist&) = delete;

  /// Bytes that a list of this capacity takes.
  static constexpr std::int64_t bytes(std::size_t capacity) {
    return static_cast<std::int64_t>(std::bit_ceil(std::max<std::size_t>(capacity, 1)) * sizeof(T));
  }
  [[nodiscard]] std::size_t capacity() const noexcept { return items_.size(); }

  // --- producers: any thread ---------------------------------------------------------------------

  /// Position of `n` slots in a row that the caller may write, by at(); nothing when fewer are
  /// free. Must be followed by publish().
  [[nodiscard]] std::optional<std::uint64_t> reserve(std::size_t n) {
    if (!take_room(n)) return std::nullopt;
    return Atomics::fetch_add(pending_, static_cast<std::uint64_t>(n));
  }
  /// The slot of a position.
  [[nodiscard]] T& at(std::uint64_t position) noexcept {
    return items_[static_cast<std::size_t>(position) & (items_.size() - 1)];
  }
  /// The `n` reserved slots have been written.
  void publish(std::size_t n) {
    const std::uint64_t all = static_cast<std::uint64_t>(n);
    const std::uint64_t done = Atomics::fetch_add(done_, all) + all;
    if (Atomics::load_acquire(pending_) != done) return;  // whoever completes the rest will
    std::uint64_t end = Atomics::load_relaxed(end_);
    while (static_cast<std::int64_t>(done - end) > 0) {
      const std::uint64_t seen = Atomics::compare_and_swap(end_, end, done);
      if (seen == end) return;
      end = seen;
    }
  }
  /// reserve, write, publish: all of `items`, or none and false when the list lacks the room.
  [[nodiscard]] bool push(std::span<const T> items) {
    const auto position = reserve(items.size());
    if (!position) return false;
    for (std::size_t i = 0; i < items.size(); ++i) at(*position + i) = items[i];
    publish(items.size());
    return true;
  }
  [[nodiscard]] bool push(const T& item) { return push(std::span(&item, 1)); }

  // --- the consumer: one thread at a time --------------------------------------------------------

  /// At most `most` items from the front, in place: fewer where the buffer wraps, none when nothing
  /// is published. They stay the list's until release().
  [[nodiscard]] std::span<const T> consume(std::size_t most) {
    const std::uint64_t start = Atomics::load_relaxed(start_);
    const std::uint64_t there = Atomics::load_acquire(end_) - start;
    const std::size_t at = static_cast<std::size_t>(start) & (items_.size() - 1);
    const std::size_t n = std::min({static_cast<std::size_t>(there), most, items_.size() - at});
    return {items_.data() + at, n};
  }
  /// Gives the first `n` consumed items' slots back.
  void release(std::size_t n) {
    Atomics::store_relaxed(start_, Atomics::load_relaxed(start_) + n);
    Atomics::fetch_add(room_, static_cast<std::uint64_t>(n));
  }
  /// Puts `items` before all others, in their order; false when the list lacks the room. Not
  /// between consume() and release(). A consumer's own products go here without touching `end`.
  [[nodiscard]] bool prepend(std::span<const T> items) {
    if (!take_room(items.size())) return false;
    const std::uint64_t start = Atomics::load_relaxed(start_) - items.size();
    for (std::size_t i = 0; i < items.size(); ++i) at(start + i) = items[i];
    Atomics::store_relaxed(start_, start);
    return true;
  }
  /// Published and not released. For the consumer; others may see less or more.
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(Atomics::load_acquire(end_) - Atomics::load_relaxed(start_));
  }

  /// For models: calls f(address, value) with each word that threads share, and each slot.
  template <class F>
  void each_word(F&& f) {
    for (std::uint64_t* w : {&room_, &pending_, &done_, &end_, &start_}) f(w, *w);
    for (T& slot : items_.span()) f(&slot, std::uint64_t{0});
  }

 private:
  [[nodiscard]] bool take_room(std::size_t n) {
    const auto wanted = static_cast<std::uint64_t>(n);
    std::uint64_t room = Atomics::load_acquire(room_);
    while (room >= wanted) {
      const std::uint64_t seen = Atomics::compare_and_swap(room_, room, room - wanted);
      if (seen == room) return true;
      room = seen;
    }
    return false;
  }

  shared_array<T> items_;  ///< counted as taken; nobody shares it
  // A line each: producers and the consumer do not take them from each other.
  alignas(64) std::uint64_t room_;
  alignas(64) std::uint64_t pending_ = 0;
  alignas(64) std::uint64_t done_ = 0;
  alignas(64) std::uint64_t end_ = 0;
  alignas(64) std::uint64_t start_ = 0;  ///< changed by the consumer alone
};

}  // namespace gossamer
