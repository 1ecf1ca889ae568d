// The tuner: what it measures, and that its file is read back as the machine's rules.
#include "gossamer/collective/tune.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gossamer/base/error.hpp"
#include "unit/collective/collective_fixture.hpp"

namespace gossamer {
namespace {

TEST(tune, measures_every_algorithm_at_every_size) {
  auto m = open_cpu(2);
  tune_options options;
  options.ops = {collective_op::allreduce, collective_op::barrier, collective_op::reduce};
  options.max_bytes = 1024;
  options.seconds_per_case = 1e-5;
  options.rounds = 1;
  std::size_t told = 0;
  options.progress = [&](const tune_measurement&) { ++told; };
  const auto result = tune(m, options);
  std::set<std::pair<std::string, std::size_t>> cases;
  for (const auto& x : result.measured) {
    EXPECT_GT(x.seconds, 0.0);
    if (x.op == collective_op::allreduce) cases.insert({x.algorithm, x.bytes});
  }
  EXPECT_EQ(told, result.measured.size());
  // All but dissemination, whose ranks may differ in the last bits, at 8, 64, 512 and 1024 bytes.
  const auto known =
      std::ranges::count(collective_algorithms(), collective_op::allreduce, &algorithm_info::op);
  EXPECT_EQ(cases.size(), static_cast<std::size_t>(known - 1) * 4);
  EXPECT_TRUE(cases.contains({"ring", 1024}));
  EXPECT_NE(result.rules.algorithm(collective_op::allreduce, 100), "");
  EXPECT_NE(result.rules.algorithm(collective_op::barrier, 0), "");
  EXPECT_EQ(result.rules.algorithm(collective_op::gather, 0), "");
  const auto text = result.text(m);
  EXPECT_EQ(selection_rules::parse(text), result.rules) << text;
  EXPECT_EQ(text.find("# Rules for collectives on cpu:2x1 (threads), measured:\n"), 0u) << text;
}

TEST(tune, measures_one_case) {
  auto m = open_cpu(3);
  tune_options options;
  options.seconds_per_case = 1e-5;
  options.rounds = 1;
  const auto ring = measure_collective(m, collective_op::allreduce, 100, "ring", options);
  EXPECT_EQ(ring.algorithm, "ring");
  EXPECT_EQ(ring.bytes, 100u);
  EXPECT_GT(ring.seconds, 0.0);
  const auto chosen = measure_collective(m, collective_op::gather, 64, "", options);
  EXPECT_EQ(chosen.algorithm, selection_rules::of(m).algorithm(collective_op::gather, 64));
  EXPECT_THROW(measure_collective(m, collective_op::gather, 64, "ring", options), usage_error);
}

TEST(tune, every_algorithm_brings_what_its_operation_says) {
  for (const int ranks : {1, 2, 3, 4}) {
    auto m = open_cpu(ranks);
    for (const algorithm_info& a : collective_algorithms())
      for (const std::size_t bytes : {std::size_t{8}, std::size_t{800}}) {
        if (a.op == collective_op::barrier) continue;
        EXPECT_EQ(verify_collective(m, a.op, bytes, a.name), "") << a.name;
      }
  }
}

TEST(tune, leaves_out_what_does_not_fit) {
  auto m = open_cpu(2);
  tune_options options;
  options.ops = {collective_op::allreduce};
  options.max_bytes = 1 << 20;
  options.seconds_per_case = 1e-5;
  options.rounds = 1;
  options.arena_limit = 1 << 20;
  for (const auto& x : tune(m, options).measured) EXPECT_LT(x.bytes, std::size_t{1} << 20);
  options.max_bytes = 0;
  EXPECT_THROW(tune(m, options), usage_error);
}

}  // namespace
}  // namespace gossamer
