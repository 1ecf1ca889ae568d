// Text larger than a block: same graph for any number of threads, exact lines, stop and progress.
#include <random>

#include "graph/io/text_stream.hpp"
#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

// About 9 MB: several blocks for one, two and three threads.
std::string long_list(std::int64_t lines) {
  std::mt19937 random(3);
  std::string text = "# many\n";
  for (std::int64_t i = 0; i < lines; ++i)
    text += std::to_string(random() % 100000) + " " + std::to_string(random() % 100000) + "\n";
  return text;
}

TEST(streaming, threads_do_not_change_the_graph) {
  const std::string text = long_list(700000);
  std::vector<graph> graphs;
  for (int threads : {1, 2, 3}) {
    read_options options;
    options.threads = threads;
    graphs.push_back(read_text(text, file_format::edge_list, options));
    const graph& a = graphs.front();
    const graph& b = graphs.back();
    EXPECT_EQ(b.arcs(), 700000);
    ASSERT_EQ(a.vertices(), b.vertices());
    EXPECT_TRUE(std::equal(a.offsets.begin(), a.offsets.end(), b.offsets.begin()));
    EXPECT_TRUE(a.view<vertex32>().indices.size() == b.view<vertex32>().indices.size() &&
                std::equal(a.view<vertex32>().indices.begin(), a.view<vertex32>().indices.end(),
                           b.view<vertex32>().indices.begin()));
  }
}

TEST(streaming, lines_are_exact_in_any_block) {
  const std::string text = long_list(700000);
  for (std::int64_t line : {2, 40001, 350000, 700000}) {
    std::size_t at = 0;
    for (std::int64_t i = 1; i < line; ++i) at = text.find('\n', at) + 1;
    std::string bad = text;
    bad[at] = 'x';
    // A second mistake later on must not win.
    bad[text.size() - 2] = 'y';
    for (int threads : {1, 3}) {
      read_options options;
      options.threads = threads;
      EXPECT_TRUE(complaint(bad, file_format::edge_list, options)
                      .starts_with("FILE:" + std::to_string(line) + ": expected vertex id"))
          << line;
    }
  }
}

TEST(streaming, only_a_line_that_does_not_fit_grows_the_block) {
  const std::string text = long_list(400);
  const read_options options;
  const io::read_context context("FILE", options);
  io::text_stream in(io::memory_source(text), context, 256);
  std::string_view line;
  ASSERT_TRUE(in.peek_line(line));
  EXPECT_FALSE(in.sample().empty());
  ASSERT_TRUE(in.next_line(line));
  EXPECT_FALSE(in.sample().empty());
  std::string all = "# many\n";
  for (std::string_view block; !(block = in.next_block()).empty();) all += block;
  EXPECT_EQ(all, text);

  const std::string longer = "1 2\n" + std::string(500, ' ') + "3 4\n" + text;
  io::text_stream one(io::memory_source(longer), context, 256);
  ASSERT_TRUE(one.next_line(line));
  ASSERT_TRUE(one.next_line(line));
  EXPECT_EQ(line.size(), 503u);
}

TEST(streaming, a_line_is_no_longer_than_a_mebibyte) {
  const std::string blanks(io::longest_line - 3, ' ');
  for (int threads : {1, 3}) {
    read_options options;
    options.threads = threads;
    EXPECT_EQ(read_text("0 1\n0" + blanks + "1\n1 2\n", file_format::edge_list, options).arcs(), 3);
    // As a line of the header, in the first block and in a later one.
    for (const std::string& before : {std::string(), std::string("0 1\n"), long_list(300000)}) {
      const auto lines = std::count(before.begin(), before.end(), '\n');
      EXPECT_EQ(complaint(before + "0  " + blanks + "1\n1 2\n", file_format::edge_list, options),
                "FILE:" + std::to_string(lines + 1) + ": the line is longer than 1.0 MiB");
    }
  }
}

TEST(streaming, pieces_of_a_line_end_at_blanks) {
  const read_options options;
  const io::read_context context("FILE", options);
  std::string text = "first\n";
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + (i % 3 == 0 ? " " : "\t");
  text += "\nlast";
  io::text_stream in(io::memory_source(text), context, 256);
  std::string all;
  int cuts = 0;
  for (std::string_view piece; !(piece = in.next_piece()).empty();) {
    ASSERT_LE(piece.size(), 256u);
    ASSERT_EQ(piece.back(), '\n');
    all += piece;
    if (in.cut()) {
      ++cuts;
      all.back() = text[all.size() - 1];
    }
  }
  EXPECT_EQ(all, text + "\n");
  EXPECT_GT(cuts, 10);
}

// Rows longer than a block, with weights of vertices and edges, and comments as long.
TEST(streaming, long_rows_come_in_pieces) {
  const std::int64_t n = 200000;
  std::string text =
      std::string("%\n") + std::to_string(n) + " " + std::to_string(n - 1) + " 011 2\n%";
  for (int i = 0; i < 600000; ++i) text += " 12 c";
  text += "\n";
  text += "10 20";
  for (std::int64_t v = 2; v <= n; ++v)
    text += std::string(" ") + std::to_string(v) + "  " + std::to_string(v);
  text += "\n% 7\n";
  for (std::int64_t v = 2; v <= n; ++v) text += std::string("30 40 1 ") + std::to_string(v) + "\n";
  for (int threads : {1, 2}) {
    read_options options;
    options.threads = threads;
    const graph g = read_text(text, file_format::metis, options);
    ASSERT_EQ(g.degree(0), n - 1);
    EXPECT_EQ(g.arcs(), 2 * (n - 1));
    const auto rows = g.view<vertex32>();
    const auto& weights = std::get<shared_array<std::int32_t>>(g.weights);
    for (std::int64_t v = 1; v < n; ++v) {
      ASSERT_EQ(rows.row(0)[static_cast<std::size_t>(v - 1)], v);
      ASSERT_EQ(weights[static_cast<std::size_t>(v - 1)], v + 1);
      ASSERT_EQ(rows.row(v).size(), 1u);
      ASSERT_EQ(rows.row(v)[0], 0);
    }
    // What is wrong far behind in a row, at its end, and in the row after it has its line.
    const auto at = text.find("\n% 7");
    EXPECT_EQ(
        complaint(text.substr(0, at) + " 9999999 1" + text.substr(at), file_format::metis, options),
        "FILE:4: neighbour 9999999 is outside 1..200000");
    EXPECT_EQ(complaint(text.substr(0, at) + " 2" + text.substr(at), file_format::metis, options),
              "FILE:4: expected a weight, found the end of the line");
    EXPECT_EQ(
        complaint(text.substr(0, at + 5) + "x" + text.substr(at + 5), file_format::metis, options),
        "FILE:6: expected vertex weight, found 'x30'");
  }
}

TEST(streaming, rows_are_counted_across_blocks) {
  // Vertex v has the successors v + 1 and v + 2; a line longer than a block comes first.
  const std::int64_t n = 300000;
  std::string text = std::to_string(n) + "\n";
  for (std::int64_t v = 0; v < n; ++v) text += std::to_string(v) + " ";
  text += "\n";
  for (std::int64_t v = 1; v < n; ++v)
    text += std::to_string((v + 1) % n) + " " + std::to_string((v + 2) % n) + "\n";
  read_options options;
  options.threads = 2;
  const graph g = read_text(text, file_format::webgraph, options);
  EXPECT_EQ(g.degree(0), n);
  const auto rows = g.view<vertex32>();
  for (std::int64_t v = 1; v + 2 < n; ++v) {
    ASSERT_EQ(rows.row(v).size(), 2u);
    ASSERT_EQ(rows.row(v)[0], v + 1);
    ASSERT_EQ(rows.row(v)[1], v + 2);
  }
}

TEST(streaming, a_file_without_counts_needs_no_last_line_end) {
  EXPECT_EQ(read_text("0 1\n1 2", file_format::edge_list).arcs(), 2);
  EXPECT_EQ(read_text("0 1\r\n1 2\r\n", file_format::edge_list).arcs(), 2);
}

TEST(streaming, progress_comes_and_a_stop_is_obeyed) {
  const std::string text = long_list(700000);
  int calls = 0;
  read_options options;
  options.threads = 1;
  std::stop_source stop;
  options.stop = stop.get_token();
  options.on_progress = [&](const read_progress& p) {
    EXPECT_EQ(p.total, static_cast<std::int64_t>(text.size()));
    EXPECT_LE(p.bytes, p.total);
    if (++calls == 2) stop.request_stop();
  };
  EXPECT_THROW(read_text(text, file_format::edge_list, options), cancelled_error);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace gossamer
