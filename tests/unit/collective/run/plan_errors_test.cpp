// What users can do wrong with plans, and what they are told.
#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/plan.hpp"
#include "unit/collective/collective_fixture.hpp"

namespace gossamer {
namespace {

TEST(plan_errors, buffers_of_the_wrong_size) {
  EXPECT_EQ(run_error<usage_error>(1,
                                   [](rank& r) {
                                     std::vector<int> x(3), y(4);
                                     plan_allreduce<int>(r, x, y, reduction::sum);
                                   }),
            "allreduce: rank 0's output holds 4 elements, not 3");
  EXPECT_EQ(run_error<usage_error>(1,
                                   [](rank& r) {
                                     std::vector<int> x(3), y(4);
                                     plan_scatter<int>(r, x, y, 0);
                                   }),
            "scatter: rank 0's input holds 3 elements, not 4");
  EXPECT_EQ(run_error<usage_error>(1,
                                   [](rank& r) {
                                     std::vector<int> x(2), y(3);
                                     const std::vector<std::size_t> counts{2};
                                     plan_all_to_all_v<int>(r, x, counts, y);
                                   }),
            "all_to_all_v: rank 0's output holds 3 elements, not 2");
}

TEST(plan_errors, ranks_that_disagree) {
  EXPECT_EQ(run_error<rank_error>(2,
                                  [](rank& r) {
                                    std::vector<int> x(r.id() == 0 ? 3 : 4), y(x.size());
                                    plan_options o;
                                    o.algorithm = "one_shot";
                                    plan_allreduce<int>(r, x, y, reduction::sum, o);
                                  })
                .substr(0, 42),
            "ranks 0 and 1 plan different collectives: ");
  const auto text = run_error<rank_error>(2, [](rank& r) {
    std::vector<int> x(3), y(3);
    plan_options o;
    o.algorithm = "ring";
    plan_allreduce<int>(r, x, y, r.id() == 0 ? reduction::sum : reduction::max, o);
  });
  EXPECT_NE(text.find("plan allreduce ring of 3 elements of 4 bytes with root 0 with different "
                      "types, reductions, counts, mappings, pieces or runners"),
            std::string::npos)
      << text;
}

TEST(plan_errors, what_cannot_be_one_kernel) {
  const auto asked = [](const char* algorithm) {
    return [algorithm](rank& r) {
      std::vector<int> x(3), y(3);
      plan_options o;
      o.algorithm = algorithm;
      o.runner = plan_runner::one_kernel;
      plan_reduce<int>(r, x, y, reduction::sum, 0, o);
    };
  };
  EXPECT_EQ(run_error<usage_error>(1, asked("direct_host")),
            "runner one_kernel: rank 0 cannot: the algorithm reduces in host memory");
  EXPECT_EQ(run_error<usage_error>(65, asked("binomial")),
            "runner one_kernel: rank 0 cannot: there are more than 64 ranks");
}

TEST(plan_errors, types_and_reductions) {
  struct pair {
    int a, b;
  };
  EXPECT_EQ(run_error<usage_error>(1,
                                   [](rank& r) {
                                     std::vector<pair> x(1), y(1);
                                     plan_allreduce<pair>(r, x, y, reduction::sum);
                                   }),
            "allreduce: reductions take int32, uint32, int64, uint64, float and double");
  EXPECT_EQ(run_error<usage_error>(1,
                                   [](rank& r) {
                                     std::vector<float> x(1), y(1);
                                     plan_reduce<float>(r, x, y, reduction::bit_or, 0);
                                   }),
            "reduce: bit_or needs an integer type");
}

TEST(plan_errors, memory_that_half_overlaps) {
  EXPECT_EQ(run_error<usage_error>(1,
                                   [](rank& r) {
                                     std::vector<int> x(5);
                                     const std::span<int> s(x);
                                     plan_allreduce<int>(r, s.first(4), s.last(4), reduction::sum);
                                   }),
            "allreduce: input and output overlap, but not as in-place has it");
  EXPECT_EQ(run_error<usage_error>(1,
                                   [](rank& r) {
                                     auto w = r.make_window<int>(4);
                                     output_range<int>(w, 2, 3);
                                   }),
            "output range: outside the window");
}

TEST(plan_errors, unknown_algorithms_and_counts) {
  EXPECT_EQ(run_error<usage_error>(1,
                                   [](rank& r) {
                                     plan_options o;
                                     o.algorithm = "tree";
                                     plan_barrier(r, o);
                                   }),
            "barrier: no algorithm 'tree' (there are: direct, dissemination, binomial)");
  EXPECT_EQ(run_error<usage_error>(2,
                                   [](rank& r) {
                                     std::vector<int> x(2), y(2);
                                     plan_all_to_all_v<int>(r, x, std::vector<std::size_t>{2}, y);
                                   }),
            "all_to_all_v: needs one send count per rank");
}

TEST(plan_errors, starts_and_waits_out_of_turn) {
  open_cpu(1).run([](rank& r) {
    auto plan = plan_barrier(r);
    EXPECT_THROW(plan.wait(), usage_error);
    plan.start();
    EXPECT_THROW(plan.start(), usage_error);
    plan.wait();
    plan.run();
  });
}

TEST(plan_errors, a_rank_that_never_starts_is_named) {
  run_options options;
  options.deadline = std::chrono::milliseconds(100);
  try {
    open_cpu(2).run(
        [](rank& r) {
          std::vector<int> x(1), y(1);
          plan_options o;
          o.algorithm = "one_shot";
          auto plan = plan_allreduce<int>(r, x, y, reduction::sum, o);
          if (r.id() == 1) plan.run();
        },
        options);
    FAIL() << "no error";
  } catch (const rank_error& e) {
    EXPECT_EQ(e.rank(), 1);
    EXPECT_EQ(e.peer(), 0);
    EXPECT_TRUE(e.timed_out());
  }
}

// No default of CPU ranks names it; whoever does learns what is missing.
TEST(plan_errors, a_library_that_is_not_there) {
  for (const auto& a : library_algorithms()) {
    const std::string name(name_of(a.op));
    const auto what = run_error<usage_error>(2, [&](rank& r) {
      const bool gathers = a.op == collective_op::allgather,
                 scatters = a.op == collective_op::reduce_scatter;
      std::vector<double> in(gathers ? 4 : 8), out(scatters ? 4 : 8);
      plan_options o;
      o.rules = name + ":0-inf:@nccl";
      plan_collective<double>(r, a.op, 0, gathers || scatters ? 4 : 8, in, out, reduction::sum, o);
    });
#ifdef GOSSAMER_TEST_NCCL
    EXPECT_EQ(what, name + " nccl: rank 0 is no GPU");
#else
    EXPECT_EQ(what,
              "algorithm 'nccl' of collectives not compiled in: configure with "
              "-DGOSSAMER_CUDA=ON -DGOSSAMER_NCCL=ON");
#endif
  }
}

TEST(plan_errors, a_library_has_no_steps) {
  collective_request q;
  q.op = collective_op::broadcast;
  q.ranks = 2;
  try {
    static_cast<void>(schedule(q, "nccl").of(0));
    ADD_FAILURE() << "steps";
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "broadcast nccl: a library runs it, it has no steps");
  }
  const auto taken = bytes_needed(schedule(q, "nccl"), 0);
  EXPECT_EQ(taken.native + taken.host, 0u);
}

}  // namespace
}  // namespace gossamer
