// aggregator: small messages to the same rank become large ones.
//
// One buffer for each destination. It is sent off when the next message does not fit (size), when
// its first message has waited long enough (age), or when this rank has nothing else to do
// (idleness). Appending is a comparison and an addition; a clock is read once a parcel.
//
// What does not fit anywhere, since the destination's places for parcels are all taken, is refused:
// the sender waits, and nothing is lost. Replies are not, or two ranks that wait for each other's
// room would wait for ever: append_always() keeps them in memory that grows. They need no more than
// all tasks that wait for a reply from this rank, each for one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gossamer/task/memory_manager.hpp"

namespace gossamer {

struct aggregator_options {
  parcel_limits parcels;  ///< 2048 bytes at least, so that every message fits
  double age = 100e-6;    ///< seconds that a message waits for company while tasks run
};

/// What went through an aggregator.
struct aggregator_counters {
  std::int64_t messages = 0;                  ///< that were appended
  std::int64_t bytes = 0;                     ///< of parcels
  std::int64_t full = 0, aged = 0, idle = 0;  ///< parcels by why they went
  std::int64_t refused = 0;                   ///< messages that had to wait for room
  /// sizes[k]: parcels of 2^k to 2^(k+1) - 1 bytes.
  std::array<std::int64_t, 24> sizes{};
  [[nodiscard]] std::int64_t parcels() const { return full + aged + idle; }
};

/// What every message begins with; a multiple of 8 bytes in all.
struct message_header {
  std::uint16_t handler;
  std::uint16_t bytes;  ///< with this header
  std::uint32_t unused = 0;
};
static_assert(sizeof(message_header) == 8);

class aggregator {
 public:
  static constexpr std::size_t largest_message = 2048;

  aggregator(rank& r, memory_manager& manager, const aggregator_options& options);
  /// Throws usage_error for options that make no sense; the constructor does not ask.
  static void check(const aggregator_options& options);
  /// Bytes of native memory for the run's arena, beside the manager's.
  [[nodiscard]] static std::int64_t bytes(int ranks, const aggregator_options& options);

  /// Room for a message of `bytes` bytes to another rank, for the caller to write now; null when
  /// there is none. A multiple of 8, at most largest_message.
  [[nodiscard]] std::byte* append(int to, std::size_t bytes) {
    buffer& b = buffers_[static_cast<std::size_t>(to)];
    if (b.used + bytes > b.limit && !make_room(to, bytes)) [[unlikely]]
      return nullptr;
    return take(b, bytes);
  }
  /// A message that is never refused; what it says must be complete.
  void append_always(int to, std::span<const std::byte> message);

  /// Sends off what has waited for longer than `age`; reads the clock only if something waits.
  void flush_aged();
  /// Sends off everything that there is room for.
  void flush_idle();
  /// Whether nothing is left to send.
  [[nodiscard]] bool empty() const;

  /// A message was refused and will be tried again.
  void count_refused() noexcept { ++counters_.refused; }
  [[nodiscard]] const aggregator_counters& counters() const noexcept { return counters_; }

 private:
  static constexpr std::size_t header = memory_manager::header;
  struct buffer {
    std::span<std::byte> memory;
    std::size_t used = header;
    std::size_t limit = header;      ///< of `used`; header while replies wait outside
    double since = 0;                ///< when the first message came
    std::vector<std::byte> outside;  ///< replies that found no room, in order
    std::size_t outside_first = 0;   ///< bytes of them that are gone
  };
  std::byte* take(buffer& b, std::size_t bytes) {
    if (b.used == header) b.since = rank_->clock();
    std::byte* at = b.memory.data() + b.used;
    b.used += bytes;
    ++counters_.messages;
    return at;
  }
  bool make_room(int to, std::size_t bytes);
  bool flush(int to, std::int64_t aggregator_counters::*why);
  void refill(buffer& b);

  rank* rank_;
  memory_manager* manager_;
  double age_;
  std::vector<buffer> buffers_;  ///< one for each rank; this one's stays empty
  aggregator_counters counters_;
};

}  // namespace gossamer
