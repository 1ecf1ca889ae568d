// From header to header, through a whole file.
#include "graph/io/zstd_format.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "graph/saturating.hpp"

namespace gossamer::io {
namespace {

/// A block decompresses to 128 KiB at most: files of up to 128 GiB of text are read through.
constexpr int most_headers = 1 << 20;
constexpr std::uint32_t frame_magic = 0xfd2fb528, skippable_magic = 0x184d2a5;

class headers {
 public:
  explicit headers(const byte_source& file) : file_(file) {}
  std::int64_t said_bytes() {
    std::int64_t total = 0;
    while (at_ < file_.raw_size()) {
      const auto magic = static_cast<std::uint32_t>(number(4));
      if (magic >> 4u == skippable_magic) {  // any program's own data
        at_ += static_cast<std::int64_t>(number(4));
      } else {
        const std::int64_t said = magic == frame_magic ? frame() : -1;
        if (said < 0) return 0;
        total = detail::sat_add(total, said);
      }
      if (failed_) return 0;
    }
    return total;
  }

 private:
  /// The next field, the lowest byte first; failed_ where the file has no such field.
  std::uint64_t number(std::size_t bytes) {
    std::array<char, 8> field{};
    failed_ = failed_ || --left_ < 0 || at_ >= file_.raw_size() ||
              file_.read_at(at_, std::span(field).first(bytes)) < bytes;
    at_ += static_cast<std::int64_t>(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;)
      value = value << 8u | static_cast<unsigned char>(field[i]);
    return value;
  }
  /// To its end; what it says that it has, -1 where it does not.
  std::int64_t frame() {
    const auto descriptor = static_cast<unsigned>(number(1));
    const bool single = (descriptor & 0x20u) != 0, checksum = (descriptor & 4u) != 0;
    constexpr std::array<int, 4> dictionary = {0, 1, 2, 4};
    at_ += (single ? 0 : 1) + dictionary[descriptor & 3u];  // a window, a dictionary's name
    const unsigned size = descriptor >> 6u;
    if (size == 0 && !single) return -1;
    const std::uint64_t said = number(std::size_t{1} << size) + (size == 1 ? 256 : 0);
    while (!failed_ && block()) {
    }
    at_ += checksum ? 4 : 0;
    return static_cast<std::int64_t>(said);
  }
  /// Whether another one follows.
  bool block() {
    const auto header = static_cast<std::uint32_t>(number(3));
    const bool repeated = (header >> 1u & 3u) == 1;  // one byte stands for all
    at_ += repeated ? 1 : static_cast<std::int64_t>(header >> 3u);
    return (header & 1u) == 0;
  }

  const byte_source& file_;
  std::int64_t at_ = 0;
  int left_ = most_headers;
  bool failed_ = false;
};

}  // namespace

std::int64_t zstd_said_bytes(const byte_source& file) {
  return headers(file).said_bytes();
}

}  // namespace gossamer::io
