// Which transfers travel packed, and that their slots neither overlap nor leave the inbox.
#include "collective/kernel/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "unit/collective/collective_fixture.hpp"

namespace gossamer {
namespace {

struct interval {
  std::size_t begin, end;
};

TEST(packing, slots_lie_side_by_side) {
  for (const auto& a : collective_algorithms())
    for (const int p : {1, 2, 5, 8}) {
      const auto s = schedule_of(a.op, a.name, p, 7);
      const packing packed(s);
      for (int r = 0; r < p; ++r) {
        std::vector<interval> taken;
        for (int j = 0; j < s.of(r).signals; ++j) {
          const auto& slot = packed.slot(r, j);
          if (slot.bytes != 0) taken.push_back({slot.at, slot.at + packed_words(slot.bytes)});
        }
        std::ranges::sort(taken, {}, &interval::begin);
        std::size_t end = 0;
        for (const auto& t : taken) {
          EXPECT_EQ(t.begin, end) << a.name;
          end = t.end;
        }
        EXPECT_EQ(end, packed.words(r)) << a.name;
      }
    }
}

// Whoever runs ahead has several inboxes to write to, as many on every rank whatever it does alone.
TEST(packing, gives_turns_where_credits_are_needed) {
  const auto turns = [](auto... request) { return packing(schedule_of(request...)).turns(); };
  EXPECT_EQ(turns(collective_op::broadcast, "flat", 4, 1), 8);
  EXPECT_EQ(turns(collective_op::broadcast, "flat", 9, 1), 4);
  EXPECT_EQ(turns(collective_op::broadcast, "flat", 4, 513), 2);  // not packed
  EXPECT_EQ(turns(collective_op::allgather, "direct", 4, 1), 2);
  for (const auto& a : collective_algorithms())
    for (int p = 1; p <= 17; ++p) {
      const int t = turns(a.op, a.name, p, 3);
      EXPECT_EQ(t & (t - 1), 0) << a.name;
      EXPECT_GE(t, 2) << a.name;
      EXPECT_LE(t, most_turns) << a.name;
      EXPECT_EQ(t, turns(a.op, a.name, p, 3, true)) << a.name << ", " << p;
    }
}

TEST(packing, is_for_short_transfers) {
  EXPECT_EQ(packing(schedule_of(collective_op::broadcast, "flat", 3, 512)).words(1), 1024u);
  EXPECT_EQ(packing(schedule_of(collective_op::broadcast, "flat", 3, 513)).words(1), 0u);
}

// Between GPUs whatever makes one hop or two may be long, in as few inboxes as can be.
TEST(packing, is_for_long_transfers_of_few_hops_between_gpus) {
  const auto long_hops = [](collective_op op, const char* name, std::size_t count) {
    auto q = schedule_of(op, name, 4, count).request();
    q.longest_hop = longest_hop;
    return packing(schedule(q, name));
  };
  constexpr std::size_t most = longest_hop / sizeof(double);
  EXPECT_EQ(long_hops(collective_op::broadcast, "flat", most).words(1), 2 * most);
  EXPECT_EQ(long_hops(collective_op::broadcast, "flat", most + 1).words(1), 0u);
  EXPECT_EQ(long_hops(collective_op::broadcast, "binomial", most).words(1), 2 * most);
  EXPECT_EQ(long_hops(collective_op::allreduce, "one_shot", most).words(1), 3 * 2 * most);
  EXPECT_EQ(long_hops(collective_op::allreduce, "two_shot", 4 * most).words(1), 2 * 3 * 2 * most);
  EXPECT_EQ(long_hops(collective_op::allreduce, "two_shot", 4 * most + 1).words(1), 0u);
  EXPECT_EQ(long_hops(collective_op::allreduce, "dissemination", most).words(1), 0u);
  EXPECT_EQ(long_hops(collective_op::allreduce, "ring", most).words(1), 0u);
  EXPECT_EQ(long_hops(collective_op::broadcast, "relay", 3 * most - 1024).words(0), 0u);
  EXPECT_GT(long_hops(collective_op::broadcast, "relay", 3 * most - 1024).words(1), 5 * most);
  EXPECT_EQ(long_hops(collective_op::broadcast, "relay", 4 * most).words(1), 0u);
  EXPECT_EQ(long_hops(collective_op::broadcast, "flat", 1).turns(), 8);
  EXPECT_EQ(long_hops(collective_op::broadcast, "flat", most).turns(), 2);
}

TEST(packing, leaves_out_what_has_no_data) {
  const packing barrier(schedule_of(collective_op::barrier, "dissemination", 5, 0));
  for (int r = 0; r < 5; ++r) EXPECT_EQ(barrier.words(r), 0u);
}

// A chain's data arrives with the one signal at its end, which packed words could overtake.
TEST(packing, leaves_out_data_without_a_signal_of_its_own) {
  for (const auto& a : collective_algorithms()) {
    const auto s = schedule_of(a.op, a.name, 6, 7);
    const packing packed(s);
    for (int from = 0; from < 6; ++from)
      for (const auto& put : s.of(from).steps) {
        if (put.kind != step_kind::put || put.count == 0 || put.signal >= 0) continue;
        for (const auto& other : s.of(from).steps)
          if (other.kind == step_kind::put && other.peer == put.peer && other.signal >= 0 &&
              other.count != 0) {
            EXPECT_EQ(packed.slot(put.peer, other.signal).bytes, 0u) << a.name;
          }
      }
  }
}

}  // namespace
}  // namespace gossamer
