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
  read_options options;
  options.memory_limit = 400;
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
  try {
    one.next_line(line);
    FAIL();
  } catch (const capacity_error& e) {
    EXPECT_STREQ(e.what(), "FILE:2: the line is longer than the memory limit allows");
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
