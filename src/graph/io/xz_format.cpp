// Headers from a file's beginning, indexes from its end.
#include "graph/io/xz_format.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include "graph/saturating.hpp"

namespace gossamer::io {
namespace {

using detail::sat_add;

constexpr std::int64_t header_bytes = 12, footer_bytes = 12;
/// Reads of a file, and bytes of an index, beyond which it is not worth the time.
constexpr int most_reads = 4096;
constexpr std::int64_t most_index_bytes = 16 << 20;

/// Fields one after the other; zeros behind the last.
class fields {
 public:
  fields(std::string_view bytes, std::size_t at) : bytes_(bytes), at_(at) {}
  unsigned byte() { return ended() ? 0 : static_cast<unsigned char>(bytes_[at_++]); }
  /// Seven bits a byte, the lowest first.
  std::uint64_t number() {
    std::uint64_t value = 0;
    unsigned part = 0x80;
    for (int shift = 0; shift < 63 && (part & 0x80u) != 0; shift += 7)
      value |= std::uint64_t{(part = byte()) & 0x7fu} << shift;
    return value;
  }
  void skip(std::uint64_t bytes) {
    at_ += static_cast<std::size_t>(std::min<std::uint64_t>(bytes, bytes_.size()));
  }
  [[nodiscard]] bool ended() const { return at_ >= bytes_.size(); }

 private:
  std::string_view bytes_;
  std::size_t at_;
};

/// Bytes of the index, by the footer behind it; 0 where there is none.
std::int64_t index_bytes(std::string_view footer) {
  if (!footer.ends_with("YZ")) return 0;
  std::int64_t words = 0;
  for (std::size_t i = 0; i < 4; ++i)
    words |= std::int64_t{static_cast<unsigned char>(footer[4 + i])} << (8 * i);
  return 4 * (words + 1);
}

struct stream_sizes {
  std::int64_t packed = 0, unpacked = 0;
};

/// Of all blocks of a stream.
stream_sizes sum_of(std::string_view index) {
  fields from(index, 1);
  stream_sizes sum;
  for (std::uint64_t left = from.number(); left > 0 && !from.ended(); --left) {
    const auto packed = static_cast<std::int64_t>(from.number());
    sum.packed = sat_add(sum.packed, sat_add(packed, 3) / 4 * 4);
    sum.unpacked = sat_add(sum.unpacked, static_cast<std::int64_t>(from.number()));
  }
  return sum;
}

}  // namespace

std::int64_t xz_dictionary_bytes(std::string_view head) {
  fields from(head, header_bytes);
  from.byte();  // the header's length
  const unsigned flags = from.byte();
  for (const unsigned size : {0x40u, 0x80u})  // of the block, packed and not
    if ((flags & size) != 0) from.number();
  for (unsigned filter = 0; filter <= (flags & 3u); ++filter) {
    const std::uint64_t id = from.number(), length = from.number();
    if (id == 0x21) {  // LZMA2
      const unsigned bits = from.byte();
      return bits > 39 ? 0 : std::int64_t{2 | (bits & 1u)} << (bits / 2 + 11);
    }
    from.skip(length);
  }
  return 0;
}

std::int64_t xz_said_bytes(const byte_source& file) {
  std::int64_t end = file.raw_size(), sum = 0;
  std::string bytes;
  const auto take = [&](std::int64_t from, std::int64_t count) {
    bytes.resize(static_cast<std::size_t>(count));
    return from >= 0 && file.read_at(from, bytes) == bytes.size();
  };
  for (int reads = 0; end > 0 && reads < most_reads; ++reads) {
    if (!take(end - footer_bytes, footer_bytes)) return 0;
    if (bytes.ends_with(std::string_view("\0\0\0\0", 4))) {  // between streams
      end -= 4;
      continue;
    }
    const std::int64_t index = index_bytes(bytes);
    if (index == 0 || index > most_index_bytes || !take(end - footer_bytes - index, index))
      return 0;
    const stream_sizes stream = sum_of(bytes);
    sum = sat_add(sum, stream.unpacked);
    end -= std::min(end + 1, sat_add(stream.packed, header_bytes + index + footer_bytes));
  }
  return end == 0 ? sum : 0;
}

}  // namespace gossamer::io
