// Every algorithm under the symbolic checker, for many numbers of ranks; and the checker itself on
// schedules that are wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/check.hpp"
#include "message_of.hpp"
#include "unit/collective/collective_fixture.hpp"

namespace gossamer {
namespace {

using op = collective_op;

bool rooted(op o) {
  return o == op::broadcast || o == op::scatter || o == op::gather || o == op::reduce;
}
bool blocks(op o) {
  return o == op::scatter || o == op::gather || o == op::allgather || o == op::reduce_scatter;
}

/// A permutation that keeps few neighbours together.
std::vector<int> shuffled(int p) {
  std::vector<int> order(static_cast<std::size_t>(p));
  std::iota(order.begin(), order.end(), 0);
  for (int i = 0; i < p; ++i) std::swap(order[i], order[(i * 7 + 3) % p]);
  return order;
}

collective_request request(op o, int p, std::size_t count) {
  collective_request q;
  q.op = o;
  q.ranks = p;
  q.count = count;
  q.element = 8;
  q.segments = 3;
  if (o == op::all_to_all_v)
    q.pair_count = [count](int from, int to) {
      return (static_cast<std::size_t>(from) * 3 + static_cast<std::size_t>(to) * 5) % (count + 2);
    };
  return q;
}

/// The shapes of a request that change what an algorithm does.
void check_all(const algorithm_info& a, int p, std::size_t count, bool mapped) {
  for (const bool in_place : {false, true})
    for (const bool direct : {false, true}) {
      auto q = request(a.op, p, count);
      q.in_place = in_place;
      q.direct = direct;
      if (mapped) q.mapping = shuffled(p);
      if (direct && in_place && (a.op == op::all_to_all || a.op == op::all_to_all_v)) continue;
      for (const int root : {0, p / 2, p - 1}) {
        q.root = root;
        const schedule s(q, a.name);
        ASSERT_EQ(check(s), "") << p << " ranks, root " << root << ", " << count << " elements"
                                << (in_place ? ", in place" : "") << (direct ? ", direct" : "")
                                << (mapped ? ", mapped" : "") << "\n"
                                << (p <= 4 ? s.text() : "");
        if (!rooted(a.op) || p == 1) break;
      }
    }
}

/// The same through host memory, where inputs and outputs are staged.
void check_via_host(const algorithm_info& a, int p) {
  for (const bool in_place : {false, true})
    for (const int root : {0, p - 1}) {
      auto q = request(a.op, p, 3);
      q.direct = in_place && a.op != op::all_to_all && a.op != op::all_to_all_v;
      q.in_place = in_place;
      q.via_host = true;
      q.root = root;
      const schedule s(q, a.name);
      EXPECT_TRUE(s.host_scratch());
      ASSERT_EQ(check(s), "") << p << " ranks, root " << root << (in_place ? ", in place\n" : "\n")
                              << (p <= 4 ? s.text() : "");
      // Nothing but scratch meets the network.
      for (int r = 0; r < p; ++r)
        for (const auto& x : s.of(r).steps) {
          if (x.kind != step_kind::put || x.count == 0) continue;
          ASSERT_EQ(x.from.in, buffer_id::scratch);
          ASSERT_EQ(x.to.in, buffer_id::scratch);
        }
    }
}

class every_algorithm : public ::testing::TestWithParam<algorithm_info> {};

TEST_P(every_algorithm, is_right_and_free_of_races_for_few_ranks) {
  for (int p = 1; p <= 17; ++p)
    for (const std::size_t count : {std::size_t{1}, static_cast<std::size_t>(p + 2)}) {
      check_all(GetParam(), p, count, false);
      if (HasFatalFailure()) return;
    }
}

TEST_P(every_algorithm, is_right_through_host_memory) {
  for (const int p : {1, 2, 3, 4, 7, 8}) {
    check_via_host(GetParam(), p);
    if (HasFatalFailure()) return;
  }
}

TEST_P(every_algorithm, needs_no_credit_when_epochs_are_kept_apart) {
  for (const int p : {2, 5, 8}) {
    auto q = request(GetParam().op, p, 3);
    q.direct = true;
    const schedule chained(q, GetParam().name);
    q.apart = true;
    const schedule s(q, GetParam().name);
    // One epoch has nothing before it to wait for.
    ASSERT_EQ(check(s, 1), "");
    for (int r = 0; r < p; ++r) {
      EXPECT_LE(s.of(r).steps.size(), chained.of(r).steps.size());
      for (const auto& x : s.of(r).steps)
        if (x.kind == step_kind::wait) {
          EXPECT_EQ(x.lag, 0);
        }
    }
  }
}

TEST_P(every_algorithm, is_right_with_other_positions) {
  for (const int p : {3, 4, 6, 8, 11, 16}) {
    check_all(GetParam(), p, 3, true);
    if (HasFatalFailure()) return;
  }
}

TEST_P(every_algorithm, is_right_for_many_ranks) {
  for (const int p : {23, 32, 47, 63, 64}) {
    auto q = request(GetParam().op, p, 2);
    if (!blocks(q.op) && q.op != op::all_to_all) q.count = static_cast<std::size_t>(p / 2);
    if (q.op == op::all_to_all_v) q.count = 1;
    q.root = 5;
    ASSERT_EQ(check(schedule(q, GetParam().name), 3), "") << p << " ranks";
  }
}

TEST_P(every_algorithm, says_nothing_moves_for_empty_vectors) {
  for (const int p : {1, 2, 5}) {
    auto q = request(GetParam().op, p, 0);
    if (q.op == op::all_to_all_v) q.pair_count = [](int, int) { return std::size_t{0}; };
    const schedule s(q, GetParam().name);
    EXPECT_EQ(check(s), "");
    for (int r = 0; r < p; ++r)
      for (const auto& step : s.of(r).steps) EXPECT_EQ(step.count, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(collectives, every_algorithm,
                         ::testing::ValuesIn(collective_algorithms().begin(),
                                             collective_algorithms().end()),
                         algorithm_name);

TEST(algorithms, every_operation_has_at_least_two) {
  for (int o = 0; o < collective_ops; ++o)
    EXPECT_GE(std::ranges::count_if(collective_algorithms(),
                                    [&](const auto& a) { return static_cast<int>(a.op) == o; }),
              2)
        << name_of(static_cast<op>(o));
}

TEST(algorithms, take_blocks_of_different_sizes) {
  for (const auto& a : collective_algorithms()) {
    if (!blocks(a.op)) continue;
    for (const int p : {1, 2, 3, 5, 8, 13})
      for (const bool direct : {false, true})
        for (const bool mapped : {false, true}) {
          auto q = request(a.op, p, 0);
          for (int r = 0; r < p; ++r) q.counts.push_back(static_cast<std::size_t>(r * 5 % 4));
          q.direct = direct;
          q.root = p / 2;
          if (mapped) q.mapping = shuffled(p);
          ASSERT_EQ(check(schedule(q, a.name)), "") << p << " ranks";
        }
  }
}

// Long enough for shares of whole lines, of lengths that nothing divides.
TEST(algorithms, relay_in_aligned_shares) {
  for (const auto o : {op::broadcast, op::reduce, op::allreduce})
    for (const int p : {3, 4})
      for (const bool direct : {false, true}) {
        auto q = request(o, p, 8203);
        q.direct = direct;
        q.in_place = direct;
        q.root = p - 1;
        q.segments = 2;
        q.element = 16;
        const schedule s(q, "relay");
        ASSERT_EQ(check(s, 2), "") << name_of(o) << " of " << p;
        std::size_t puts = 0;
        for (int r = 0; r < p; ++r)
          for (const auto& x : s.of(r).steps) {
            if (x.kind != step_kind::put || x.count == 0) continue;
            ++puts;
            // 8 elements of 16 bytes are a line; others' shares lie in slots of whole lines.
            if (x.from.in != buffer_id::scratch) {
              EXPECT_EQ(x.from.offset % 8, 0u);
            }
            if (x.to.in == buffer_id::output) {
              EXPECT_EQ(x.to.offset % 8, 0u);
            }
          }
        EXPECT_GE(puts, static_cast<std::size_t>(2 * (p - 1)));
      }
}

// Each step a call of a GPU's host: fewer pieces, within what was planned for more.
TEST(algorithms, relay_in_fewer_pieces_by_calls) {
  for (const auto o : {op::broadcast, op::reduce, op::allreduce})
    for (const int p : {2, 3, 4, 8}) {
      auto q = request(o, p, std::size_t{32} << 20);
      q.segments = 0;
      const schedule by_kernel(q, "relay");
      q.by_calls = true;
      const schedule by_calls(q, "relay");
      for (int r = 0; r < p; ++r) {
        const auto many = by_kernel.of(r), few = by_calls.of(r);
        EXPECT_LE(few.steps.size(), many.steps.size()) << name_of(o) << " of " << p;
        if (p > 3) {
          EXPECT_LT(few.steps.size(), many.steps.size()) << name_of(o) << " of " << p;
        }
        EXPECT_LE(few.scratch, many.scratch);
        EXPECT_LE(few.signals, many.signals);
        // 3.5 us each are less than 256 MiB take at 395 GB/s.
        EXPECT_LE(few.steps.size(), o == op::allreduce ? 300u : 200u) << name_of(o) << " of " << p;
      }
    }
}

TEST(schedule, one_part_of_a_thousand_ranks_is_small) {
  for (const auto& a : collective_algorithms()) {
    auto q = request(a.op, 1000, 4);
    q.segments = 8;
    const auto part = schedule(q, a.name).of(731);
    EXPECT_LT(part.steps.size(), 6000u) << name_of(a.op) << ' ' << a.name;
  }
}

TEST(schedule, errors_name_what_is_wrong) {
  EXPECT_EQ(message_of<usage_error>([] { schedule(request(op::scatter, 2, 1), "ring"); }),
            "scatter: no algorithm 'ring' (there are: direct, binomial)");
  // A library's algorithm has no schedule, so it is not listed.
  EXPECT_EQ(
      message_of<usage_error>([] { schedule(request(op::reduce, 2, 1), "nope"); }).find("nccl"),
      std::string::npos);
  EXPECT_EQ(message_of<usage_error>([] {
              auto q = request(op::reduce, 3, 1);
              q.root = 3;
              schedule(q, "direct");
            }),
            "reduce: no root 3 among 3 ranks");
  EXPECT_EQ(message_of<usage_error>([] {
              auto q = request(op::allgather, 3, 1);
              q.mapping = {0, 1, 1};
              schedule(q, "ring");
            }),
            "allgather: the mapping is not a permutation of the 3 ranks");
  EXPECT_EQ(message_of<usage_error>([] {
              auto q = request(op::allgather, 3, 1);
              q.counts = {1, 2};
              schedule(q, "ring");
            }),
            "allgather: 2 counts for 3 ranks");
  EXPECT_EQ(message_of<usage_error>([] {
              auto q = request(op::allreduce, 2, 1);
              q.counts = {1, 2};
              schedule(q, "ring");
            }),
            "allreduce: takes one count, not one per rank");
  EXPECT_EQ(message_of<usage_error>([] { parse_collective_op("alltoall"); }),
            "no collective 'alltoall' (there are: broadcast, scatter, gather, reduce, allgather, "
            "allreduce, reduce_scatter, all_to_all, all_to_all_v, barrier)");
  EXPECT_EQ(message_of<usage_error>(
                [] { static_cast<void>(schedule(request(op::barrier, 2, 0), "direct").of(2)); }),
            "schedule: no rank 2 among 2");
  EXPECT_EQ(message_of<usage_error>([] { check(schedule(request(op::barrier, 65, 0), "direct")); }),
            "check: at most 64 ranks");
}

}  // namespace
}  // namespace gossamer
