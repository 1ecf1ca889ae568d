// Files of one number a vertex: every format gives the same numbers, every mistake one line.
#include "gossamer/graph/numbers.hpp"

#include <cmath>

#include "graph/io/npy_array.hpp"
#include "message_of.hpp"
#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

number_array read(std::string_view text, std::int64_t limit = 0) {
  return read_numbers(std::as_bytes(std::span(text)), "FILE", "ranks", limit);
}

std::vector<double> doubles(std::string_view text) {
  const number_array found = read(text);
  EXPECT_EQ(found.type, "<f8");
  std::vector<double> out(static_cast<std::size_t>(found.count));
  EXPECT_EQ(found.bytes.size(), out.size() * sizeof(double));
  std::memcpy(out.data(), found.bytes.data(), found.bytes.size());
  return out;
}

std::string said_of(std::string_view text, std::int64_t limit = 0) {
  return message_of<error>([&] { read(text, limit); });
}

std::string npy(const std::string& type, const std::vector<std::int64_t>& shape,
                const std::string& data) {
  return io::npy_header(type, shape) + data;
}

#define BANNER "%%MatrixMarket matrix "

TEST(numbers, of_text_and_matrices) {
  EXPECT_EQ(doubles("1 2.5\n\n -3e2\t+4\r\n5"), (std::vector<double>{1, 2.5, -300, 4, 5}));
  EXPECT_EQ(doubles("\xef\xbb\xbf"
                    "1 2"),
            (std::vector<double>{1, 2}));
  EXPECT_EQ(doubles("inf -Infinity"), (std::vector<double>{INFINITY, -INFINITY}));
  EXPECT_EQ(doubles("000000000000000000009 9007199254740992"),
            (std::vector<double>{9, 9007199254740992}));
  EXPECT_EQ(doubles(BANNER "array real general\n% c\n3 1\n1\n2\n3\n"),
            (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(doubles(BANNER "array integer general\n1 2\n1\n2\n"), (std::vector<double>{1, 2}));
  EXPECT_EQ(doubles(BANNER "array real general\n0 0\n"), (std::vector<double>{}));
  EXPECT_EQ(doubles(BANNER "coordinate real general\n4 1 3\n2 1 5\n4 1 1\n2 1 2\n"),
            (std::vector<double>{0, 7, 0, 1}));
  EXPECT_EQ(doubles(BANNER "coordinate pattern general\n1 3 1\n1 2\n"),
            (std::vector<double>{0, 1, 0}));
  std::string many;
  std::vector<double> expected;
  for (int i = 0; i < 300000; ++i) {  // several blocks
    many += std::to_string(i);
    many += i % 7 == 0 ? '\n' : ' ';
    expected.push_back(i);
  }
  EXPECT_EQ(doubles(many), expected);
  EXPECT_EQ(said_of(many + "\nx"), "FILE:42860: expected a number, found 'x'");
}

TEST(numbers, of_numpy_keep_their_type) {
  const std::string file = npy("<i4", {1, 2}, std::string("\1\0\0\0\2\0\0\0", 8));
  number_array found = read(file);
  EXPECT_EQ(found.type, "<i4");
  EXPECT_EQ(found.count, 2);
  EXPECT_EQ(std::string(found.bytes.begin(), found.bytes.end()), file.substr(file.size() - 8));
  EXPECT_EQ(read(npy(">u2", {2}, "abcd")).type, ">u2");
  EXPECT_EQ(read(npy("|b1", {}, "a")).type, "|b1");
  EXPECT_EQ(read(npy("<f2", {0}, "")).count, 0);
  // One byte in front: a copy lies where the type wants it.
  const std::string shifted = npy("<f8", {2}, "0123456789abcdef").insert(0, 1, ' ');
  found = read(std::string_view(shifted).substr(1));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found.bytes.data()) % 8, 0u);
  EXPECT_EQ(std::string(found.bytes.begin(), found.bytes.end()), "0123456789abcdef");
}

TEST(numbers, of_archives_go_by_name) {
  const std::string path = data_file("tiny-plain.npz");
  EXPECT_EQ(read_numbers(path, "indptr").count, 7);
  try {
    read_numbers(path, "ranks");
    FAIL();
  } catch (const input_error& e) {
    EXPECT_EQ(e.what(), path + ": there is no array named ranks");
  }
}

TEST(numbers, mistakes_are_named) {
  EXPECT_EQ(said_of("1 2\n3 four"), "FILE:2: expected a number, found 'four'");
  EXPECT_EQ(said_of(std::string_view("1\0 2", 4)), "FILE:1: expected a number, found '1?'");
  EXPECT_EQ(said_of("1e999"), "FILE:1: number '1e999' is outside the range of doubles");
  EXPECT_EQ(said_of("12345678901234567"),
            "FILE:1: number '12345678901234567' is too large to be exact");
  EXPECT_EQ(said_of(std::string_view(BANNER "array real general\n2 1\n1\0\n2\n", 52)),
            "FILE:3: expected a number, found '1?'");
  EXPECT_EQ(said_of(BANNER "array real general\n2 2\n1\n"),
            "FILE:2: one row or column of numbers is needed, not 2 x 2");
  EXPECT_EQ(said_of(BANNER "array real general\n99999999999999999999 1\n"),
            "FILE:2: number of rows '99999999999999999999' does not fit 63 bits");
  EXPECT_EQ(said_of(BANNER "array real general\n999999999999 1\n1\n"),
            "FILE:2: the header says 999999999999 entries, the file holds 1");
  EXPECT_EQ(said_of(BANNER "array pattern general\n1 1\n1\n"),
            "FILE:1: entries of type 'pattern' are not read (real, integer are)");
  EXPECT_EQ(said_of(BANNER "array real symmetric\n1 1\n1\n"),
            "FILE:1: a vector is a 'general' matrix");
  EXPECT_EQ(said_of(BANNER "array integer general\n1 1\n1.5\n"),
            "FILE:3: an 'integer' matrix holds '1.5'");
  EXPECT_EQ(said_of(BANNER "coordinate real general\n3 1 1\n4 1 5\n"),
            "FILE:3: entry (4, 1) is outside 3 x 1");
  EXPECT_EQ(said_of(BANNER "coordinate real general\n3 1 2\n1 1 5\n"),
            "FILE:2: the header says 2 entries, the file holds 1");
  EXPECT_EQ(said_of(npy("|V0", {4}, "")),
            "FILE: byte 128: real numbers are needed, not type '|V0'");
  EXPECT_EQ(said_of(npy("<c16", {1}, std::string(16, '\0'))),
            "FILE: byte 128: real numbers are needed, not type '<c16'");
  EXPECT_EQ(said_of(npy("<f1", {1}, "1")),
            "FILE: byte 128: real numbers are needed, not type '|f1'");
  EXPECT_EQ(said_of(npy("<f4", {2, 6}, std::string(48, '\0'))),
            "FILE: byte 128: one row or column of numbers is needed, not 2 x 6");
}

TEST(numbers, keep_to_the_memory_limit) {
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "1 ";
  EXPECT_EQ(
      said_of(many, 60000),
      "FILE: the numbers do not fit: they take 96.0 KiB or more; the limit is 58.6 KiB (given)");
  EXPECT_EQ(
      said_of(BANNER "coordinate real general\n999999999999 1 0\n", 1 << 20),
      "FILE: the numbers do not fit: they take 7.3 TiB or more; the limit is 1.0 MiB (given)");
}

}  // namespace
}  // namespace gossamer
