// .npz archives whose members do not make a graph, each with the message that says so. Archives are
// made here: stored members with right checksums, so that only what a test breaks is broken.
#include <cmath>

#include "graph/io/npy_array.hpp"
#include "graph/io/zip_archive.hpp"
#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

template <class T>
void put(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

struct member {
  std::string name, bytes;
};

/// Integers (or what T is) as .npy.
template <class T>
std::string npy(const std::string& type, std::vector<T> values,
                std::vector<std::int64_t> shape = {-1}) {
  if (shape == std::vector<std::int64_t>{-1}) shape = {static_cast<std::int64_t>(values.size())};
  std::string out = io::npy_header(type, shape);
  for (const T v : values) put(out, v);
  return out;
}
std::string ints(std::vector<std::int64_t> values) {
  return npy<std::int64_t>("<i8", std::move(values));
}
std::string text(const std::string& value) {
  return io::npy_header("|S" + std::to_string(value.size()), {}) + value;
}
/// An .npy of this header and no data.
std::string header(const std::string& dictionary) {
  std::string out("\x93NUMPY\x01\x00", 8);
  put(out, static_cast<std::uint16_t>(dictionary.size()));
  return out + dictionary;
}

std::string archive(const std::vector<member>& members) {
  std::string out, directory;
  for (const auto& m : members) {
    const std::string name = m.name + ".npy";
    const auto size = static_cast<std::uint32_t>(m.bytes.size());
    const auto at = static_cast<std::uint32_t>(out.size());
    std::string fields;  // what local header and directory have in common
    put<std::uint16_t>(fields, 20);
    fields.append(8, '\0');  // flags, stored, time, date
    put(fields, io::zip_crc(0, m.bytes));
    put(fields, size);
    put(fields, size);
    put(fields, static_cast<std::uint16_t>(name.size()));
    put<std::uint16_t>(fields, 0);
    put<std::uint32_t>(out, 0x04034b50);
    out += fields + name + m.bytes;
    put<std::uint32_t>(directory, 0x02014b50);
    put<std::uint16_t>(directory, 20);
    directory += fields;
    directory.append(10, '\0');
    put(directory, at);
    directory += name;
  }
  const auto start = static_cast<std::uint32_t>(out.size());
  out += directory;
  put<std::uint32_t>(out, 0x06054b50);
  out.append(4, '\0');
  put(out, static_cast<std::uint16_t>(members.size()));
  put(out, static_cast<std::uint16_t>(members.size()));
  put(out, static_cast<std::uint32_t>(directory.size()));
  put(out, start);
  put<std::uint16_t>(out, 0);
  return out;
}

struct broken {
  const char* what;
  std::vector<member> members;
  const char* message;  ///< after "FILE: byte N: "
};
void PrintTo(const broken& b, std::ostream* out) {
  *out << b.what;
}

class bad_npz : public testing::TestWithParam<broken> {};

TEST_P(bad_npz, is_named_with_its_byte) {
  const std::string found = complaint(archive(GetParam().members), file_format::npz);
  ASSERT_TRUE(found.starts_with("FILE: byte ")) << found;
  const auto start = found.find(": ", 6);
  EXPECT_EQ(found.substr(start + 2), GetParam().message);
}

TEST(npz, archives_made_here_can_be_read) {
  const graph g =
      read_text(archive({{"indptr", ints({0, 1, 1})}, {"indices", ints({1})}, {"data", ints({7})}}),
                file_format::npz);
  EXPECT_EQ(arcs_of(g), (arc_list{{0, 1, 7}}));
}

const member rows{"indptr", ints({0, 1, 1})}, columns{"indices", ints({1})};

INSTANTIATE_TEST_SUITE_P(
    csr, bad_npz,
    testing::Values(
        broken{"twice", {rows, rows, columns}, "array 'indptr' is there twice"},
        broken{"no indices", {rows}, "array 'indices' is missing"},
        broken{"real offsets",
               {{"indptr", npy<double>("<f8", {0, 1})}, columns},
               "array 'indptr' must hold integers in one dimension"},
        broken{"two dimensions",
               {rows, {"indices", npy<std::int64_t>("<i8", {1}, {1, 1})}},
               "array 'indices' must hold integers in one dimension"},
        broken{"format is a number",
               {rows, columns, {"format", ints({1})}},
               "array 'format' must hold one short string"},
        broken{"other format",
               {rows, columns, {"format", text("bsr")}},
               "sparse format 'bsr' is not read (csr, csc, coo are)"},
        broken{
            "one size", {rows, columns, {"shape", ints({2})}}, "array 'shape' must hold two sizes"},
        broken{"negative size",
               {rows, columns, {"shape", ints({2, -2})}},
               "array 'shape' must hold two sizes"},
        broken{"not square",
               {rows, columns, {"shape", ints({2, 3})}},
               "a graph needs a square matrix, this one is 2 x 3"},
        broken{"other size",
               {rows, columns, {"shape", ints({5, 5})}},
               "array 'indptr' has 3 entries for 5 vertices"},
        broken{"no offsets", {{"indptr", ints({})}, columns}, "array 'indptr' is empty"},
        broken{"no vertices",
               {{"indptr", ints({0})}, {"indices", ints({})}},
               "the graph has no vertices"},
        broken{"offsets fall",
               {{"indptr", ints({0, 1, 0})}, columns},
               "array 'indptr' is out of order at entry 2"},
        broken{"offsets end early",
               {{"indptr", ints({0, 0, 0})}, columns},
               "array 'indptr' ends at 0, 'indices' has 1 entries"},
        broken{
            "id outside", {rows, {"indices", ints({2})}}, "array 'indices': id 2 is outside 0..1"},
        broken{"negative id",
               {rows, {"indices", ints({-1})}},
               "array 'indices': negative id or one over 63 bits"},
        broken{"data short",
               {rows, columns, {"data", ints({})}},
               "array 'data' has another length than 'indices'"},
        broken{"weights short",
               {rows, columns, {"weights", ints({})}},
               "array 'weights' has another length than 'indices'"},
        broken{"data of two dimensions",
               {rows, columns, {"data", npy<std::int64_t>("<i8", {1}, {1, 1})}},
               "array 'data' must have one dimension"},
        broken{"complex",
               {rows, columns, {"data", io::npy_header("<c8", {1}) + std::string(8, '\0')}},
               "weights of NumPy type 'c8' are not read"},
        broken{"large weight",
               {rows, columns, {"data", ints({std::int64_t{1} << 60})}},
               "weight is larger than 2^53"},
        broken{"NaN",
               {rows, columns, {"data", npy<double>("<f8", {std::nan("")})}},
               "weight is not a finite number (NaN or infinite)"},
        broken{"base",
               {rows, columns, {"gossamer_base", npy<double>("<f8", {1})}},
               "array 'gossamer_base' must hold one integer"},
        broken{"short map",
               {rows, columns, {"gossamer_map", ints({4})}},
               "array 'gossamer_map' must have one entry a vertex"},
        broken{"long names",
               {rows, columns, {"gossamer_map", npy<std::uint64_t>("<u8", {1, ~0ull})}},
               "vertex name does not fit 63 bits"}));

const member format{"format", text("coo")}, shape{"shape", ints({2, 2})};
const member from{"row", ints({0})}, to{"col", ints({1})};

INSTANTIATE_TEST_SUITE_P(
    coo, bad_npz,
    testing::Values(broken{"no shape", {format, from, to}, "array 'shape' is missing"},
                    broken{"no vertices",
                           {format, {"shape", ints({0, 0})}, from, to},
                           "the graph has no vertices"},
                    broken{"lengths",
                           {format, shape, from, {"col", ints({1, 1})}},
                           "arrays 'row' and 'col' differ in length"},
                    broken{"data",
                           {format, shape, from, to, {"data", ints({1, 2})}},
                           "array 'data' has another length than 'row'"},
                    broken{"id outside",
                           {format, shape, {"row", ints({9})}, to},
                           "array 'row': id 9 is outside 0..1"}));

#define UNREADABLE "NumPy header is not understood: "
#define ORDER "'fortran_order': False, "

INSTANTIATE_TEST_SUITE_P(
    npy, bad_npz,
    testing::Values(
        broken{"magic", {{"indptr", "no array"}}, "array 'indptr': not a NumPy array"},
        broken{"version",
               {{"indptr", std::string("\x93NUMPY\x09\x00\x00\x00", 10)}},
               "array 'indptr': version 9 is not read"},
        broken{"cut",
               {{"indptr", std::string("\x93NUMPY\x01\x00\xff\x00{", 11)}},
               "array 'indptr': the header is cut short"},
        broken{"cut version 2",
               {{"indptr", std::string("\x93NUMPY\x02\x00\xff\x00", 10)}},
               "array 'indptr': the header is cut short"},
        broken{"big endian",
               {{"indptr", npy<std::int64_t>(">i8", {0, 1, 1})}},
               UNREADABLE "big-endian type '>i8'"},
        broken{"type", {{"indptr", header("{'descr': 'i8'}")}}, UNREADABLE "type 'i8'"},
        broken{"width", {{"indptr", header("{'descr': '<ix'}")}}, UNREADABLE "type '<ix'"},
        broken{"odd width",
               {{"indptr", io::npy_header("<i3", {1}) + "123"}},
               "array 'indptr': elements of 3 bytes"},
        broken{"key", {{"indptr", header("{'colour': 1}")}}, UNREADABLE "unexpected key 'colour'"},
        broken{"repeated key",
               {{"indptr", header("{'descr': '<i8', 'descr': '<i8'}")}},
               UNREADABLE "unexpected key 'descr'"},
        broken{"text after",
               {{"indptr", header("{'descr': '<i8', " ORDER "'shape': (1,)} more")}},
               UNREADABLE "text after the dictionary"},
        broken{"missing key",
               {{"indptr", header("{'descr': '<i8'}")}},
               UNREADABLE "descr, fortran_order or shape is missing"},
        broken{"Fortran",
               {{"indptr", header("{'descr': '<i8', 'fortran_order': True, 'shape': (0, 2)}")}},
               UNREADABLE "Fortran order is not read"},
        broken{"order",
               {{"indptr", header("{'fortran_order': 1}")}},
               UNREADABLE "expected True or False"},
        broken{"no brace", {{"indptr", header("'descr'")}}, UNREADABLE "expected '{'"},
        broken{"no string", {{"indptr", header("{descr")}}, UNREADABLE "expected a string"},
        broken{"open string", {{"indptr", header("{'descr")}}, UNREADABLE "a string does not end"},
        broken{"length", {{"indptr", header("{'shape': (x,)}")}}, UNREADABLE "expected a length"},
        broken{"dimensions",
               {{"indptr", io::npy_header("<i8", std::vector<std::int64_t>(33, 1))}},
               UNREADABLE "too many dimensions"},
        broken{"data missing",
               {{"indptr", io::npy_header("<i8", {3})}},
               "array 'indptr': the shape asks for 24 bytes of data, there are 0"}));

}  // namespace
}  // namespace gossamer
