// Once a flow is made, sending, routing, receiving and waiting allocate nothing.
#include <gtest/gtest.h>

#include <vector>

#include "gossamer/dataflow/flow.hpp"
#include "unit/fabric/allocations.hpp"

namespace gossamer::dataflow {
namespace {

std::uint64_t allocations_of_a_round(machine& m, const routing_policy& policy) {
  wiring w(m);
  const int p = m.size();
  const auto hub = w.add_router(p, p, policy, "hub");
  std::vector<link_id> up, down;
  for (int r = 0; r < p; ++r) {
    up.push_back(w.connect(w.device(r), hub));
    down.push_back(w.connect(hub, w.device(r), {1024, 2}));
  }
  std::vector<std::uint64_t> counted(static_cast<std::size_t>(p));
  run(m, w, [&](flow& f) {
    const auto me = static_cast<std::size_t>(f.id());
    const std::vector<int> data(5000, 1);
    const auto before = testing::allocations;
    f[up[me]].send(std::span(data));
    f[up[me]].send(std::span(data).first(1), {.tag = 3});
    f[up[me]].shutdown();
    for (auto s = f[down[me]].receive().get(); s; s = f[down[me]].receive().get())
      f[down[me]].release(s);
    counted[me] = testing::allocations - before;
  });
  std::uint64_t sum = 0;
  for (const auto n : counted) sum += n;
  return sum;
}

TEST(dataflow_allocations, there_are_none_while_a_program_runs) {
  for (const char* spec : {"cpu:1x1", "cpu:3x1"}) {
    auto m = machine::open(spec);
    EXPECT_EQ(allocations_of_a_round(m, any_device()), 0u) << spec;
    EXPECT_EQ(allocations_of_a_round(m, ring()), 0u) << spec;
    EXPECT_EQ(allocations_of_a_round(m, scatter()), 0u) << spec;
  }
  auto m = machine::open("cpu:3x1");
  EXPECT_EQ(allocations_of_a_round(m, broadcast()), 0u);
}

TEST(dataflow_allocations, are_counted) {
  const auto before = testing::allocations;
  std::vector<int>(100).swap(*std::make_unique<std::vector<int>>());
  EXPECT_NE(testing::allocations, before);
}

}  // namespace
}  // namespace gossamer::dataflow
