// The checker must find what is wrong: every algorithm's schedules, each spoilt in one place.
#include <gtest/gtest.h>

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/check.hpp"
#include "unit/collective/collective_fixture.hpp"

namespace gossamer {
namespace {

using op = collective_op;

schedule make(const algorithm_info& a, int p, bool in_place, bool direct) {
  collective_request q;
  q.op = a.op;
  q.ranks = p;
  q.count = a.op == op::barrier ? 0 : static_cast<std::size_t>(p + 1);
  q.in_place = in_place;
  q.direct = direct;
  q.segments = 2;
  if (a.op == op::all_to_all_v)
    q.pair_count = [](int from, int to) { return static_cast<std::size_t>(1 + (from + to) % 2); };
  return schedule(q, a.name);
}

std::vector<rank_schedule> parts_of(const schedule& s) {
  std::vector<rank_schedule> parts;
  for (int r = 0; r < s.ranks(); ++r) parts.push_back(s.of(r));
  return parts;
}

/// Calls f(parts, steps of one rank, index) for every step of every rank, on fresh parts; f spoils
/// them and says so. Counts the spoilt schedules and those the checker let pass.
template <class F>
void spoil(const schedule& s, int& spoilt, std::string& missed, F f) {
  const auto whole = parts_of(s);
  for (std::size_t r = 0; r < whole.size(); ++r)
    for (std::size_t i = 0; i < whole[r].steps.size(); ++i) {
      auto parts = whole;
      if (!f(parts[r].steps, i)) continue;
      ++spoilt;
      if (check(s, parts).empty())
        missed += "rank " + std::to_string(r) + " step " + std::to_string(i) + ": " +
                  to_text(whole[r].steps[i]) + "\n";
    }
}

class spoilt_schedules : public ::testing::TestWithParam<algorithm_info> {
 protected:
  template <class F>
  void expect_found(F f, bool some = true) {
    int spoilt = 0;
    for (const int p : {2, 4, 5})
      for (const bool direct : {false, true}) {
        const auto s = make(GetParam(), p, false, direct);
        std::string missed;
        spoil(s, spoilt, missed, f);
        ASSERT_EQ(missed, "") << s.text();
      }
    if (some) {
      EXPECT_GT(spoilt, 0);
    }
  }
};

/// Puts and signals of a pair stay in order, so a later one of the same kind implies step i's.
bool implied(const std::vector<step>& steps, std::size_t i) {
  for (std::size_t later = i + 1; later < steps.size(); ++later)
    if (steps[later].kind == steps[i].kind && steps[later].peer == steps[i].peer) return true;
  return false;
}

TEST_P(spoilt_schedules, a_wait_too_few) {
  expect_found([](std::vector<step>& steps, std::size_t i) {
    // Credits may be implied by what else a rank hears: see no_credits below.
    if (steps[i].kind != step_kind::wait || steps[i].round < 0 || implied(steps, i)) return false;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  });
}

TEST_P(spoilt_schedules, a_put_too_few) {
  expect_found([](std::vector<step>& steps, std::size_t i) {
    if (steps[i].kind != step_kind::put) return false;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  });
}

TEST_P(spoilt_schedules, a_put_of_the_wrong_place) {
  expect_found(
      [](std::vector<step>& steps, std::size_t i) {
        if (steps[i].kind != step_kind::put || steps[i].count == 0) return false;
        ++steps[i].to.offset;
        return true;
      },
      GetParam().op != op::barrier);
}

TEST_P(spoilt_schedules, one_element_too_few) {
  expect_found(
      [](std::vector<step>& steps, std::size_t i) {
        if (steps[i].count == 0) return false;
        --steps[i].count;
        return true;
      },
      GetParam().op != op::barrier);
}

TEST_P(spoilt_schedules, a_signal_before_its_data) {
  expect_found(
      [](std::vector<step>& steps, std::size_t i) {
        if (steps[i].kind != step_kind::put || steps[i].count == 0 || steps[i].signal < 0 ||
            implied(steps, i))
          return false;
        step notice = steps[i];
        notice.count = 0;
        steps[i].signal = -1;
        steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(i), notice);
        return true;
      },
      false);
}

TEST_P(spoilt_schedules, no_credits) {
  for (const bool direct : {false, true}) {
    const auto s = make(GetParam(), 5, false, direct);
    auto parts = parts_of(s);
    std::size_t credits = 0;
    for (auto& part : parts)
      credits += std::erase_if(
          part.steps, [](const step& x) { return x.kind == step_kind::wait && x.round < 0; });
    if (credits != 0) {
      EXPECT_NE(check(s, parts), "") << s.text();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(collectives, spoilt_schedules,
                         ::testing::ValuesIn(collective_algorithms().begin(),
                                             collective_algorithms().end()),
                         algorithm_name);

const algorithm_info& algorithm(op o, std::string_view name) {
  for (const auto& a : collective_algorithms())
    if (a.op == o && a.name == name) return a;
  throw usage_error("no such algorithm");
}

TEST(checker, finds_an_input_overwritten_while_it_is_sent) {
  for (const auto* name : {"one_shot", "recursive_doubling"}) {
    const auto s = make(algorithm(op::allreduce, name), 2, true, false);
    auto parts = parts_of(s);
    for (auto& part : parts)
      std::erase_if(part.steps, [](const step& x) { return x.kind == step_kind::flush; });
    EXPECT_NE(check(s, parts).find("race on rank"), std::string::npos) << check(s, parts);
  }
}

TEST(checker, finds_a_root_that_runs_ahead) {
  const auto s = make(algorithm(op::broadcast, "flat"), 3, false, false);
  auto parts = parts_of(s);
  for (auto& part : parts) std::erase_if(part.steps, [](const step& x) { return x.lag != 0; });
  EXPECT_NE(check(s, parts).find("race on rank"), std::string::npos);
  // Two epochs fit into the two buffers, whatever the readers do.
  EXPECT_EQ(check(s, parts, 2), "");
}

TEST(checker, finds_a_doubled_contribution) {
  const auto s = make(algorithm(op::allreduce, "one_shot"), 3, false, false);
  auto parts = parts_of(s);
  for (auto& x : parts[1].steps)
    if (x.kind == step_kind::reduce) x.own_part = 0;
  EXPECT_NE(check(s, parts), "");
}

TEST(checker, finds_signals_of_other_lanes) {
  const auto s = make(algorithm(op::broadcast, "relay"), 3, false, true);
  auto parts = parts_of(s);
  ASSERT_EQ(check(s, parts), "");
  // The signal of the first transfer on its own, in another lane.
  auto& steps = parts[0].steps;
  const auto put = std::ranges::find_if(
      steps, [](const step& x) { return x.kind == step_kind::put && x.count != 0; });
  ASSERT_NE(put, steps.end());
  step flag = *put;
  flag.count = 0;
  flag.lane = put->lane + 1;
  put->signal = -1;
  steps.insert(put + 1, flag);
  EXPECT_NE(check(s, parts).find("puts what no signal of its lane tells"), std::string::npos)
      << check(s, parts);
}

TEST(checker, finds_lanes_that_wait_for_others) {
  // Rank 1 relays to two others, each in a lane with a wait of its own.
  const auto s = make(algorithm(op::broadcast, "relay"), 4, false, true);
  auto parts = parts_of(s);
  ASSERT_EQ(check(s, parts), "");
  auto& steps = parts[1].steps;
  const auto second = [&](const step& x) {
    return x.kind == step_kind::wait && x.lane == 1 && x.peer == 0;
  };
  ASSERT_EQ(std::ranges::count_if(steps, second), 1);
  std::erase_if(steps, second);
  EXPECT_NE(check(s, parts).find("reads what its lane has not waited for"), std::string::npos)
      << check(s, parts);
  // A wait of no lane holds for all.
  for (auto& x : steps)
    if (x.kind == step_kind::wait && x.lane == 0 && x.peer == 0) x.lane = -1;
  EXPECT_EQ(check(s, parts), "");
}

TEST(checker, finds_lanes_that_touch_common_memory) {
  const auto s = make(algorithm(op::reduce, "relay"), 3, false, true);
  auto parts = parts_of(s);
  ASSERT_EQ(check(s, parts), "");
  bool spoilt = false;
  for (auto& x : parts[0].steps) {
    if (x.kind != step_kind::reduce || x.lane != 1) continue;
    x.to.offset = 0;
    spoilt = true;
  }
  ASSERT_TRUE(spoilt);
  EXPECT_NE(check(s, parts).find("of other lanes touch common memory"), std::string::npos)
      << check(s, parts);
}

TEST(checker, says_who_waits_for_whom) {
  const auto s = make(algorithm(op::barrier, "direct"), 3, false, false);
  auto parts = parts_of(s);
  std::erase_if(parts[2].steps, [](const step& x) { return x.kind == step_kind::put; });
  EXPECT_EQ(
      check(s, parts),
      "direct barrier: deadlock in epoch 1: rank 0 step 2 (wait signal 2 from 2) never passes");
}

TEST(checker, finds_two_writers_of_a_signal) {
  const auto s = make(algorithm(op::barrier, "direct"), 3, false, false);
  auto parts = parts_of(s);
  for (auto& x : parts[2].steps)
    if (x.kind == step_kind::put) x.signal = 1;
  EXPECT_NE(check(s, parts).find("signal 1 of rank 0 is raised by ranks 1 and 2"),
            std::string::npos)
      << check(s, parts);
}

TEST(checker, needs_a_part_for_every_rank) {
  const auto s = make(algorithm(op::barrier, "direct"), 3, false, false);
  EXPECT_THROW(check(s, std::vector<rank_schedule>(2)), usage_error);
}

}  // namespace
}  // namespace gossamer
