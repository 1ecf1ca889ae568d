// What reading plans: seen before it begins, and refused when it does not fit.
#include "message_of.hpp"
#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

TEST(memory, too_large_graphs_are_refused_with_the_plan) {
  read_options options;
  options.memory_limit = 1 << 20;
  auto refusal = [&](const std::string& text, file_format format) -> std::string {
    return message_of<capacity_error>([&] { read_text(text, format, options); });
  };
  EXPECT_EQ(refusal("p sp 2000000000 4000000000\n", file_format::dimacs),
            "not enough memory for this graph: FILE: 2000000000 vertices, 4000000000 arcs; row "
            "offsets 14.9 GiB + columns 14.9 GiB + weights 14.9 GiB + edges and sorting, beyond "
            "these 44.7 GiB = 89.4 GiB; limit 1.0 MiB (given)");
  refusal("9000000000000000000\n", file_format::webgraph);
  refusal("# Nodes: 9000000000000000000 Edges: 1\n0 1\n", file_format::edge_list);
  // Twice as many did not fit 63 bits.
  EXPECT_EQ(refusal("# Edges: 8198552921649689608\n2 2\n", file_format::edge_list)
                .find("not enough memory for this graph: FILE: "),
            0u);
  refusal(
      "%%MatrixMarket matrix coordinate real general\n9000000000000000000 "
      "9000000000000000000 9000000000000000000\n",
      file_format::matrix_market);
  refusal("9000000000000000000 9000000000000000000\n", file_format::metis);
  // An edge list says nothing about its size: what it holds is refused as it grows.
  std::string list;
  for (int i = 0; i < 200000; ++i) list += std::to_string(i) + " 1\n";
  refusal(list, file_format::edge_list);
}

read_plan plan_of(const std::string& name, read_options options) {
  struct seen {};
  read_plan found;
  options.on_plan = [&found](const read_plan& plan) {
    found = plan;
    throw seen{};
  };
  EXPECT_THROW(read_graph(data_file(name), options), seen);
  return found;
}

TEST(memory, steps_on_rows_that_come_whole_are_planned_and_refused) {
  for (const char* name : {"tiny-v1.gr", "tiny.sg", "tiny.gsr", "tiny-plain.npz"}) {
    SCOPED_TRACE(name);
    read_options options;
    EXPECT_NE(plan_of(name, options).items.back().what, "rebuilding");
    const std::int64_t plain = plan_of(name, options).total();
    options.build.deduplicate = true;
    EXPECT_EQ(plan_of(name, options).items.back().what, "rebuilding");
    options.memory_limit = plan_of(name, options).total() - 1;
    EXPECT_GT(options.memory_limit, plain);
    EXPECT_THROW(read_graph(data_file(name), options), capacity_error);
    ++options.memory_limit;
    EXPECT_NO_THROW(read_graph(data_file(name), options));
  }
}

TEST(memory, windows_of_decompression_are_planned) {
  EXPECT_NE(plan_of("tiny.mtx.gz", {}).items.back().what, "decompression");
  for (const char* name : {"tiny.mtx.xz", "tiny.mtx.zst"}) {
    SCOPED_TRACE(name);
    try {
      sniff_format(data_file(name));
    } catch (const not_compiled&) {
      continue;
    }
    read_options options;
    for (const file_format format : {file_format::automatic, file_format::matrix_market}) {
      options.format = format;
      options.memory_limit = 0;
      const read_plan plan = plan_of(name, options);
      EXPECT_EQ(plan.items.back().what, "decompression");
      EXPECT_GT(plan.items.back().bytes, 1 << 10);
      options.memory_limit = plan.total() - 1;
      EXPECT_THROW(read_graph(data_file(name), options), capacity_error);
      ++options.memory_limit;
      EXPECT_NO_THROW(read_graph(data_file(name), options));
    }
  }
}

/// The headers alone ask for it: nothing of that size may be allocated to find that out.
TEST(memory, windows_beyond_the_limit_are_never_taken) {
  read_options options;
  options.memory_limit = 1 << 20;
  const auto said_of = [&](const std::string& bytes) {
    return message_of<capacity_error>([&] { read_text(bytes, file_format::edge_list, options); });
  };
  const char* said = "FILE: decompressing it takes more memory than the limit of 1.0 MiB";
  if (missing_option(".xz") == nullptr) {
    EXPECT_EQ(said_of(contents(data_file("tiny.mtx.xz"))), said);  // its dictionary: 8 MiB
  }
  if (missing_option(".zst") == nullptr) {
    EXPECT_EQ(said_of(std::string("\x28\xb5\x2f\xfd\x00\x88\x00\x00", 8)), said);  // 128 MiB
    const std::string larger("\x28\xb5\x2f\xfd\x00\x90\x00\x00", 8);
    EXPECT_EQ(complaint(larger, file_format::edge_list),
              "FILE: byte 0: zstd data asks for a window over 128 MiB");
  }
}

/// Decoders that still know them give them any window.
TEST(memory, old_formats_of_zstd_are_not_decompressed) {
  if (const char* why = missing_option(".zst")) GTEST_SKIP() << why;
  const std::string skipped("\x50\x2a\x4d\x18\0\0\0\0", 8);
  const std::string window_of_64_mib("\x5e\x2a\x4d\x18", 4);
  for (const char* const version : {"\xfd\x2f\xb5\x1e", "\x22\xb5\x2f\xfd", "\x25\xb5\x2f\xfd",
                                    "\x26\xb5\x2f\xfd", "\x27\xb5\x2f\xfd"}) {
    const std::string frame = version + window_of_64_mib;
    EXPECT_EQ(complaint(skipped + frame, file_format::edge_list),
              "FILE: byte 8: zstd data has a format from before version 0.8");
    // Its header is parted: the reader takes 64 KiB at a time.
    std::string beyond = contents(data_file("tiny.mtx.zst"));
    const std::size_t filled = 65536 - 2 - beyond.size() - 8;
    beyond += std::string("\x50\x2a\x4d\x18", 4) + static_cast<char>(filled & 255) +
              static_cast<char>(filled >> 8) + std::string(2 + filled, '\0') + frame;
    EXPECT_EQ(complaint(beyond, file_format::matrix_market),
              "FILE: byte 65534: zstd data has a format from before version 0.8");
  }
}

TEST(memory, rows_made_of_columns_are_planned) {
  if (missing_option("tiny-csc.npz") != nullptr) GTEST_SKIP() << missing_option("tiny-csc.npz");
  EXPECT_EQ(plan_of("tiny-csc.npz", {}).items.back().what, "reversing");
}

TEST(memory, mirrored_edges_take_more_while_they_are_sorted) {
  read_options options;
  const std::int64_t plain = plan_of("tiny.gr", options).total();
  options.build.symmetrize = true;
  const read_plan plan = plan_of("tiny.gr", options);
  // 14 arcs of 12 bytes while sorting, beside 7 offsets and 14 columns and weights.
  EXPECT_EQ(plan.items.back().what, "edges and sorting, beyond these");
  EXPECT_EQ(plan.items.back().bytes, 14 * 12);
  EXPECT_EQ(plan.total(), 14 * 12 + 7 * 8 + 14 * 8);
  EXPECT_EQ(plan.total(), plain + 7 * 8 + 7 * 12);
}

TEST(memory, lists_are_planned_by_what_their_first_lines_say) {
  const auto planned = [](const std::string& text) {
    struct seen {};
    read_plan found;
    read_options options;
    options.on_plan = [&found](const read_plan& plan) {
      found = plan;
      throw seen{};
    };
    EXPECT_THROW(read_text(text, file_format::edge_list, options), seen);
    return found;
  };
  EXPECT_EQ(planned("# a\n0 1 5\n2 3 7\n").weight_bytes, 4);
  EXPECT_EQ(planned("0 1 5\n2 3 0.5\n").weight_bytes, 8);
  // Four vertices at most: offsets, two columns and cursors, and names.
  const read_plan far = planned("1 9000000000\n2 9000000001\n");
  EXPECT_EQ(far.items.back().what, "vertex names");
  EXPECT_EQ(far.total(), 5 * 8 + 2 * 4 + 4 * 8 + 4 * 8);
  EXPECT_EQ(far.vertices, 0) << "a guess";
}

TEST(memory, plans_know_symmetry_where_the_file_says_so) {
  EXPECT_FALSE(plan_of("tiny.gr", {}).symmetric);
  EXPECT_TRUE(plan_of("tiny.graph", {}).symmetric);
  EXPECT_EQ(plan_of("tiny.gsr", {}).symmetric, read_graph(data_file("tiny.gsr")).symmetric);
  EXPECT_TRUE(read_graph(data_file("tiny.gsr")).mapped);
  EXPECT_FALSE(read_graph(data_file("tiny-v1.gr")).mapped);
}

TEST(memory, the_plan_can_be_seen_and_stopped_at) {
  struct seen {};
  read_options options;
  options.on_plan = [](const auto& plan) {
    EXPECT_EQ(plan.vertices, 6);
    EXPECT_EQ(plan.arcs, 7);
    EXPECT_GT(plan.total(), 7 * 8);
    throw seen{};
  };
  EXPECT_THROW(read_graph(data_file("tiny.gr"), options), seen);
  EXPECT_THROW(read_graph(data_file("tiny-v1.gr"), options), seen);
}

}  // namespace
}  // namespace gossamer
