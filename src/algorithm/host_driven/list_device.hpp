// What a host thread drives: one rank's values, queue, deferred vertices and lists for others, and
// the kernels that work on them. The loop (loop.hpp) decides when, and moves messages; it knows
// neither operators nor CUDA, and tests drive a stand-in on a CPU.
//
// A *turn* makes what has been found and taken in so far the queue, then works that off. Everything
// but shown() and worked() is asynchronous. One turn at a time: the next one may follow when the
// last was shown. take() and pack() may be called at any time after begin(), and run beside a turn.
//
// A turn may leave the end of its queue out, to be granted to a rank that has nothing to do. That
// rank works the items off along this one's rows. Lists that do neither leave grant() and
// work_off() as they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gossamer/collective/termination.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::algorithm_detail {

inline constexpr int most_host_list_ranks = 8;

/// What a turn showed when it began: all that take() was given before is in it.
struct list_snapshot {
  std::uint64_t queued = 0;   ///< that it works off
  std::uint64_t granted = 0;  ///< … and that it leaves out, to be granted
  std::uint64_t items = 0;    ///< worked off by those before
  std::uint64_t repeated = 0;
  double nearest = nothing_deferred;  ///< no deferred vertex has a smaller priority
  /// To the list for each rank, since the beginning. All of these can be packed.
  std::array<std::uint64_t, most_host_list_ranks> appended{};
  bool faulty = false;  ///< a message named a vertex that there is not
};

class list_device {
 public:
  virtual ~list_device() = default;

  /// Forgets the last run; all first work is deferred. The first turn is under way.
  virtual void begin() = 0;
  /// `give`: half of a queue that is long enough is left out.
  virtual void turn(bool give) = 0;
  /// The same behind a look at what is deferred: what is up to `threshold` becomes work. With an
  /// empty queue, and all that was taken in shown.
  virtual void open_window(double threshold, bool give) = 0;
  /// Whether the last turn has begun; then `snapshot` is filled.
  virtual bool shown(list_snapshot& snapshot) = 0;
  /// Whether the last turn has worked off its queue, and what it left out has been packed.
  virtual bool worked() = 0;

  /// Takes messages in. They must stay until the stream taking() is done with it.
  virtual void take(std::span<const std::byte> messages) = 0;
  /// Packs entries first … first + n - 1 of the list for rank `to` with the newest values; they
  /// were shown. Done when the stream packing() is.
  virtual void pack(int to, std::uint64_t first, std::uint64_t n, std::span<std::byte> into) = 0;
  /// Packs items first … first + n - 1 of those that the last turn left out, as pack() does.
  virtual void grant(std::uint64_t /*first*/, std::uint64_t /*n*/, std::span<std::byte> /*into*/) {}
  /// Works off items that another rank has granted; they stay as for take().
  virtual void work_off(std::span<const std::byte> /*items*/) {}
  /// null: calls of that kind are done when they return.
  [[nodiscard]] virtual const stream* taking() const = 0;
  [[nodiscard]] virtual const stream* packing() const = 0;

  [[nodiscard]] virtual std::size_t message_bytes() const = 0;  ///< 8 or 16
  /// Entries that the list for rank `to` can hold.
  [[nodiscard]] virtual std::uint64_t capacity(int to) const = 0;
};

}  // namespace gossamer::algorithm_detail
