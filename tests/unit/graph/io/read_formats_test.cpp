// The tiny graph of tests/data, made by another program, in every format: same arcs, right labels.
#include "message_of.hpp"
#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

const arc_list tiny{{0, 1, 4}, {0, 2, 1}, {0, 2, 6}, {1, 3, 5}, {2, 1, 2}, {3, 0, 1}, {3, 3, 7}};

arc_list without_weights(arc_list arcs) {
  for (auto& a : arcs) std::get<2>(a) = 0;
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

struct sample {
  const char* file;
  file_format format;
  int weight_type;  // index of weight_array
  std::int64_t base, vertices;
};

class tiny_files : public testing::TestWithParam<sample> {};

TEST_P(tiny_files, are_the_same_graph) {
  const sample s = GetParam();
  const std::string path = data_file(s.file);
  if (const char* option = missing_option(s.file)) {
    try {
      read_graph(path);
      FAIL() << "read without " << option;
    } catch (const not_compiled& e) {
      EXPECT_NE(std::string(e.what()).find(option), std::string::npos) << e.what();
    }
    return;
  }
  EXPECT_EQ(sniff_format(path), s.format);
  const graph g = read_graph(path);
  g.validate();
  EXPECT_EQ(g.name, s.file);
  EXPECT_EQ(g.format, format_name(s.format));
  EXPECT_EQ(g.transposed().format, g.format);
  EXPECT_EQ(g.vertices(), s.vertices);
  EXPECT_EQ(g.arcs(), 7);
  EXPECT_EQ(g.id_width(), 4);
  EXPECT_EQ(g.names.base, s.base);
  EXPECT_TRUE(g.names.map.empty());
  EXPECT_FALSE(g.symmetric);
  EXPECT_EQ(static_cast<int>(g.weights.index()), s.weight_type);
  EXPECT_EQ(g.weight_source, s.weight_type == 0 ? "none" : "file");
  EXPECT_EQ(arcs_of(g), s.weight_type == 0 ? without_weights(tiny) : tiny);
}

INSTANTIATE_TEST_SUITE_P(
    formats, tiny_files,
    testing::Values(sample{"tiny.mtx", file_format::matrix_market, 1, 1, 6},
                    sample{"tiny.mtx.gz", file_format::matrix_market, 1, 1, 6},
                    sample{"tiny.mtx.xz", file_format::matrix_market, 1, 1, 6},
                    sample{"tiny.mtx.zst", file_format::matrix_market, 1, 1, 6},
                    sample{"tiny.txt", file_format::edge_list, 1, 0, 6},
                    sample{"tiny.csv", file_format::csv, 1, 0, 4},
                    sample{"tiny.csv.gz", file_format::csv, 1, 0, 4},
                    sample{"tiny.tsv", file_format::csv, 1, 0, 4},
                    sample{"tiny.gr", file_format::dimacs, 1, 1, 6},
                    sample{"tiny-v1.gr", file_format::galois, 1, 0, 6},
                    sample{"tiny.sg", file_format::gapbs, 0, 0, 6},
                    sample{"tiny.wsg", file_format::gapbs_weighted, 1, 0, 6},
                    sample{"tiny.graph-txt", file_format::webgraph, 0, 0, 6},
                    // Packed edges do not say n: it is the largest id plus one.
                    sample{"tiny.packed", file_format::graph500, 0, 0, 4},
                    sample{"tiny-csr.npz", file_format::npz, 1, 0, 6},
                    sample{"tiny-csc.npz", file_format::npz, 2, 0, 6},
                    sample{"tiny-coo.npz", file_format::npz, 3, 0, 6},
                    sample{"tiny-plain.npz", file_format::npz, 0, 0, 6},
                    sample{"tiny.gsr", file_format::gossamer, 1, 0, 6}));

TEST(galois, version_2_takes_the_type_of_weights_from_its_metadata) {
  const graph g = read_graph(data_file("tiny-v2.gr"));
  EXPECT_EQ(g.weights.index(), 3u);
  arc_list expected = tiny;
  for (auto& a : expected) std::get<2>(a) += 0.5;
  EXPECT_EQ(arcs_of(g), expected);
  EXPECT_EQ(g.steps, (std::vector<std::string>{"metadata: ncomponents = 3",
                                               "metadata: edge_data = float64"}));
}

TEST(matrix_market, symmetric_entries_become_two_arcs_and_zeros_stay) {
  const graph g = read_graph(data_file("tiny-real.mtx"));
  EXPECT_TRUE(g.symmetric);
  EXPECT_EQ(g.weights.index(), 3u);
  EXPECT_EQ(arcs_of(g),
            (arc_list{{0, 0, 2.5}, {0, 1, -1e-3}, {1, 0, -1e-3}, {1, 2, 0}, {2, 1, 0}, {2, 2, 1}}));
}

TEST(matrix_market, skew_symmetric_entries_change_sign) {
  const graph g = read_graph(data_file("tiny-skew.mtx"));
  EXPECT_FALSE(g.symmetric);
  EXPECT_EQ(arcs_of(g), (arc_list{{0, 1, -1.5}, {0, 2, 2}, {1, 0, 1.5}, {2, 0, -2}}));
}

TEST(matrix_market, pattern_has_no_weights) {
  const graph g = read_graph(data_file("tiny-pattern.mtx"));
  EXPECT_FALSE(g.weighted());
  EXPECT_EQ(arcs_of(g), (arc_list{{0, 1, 0}, {2, 0, 0}}));
}

TEST(metis, reads_neighbours_and_edge_weights_and_skips_vertex_weights) {
  const graph plain = read_graph(data_file("tiny.graph"));
  const graph weighted = read_graph(data_file("tiny-weighted.graph"));
  EXPECT_TRUE(plain.symmetric);
  EXPECT_TRUE(weighted.symmetric);
  const arc_list expected{{0, 1, 10}, {0, 2, 20}, {1, 0, 10}, {1, 2, 30},
                          {2, 0, 20}, {2, 1, 30}, {2, 3, 40}, {3, 2, 40}};
  EXPECT_EQ(arcs_of(weighted), expected);
  EXPECT_EQ(arcs_of(plain), without_weights(expected));
  EXPECT_EQ(plain.vertices(), 5);
  EXPECT_EQ(plain.names.base, 1);
}

TEST(edge_list, sparse_ids_are_renumbered_in_ascending_order) {
  const graph g = read_graph(data_file("sparse-ids.txt"));
  ASSERT_EQ(g.vertices(), 3);
  ASSERT_EQ(g.names.map.size(), 3u);
  EXPECT_EQ(g.id_width(), 4);
  EXPECT_EQ(g.names.name(0), 7);
  EXPECT_EQ(g.names.name(1), 100);
  EXPECT_EQ(g.names.name(2), 4000000000);
  EXPECT_EQ(arcs_of(g), (arc_list{{0, 2, 0}, {1, 0, 0}, {1, 2, 0}}));
}

TEST(edge_list, small_holes_are_renumbered_too) {
  const graph g = read_text("5 9\n9 2\n", file_format::edge_list);
  ASSERT_EQ(g.names.map.size(), 3u);
  EXPECT_EQ(g.names.name(0), 2);
  EXPECT_EQ(g.names.name(2), 9);
  EXPECT_EQ(arcs_of(g), (arc_list{{1, 2, 0}, {2, 0, 0}}));
}

TEST(edge_list, a_header_keeps_isolated_vertices) {
  const graph g = read_text("# Nodes: 5 Edges: 1\n0 3\n", file_format::automatic);
  EXPECT_EQ(g.vertices(), 5);
  EXPECT_TRUE(g.names.map.empty());
}

/// Names of vertices, each with ' ' behind it.
std::string texts_of(const graph& g) {
  std::string out;
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    out += g.names.texts->at(static_cast<std::size_t>(g.names.name(v))) + " ";
  return out;
}

graph read_csv(const std::string& text) {
  return read_text(text, file_format::automatic);
}

TEST(csv, columns_go_by_their_names) {
  const arc_list expected{{0, 1, 5}, {1, 0, 2.5}};
  for (const char* text : {
           "source,target,weight\n0,1,5\n1,0,2.5\n",
           "Weight,id,To,From\n5,7,1,0\n2.5,8,0,1\n",
           "\xef\xbb\xbfx,\"w\",src,note,dst\r\n0,5,0,,1\r\n,2.5,1,\"a,\"\"b\",0\r\n",
           "u\tvalue\tname, full\tv\n0\t5\ta, b\t1\n1\t2.5\t\t0\n",
           "a,b,w\n\"0\", 1 ,\"5\"\n\n1,0,2.5,further,\"columns\"\n",
           "# of somewhere\n0,1,5,x\n1,0,2.5,y\n",
           "\xef\xbb\xbf"
           "0,1,5\n1,0,2.5",
       })
    EXPECT_EQ(arcs_of(read_csv(text)), expected) << text;
  const arc_list plain = without_weights(expected);
  for (const char* text : {"a,b,c\n0,1,5\n1,0,2\n", "0,1\n1,0\n", "0,1,x\n1,0,2\n",
                           "node\tnext\n0\t1\n1\t0\n", "value,weight\n0,1\n1,0\n"})
    EXPECT_EQ(arcs_of(read_csv(text)), plain) << text;
}

TEST(csv, columns_are_taken_by_name) {
  read_options options;
  options.columns.weight = "km";
  const std::string text = "from\tto\tweight\tkm\n0\t1\t9\t5\n1\t0\t9\t2.5\n";
  EXPECT_EQ(arcs_of(read_text(text, file_format::automatic, options)),
            (arc_list{{0, 1, 5}, {1, 0, 2.5}}));
  options.columns = {.source = "to", .target = "from", .weight = "weight"};
  EXPECT_EQ(arcs_of(read_text(text, file_format::automatic, options)),
            (arc_list{{0, 1, 9}, {1, 0, 9}}));
  options.columns.weight = "miles";
  const auto refused = [&](const std::string& content) {
    return message_of<usage_error>([&] { read_text(content, file_format::automatic, options); });
  };
  expect_contains(refused(text), "no column 'miles' (there are 'from', 'to', 'weight', 'km')");
  expect_contains(refused("0,1,5\n"), "columns have no names: the first row has an edge (0,1,5)");
  expect_contains(refused("# Nodes\n0 1 5\n1 2 5\n"), "edges has no columns with names (CSV, TSV");
}

TEST(csv, ids_are_renumbered_as_those_of_edge_lists) {
  const graph g = read_csv("source,target\n4000000000,7\n7,100\n");
  ASSERT_EQ(g.names.map.size(), 3u);
  EXPECT_EQ(g.names.name(2), 4000000000);
  EXPECT_EQ(g.names.texts, nullptr);
  EXPECT_EQ(arcs_of(g), (arc_list{{0, 1, 0}, {2, 0, 0}}));
}

TEST(csv, ends_are_names_when_some_of_the_first_row_is_no_number) {
  const graph g =
      read_csv("who,whom,weight\n1,\"b, \"\"c\"\"\",3\nd e , 1,4\r\n\"b, \"\"c\"\"\",d e,5\n");
  EXPECT_EQ(texts_of(g), "1 b, \"c\" d e ");
  EXPECT_EQ(arcs_of(g), (arc_list{{0, 1, 3}, {1, 2, 5}, {2, 0, 4}}));
  const graph long_names =
      read_csv("a,b\nx," + std::string(100, 'y') + "\n" + std::string(100, 'y') + ",x\n");
  EXPECT_EQ(texts_of(long_names), "x " + std::string(100, 'y') + " ");
}

TEST(csv, names_go_along_and_do_not_depend_on_threads) {
  std::string text = "source,target\nlone,lone\n";
  for (int i = 0; i < 200'000; ++i)
    text += "v" + std::to_string(i * 7919 % 50'000) + ",v" + std::to_string(i % 50'000) + "\n";
  read_options options;
  options.threads = 1;
  const graph one = read_text(text, file_format::automatic, options);
  options.threads = 4;
  const graph four = read_text(text, file_format::automatic, options);
  EXPECT_EQ(one.vertices(), 50'001);
  EXPECT_EQ(texts_of(one), texts_of(four));
  EXPECT_EQ(arcs_of(one), arcs_of(four));
  EXPECT_EQ(one.transposed().names.texts, one.names.texts);
}

TEST(csv, a_suffix_decides_where_content_cannot) {
  const auto format_of = [](const std::string& text, const char* name) {
    return read_graph(std::as_bytes(std::span(text)), name, {}).format;
  };
  EXPECT_EQ(format_of("0\t1\n1\t2\n", "x.tsv"), "edges");
  EXPECT_EQ(format_of("0\t1\t2\t3\n1\t2\t3\t4\n", "x.tsv"), "csv");
  EXPECT_EQ(format_of("c\tp\n0\t1\n", "x.tsv"), "csv");
  EXPECT_EQ(format_of("0,1\n1,2,3\n", "x.csv"), "csv");
  EXPECT_EQ(complaint("0,1\n1,2,3\n", file_format::automatic),
            "FILE:1: not a graph in a known format; name one if it is (" + format_names() +
                "); names need commas or tabs between them");
}

TEST(edge_list, weights_widen_only_when_they_must) {
  EXPECT_EQ(read_text("0 1 5\n1 0 -3\n", file_format::edge_list).weights.index(), 1u);
  const graph g = read_text("0 1 5\n1 0 2.5\n", file_format::edge_list);
  EXPECT_EQ(arcs_of(g), (arc_list{{0, 1, 5}, {1, 0, 2.5}}));
  const graph big = read_text("0 1 5\n1 0 3000000000\n", file_format::edge_list);
  EXPECT_EQ(arcs_of(big), (arc_list{{0, 1, 5}, {1, 0, 3e9}}));
}

TEST(graph500, ids_have_48_bits) {
  std::string edge(12, '\0');
  const std::uint32_t words[3] = {5, 7, 0x0002'0001};  // v0 = 2^32 + 5, v1 = 2 * 2^32 + 7
  std::memcpy(edge.data(), words, 12);
  read_options options;
  options.memory_limit = 1 << 20;
  std::string message;
  options.format = file_format::graph500;
  try {
    read_graph(std::as_bytes(std::span(edge)), "FILE", options);
  } catch (const capacity_error& e) {
    message = e.what();
  }
  EXPECT_NE(message.find("8589934600 vertices"), std::string::npos) << message;
}

TEST(sniffing, goes_by_content_before_suffix) {
  scratch_folder folder;
  const std::string path = folder.file("misleading.mtx");
  std::filesystem::copy_file(data_file("tiny.gr"), path);
  EXPECT_EQ(sniff_format(path), file_format::dimacs);
  const std::string ring = folder.file("ring.graph");
  std::ofstream(ring) << "4 4\n2 4\n1 3\n2 4\n1 3\n";
  EXPECT_EQ(sniff_format(ring), file_format::metis);
  const std::string list = folder.file("ring.txt");
  std::ofstream(list) << "4 4\n2 4\n1 3\n2 4\n1 3\n";
  EXPECT_EQ(sniff_format(list), file_format::edge_list);
  // An edge list damaged in its second line; as METIS its header would promise no vertices.
  std::ofstream(list) << "0 1\n1 2 5\n";
  EXPECT_EQ(sniff_format(list), file_format::edge_list);
  try {
    read_graph(list);
    FAIL();
  } catch (const input_error& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with(list + ":2: ")) << e.what();
  }
}

TEST(options, are_applied_whatever_the_format) {
  read_options options;
  options.build.symmetrize = true;
  options.build.deduplicate = true;
  options.build.remove_self_loops = true;
  for (const char* file : {"tiny.mtx", "tiny-v1.gr", "tiny-csc.npz", "tiny.gsr", "tiny.wsg"}) {
    if (missing_option(file) != nullptr) continue;  // refused, as tested above
    const graph g = read_graph(data_file(file), options);
    g.validate();
    EXPECT_TRUE(g.symmetric) << file;
    EXPECT_FALSE(g.steps.empty()) << file;
    EXPECT_EQ(g.format, format_name(sniff_format(data_file(file)))) << file;
    EXPECT_EQ(arcs_of(g), (arc_list{{0, 1, 4},
                                    {0, 2, 1},
                                    {0, 3, 1},
                                    {1, 0, 4},
                                    {1, 2, 2},
                                    {1, 3, 5},
                                    {2, 0, 1},
                                    {2, 1, 2},
                                    {3, 0, 1},
                                    {3, 1, 5}}))
        << file;
  }
}

TEST(formats, have_names_that_read_back) {
  for (const auto& f : formats()) EXPECT_EQ(format_from_name(f.name), f.format);
  EXPECT_EQ(format_from_name("auto"), file_format::automatic);
  EXPECT_EQ(format_name(file_format::automatic), "auto");
  try {
    format_from_name("gml");
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_EQ(e.what(), "unknown graph format 'gml'; known are auto, " + format_names());
  }
}

}  // namespace
}  // namespace gossamer
