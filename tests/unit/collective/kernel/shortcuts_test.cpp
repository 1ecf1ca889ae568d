// What packed transfers let a rank leave out: that it is left out, and only where that is allowed.
// That results stay right is tested with the plans that run as one kernel.
#include "collective/kernel/shortcuts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/collective/collective_fixture.hpp"

namespace gossamer {
namespace {

short_part shortened(const schedule& s, int rank) {
  return take_shortcuts(s, s.of(rank), packing(s));
}

int steps_of(const short_part& part, step_kind kind) {
  return static_cast<int>(std::ranges::count_if(
      part.steps, [&](const short_part::entry& e) { return e.what.kind == kind; }));
}

TEST(shortcuts, scratch_that_ends_as_output_is_the_output) {
  const auto part = shortened(schedule_of(collective_op::broadcast, "flat", 4, 7), 2);
  EXPECT_EQ(steps_of(part, step_kind::copy), 0);
  const auto arrives =
      std::ranges::find_if(part.slots, [](const packed_slot& slot) { return slot.bytes != 0; });
  ASSERT_NE(arrives, part.slots.end());
  EXPECT_EQ(arrives->to, (buffer_place{buffer_id::output, 0}));
}

TEST(shortcuts, own_block_goes_straight_to_the_output) {
  const auto part = shortened(schedule_of(collective_op::allgather, "direct", 4, 7), 2);
  ASSERT_EQ(steps_of(part, step_kind::copy), 1);
  for (const auto& e : part.steps)
    if (e.what.kind == step_kind::copy) {
      EXPECT_EQ(e.what.from, (buffer_place{buffer_id::input, 0}));
      EXPECT_EQ(e.what.to, (buffer_place{buffer_id::output, 14}));
    }
}

TEST(shortcuts, reductions_read_the_inbox) {
  const auto s = schedule_of(collective_op::allreduce, "one_shot", 5, 7);
  for (int r = 0; r < 5; ++r) {
    const auto part = shortened(s, r);
    EXPECT_EQ(steps_of(part, step_kind::wait), 0);
    for (const auto& e : part.steps) {
      if (e.what.kind == step_kind::reduce) {
        EXPECT_EQ(e.inbox, 0u);
      }
    }
  }
}

TEST(shortcuts, in_place_keeps_its_scratch) {
  const auto s = schedule_of(collective_op::allgather, "direct", 4, 7, true);
  EXPECT_EQ(shortened(s, 1).steps.size(), s.of(1).steps.size());
}

TEST(shortcuts, long_transfers_are_left_alone) {
  for (const auto& a : collective_algorithms()) {
    if (a.op == collective_op::barrier || a.op == collective_op::all_to_all_v) continue;
    const auto s = schedule_of(a.op, a.name, 4, std::size_t{1} << 20);
    for (int r = 0; r < 4; ++r) {
      const auto part = shortened(s, r);
      EXPECT_EQ(part.steps.size(), s.of(r).steps.size()) << a.name;
      for (const auto& e : part.steps) EXPECT_EQ(e.inbox, short_part::none) << a.name;
    }
  }
}

// A reduction whose partial result goes on to others must leave the operand where it is.
TEST(shortcuts, no_operand_is_left_out_that_is_read_again) {
  for (const auto& a : collective_algorithms()) {
    if (a.op != collective_op::allreduce && a.op != collective_op::reduce) continue;
    for (const int p : {3, 4, 7}) {
      const auto s = schedule_of(a.op, a.name, p, 14);
      for (int r = 0; r < p; ++r) {
        const auto before = s.of(r);
        const auto part = shortened(s, r);
        const auto waits = [&](const auto& steps, auto get) {
          return std::ranges::count_if(
              steps, [&](const auto& e) { return get(e).kind == step_kind::wait; });
        };
        long operands = 0;
        for (const auto& e : part.steps)
          if (e.inbox != short_part::none)
            operands += e.what.parts - (e.what.own_part >= 0 ? 1 : 0);
        EXPECT_EQ(waits(part.steps, [](const auto& e) { return e.what; }) + operands,
                  waits(before.steps, [](const auto& e) { return e; }))
            << a.name << " p=" << p;
      }
    }
  }
}

}  // namespace
}  // namespace gossamer
