// A stop ends every long piece of work of the layer, at whatever point it comes, without a trace.
//
// No clocks: every function must see a token that is requested beforehand. If it is requested from
// inside the work (by a progress or plan hook), the part that follows must see it.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/io.hpp"
#include "gossamer/graph/matrices.hpp"
#include "gossamer/graph/partition.hpp"
#include "gossamer/graph/statistics.hpp"
#include "graph/components.hpp"
#include "message_of.hpp"
#include "unit/graph/sample_graphs.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

std::stop_token stopped() {
  std::stop_source source;
  source.request_stop();
  return source.get_token();
}

/// Directed and large enough for every part to reach a place where it looks.
graph large(bool symmetric = false, bool weighted = false) {
  static const auto s = test::random_sample(300000, 300000, 600000, 3);
  build_options options;
  options.symmetrize = symmetric;
  return weighted ? test::build_sample<vertex32, std::int32_t>(s, options)
                  : test::build_sample<vertex32>(s, options);
}

TEST(Stop, EndsTheBuilder) {
  for (const int threads : {1, 3}) {
    build_options options;
    options.threads = threads;
    options.stop = stopped();
    const auto s = test::random_sample(40000, 40000, 100000, 1);
    EXPECT_EQ(message_of<cancelled_error>([&] { test::build_sample(s, options); }),
              "building the graph: stopped");
    const graph g = large();
    EXPECT_EQ(message_of<cancelled_error>([&] { rebuild(g, options); }),
              "building the graph: stopped");
    EXPECT_EQ(message_of<cancelled_error>([&] { static_cast<void>(g.transposed(options.stop)); }),
              "reversing arcs: stopped");
  }
}

TEST(Stop, EndsTheBuilderInEachOfItsPhases) {
  // The hook is called after each block; later blocks and phases must see the request.
  const auto s = test::random_sample(400000, 400000, 900000, 2);
  std::vector<double> seen;
  build_options options;
  options.threads = 1;
  options.progress = [&](double part) { seen.push_back(part); };
  test::build_sample(s, options);
  ASSERT_GT(seen.size(), 8U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_DOUBLE_EQ(seen.back(), 1.0);
  for (std::size_t last = 0; last + 1 < seen.size(); ++last) {
    std::stop_source source;
    std::size_t calls = 0;
    options.stop = source.get_token();
    options.progress = [&](double) {
      if (calls++ == last) source.request_stop();
    };
    EXPECT_EQ(message_of<cancelled_error>([&] { test::build_sample(s, options); }),
              "building the graph: stopped");
    EXPECT_EQ(calls, last + 1) << "work went on after the stop";
  }
}

TEST(Stop, EndsSweepsOverGraphs) {
  const graph directed = large(), both = large(true);
  EXPECT_EQ(message_of<cancelled_error>([&] { is_symmetric(both, 2, stopped()); }),
            "checking symmetry: stopped");
  EXPECT_EQ(message_of<cancelled_error>([&] { directed.validate(stopped()); }),
            "checking the graph: stopped");
  EXPECT_EQ(message_of<cancelled_error>([&] { largest_component(both, 1, stopped()); }),
            "components: stopped");
  EXPECT_EQ(message_of<cancelled_error>([&] { detail::strong_components(directed, stopped()); }),
            "strong components: stopped");
  for (const int threads : {1, 3}) {
    statistics_options options;
    options.threads = threads;
    options.stop = stopped();
    EXPECT_EQ(message_of<cancelled_error>([&] { statistics(directed, options); }),
              "statistics: stopped");
    EXPECT_EQ(
        message_of<cancelled_error>([&] { count_triangles(directed, threads, options.stop); }),
        "statistics: stopped");
  }
}

TEST(Stop, EndsTheGeneratorsInEachOfTheirPhases) {
  for (const char* text : {"kron:15", "uniform:15:16", "grid:600x600", "road:600",
                           "poisson:600x600", "band:6000:2000000"}) {
    const generator_spec spec = parse_generator(text);
    std::vector<double> seen;
    generate_options options;
    options.threads = 1;
    options.progress = [&](double part) { seen.push_back(part); };
    generate(spec, options);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    ASSERT_GE(seen.size(), 3U);
    EXPECT_DOUBLE_EQ(seen.back(), 1.0);
    EXPECT_GT(seen[seen.size() - 2], 0.9) << text << ": the bar jumps";
    for (const double at : {0.1, 0.5, 0.7, 0.9}) {
      std::stop_source source;
      options.stop = source.get_token();
      options.progress = [&](double part) {
        if (part >= at) source.request_stop();
      };
      EXPECT_NE(message_of<cancelled_error>([&] { generate(spec, options); }).find("stopped"),
                std::string::npos)
          << text << " " << at;
    }
  }
}

TEST(Stop, EndsTheMakingOfValues) {
  const graph pattern = generate_matrix("poisson:600x600");
  for (const int threads : {1, 3})
    EXPECT_EQ(message_of<cancelled_error>([&] { with_values(pattern, 1, threads, stopped()); }),
              "values for a pattern: stopped");
}

class stop_files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("gossamer-stop-" + std::to_string(::getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename());
    return names;
  }
  fs::path folder_;
};

TEST_F(stop_files, WritersLeaveNothing) {
  graph g = large(false, true);
  auto& weights = g.weights;
  shared_array<float> floats(static_cast<std::size_t>(g.arcs()));
  std::fill(floats.begin(), floats.end(), 0.5F);
  weights = floats;  // .gr has a second file for these
  for (const char* name : {"g.mtx", "g.gr", "g.npz", "g.gsr"}) {
    const std::string path = folder_ / name;
    EXPECT_NE(message_of<cancelled_error>([&] {
                write_graph(g, path, file_format::automatic, stopped());
              }).find("stopped"),
              std::string::npos);
    EXPECT_EQ(files(), std::vector<std::string>{}) << name;
  }
}

TEST_F(stop_files, ReadersSeeItAfterTheirPlan) {
  // Requested when the plan is told, so that the reading proper has to see it.
  const graph g = large(false, true);
  for (const char* name : {"g.mtx", "g.gr", "g.npz", "g.gsr"}) {
    const std::string path = folder_ / name;
    write_graph(g, path);
    for (const int threads : {1, 2}) {
      std::stop_source source;
      read_options options;
      options.threads = threads;
      options.stop = source.get_token();
      options.on_plan = [&](const read_plan&) { source.request_stop(); };
      EXPECT_NE(message_of<cancelled_error>([&] { read_graph(path, options); }).find("stopped"),
                std::string::npos)
          << name;
    }
  }
}

}  // namespace
}  // namespace gossamer
