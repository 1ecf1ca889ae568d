// Calls of several threads on one graph and machine, which find what the others left, beside some
// that have it forgotten and graphs that end: the same results, and nothing left over.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/placement/kept.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

graph weighted() {
  graph g = undirected("random", 300, random_arcs(300, 1200, 5));
  set_weights<std::int32_t>(g, 9);
  return g;
}

/// Sums of what each algorithm finds.
std::vector<double> sums_of(machine& m, const graph& g) {
  const auto sum = [](const auto& values) {
    return std::visit(
        [](const auto& all) {
          double total = 0;
          for (const auto value : all) total += static_cast<double>(value);
          return total;
        },
        values.get());
  };
  double depths = 0;
  for (const std::int32_t depth : bfs(m, g, 0).depths()) depths += depth;
  return {depths, sum(sssp(m, g, 0).distances), sum(components(m, g).labels),
          sum(pagerank(m, g).ranks)};
}

class kept_runs : public ::testing::Test {
 protected:
  void SetUp() override { kept::forget_all(); }

  machine m = machine::open("cpu:2x1");
};

TEST_F(kept_runs, OfSeveralThreads) {
  const graph g = weighted();
  const std::vector<double> wanted = sums_of(m, g);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(sums_of(m, g), wanted);
        if (t == 0) kept::forget(g);
        if (t == 1) kept::make_room(host_account, 1, 0);
      }
    });
  for (auto& thread : threads) thread.join();
  kept::forget(g);
  EXPECT_TRUE(kept::items().empty());
}

TEST_F(kept_runs, OfGraphsThatEnd) {
  const graph g = weighted();
  const std::vector<double> wanted = sums_of(m, g);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 4; ++i) {
        graph own = g;
        own.life = {};
        EXPECT_EQ(sums_of(m, own), wanted);
        const graph copy = std::move(own);
        EXPECT_EQ(sums_of(m, copy), wanted);
      }
    });
  for (auto& thread : threads) thread.join();
  kept::forget(g);
  EXPECT_TRUE(kept::items().empty());
}

}  // namespace
}  // namespace gossamer
