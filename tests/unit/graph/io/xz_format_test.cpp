// What .xz files say of themselves: sizes by their indexes, of one stream or many, right or wrong.
#include "graph/io/xz_format.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::io {
namespace {

struct block {
  std::int64_t packed, unpacked;
};

std::string number(std::int64_t value) {
  std::string bytes;
  for (auto left = static_cast<std::uint64_t>(value);; left >>= 7u) {
    bytes += static_cast<char>((left & 0x7fu) | (left > 0x7fu ? 0x80u : 0u));
    if (left <= 0x7fu) return bytes;
  }
}

std::string word(std::uint32_t value) {
  std::string bytes;
  for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xffu);
  return bytes;
}

/// With frames that are right, checksums that nobody looks at, and nothing that could be decoded.
std::string stream(const std::vector<block>& blocks, std::uint32_t words_more = 0) {
  std::string bytes = std::string("\xfd\x37zXZ\0", 6) + std::string(6, '.');
  std::string index = std::string(1, '\0') + number(static_cast<std::int64_t>(blocks.size()));
  for (const block& b : blocks) {
    if (b.packed < 1 << 20)
      bytes += std::string(static_cast<std::size_t>(b.packed + 3) / 4 * 4, 'b');
    index += number(b.packed) + number(b.unpacked);
  }
  index += std::string((4 - index.size() % 4) % 4, '\0') + word(0);
  const auto words = static_cast<std::uint32_t>(index.size() / 4 - 1);
  return bytes + index + word(0) + word(words + words_more) + std::string(2, '\0') + "YZ";
}

std::int64_t said(std::string_view file) {
  return xz_said_bytes(*memory_source(file));
}

TEST(xz_format, sums_blocks_of_a_stream) {
  EXPECT_EQ(said(stream({})), 0);
  EXPECT_EQ(said(stream({{40, 1000}})), 1000);
  EXPECT_EQ(said(stream({{41, 127}, {7, 128}, {1000, std::int64_t{1} << 40}})),
            255 + (std::int64_t{1} << 40));
}

TEST(xz_format, sums_streams_and_skips_what_is_between) {
  const std::string one = stream({{40, 1000}}), other = stream({{100, 30}, {20, 4}});
  EXPECT_EQ(said(one + other), 1034);
  EXPECT_EQ(said(one + std::string(8, '\0') + other + std::string(4, '\0')), 1034);
}

TEST(xz_format, says_nothing_of_what_is_no_index) {
  const std::string whole = stream({{40, 1000}, {40, 1000}});
  for (std::size_t cut = 0; cut < whole.size(); ++cut)
    EXPECT_EQ(said(whole.substr(0, cut)), 0) << cut;
  EXPECT_EQ(said(stream({{40, 1000}}, 1)), 0) << "the footer says a longer index";
  EXPECT_EQ(said(stream({{40, 1000}}, ~0u - 2)), 0) << "and one of 16 GiB";
  EXPECT_EQ(said(stream({{std::int64_t{1} << 62, 1000}})), 0) << "a block longer than the file";
  EXPECT_EQ(said("head" + whole), 0) << "bytes before the first stream";
  EXPECT_EQ(said(std::string(1 << 20, '\0') + whole + std::string(1 << 20, '\0')), 0)
      << "more padding than is looked through";
}

TEST(xz_format, sums_do_not_pass_what_numbers_hold) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(said(stream({{40, most}, {40, most}})), most);
}

TEST(xz_format, cannot_ask_a_source_that_is_read_through) {
  struct pipe final : byte_source {
    std::size_t read(char*, std::size_t) override { return 0; }
    std::int64_t raw_position() const override { return 0; }
    std::int64_t raw_size() const override { return 1000; }
  };
  EXPECT_EQ(xz_said_bytes(pipe{}), 0);
}

}  // namespace
}  // namespace gossamer::io
