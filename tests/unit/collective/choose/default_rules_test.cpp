// What a few GPUs run by default, and when that may be a library's: data, so that no GPU is needed.
#include "collective/choose/default_rules.hpp"

#include <gtest/gtest.h>

#include "gossamer/collective/rules.hpp"

namespace gossamer {
namespace {

using op = collective_op;
constexpr std::size_t mega = std::size_t{1} << 20;

selection_rules few(int ranks, bool library) {
  return selection_rules::parse(few_gpus_rules(ranks, library));
}

TEST(default_rules, more_than_two_gpus_leave_the_longest_sums_to_the_library) {
  for (const int ranks : {3, 4, 8}) {
    const auto rules = few(ranks, true);
    EXPECT_EQ(rules.algorithm(op::reduce, 256 * mega), "nccl");
    EXPECT_NE(rules.algorithm(op::reduce, 64 * mega), "nccl");
    for (const auto o : {op::broadcast, op::allreduce})
      EXPECT_EQ(rules.algorithm(o, 256 * mega), "ring");
    EXPECT_EQ(rules.algorithm(op::allreduce, 16 * mega), "two_shot");
    EXPECT_EQ(rules.algorithm(op::allreduce, 8), "one_shot");
    // Ours is ahead at every length, so the general rule stays.
    EXPECT_EQ(rules.algorithm(op::allgather, 256 * mega), "");
  }
}

// As long as every part is packed.
TEST(default_rules, what_two_packed_hops_carry_goes_in_parts) {
  constexpr std::size_t kilo = 1 << 10;
  for (const int ranks : {3, 4, 8}) {
    const auto rules = few(ranks, true);
    EXPECT_EQ(rules.algorithm(op::broadcast, 128 * kilo), "flat");
    EXPECT_EQ(rules.algorithm(op::broadcast, mega), "relay") << ranks;
    EXPECT_EQ(rules.algorithm(op::broadcast, 2 * mega), "binomial");
    EXPECT_EQ(rules.algorithm(op::allreduce, 128 * kilo), "one_shot");
    EXPECT_EQ(rules.algorithm(op::allreduce, 3 * mega / 2), "two_shot") << ranks;
    EXPECT_EQ(rules.algorithm(op::allreduce, 5 * mega / 2), "dissemination");
  }
  EXPECT_EQ(few(3, true).algorithm(op::broadcast, 3 * mega / 2), "binomial");
  EXPECT_EQ(few(4, true).algorithm(op::broadcast, 3 * mega / 2), "relay");
}

TEST(default_rules, two_gpus_and_those_without_the_library_keep_our_schedules) {
  EXPECT_EQ(few_gpus_rules(2, true), few_gpus_rules(2, false));
  for (const int ranks : {1, 2, 3, 4, 8})
    EXPECT_EQ(few(ranks, false).text().find("nccl"), std::string::npos) << ranks;
  EXPECT_EQ(few(4, false).algorithm(op::broadcast, 256 * mega), "ring");
  EXPECT_EQ(few(2, true).algorithm(op::broadcast, 256 * mega), "flat");
}

// Rules of one operation replace the general ones, so what is short must not change with them.
TEST(default_rules, the_library_changes_only_what_is_long) {
  auto with = selection_rules::defaults(), without = selection_rules::defaults();
  with.override_with(few(4, true));
  without.override_with(few(4, false));
  for (int o = 0; o < collective_ops; ++o)
    for (const std::size_t bytes : {std::size_t{1}, 4 * mega, library_from - 1})
      EXPECT_EQ(with.algorithm(static_cast<op>(o), bytes),
                without.algorithm(static_cast<op>(o), bytes))
          << name_of(static_cast<op>(o)) << ' ' << bytes;
}

TEST(default_rules, what_the_library_cannot_do_stays_ours) {
  EXPECT_TRUE(library_may(library_from, reduction::sum, {}));
  EXPECT_TRUE(library_may(library_from, reduction::max, {}));
  EXPECT_FALSE(library_may(library_from, reduction::bit_or, {}));
  EXPECT_FALSE(library_may(library_from - 1, reduction::sum, {}));
  const auto with = [](auto change) {
    plan_options o;
    change(o);
    return library_may(library_from, reduction::sum, o);
  };
  EXPECT_FALSE(with([](plan_options& o) { o.counts = {1, 2}; }));
  EXPECT_FALSE(with([](plan_options& o) { o.mapping = {1, 0}; }));
  EXPECT_FALSE(with([](plan_options& o) { o.segments = 4; }));
  EXPECT_FALSE(with([](plan_options& o) { o.runner = plan_runner::one_kernel; }));
  EXPECT_FALSE(with([](plan_options& o) { o.runner = plan_runner::steps; }));
}

}  // namespace
}  // namespace gossamer
