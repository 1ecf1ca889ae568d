// aggregator: small messages to the same rank become large ones.
//
// One buffer for each destination. It is sent off when the next message does not fit (size), when
// its first message has waited long enough (age), or when this rank has nothing else to do
// (idleness). Appending is two comparisons and an addition, the same for every destination; a clock
// is read once a parcel. Messages of one kind that follow each other share a header
// (message_run.hpp).
//
// This rank has a buffer, too. Where another's is sent, it is handed to this rank's parcel_server:
// when it is full, or when serve_here() is called. It is never refused.
//
// A message fits nowhere when the destination's places for parcels are all taken. It is then
// refused: the sender waits, and nothing is lost. Replies are not refused, or two ranks that wait
// for each other's room would wait for ever: append_always() keeps them in memory that grows. That
// memory holds at most one reply for each task that waits for one from this rank.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gossamer/task/memory_manager.hpp"
#include "gossamer/task/message_run.hpp"

namespace gossamer {

struct aggregator_options {
  parcel_limits parcels;  ///< 2048 bytes at least, so that every message fits
  double age = 100e-6;    ///< seconds that a message waits for company while tasks run
};

/// What went through an aggregator.
struct aggregator_counters {
  std::int64_t messages = 0;                  ///< for other ranks, but those of the open runs
  std::int64_t local = 0;                     ///< for this rank, the same
  std::int64_t bytes = 0;                     ///< of parcels
  std::int64_t full = 0, aged = 0, idle = 0;  ///< parcels by why they went
  std::int64_t refused = 0;                   ///< messages that had to wait for room
  /// sizes[k]: parcels of 2^k to 2^(k+1) - 1 bytes.
  std::array<std::int64_t, 24> sizes{};
  [[nodiscard]] std::int64_t parcels() const { return full + aged + idle; }
};

class aggregator {
 public:
  static constexpr std::size_t largest_message = 2048 - sizeof(run_header);

  /// `here` serves this rank's own messages.
  aggregator(rank& r, memory_manager& manager, parcel_server& here,
             const aggregator_options& options);
  /// Throws usage_error for options that make no sense; the constructor does not ask.
  static void check(const aggregator_options& options);
  /// Bytes of native memory for the run's arena, beside the manager's.
  [[nodiscard]] static std::int64_t bytes(int ranks, const aggregator_options& options);

  /// Room for a message of this shape, for the caller to write now; null when there is none. At
  /// most largest_message bytes. Messages for this rank are never refused, but what was appended
  /// before them may be served within the call.
  [[nodiscard]] std::byte* append(int to, message_shape shape) {
    buffer& b = buffers_[static_cast<std::size_t>(to)];
    if (b.shape == shape && b.end - b.at >= shape.bytes) [[likely]] {
      std::byte* at = b.at;
      b.at += shape.bytes;
      return at;
    }
    return append_run(to, shape);
  }
  /// A message that is never refused; what it says must be complete.
  void append_always(int to, message_shape shape, std::span<const std::byte> message);

  /// Has this rank's own messages served, if there are any; true when there were.
  bool serve_here() {
    if (here_->at == here_->begin) return false;
    serve_own();
    return true;
  }
  /// Sends off what has waited for longer than `age`; reads the clock only if something waits.
  void flush_aged();
  /// Sends off everything that there is room for.
  void flush_idle();
  /// Whether nothing is left to send, or to serve here.
  [[nodiscard]] bool empty() const;

  /// A message was refused and will be tried again.
  void count_refused() noexcept { ++counters_.refused; }
  [[nodiscard]] const aggregator_counters& counters() const noexcept { return counters_; }

 private:
  static constexpr std::size_t header = memory_manager::header;
  struct buffer {
    std::byte* begin = nullptr;      ///< of the runs; the manager's header lies before them
    std::byte* at = nullptr;         ///< where the next message goes
    std::byte* end = nullptr;        ///< before `at` while replies wait outside
    message_shape shape;             ///< of the open run; of 0 bytes when there is none
    run_header* run = nullptr;       ///< the open one
    std::byte* all = nullptr;        ///< end of the memory
    double since = 0;                ///< when the first message came
    std::vector<std::byte> outside;  ///< replies that found no room, in order, each a run
    std::size_t outside_first = 0;   ///< bytes of them that are gone
  };
  std::byte* append_run(int to, message_shape shape);
  std::byte* open_run(buffer& b, message_shape shape);
  void close_run(buffer& b);
  bool flush(int to, std::int64_t aggregator_counters::*why);
  void refill(buffer& b);
  void serve_own();

  rank* rank_;
  memory_manager* manager_;
  parcel_server* server_;
  double age_;
  std::vector<buffer> buffers_;  ///< one for each rank
  buffer* here_;                 ///< this rank's
  std::vector<std::byte> own_;   ///< its memory
  aggregator_counters counters_;
};

}  // namespace gossamer
