// What .zst files say of themselves: sizes by the headers of frames, right or wrong.
#include "graph/io/zstd_format.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace gossamer::io {
namespace {

std::string number(std::uint64_t value, int bytes) {
  std::string said;
  for (; bytes > 0; --bytes, value >>= 8u) said += static_cast<char>(value & 0xffu);
  return said;
}

/// Of two blocks, one of which is a byte that is repeated; nothing that could be decoded.
std::string frame(std::uint64_t size, int bytes, unsigned flags, const std::string& between = "") {
  const unsigned width = bytes == 8 ? 3 : bytes == 4 ? 2 : bytes == 2 ? 1 : 0;
  const std::string blocks = number(5u << 3u, 3) + "block" + number(9000u << 3u | 3u, 3) + "r";
  return number(0xfd2fb528, 4) + number(width << 6u | flags, 1) + between +
         number(bytes == 2 ? size - 256 : size, bytes) + blocks + ((flags & 4u) != 0 ? "sums" : "");
}

constexpr unsigned single = 0x20, summed = 4;

std::int64_t said(std::string_view file) {
  return zstd_said_bytes(*memory_source(file));
}

TEST(zstd_format, reads_sizes_of_every_width) {
  EXPECT_EQ(said(frame(200, 1, single)), 200);
  EXPECT_EQ(said(frame(256, 2, single)), 256);
  EXPECT_EQ(said(frame(70000, 4, single | summed)), 70000);
  EXPECT_EQ(said(frame(std::uint64_t{1} << 40u, 8, 0, "w")), std::int64_t{1} << 40);
  EXPECT_EQ(said(frame(70000, 4, 3, "wname")), 70000) << "a window and a dictionary's name";
}

TEST(zstd_format, sums_frames_and_skips_what_is_no_content) {
  const std::string one = frame(200, 1, single), other = frame(70000, 4, single | summed);
  const std::string own = number(0x184d2a5e, 4) + number(5, 4) + "notes";
  EXPECT_EQ(said(one + other + one), 70400);
  EXPECT_EQ(said(own + one + own + other), 70200);
  EXPECT_EQ(said(own), 0);
}

TEST(zstd_format, is_known_by_a_frame_that_is_skipped) {
  const std::string first = number(0x184d2a50, 4) + number(4, 4) + "size";
  EXPECT_EQ(detect_compression(first + frame(200, 1, single)), compression::zstd);
  EXPECT_EQ(detect_compression("P*M"), compression::none);
}

TEST(zstd_format, says_nothing_of_what_is_no_frame_or_has_no_size) {
  const std::string whole = frame(200, 1, single);
  EXPECT_EQ(said(frame(0, 0, 0, "w")), 0) << "a stream whose size was not known";
  EXPECT_EQ(said(whole + frame(0, 0, 0, "w")), 0);
  EXPECT_EQ(said(whole + "more"), 0);
  EXPECT_EQ(said("head" + whole), 0);
  EXPECT_EQ(said(""), 0);
  for (std::size_t cut = 1; cut + 1 < whole.size(); ++cut)  // the last block's byte is not read
    EXPECT_EQ(said(whole.substr(0, cut)), 0) << cut;
}

TEST(zstd_format, ends_in_files_of_headers_alone) {
  std::string many = frame(200, 1, single);
  many.resize(6);
  many.resize((3u << 20u) + 3000, '\0');  // blocks without an end, and without content
  EXPECT_EQ(said(many), 0);
}

TEST(zstd_format, sums_do_not_pass_what_numbers_hold) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::string one = frame(most, 8, single);
  EXPECT_EQ(said(one + one), most);
  EXPECT_EQ(said(frame(~std::uint64_t{0}, 8, single)), 0) << "a size of more than 63 bits";
}

}  // namespace
}  // namespace gossamer::io
