// How ranks see each other's queues in paper A's breadth-first search, and how long that took.
//
//   copy    Every stage puts the own queue into one of two buffers of the stage's receiver, on a
//           stream of its own, while the queue received in the stage before is worked on
//           (UVA-MCP). A buffer is written again two stages later; from the third stage on the
//           sender waits for the receiver to say that it has read it. The next level's agreement
//           says so for the first two.
//   direct  Kernels read the peer's queue where it is (UVA-MAP). Queues of two levels alternate:
//           nobody writes one that others may still read. A modelled machine's kernels have no
//           insides: there the queue is fetched first and nothing of it is hidden, which bounds
//           the time from above.
//
// Queue sizes are known to all when a level begins. Windows: inbox [2][longest queue], arrived and
// read, one counter a stage, set to level + 1; or queues [2][own rows].
//
// Times. Idle: on GPUs from events around the wait in the computing stream. On other ranks from the
// clock around waits, and around puts, which such a rank does itself. A copy: on GPUs from events
// around it, on a modelled machine from the put to the arrival (rank::raised_at), else the put's
// call.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "algorithm/bfs/engine.hpp"
#include "algorithm/bfs/vector_queue/circular.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::bfs_detail {

/// What a GPU rank needs beside memory, made with the search: nothing is made inside a run.
struct copy_lane {
  /// Of one stage, reused in each level.
  struct stage_events {
    event sent_from, sent_to, idle_from, idle_to;
    bool sends = false, waits = false;
  };
  copy_lane(const device& d, int ranks);
  std::optional<stream> copies;      ///< of a GPU
  std::vector<stage_events> events;  ///< [stages] of a GPU
};

/// What a run's exchange takes of a rank.
struct queue_windows {
  std::span<std::int64_t> own;      ///< copy: the queue
  window<std::int64_t> queues;      ///< direct: two
  std::span<std::int64_t> fetched;  ///< direct, modelled: a peer's queue
  window<std::int64_t> inbox;       ///< copy: two of the longest
  signal_set arrived, read;         ///< [stages]

  void list(algorithm_detail::array_list& of, std::int64_t rows, std::int64_t longest, int ranks,
            bool direct, bool modelled) {
    if (ranks > 1 && direct) {
      of.add(queues, 2 * rows);
      if (modelled) of.add(fetched, longest);
      return;
    }
    of.add(own, rows);
    if (ranks == 1) return;
    of.add(inbox, 2 * longest);
    of.add(arrived, ranks - 1);
    of.add(read, ranks - 1);
  }
};

class queue_exchange {
 public:
  using gatherer = std::function<void(std::span<const std::int64_t>)>;

  /// Collective, inside a run. `rows_of`: the longest queue of each rank. `lane` must live as long.
  queue_exchange(rank& r, copy_lane& lane, const std::vector<std::int64_t>& rows_of, bool direct);

  /// This rank's queue of a level.
  [[nodiscard]] std::int64_t* queue(std::int64_t level) const;
  /// Hands every rank's queue of `level` that is not empty to `gather`, the own one first. After it
  /// the queue of the next level may be written. `spare` is called once all that this rank sends of
  /// the level has been handed over; what it starts goes behind that.
  void pass(std::int64_t level, std::span<const std::int64_t> counts, const gatherer& gather,
            const std::function<void()>& spare);
  /// What this rank has sent (direct: read); seconds are its idle ones.
  [[nodiscard]] const traffic& sent() const noexcept { return sent_; }
  /// Collective, after the last level: one entry a level, the same on every rank.
  [[nodiscard]] std::vector<bfs_overlap> report();

 private:
  struct stage_times {
    double sent_at = 0, sent = 0;  ///< `sent`: seconds, NaN where only the receiver can tell
    double arrived_at = 0, idle = 0;
    std::int64_t received = 0;  ///< bytes
  };
  void copy(std::int64_t level, std::span<const std::int64_t> counts, const gatherer& gather,
            const std::function<void()>& spare);
  void read(std::int64_t level, std::span<const std::int64_t> counts, const gatherer& gather);
  void send(std::size_t stage, std::int64_t level, std::int64_t count);
  void await(std::size_t stage, std::int64_t level);
  void note_events();
  [[nodiscard]] stage_times& now(std::size_t stage) {
    return times_[times_.size() - stages_.size() + stage];
  }

  rank& rank_;
  copy_lane& lane_;
  const std::vector<std::int64_t> rows_of_;
  const bool direct_, gpu_, modelled_;
  const std::vector<circular_stage> stages_;
  queue_windows arrays_;
  const std::int64_t longest_;
  std::vector<stage_times> times_;  ///< [levels][stages]
  traffic sent_;
};

/// bytes/s that the links into all ranks take together; 0 where one says nothing of itself.
double link_limit(const machine& m);

}  // namespace gossamer::bfs_detail
