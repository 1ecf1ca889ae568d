// Plans on fabric `threads`: every algorithm for 1 … 17 ranks against a sequential reference.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "unit/collective/run/plan_agreement.hpp"

namespace gossamer {
namespace {

using namespace plan_cases;

class plans : public ::testing::TestWithParam<int> {};

void agree_with_a_sequential_reference(int p, plan_runner runner) {
  auto m = open_cpu(p);
  EXPECT_EQ(disagreement(m, p, p <= 5 ? 12 : p <= 9 ? 4 : 2, runner), "");
}

TEST_P(plans, agree_with_a_sequential_reference) {
  agree_with_a_sequential_reference(GetParam(), plan_runner::steps);
}

TEST_P(plans, agree_as_one_kernel) {
  agree_with_a_sequential_reference(GetParam(), plan_runner::one_kernel);
}

TEST_P(plans, have_any_root) {
  auto m = open_cpu(GetParam());
  EXPECT_EQ(disagreement_of_roots(m, plan_runner::steps), "");
  EXPECT_EQ(disagreement_of_roots(m, plan_runner::one_kernel), "");
}

INSTANTIATE_TEST_SUITE_P(ranks, plans, ::testing::Range(1, 18));

// What `disagreement` shows with two dozen variants an algorithm depends on this.
TEST(plan, variants_have_all_homes_of_windows_and_other_buffers) {
  for (int first = 0; first < 240; ++first) {
    std::set<int> plain, windows, in_place;
    for (int i = first; i < first + 24; ++i) {
      const variant v = vary(i, 3);
      (v.in_place ? in_place : v.windowed ? windows : plain).insert(v.where);
    }
    EXPECT_EQ(plain.size(), all_homes.size()) << first;
    EXPECT_EQ(windows.size(), all_homes.size()) << first;
    EXPECT_EQ(in_place.size(), all_homes.size()) << first;
  }
}

TEST(plan, one_kernel_takes_long_transfers_too) {
  for (const int p : {2, 5}) {
    auto m = open_cpu(p);
    EXPECT_EQ(disagreement_of_large(m, 3001, plan_runner::one_kernel), "");
  }
}

TEST(plan, says_how_it_runs) {
  open_cpu(2).run(
      [](rank& r) {
        std::vector<int> x(3);
        plan_options o;
        EXPECT_EQ(plan_allreduce<int>(r, x, x, reduction::sum, o).runner(), plan_runner::steps);
        o.runner = plan_runner::one_kernel;
        EXPECT_EQ(plan_allreduce<int>(r, x, x, reduction::sum, o).runner(),
                  plan_runner::one_kernel);
      },
      bounded());
}

TEST(plan, many_epochs_without_a_barrier) {
  auto m = open_cpu(3);
  for (const auto runner : {plan_runner::steps, plan_runner::one_kernel})
    EXPECT_EQ(disagreement_over_many_epochs(m, runner), "");
}

TEST(plan, several_live_side_by_side) {
  open_cpu(4).run(
      [](rank& r) {
        std::vector<double> x(6), sum(6), all(24);
        auto add = plan_allreduce<double>(r, x, sum, reduction::sum);
        auto gather = plan_allgather<double>(r, x, all);
        auto barrier = plan_barrier(r);
        for (int e = 0; e < 20; ++e) {
          std::fill(x.begin(), x.end(), e + r.id());
          add.start();
          gather.start();
          gather.wait();
          add.wait();
          barrier.run();
          EXPECT_EQ(sum[5], 4 * e + 6);
          EXPECT_EQ(all[23], e + 3);
        }
        EXPECT_EQ(add.epochs(), 20u);
      },
      bounded());
}

TEST(plan, takes_blocks_of_different_sizes) {
  open_cpu(3).run(
      [](rank& r) {
        plan_options options;
        options.counts = {2, 0, 3};
        std::vector<int> mine(options.counts[r.id()], r.id() + 1), all(5);
        plan_allgather<int>(r, mine, all, options).run();
        EXPECT_EQ(all, (std::vector<int>{1, 1, 3, 3, 3}));
        for (const auto* name : {"direct", "ring", "recursive_halving"}) {
          options.algorithm = name;
          std::vector<int> out(mine.size());
          plan_reduce_scatter<int>(r, all, out, reduction::sum, options).run();
          EXPECT_EQ(out, std::vector<int>(mine.size(), 3 * (r.id() + 1))) << name;
        }
      },
      bounded());
}

/// Values of very different sizes: the order of additions shows in the last bits.
std::vector<float> rough(int rank) {
  std::vector<float> x;
  for (int i = 0; i < 50; ++i)
    x.push_back(
        std::ldexp(1.0f + static_cast<float>((rank * 37 + i * 11) % 97), (rank * 7 + i) % 40));
  return x;
}

TEST(plan, float_sums_repeat_bit_for_bit) {
  auto m = open_cpu(5);
  for (const auto& a : collective_algorithms()) {
    if (a.op != collective_op::allreduce) continue;
    std::vector<std::vector<float>> results(10);
    m.run(
        [&](rank& r) {
          const auto x = rough(r.id());
          std::vector<float> sum(x.size());
          plan_options options;
          options.algorithm = a.name;
          auto plan = plan_allreduce<float>(r, x, sum, reduction::sum, options);
          for (int again = 0; again < 2; ++again) {
            plan.run();
            results[static_cast<std::size_t>(again * 5 + r.id())] = sum;
          }
        },
        bounded());
    for (std::size_t r = 0; r < 5; ++r) {
      EXPECT_EQ(results[r], results[5 + r]) << a.name;
      if (a.same_bits) {
        EXPECT_EQ(results[r], results[0]) << a.name;
      }
    }
  }
}

TEST(plan, integer_sums_wrap) {
  open_cpu(2).run(
      [](rank& r) {
        std::vector<std::int32_t> x{std::numeric_limits<std::int32_t>::max()};
        plan_allreduce<std::int32_t>(r, x, x, reduction::sum).run();
        EXPECT_EQ(x[0], -2);
      },
      bounded());
}

TEST(plan, arena_of_exactly_the_bytes_needed) {
  for (const auto& a : collective_algorithms()) {
    if (a.op != collective_op::allreduce && a.op != collective_op::reduce) continue;
    collective_request q;
    q.op = a.op;
    q.ranks = 3;
    q.count = 100000;
    q.element = 8;
    const schedule s(q, a.name);
    run_options options = bounded();
    for (int r = 0; r < 3; ++r) options.arenas.push_back(bytes_needed(s, r));
    open_cpu(3).run(
        [&](rank& r) {
          std::vector<double> x(q.count, 1.0), y(q.count);
          plan_options pinned;
          pinned.algorithm = a.name;
          auto plan = a.op == collective_op::reduce
                          ? plan_reduce<double>(r, x, y, reduction::sum, 0, pinned)
                          : plan_allreduce<double>(r, x, y, reduction::sum, pinned);
          plan.run();
          if (a.op == collective_op::allreduce || r.id() == 0) {
            EXPECT_EQ(y.back(), 3.0);
          }
        },
        options);
  }
}

}  // namespace
}  // namespace gossamer
