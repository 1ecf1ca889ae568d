// message_run: messages of one kind and size that lie behind each other, with one header for all.
//
// A parcel is a sequence of runs. Most programs send the same operation again and again, so runs
// are long: all messages of one share its header, and the call that serves it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gossamer {

/// What messages of one run have in common; also what a buffer's open run is compared by.
struct message_shape {
  std::uint16_t handler = 0;
  std::uint16_t bytes = 0;  ///< of each message; a multiple of 8, 0 for none
  friend bool operator==(const message_shape&, const message_shape&) = default;
};

/// What a run begins with.
struct run_header {
  message_shape shape;
  std::uint32_t count = 0;
};
static_assert(sizeof(run_header) == 8);

/// A run as its reader sees it.
struct message_run {
  /// Messages whose data is fetched before they are served: it lies anywhere in memory, and the
  /// core should wait for none of it.
  static constexpr std::size_t ahead = 48;

  explicit message_run(const std::byte* at) noexcept : first(at + sizeof(run_header)) {
    run_header header;
    std::memcpy(&header, at, sizeof header);
    shape = header.shape;
    count = header.count;
  }
  [[nodiscard]] const std::byte* operator[](std::size_t i) const noexcept {
    return first + i * shape.bytes;
  }
  /// Where the next run begins.
  [[nodiscard]] const std::byte* end() const noexcept { return (*this)[count]; }
  /// How many of its messages are fetched before the first is served.
  [[nodiscard]] std::size_t fetched() const noexcept { return count < ahead ? count : ahead; }

  message_shape shape;
  std::size_t count;
  const std::byte* first;
};

}  // namespace gossamer
