// Searches of several GPU ranks, whose kernels wait for each other, while other threads of the
// process do all that makes the driver wait for kernels: take and return memory, make graphs on the
// GPU, load kernels, and run searches of their own. Without turns (machine/driver_gate.hpp) a
// second launch waits behind them while the first kernel waits for it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/machine/memory.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

graph made(const std::string& spec, int device = -1) {
  generate_options options;
  options.device = device;
  return generate(parse_generator(spec), options);
}

bfs_options bounded() {
  bfs_options options;
  options.engine = "single_kernel";
  options.run.deadline = std::chrono::seconds(20);
  return options;
}

/// Threads that do what they are given over and over until this goes.
class noise {
 public:
  void add(std::function<void()> work) {
    threads_.emplace_back([this, work = std::move(work)] {
      while (!stop_) {
        work();
        ++turns_;
      }
    });
  }
  ~noise() {
    stop_ = true;
    for (std::thread& t : threads_) t.join();
  }
  [[nodiscard]] int turns() const { return turns_; }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<int> turns_{0};
  std::vector<std::thread> threads_;
};

class BesideOtherThreads : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string why = testing_machines::lacking(GetParam());
    if (!why.empty()) GTEST_SKIP() << why;
  }
  /// `count` searches from different sources, each as the serial one.
  static void searches(const std::string& spec, const graph& g, int count) {
    machine m = machine::open(spec);
    const auto placed = std::make_shared<const placed_graph>(place(m, g, {}));
    bfs_search search(placed, bounded());
    for (int i = 0; i < count; ++i) {
      const std::int64_t source = (std::int64_t{7919} * i + 1) % g.vertices();
      const reference want = serial_bfs(g, source);
      const bfs_result found = search.run(source);
      ASSERT_EQ(found.reached, want.reached) << spec << " from " << source;
      ASSERT_TRUE(verify_bfs(g, source, found.parents().span(), found.depths().span()).ok);
    }
  }
};

TEST_P(BesideOtherThreads, MemoryIsTakenAndReturned) {
  const graph g = made("kron:12");
  noise others;
  for (const memory_kind kind : {memory_kind::device, memory_kind::pinned})
    others.add([kind, n = std::size_t{1} << 16]() mutable {
      {
        const buffer<std::byte> taken(kind, 0, n);
        n = n < (std::size_t{1} << 22) ? 2 * n : std::size_t{1} << 16;
      }
      // The driver's own lock is not fair: a thread that pins without a break keeps others out.
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  searches(GetParam(), g, 60);
  EXPECT_GT(others.turns(), 0);
}

TEST_P(BesideOtherThreads, GraphsAreMadeAndSearched) {
  const graph g = made("kron:12"), want = made("kron:14");
  std::atomic<int> wrong{0};
  noise others;
  others.add([&] { wrong += made("kron:14", 0).arcs() != want.arcs() ? 1 : 0; });
  others.add([&] { searches("cuda:0", g, 2); });
  searches(GetParam(), g, 40);
  EXPECT_EQ(wrong, 0);
}

TEST_P(BesideOtherThreads, SearchesOfSeveralRanksTakeTurns) {
  const graph g = made("kron:12");
  noise others;
  others.add([&] { searches(GetParam(), g, 3); });
  others.add([&] { searches("cuda:0*3", g, 3); });
  searches(GetParam(), g, 40);
}

INSTANTIATE_TEST_SUITE_P(Machines, BesideOtherThreads,
                         ::testing::Values("cuda:0*2", "cuda:0-1", "cuda:0-3"),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
