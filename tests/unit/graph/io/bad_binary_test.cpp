// Bad binary input: truncations at every byte, lying headers, wrong checksums, cut compression.
#include "graph/io/gossamer_format.hpp"
#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

template <class T>
std::string with(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(T));
  return bytes;
}

constexpr auto galois = file_format::galois;
constexpr auto sg = file_format::gapbs;
constexpr auto wsg = file_format::gapbs_weighted;
constexpr auto gsr = file_format::gossamer;
constexpr auto npz = file_format::npz;

// A cut file must be refused wherever the cut is: no format here has optional ends.
TEST(binary, every_truncation_is_an_error) {
  for (auto [name, format] : {std::pair{"tiny-v1.gr", galois},
                              {"tiny-v2.gr", galois},
                              {"tiny.sg", sg},
                              {"tiny.wsg", wsg},
                              {"tiny.gsr", gsr},
                              {"tiny-csr.npz", npz},
                              {"tiny-coo.npz", npz}}) {
    const std::string whole = contents(data_file(name));
    ASSERT_GT(whole.size(), 60u);
    for (std::size_t n = 0; n < whole.size(); ++n) {
      const std::string message = complaint(whole.substr(0, n), format);
      ASSERT_TRUE(message.starts_with("FILE: byte ")) << name << " cut at " << n << ": " << message;
    }
  }
}

TEST(binary, bytes_after_the_end_are_an_error) {
  EXPECT_EQ(complaint(contents(data_file("tiny-v1.gr")) + "xyz", galois),
            "FILE: byte 140: 3 bytes after the end of the graph");
  EXPECT_EQ(complaint(contents(data_file("tiny.sg")) + "x", sg),
            "FILE: byte 185: 1 bytes after the end of the graph");
}

TEST(galois, names_bad_headers_and_arrays) {
  const std::string good = contents(data_file("tiny-v1.gr"));
  using u64 = std::uint64_t;
  EXPECT_EQ(complaint("", galois), "FILE: byte 0: the file is empty");
  EXPECT_EQ(complaint(with(good, 0, u64{3}), galois),
            "FILE: byte 0: not a Galois graph: version 3 (1 and 2 are read)");
  EXPECT_EQ(complaint(with(good, 0, u64{3}), file_format::automatic),
            "FILE: byte 0: not a Galois graph: version 3 (1 and 2 are read)");
  EXPECT_EQ(complaint(with(good, 0, u64{1} << 56), galois),
            "FILE: byte 0: the byte order is big endian; Galois files are little endian");
  EXPECT_EQ(complaint(with(good, 8, u64{16}), galois),
            "FILE: byte 8: edge data of 16 bytes is not read (0, 4 and 8 are)");
  EXPECT_EQ(complaint(with(good, 16, u64{0}), galois), "FILE: byte 16: the graph has no vertices");
  EXPECT_EQ(complaint(with(good, 16, ~u64{0}), galois),
            "FILE: byte 16: number of vertices -1 is out of range");
  // A header may claim anything: nothing is allocated before the file is seen to hold it.
  EXPECT_EQ(complaint(with(good, 16, u64{1} << 60), galois),
            "FILE: byte 140: the file ends inside the row offsets (1152921504606846976 x 8 bytes "
            "from byte 32)");
  EXPECT_EQ(complaint(with(good, 24, u64{1} << 61), galois),
            "FILE: byte 140: the file ends inside the columns (2305843009213693952 x 4 bytes from "
            "byte 80)");
  EXPECT_EQ(complaint(with(good, 40, u64{2}), galois),
            "FILE: byte 40: row 1 ends at 2, before it starts or after the last arc");
  EXPECT_EQ(complaint(with(good, 72, u64{8}), galois),
            "FILE: byte 72: row 5 ends at 8, before it starts or after the last arc");
  EXPECT_EQ(complaint(with(good, 84, std::uint32_t{6}), galois),
            "FILE: byte 84: column 6 is outside 0..5");
}

TEST(gapbs, names_bad_headers_and_arrays) {
  const std::string good = contents(data_file("tiny.wsg"));
  EXPECT_EQ(complaint(with(good, 0, std::uint8_t{2}), wsg),
            "FILE: byte 0: not a GAPBS graph: the directed flag is 2");
  EXPECT_EQ(complaint(with(good, 9, std::int64_t{0}), wsg),
            "FILE: byte 9: the graph has no vertices");
  EXPECT_EQ(complaint(with(good, 9, std::int64_t{-6}), wsg),
            "FILE: byte 9: number of vertices -6 is out of range");
  // Ids of this format have 32 bits.
  EXPECT_EQ(complaint(with(good, 9, std::int64_t{1} << 31), wsg),
            "FILE: byte 9: number of vertices 2147483648 is out of range");
  EXPECT_EQ(complaint(with(good, 25, std::int64_t{8}), wsg),
            "FILE: byte 25: row offset 8 of vertex 1 is out of order");
  EXPECT_EQ(complaint(with(good, 73, std::int32_t{-1}), wsg),
            "FILE: byte 73: neighbour -1 is outside 0..5");
}

TEST(graph500, names_cut_and_negative_edges) {
  const std::string good = contents(data_file("tiny.packed"));
  EXPECT_EQ(complaint(good.substr(0, 20), file_format::graph500),
            "FILE: byte 12: the file ends inside an edge (20 bytes are no multiple of 12)");
  EXPECT_EQ(complaint(with(good, 20, std::uint32_t{0xffff}), file_format::graph500),
            "FILE: byte 12: negative vertex id -4294967296");
  EXPECT_EQ(complaint("", file_format::graph500), "FILE: byte 0: the file is empty");
}

TEST(gossamer_binary, names_wrong_magic_order_version_and_checksums) {
  const std::string good = contents(data_file("tiny.gsr"));
  EXPECT_EQ(complaint(with(good, 0, 'x'), gsr), "FILE: byte 0: not a Gossamer binary graph");
  EXPECT_EQ(complaint(with(good, 8, std::uint32_t{0x04030201}), gsr),
            "FILE: byte 8: the byte order is that of another kind of machine");
  EXPECT_EQ(complaint(with(good, 8, std::uint32_t{7}), gsr),
            "FILE: byte 8: the byte-order mark is damaged");
  EXPECT_EQ(complaint(with(good, 12, std::uint32_t{2}), gsr),
            "FILE: byte 12: version 2 of the format is not read (only 1)");
  EXPECT_EQ(complaint(with(good, 24, std::int64_t{7}), gsr),
            "FILE: byte 248: the checksum of the header is wrong");
  io::gsr_header h;
  std::memcpy(&h, good.data(), sizeof(h));
  const auto columns = static_cast<std::size_t>(h.sections[io::gsr_columns].offset);
  EXPECT_EQ(complaint(with(good, columns + 1, 'x'), gsr),
            "FILE: byte " + std::to_string(columns) + ": the checksum of the columns is wrong");
  // Not asked to verify: the header alone is checked.
  read_options trusting;
  trusting.verify_data = false;
  EXPECT_EQ(read_text(with(good, columns + 1, '\0'), gsr, trusting).arcs(), 7);
}

TEST(gossamer_binary, any_changed_byte_is_noticed) {
  const std::string good = contents(data_file("tiny.gsr"));
  io::gsr_header h;
  std::memcpy(&h, good.data(), sizeof(h));
  for (int s = 0; s < io::gsr_sections; ++s)
    for (std::int64_t i = 0; i < h.sections[s].bytes; ++i) {
      std::string bad = good;
      bad[static_cast<std::size_t>(h.sections[s].offset + i)] ^= 0x10;
      ASSERT_NE(complaint(bad, gsr).find("checksum"), std::string::npos) << s << " " << i;
    }
}

// Who forges a file makes its checksums, too.
TEST(gossamer_binary, a_forged_flag_of_symmetry_is_noticed) {
  const auto flagged = [](std::string bytes) {
    io::gsr_header h;
    std::memcpy(&h, bytes.data(), sizeof h);
    h.flags |= io::gsr_symmetric;
    h.header_hash = io::gsr_header_hash(h);
    return with(bytes, 0, h);
  };
  const std::string forged = flagged(contents(data_file("tiny.gsr")));
  EXPECT_EQ(
      complaint(forged, gsr),
      "FILE: byte 48: the header says that the graph is symmetric, but some arc has no mirror");
  // Arcs both ways, of other weights.
  const std::string weights = "0 1 5\n1 0 6\n";
  scratch_folder folder;
  write_graph(read_text(weights, file_format::edge_list), folder.file("w.gsr"));
  EXPECT_NE(complaint(flagged(contents(folder.file("w.gsr"))), gsr).find("byte 48"),
            std::string::npos);
  // Believed together with the rest.
  read_options trusting;
  trusting.verify_data = false;
  EXPECT_TRUE(read_text(forged, gsr, trusting).symmetric);
  read_options mirrored;
  mirrored.build.symmetrize = true;
  mirrored.verify_data = false;
  EXPECT_EQ(read_text(forged, gsr, mirrored).arcs(),
            read_text(contents(data_file("tiny.gsr")), gsr, mirrored).arcs());
  // What is true stays.
  write_graph(read_text("0 1 5\n1 0 5\n", file_format::edge_list), folder.file("s.gsr"));
  EXPECT_TRUE(read_text(contents(folder.file("s.gsr")), gsr).symmetric);
}

TEST(gossamer_binary, structure_is_checked_behind_right_checksums) {
  std::string bytes = contents(data_file("tiny.gsr"));
  io::gsr_header h;
  std::memcpy(&h, bytes.data(), sizeof(h));
  auto& part = h.sections[io::gsr_columns];
  bytes = with(bytes, static_cast<std::size_t>(part.offset), std::int32_t{6});
  part.hash = io::block_hash({bytes.data() + part.offset, static_cast<std::size_t>(part.bytes)});
  h.header_hash = io::gsr_header_hash(h);
  EXPECT_EQ(complaint(with(bytes, 0, h), gsr), "FILE: byte " + std::to_string(part.offset) +
                                                   ": column 6 is out of range or out of order");
}

TEST(npz, names_damage) {
  EXPECT_EQ(complaint("PK\x03\x04 and then nothing of an archive", npz),
            "FILE: byte 35: the zip archive is cut short: no end record was found");
  std::string bytes = contents(data_file("tiny-plain.npz"));
  // The last data byte of the first member: its checksum no longer holds.
  const auto second = bytes.find("PK\x03\x04", 4);
  ASSERT_NE(second, std::string::npos);
  bytes[second - 1] ^= 1;
  EXPECT_NE(complaint(bytes, npz).find("the checksum of member 'indptr.npy' is wrong"),
            std::string::npos);
}

TEST(compressed, every_cut_is_an_error) {
  for (const char* name : {"tiny.mtx.gz", "tiny.mtx.xz", "tiny.mtx.zst"}) {
    if (missing_option(name) != nullptr) continue;
    const std::string whole = contents(data_file(name));
    // Below six bytes the magic itself is cut and the file is not text either.
    for (std::size_t n = 6; n < whole.size(); ++n) {
      const std::string message = complaint(whole.substr(0, n), file_format::matrix_market);
      ASSERT_NE(message.find("data is cut short"), std::string::npos)
          << name << " cut at " << n << ": " << message;
      ASSERT_TRUE(message.starts_with("FILE: byte ")) << message;
    }
  }
}

TEST(compressed, damage_is_an_error) {
  for (const char* name : {"tiny.mtx.gz", "tiny.mtx.xz", "tiny.mtx.zst"}) {
    if (missing_option(name) != nullptr) continue;
    std::string bytes = contents(data_file(name));
    for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 4; ++i) bytes[i] ^= 0x55;
    const std::string message = complaint(bytes, file_format::matrix_market);
    EXPECT_TRUE(message.starts_with("FILE:")) << name << ": " << message;
  }
}

}  // namespace
}  // namespace gossamer
