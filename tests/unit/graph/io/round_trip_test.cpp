// Writers against readers on random graphs, and what a failed write leaves behind.
#include <filesystem>
#include <random>

#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

// Random arcs with loops, parallels and isolated vertices; kind is the index of weight_array.
graph random_graph(std::mt19937_64& random, std::int64_t n, std::int64_t m, int kind,
                   bool symmetric) {
  edge_chunks<vertex32> chunks;
  chunks.vertices = n;
  shared_array<edge<vertex32>> list(static_cast<std::size_t>(m));
  shared_array<std::int32_t> whole(list.size());
  shared_array<float> single(list.size());
  shared_array<double> real(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i] = {static_cast<vertex32>(random() % n), static_cast<vertex32>(random() % n)};
    whole[i] = static_cast<std::int32_t>(random());
    single[i] = static_cast<float>(whole[i]) / 3;
    real[i] = static_cast<double>(whole[i]) / 7;
  }
  if (m > 0) chunks.edges = {list};
  if (kind == 1) chunks.weights = std::vector<shared_array<std::int32_t>>{whole};
  if (kind == 2) chunks.weights = std::vector<shared_array<float>>{single};
  if (kind == 3) chunks.weights = std::vector<shared_array<double>>{real};
  if (m == 0) chunks.weights = std::monostate{};
  build_options options;
  options.symmetrize = symmetric;
  return build_csr(std::move(chunks), options);
}

TEST(round_trip, every_written_format_gives_the_graph_back) {
  scratch_folder folder;
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 60; ++trial) {
    const auto n = static_cast<std::int64_t>(1 + random() % 40);
    const auto m = static_cast<std::int64_t>(random() % 100);
    const graph g = random_graph(random, n, m, trial % 4, trial % 3 == 0);
    for (const char* name : {"g.mtx", "g.gr", "g.npz", "g.gsr"}) {
      const std::string path = folder.file(name);
      write_graph(g, path);
      const graph back = read_graph(path);
      back.validate();
      EXPECT_EQ(back.vertices(), n);
      EXPECT_EQ(arcs_of(back), arcs_of(g)) << name << " trial " << trial;
      EXPECT_EQ(back.symmetric, g.symmetric || is_symmetric(g)) << name << " trial " << trial;
      // Matrix Market has one real type; every other format keeps the weights' type.
      if (std::string(name) != "g.mtx") {
        EXPECT_EQ(back.weights.index(), g.weights.index()) << name << " trial " << trial;
      }
    }
  }
  // Four graphs, one metadata file, no temporary ones.
  EXPECT_LE(folder.files(), 5u);
}

TEST(round_trip, npz_and_gsr_keep_names_and_gsr_its_history) {
  scratch_folder folder;
  graph g = read_graph(data_file("sparse-ids.txt"));
  g.steps = {"first step", "second step"};
  for (const char* name : {"g.npz", "g.gsr"}) {
    write_graph(g, folder.file(name));
    const graph back = read_graph(folder.file(name));
    ASSERT_EQ(back.names.map.size(), 3u) << name;
    EXPECT_EQ(back.names.name(2), 4000000000) << name;
  }
  EXPECT_EQ(read_graph(folder.file("g.gsr")).steps, g.steps);
  write_graph(read_graph(data_file("tiny.gr")), folder.file("based.gsr"));
  EXPECT_EQ(read_graph(folder.file("based.gsr")).names.base, 1);
}

/// The same graph with ids of 64 bits, which builders choose from 2^31 vertices on.
graph widened(graph g) {
  const auto& narrow = std::get<shared_array<vertex32>>(g.indices);
  shared_array<vertex64> wide(narrow.size());
  std::copy(narrow.begin(), narrow.end(), wide.begin());
  g.indices = std::move(wide);
  return g;
}

TEST(round_trip, wide_ids_survive) {
  scratch_folder folder;
  edge_chunks<vertex64> chunks;
  chunks.vertices = 3;
  shared_array<edge<vertex64>> list(2);
  list[0] = {0, 2};
  list[1] = {2, 1};
  chunks.edges = {list};
  const graph g = widened(build_csr(std::move(chunks), {}));
  for (const char* name : {"g.gsr", "g.npz", "g.gr", "g.mtx"}) {
    write_graph(g, folder.file(name));
    EXPECT_EQ(arcs_of(read_graph(folder.file(name))), arcs_of(g)) << name;
  }
  const std::uint64_t version_2[] = {2, 0, 3, 2, 1, 1, 2, 2, 1};  // no padding, columns of 8 bytes
  const std::string file = contents(folder.file("g.gr"));
  EXPECT_EQ(file, std::string(reinterpret_cast<const char*>(version_2), sizeof(version_2)));
}

TEST(round_trip, galois_version_2_keeps_every_kind_of_weight) {
  scratch_folder folder;
  std::mt19937_64 random(7);
  for (int kind = 0; kind < 4; ++kind) {
    const graph g = widened(random_graph(random, 20, 51, kind, false));
    write_graph(g, folder.file("g.gr"));
    EXPECT_EQ(contents(folder.file("g.gr"))[0], 2);
    const graph back = read_graph(folder.file("g.gr"));
    EXPECT_EQ(back.weights.index(), g.weights.index());
    EXPECT_EQ(arcs_of(back), arcs_of(g));
  }
}

TEST(round_trip, generated_weights_stay_known_as_such) {
  scratch_folder folder;
  graph g = read_graph(data_file("tiny.gr"));
  g.weight_source = "generated: hash";
  write_graph(g, folder.file("g.gsr"));
  EXPECT_EQ(read_graph(folder.file("g.gsr")).weight_source, "file, generated: hash");
}

TEST(writing, the_binary_has_not_changed) {
  // tests/data/tiny.gsr was written by version 1 of the format.
  scratch_folder folder;
  write_graph(read_graph(data_file("tiny.wsg")), folder.file("g.gsr"));
  EXPECT_EQ(contents(folder.file("g.gsr")), contents(data_file("tiny.gsr")));
}

TEST(writing, refuses_what_it_does_not_write) {
  const graph g = read_graph(data_file("tiny.gr"));
  scratch_folder folder;
  auto refusal = [&](const std::string& name, file_format format) -> std::string {
    try {
      write_graph(g, folder.file(name), format);
    } catch (const usage_error& e) {
      const std::string text = e.what();
      return text.starts_with(folder.file(name)) ? text.substr(folder.file(name).size()) : text;
    }
    return "written";
  };
  EXPECT_EQ(refusal("g.xyz", file_format::automatic),
            ": the suffix names no format that is written (.mtx, .gr, .npz, .gsr)");
  EXPECT_EQ(refusal("g.mtx.gz", file_format::automatic),
            ": compressed files are read, not written; compress it afterwards");
  EXPECT_EQ(refusal("g.graph", file_format::metis),
            ": format 'metis' is read, not written (mtx, galois, npz and gsr are)");
  EXPECT_EQ(refusal("no/folder/g.gsr", file_format::automatic),
            ": there is no folder " + folder.file("no/folder"));
  EXPECT_EQ(folder.files(), 0u);
}

TEST(writing, replaces_whole_files_only) {
  scratch_folder folder;
  const std::string path = folder.file("g.gsr");
  write_graph(read_graph(data_file("tiny.wsg")), path);
  const std::string before = contents(path);
  graph broken = read_graph(data_file("tiny.gr"));
  broken.sorted = false;
  EXPECT_THROW(write_graph(broken, path), usage_error);
  EXPECT_EQ(contents(path), before);
  EXPECT_EQ(folder.files(), 1u);
}

}  // namespace
}  // namespace gossamer
