// Files that are cut short, at every byte: they are refused, or the graph is that of the whole
// file.
//
// Formats that say nowhere how much they hold cannot tell: CSV, an edge list without "# Edges: M",
// packed edges of Graph500 between two of them, and numbers as text (docs/cli.md).
#include "gossamer/graph/advice.hpp"
#include "gossamer/graph/numbers.hpp"
#include "message_of.hpp"
#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

struct outcome {
  std::int64_t vertices;
  arc_list arcs;
  std::vector<std::int64_t> names;
  auto operator<=>(const outcome&) const = default;
};

outcome outcome_of(const graph& g) {
  std::vector<std::int64_t> names;
  for (std::int64_t v = 0; v < g.vertices(); ++v) names.push_back(g.names.name(v));
  return {g.vertices(), arcs_of(g), names};
}

/// The lengths at which `whole` can be cut and is read as another graph, in words.
std::string silent_cuts(const std::string& name, const std::string& whole,
                        bool symmetrize = false) {
  read_options options;
  options.threads = 1;
  options.build.symmetrize = symmetrize;
  const auto read = [&](std::size_t length) {
    return outcome_of(read_graph(std::as_bytes(std::span(whole)).first(length), name, options));
  };
  const outcome expected = read(whole.size());
  std::string out;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      if (read(length) != expected)
        out += std::to_string(length) + " of " + std::to_string(whole.size()) + "; ";
    } catch (const input_error& e) {
      EXPECT_TRUE(std::string(e.what()).starts_with(name + ":")) << e.what();
    }
  }
  return out;
}

struct sample {
  const char* name;
  std::string text;
};
void PrintTo(const sample& s, std::ostream* out) {
  *out << s.name;
}

std::vector<sample> samples() {
  std::vector<sample> out{
      {"long.mtx", "%%MatrixMarket matrix coordinate real general\n12 12 2\n1 12 34\n12 11 56\n"},
      {"pattern.mtx", "%%MatrixMarket matrix coordinate pattern general\n12 12 2\n1 12\n12 11\n"},
      {"long.txt", "# Nodes: 12 Edges: 2\n1 11 34\n11 10 56\n"},
      {"plain.txt", "# Nodes: 12 Edges: 2\r\n1 11\r\n11 10\r\n"},
      {"long.gr", "p sp 12 2\na 1 12 34\na 12 11 56\n"},
      {"long.graph", "12 1 1\n12 34\n\n\n\n\n\n\n\n\n\n\n1 34\n"},
      {"long.graph-txt", "12\n11\n\n\n\n\n\n\n\n\n\n\n1 10\n"},
  };
  for (const char* name : {"tiny-coo.npz",     "tiny-csc.npz",   "tiny-csr.npz",
                           "tiny-pattern.mtx", "tiny-plain.npz", "tiny-real.mtx",
                           "tiny-skew.mtx",    "tiny-v1.gr",     "tiny-weighted.graph",
                           "tiny.gr",          "tiny.graph",     "tiny.graph-txt",
                           "tiny.gsr",         "tiny.mtx",       "tiny.mtx.gz",
                           "tiny.mtx.xz",      "tiny.mtx.zst",   "tiny.sg",
                           "tiny.txt",         "tiny.wsg"})
    if (missing_option(name) == nullptr) out.push_back({name, contents(data_file(name))});
  // Its weights are doubles only by the file beside it.
  std::string v2 = contents(data_file("tiny-v2.gr"));
  v2.replace(v2.size() - 56, 56, 56, '\0');
  out.push_back({"tiny-v2.gr", v2});
  // Without the reversed half, and as long as one without weights when it is cut.
  std::string wsg(1, '\0');
  for (const std::int64_t word : {2, 2, 0, 1, 2})
    wsg.append(reinterpret_cast<const char*>(&word), sizeof word);
  for (const std::int32_t half : {1, 1, 0, 1})
    wsg.append(reinterpret_cast<const char*>(&half), sizeof half);
  out.push_back({"undirected.wsg", wsg});
  return out;
}

class truncated_file : public testing::TestWithParam<sample> {};

TEST_P(truncated_file, changes_no_graph_in_silence) {
  const auto& [name, text] = GetParam();
  EXPECT_EQ(silent_cuts(name, text), "");
  EXPECT_EQ(silent_cuts(name, text, true), "");
}

TEST(truncation, of_what_says_no_counts_is_not_seen) {
  EXPECT_NE(silent_cuts("sparse-ids.txt", contents(data_file("sparse-ids.txt"))), "");
  EXPECT_EQ(silent_cuts("tiny.packed", contents(data_file("tiny.packed"))),
            "12 of 84; 24 of 84; 36 of 84; 48 of 84; 60 of 84; 72 of 84; ");
  // A last row with fewer fields than the others is seen all the same.
  EXPECT_EQ(complaint("1 2 34\n2 3", file_format::edge_list),
            "FILE:2: expected a weight, found the end of the line");
  EXPECT_EQ(complaint("1 2\n2", file_format::edge_list),
            "FILE:2: expected vertex id, found the end of the line");
}

TEST(truncation, of_the_last_number_is_named) {
  EXPECT_EQ(complaint("p sp 2 1\na 1 2 3", file_format::dimacs),
            "FILE:2: the last line has no end: its last number may be cut (add a line end if it is "
            "whole)");
}

TEST(truncation, of_a_type_in_the_metadata) {
  scratch_folder folder;
  const std::string path = folder.file("v2.gr");
  std::filesystem::copy_file(data_file("tiny-v2.gr"), path);
  std::ofstream(path + ".metadata") << "edge_data = ";
  try {
    read_graph(path);
    FAIL();
  } catch (const input_error& e) {
    EXPECT_EQ(e.what(),
              path + ": byte 8: edge data of 8 bytes cannot be '', as the metadata file says");
  }
}

TEST(metadata, names_a_width_that_goes_with_the_graph) {
  scratch_folder folder;
  const std::string path = folder.file("v1.gr");
  std::filesystem::copy_file(data_file("tiny-v1.gr"), path);
  EXPECT_EQ(advised_delta(read_graph(path)), std::nullopt);
  for (const char* line : {"prio_delta = 2.5", "--prio_delta=2.5", "delta 2.5", "delta\t2.5"}) {
    std::ofstream(path + ".metadata") << "# advice\n" << line << "\n";
    graph g = read_graph(path);
    EXPECT_EQ(advised_delta(g), 2.5) << line;
    for (const char* name : {"back.gr", "back.gsr"}) {
      write_graph(g.transposed(), folder.file(name));
      EXPECT_EQ(advised_delta(read_graph(folder.file(name))), 2.5) << name;
    }
    g.weight_source = "caller";  // in another unit, who knows
    EXPECT_EQ(advised_delta(g), std::nullopt);
  }
}

TEST(metadata, refuses_what_is_no_width) {
  scratch_folder folder;
  const std::string path = folder.file("v1.gr");
  std::filesystem::copy_file(data_file("tiny-v1.gr"), path);
  for (const char* value : {"0", "-1", "inf", "nan", "1e999", "wide", "3 4", ""}) {
    std::ofstream(path + ".metadata") << "# advice\nprio_delta = " << value << "\n";
    EXPECT_EQ(message_of<input_error>([&] { read_graph(path); }),
              path + ".metadata:2: prio_delta = '" + value + "' is not a positive number");
  }
}

TEST(truncation, of_partitions) {
  scratch_folder folder;
  const std::string path = folder.file("part"), whole = "0\n12\n34\n";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::ofstream(path) << whole.substr(0, length);
    EXPECT_THROW(read_partition(path, 3), input_error) << length;
  }
}

TEST(truncation, of_vectors) {
  const auto read = [](std::string_view text) {
    const number_array found = read_numbers(std::as_bytes(std::span(text)), "FILE", "x");
    return std::string(found.bytes.begin(), found.bytes.end());
  };
  const std::string array = "%%MatrixMarket matrix array real general\n2 1\n12\n34\n";
  const std::string listed = "%%MatrixMarket matrix coordinate real general\n12 1 1\n12 1 34\n";
  std::string npy = "\x93NUMPY\x01" + std::string(1, '\0');
  const std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n";
  npy += std::string{static_cast<char>(header.size()), '\0'} + header + "12345678";
  for (const std::string& whole : {array, listed, npy}) {
    EXPECT_NO_THROW(read(whole));
    for (std::size_t length = whole.size() - 12; length < whole.size(); ++length)
      EXPECT_THROW(read(std::string_view(whole).substr(0, length)), input_error) << length;
  }
}

INSTANTIATE_TEST_SUITE_P(formats, truncated_file, testing::ValuesIn(samples()));

}  // namespace
}  // namespace gossamer
