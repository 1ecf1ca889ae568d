// Plans on machines with GPUs: the cases of plans_test.cpp, and buffers in pageable host memory,
// which kernels cannot address.
#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/rules.hpp"
#include "gossamer/machine/topology.hpp"
#include "on_machine.hpp"
#include "unit/collective/run/plan_agreement.hpp"

namespace gossamer {
namespace {

using namespace plan_cases;

class plans_gpu : public testing_machines::OnMachine {};

TEST_P(plans_gpu, agree_with_a_sequential_reference) {
  EXPECT_EQ(disagreement(*machine_, 0, 24, plan_runner::steps), "");
}

// Longer than the pieces of transport `pinned`, and than what copies leave to kernels.
TEST_P(plans_gpu, agree_with_large_messages) {
  EXPECT_EQ(disagreement_of_large(*machine_, 600001, plan_runner::steps), "");
}

TEST_P(plans_gpu, agree_as_one_kernel) {
  if (!machine_->all_direct()) GTEST_SKIP() << "not every pair is direct";
  EXPECT_EQ(disagreement(*machine_, 0, 24, plan_runner::one_kernel), "");
}

TEST_P(plans_gpu, agree_as_one_kernel_of_many_blocks) {
  if (!machine_->all_direct()) GTEST_SKIP() << "not every pair is direct";
  EXPECT_EQ(disagreement_of_large(*machine_, 300000, plan_runner::one_kernel), "");
}

// Packed by many blocks, whose GPU ranks may share.
TEST_P(plans_gpu, agree_as_one_kernel_of_long_hops) {
  if (!machine_->all_direct()) GTEST_SKIP() << "not every pair is direct";
  for (const std::size_t count : {1031, 12000, 150001})
    for (const bool whole : {false, true})
      EXPECT_EQ(disagreement_of_large(*machine_, count, plan_runner::one_kernel, false, whole), "")
          << count;
  EXPECT_EQ(disagreement_over_many_epochs(*machine_, plan_runner::one_kernel, 5000), "");
}

// So long that each block works by itself.
TEST_P(plans_gpu, agree_as_one_kernel_of_slices) {
  if (!machine_->all_direct() || machine_->size() > 4) GTEST_SKIP() << "not every pair is direct";
  EXPECT_EQ(disagreement_of_slices(*machine_, 2000001), "");
}

TEST_P(plans_gpu, many_epochs_without_a_barrier) {
  if (!machine_->all_direct()) GTEST_SKIP() << "not every pair is direct";
  EXPECT_EQ(disagreement_over_many_epochs(*machine_, plan_runner::one_kernel), "");
}

// Nobody else starts: the kernel that waits says for whom.
TEST_P(plans_gpu, one_kernel_gives_up) {
  if (!machine_->all_direct() || machine_->size() == 1) GTEST_SKIP() << "nobody to wait for";
  run_options soon = bounded();
  soon.deadline = std::chrono::seconds(1);
  try {
    machine_->run(
        [&](rank& r) {
          const auto x = r.scratch<double>(8);
          plan_options o;
          o.runner = plan_runner::one_kernel;
          o.algorithm = "flat";
          auto plan = plan_broadcast<double>(r, x, 0, o);
          if (r.id() == 0) return;
          plan.run();
          r.synchronize();
        },
        soon);
    ADD_FAILURE() << "came to an end";
  } catch (const rank_error& e) {
    EXPECT_NE(std::string(e.what()).find("for rank 0"), std::string::npos) << e.what();
  }
}

TEST_P(plans_gpu, short_broadcasts_of_gpus_make_few_hops) {
  bool gpus = machine_->all_direct();
  for (int i = 0; i < machine_->size(); ++i) gpus = gpus && (*machine_)[i].is_cuda();
  const auto rules = selection_rules::of(*machine_);
  constexpr std::size_t hop = std::size_t{512} << 10;
  EXPECT_EQ(rules.algorithm(collective_op::broadcast, 4096), gpus ? "flat" : "binomial");
  EXPECT_EQ(rules.algorithm(collective_op::broadcast, hop), !gpus ? "scatter_allgather"
                                                            : machine_->size() > 2 ? "relay"
                                                                                   : "flat");
  const auto own = selection_rules::of(*machine_, false);
  EXPECT_EQ(own.algorithm(collective_op::reduce, std::size_t{256} << 20),
            gpus ? "ring" : "two_shot");
}

// By default they may be NVIDIA's library's, among more than two GPUs; what that cannot do is ours.
TEST_P(plans_gpu, long_vectors_by_default) {
  constexpr std::size_t n = (std::size_t{33} << 20) / sizeof(std::int32_t);
  const auto name = [&](bool libraries) {
    const auto rules = selection_rules::of(*machine_, libraries);
    return std::string(rules.algorithm(collective_op::allreduce, n * sizeof(std::int32_t)));
  };
  run_options options = bounded();
  options.arenas = {{std::size_t{512} << 20, std::size_t{512} << 20}};
  machine_->run(
      [&](rank& r) {
        const auto x = r.scratch<std::int32_t>(n);
        const auto sums = [&](reduction how, const std::string& algorithm, std::int32_t expected) {
          const std::vector<std::int32_t> mine(n, 1 << r.id());
          copy_bytes(x.data(), mine.data(), n * sizeof(std::int32_t));
          auto plan = plan_allreduce<std::int32_t>(r, x, x, how);
          EXPECT_EQ(plan.what().algorithm().name, algorithm);
          plan.run();
          r.synchronize();
          std::vector<std::int32_t> found(n);
          copy_bytes(found.data(), x.data(), n * sizeof(std::int32_t));
          EXPECT_EQ(std::ranges::count(found, expected), static_cast<std::ptrdiff_t>(n));
        };
        const std::int32_t all = (1 << r.size()) - 1;
        sums(reduction::sum, name(true), all);
        sums(reduction::max, name(true), 1 << (r.size() - 1));
        sums(reduction::bit_or, name(false), all);
      },
      options);
}

TEST_P(plans_gpu, short_plans_of_gpus_are_one_kernel) {
  bool gpus = machine_->all_direct();
  for (int i = 0; i < machine_->size(); ++i)
    gpus = gpus && (*machine_)[i].is_cuda() && shared_kernels((*machine_)[i]) != sharing::in_turn;
  run_options options = bounded();
  options.arenas = {{std::size_t{1200} << 20, 0}};
  machine_->run(
      [&](rank& r) {
        constexpr std::size_t megabyte = (std::size_t{1} << 20) / sizeof(double);
        const auto fast = gpus ? plan_runner::one_kernel : plan_runner::steps;
        const auto x = r.scratch<double>(64 * megabyte + 1);
        const auto broadcast = [&](std::size_t n, const char* algorithm) {
          plan_options o;
          o.algorithm = algorithm;
          return plan_broadcast<double>(r, x.first(n), 0, o).runner();
        };
        EXPECT_EQ(broadcast(1, "flat"), fast);
        EXPECT_EQ(broadcast(64 * megabyte, "flat"), fast);
        // What is only moved is left to copy engines, but for many pieces.
        EXPECT_EQ(broadcast(64 * megabyte + 1, "flat"), plan_runner::steps);
        EXPECT_EQ(broadcast(64 * megabyte + 1, "ring"), fast);
        plan_options o;
        o.algorithm = "two_shot";
        EXPECT_EQ(plan_allreduce<double>(r, x, x, reduction::sum, o).runner(), fast);
      },
      options);
}

// NVIDIA's library: the same cases, but for what it refuses.
TEST_P(plans_gpu, agree_by_nccl) {
  bool suits = true;
  for (int i = 0; i < machine_->size(); ++i)
    suits = suits && (*machine_)[i].is_cuda() && (*machine_)[i].share == 1;
  complaints found;
  const auto run_all = [&] {
    for (const auto& a : library_algorithms())
      machine_->run(
          [&](rank& r) {
            for (int i = 0; i < 6; ++i) {  // each makes communicators, half a second
              auto v = vary(i, r.size());
              v.mapped = false;
              if (v.how == reduction::bit_or) v.how = reduction::min;
              const auto wrong = wrong_in_type(i % 6, r, a, v);
              if (!wrong.empty()) found.add(wrong + ", variant " + std::to_string(i));
            }
          },
          bounded());
  };
  if (suits) {
    try {
      run_all();
    } catch (const not_compiled& e) {
      GTEST_SKIP() << e.what();
    } catch (const usage_error& e) {
      if (std::string(e.what()).find("nccl: libnccl") != 0) throw;
      GTEST_SKIP() << e.what();
    }
    EXPECT_EQ(found.first(), "");
    return;
  }
  try {
    run_all();
    ADD_FAILURE() << "planned";
  } catch (const not_compiled& e) {
    GTEST_SKIP() << e.what();
  } catch (const usage_error& e) {
    const std::string what = e.what();
    EXPECT_TRUE(what.find("is no GPU") != std::string::npos ||
                what.find("shares its GPU") != std::string::npos)
        << what;
  }
}

TEST_P(plans_gpu, one_kernel_refuses_pageable_memory) {
  if (!machine_->all_direct()) GTEST_SKIP() << "not every pair is direct";
  try {
    machine_->run(
        [&](rank& r) {
          std::vector<double> pageable(8);
          plan_options o;
          o.runner = plan_runner::one_kernel;
          plan_allreduce<double>(r, pageable, pageable, reduction::sum, o);
        },
        bounded());
    ADD_FAILURE() << "planned";
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "runner one_kernel: rank 0 cannot: a buffer is in pageable host memory");
  }
}

TEST_P(plans_gpu, reduce_pageable_host_memory) {
  for (const auto& a : collective_algorithms()) {
    if (a.op != collective_op::allreduce && a.op != collective_op::reduce) continue;
    machine_->run(
        [&](rank& r) {
          std::vector<double> x(100), y(100);
          plan_options pinned;
          pinned.algorithm = a.name;
          for (const bool in_place : {false, true}) {
            auto& out = in_place ? x : y;
            auto plan = a.op == collective_op::reduce
                            ? plan_reduce<double>(r, x, out, reduction::sum, 0, pinned)
                            : plan_allreduce<double>(r, x, out, reduction::sum, pinned);
            for (int e = 1; e <= 3; ++e) {
              std::fill(x.begin(), x.end(), e * (r.id() + 1));
              plan.run();
              r.synchronize();
              if (a.op == collective_op::allreduce || r.id() == 0) {
                EXPECT_EQ(out[99], e * r.size() * (r.size() + 1) / 2) << a.name;
              }
            }
          }
        },
        bounded());
  }
}

INSTANTIATE_TEST_SUITE_P(specs, plans_gpu,
                         ::testing::Values("cuda:0", "cuda:0*3", "cuda:0*7", "cpu:1x1+cuda:0",
                                           "cpu:2x1+cuda:0*2", "cuda:0-1", "cuda:0-2", "cuda:0-3",
                                           "cpu:1x2+cuda:0-1"),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
