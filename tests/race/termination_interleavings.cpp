// The shipped termination detection under every interleaving of a small computation (explorer.hpp
// has the model): two ranks, each a thread that works and one that reports, at any time and
// through weak memory. Nobody may find the end before all work is finished, and when it is, two
// rounds find it. Deliberately broken variants have to be caught.
//
// The computation: rank 0 begins with A, which leads to B on rank 1, which leads to C on rank 0.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <vector>

#include "fabric/word_operations.hpp"
#include "gossamer/collective/termination.hpp"
#include "gossamer/collective/work_account.hpp"
#include "race/explorer.hpp"

namespace gossamer {
namespace {

using testing_races::current, testing_races::explored, testing_races::explorer;

using account = work_account<explored>;

/// What two ranks share.
struct shared {
  account work[2];
  std::uint64_t inbox[2] = {};
  std::uint64_t report[2][2][2] = {};  ///< [from][parity of the round][created, finished]
  std::uint64_t rounds[2] = {};        ///< [from]

  [[nodiscard]] std::vector<explorer::word> words() const {
    std::vector<explorer::word> all = {{work[0].created_word(), 1},  // A
                                       {work[0].finished_word()},
                                       {work[1].created_word()},
                                       {work[1].finished_word()},
                                       {&inbox[0]},
                                       {&inbox[1]},
                                       {&rounds[0]},
                                       {&rounds[1]}};
    for (const auto& of_rank : report)
      for (const auto& of_round : of_rank)
        for (const auto& word : of_round) all.push_back({&word});
    return all;
  }
};

/// As parcel_exchange has it: data, then a signal of the fabric's.
struct modelled_mail {
  shared* all;
  int self;
  void post(int, std::uint64_t round, const work_report& r) {
    auto& words = all->report[self][round % 2];
    explored::store_relaxed(words[0], r.created);
    explored::store_relaxed(words[1], r.finished);
    raise_word<explored>(all->rounds[self], round + 1, signal_op::set);
  }
  bool fetch(int from, std::uint64_t round, work_report& into) {
    if (explored::load_acquire(all->rounds[from]) <= round) return false;
    const auto& words = all->report[from][round % 2];
    into = {explored::load_relaxed(words[0]), explored::load_relaxed(words[1])};
    return true;
  }
};

/// How an item is handed on and finished; the shipped way, and wrong ones.
struct counted_first {
  template <class Show>
  static void create(account& a, Show&& show) {
    a.create(1, show);
  }
  template <class Work>
  static void finish(account& a, Work&& work) {
    a.finish(1, work);
  }
};
struct counted_after_sending : counted_first {
  template <class Show>
  static void create(account& a, Show&& show) {
    show();
    a.create(1, [] {});
  }
};
struct finished_before_its_children : counted_first {
  template <class Work>
  static void finish(account& a, Work&& work) {
    a.finish(1, [] {});
    work();
  }
};
/// Rules that look at one round, where the proof needs two.
struct one_round {
  static bool quiet(const work_report&, const work_report& now) {
    return now.created == now.finished;
  }
};
struct rounds_swapped {
  static bool quiet(const work_report& before, const work_report& now) {
    return before.created == now.finished;
  }
};

class termination_interleavings : public ::testing::Test {
 protected:
  void SetUp() override { current = &all_; }
  void TearDown() override { current = nullptr; }

  void send(int to) { raise_word<explored>(s_.inbox[to], 1, signal_op::add); }
  void await_item(int rank) {
    all_.await(&s_.inbox[rank], [](std::uint64_t n) { return n >= 1; });
  }
  [[nodiscard]] std::uint64_t finished() const {
    return all_.last(s_.work[0].finished_word()) + all_.last(s_.work[1].finished_word());
  }

  template <class Counting>
  explorer::thread worker(int rank) {
    const auto lead_to = [this](int from, int to) {
      Counting::create(s_.work[from], [&] { send(to); });
    };
    if (rank == 1)
      return [=, this] {
        await_item(1);
        Counting::finish(s_.work[1], [&] { lead_to(1, 0); });  // B
      };
    return [=, this] {
      Counting::finish(s_.work[0], [&] { lead_to(0, 1); });  // A
      await_item(0);
      Counting::finish(s_.work[0], [] {});  // C
    };
  }

  /// Reports in `most` rounds at most; a round that finds the end is the last.
  template <class Rule>
  explorer::thread reporter(int rank, int most, bool when_finished = false) {
    return [=, this] {
      termination_detector<modelled_mail, Rule> detector(rank, 2, {&s_, rank});
      if (when_finished) {
        all_.await(s_.work[0].finished_word(), [](std::uint64_t n) { return n == 2; });
        all_.await(s_.work[1].finished_word(), [](std::uint64_t n) { return n == 1; });
      }
      for (int round = 0; round < most; ++round) {
        const auto& mine = s_.work[rank];
        const std::uint64_t created = mine.created();
        detector.report({created, mine.finished()});
        all_.await(&s_.rounds[1 - rank],
                   [=](std::uint64_t n) { return n > static_cast<std::uint64_t>(round); });
        if (detector.look() != round_state::quiet) continue;
        too_early_ += finished() < work_in_all_;
        found_ = round + 1;
        return;
      }
    };
  }

  template <class Counting, class Rule>
  explorer::outcome explore(int rounds) {
    return all_.explore_states(s_.words(),
                               {worker<Counting>(0), worker<Counting>(1), reporter<Rule>(0, rounds),
                                reporter<Rule>(1, rounds)},
                               [&] { ends_found_ += found_ > 0; });
  }

  explorer all_;
  shared s_;
  std::uint64_t work_in_all_ = 3;
  int found_ = 0, too_early_ = 0, ends_found_ = 0;
};

TEST_F(termination_interleavings, nobody_finds_the_end_too_early) {
  const auto runs = explore<counted_first, four_counters>(2);
  EXPECT_EQ(too_early_, 0);
  EXPECT_GT(ends_found_, 0);
  EXPECT_GT(runs.states, 10000u);
  EXPECT_EQ(runs.stuck, 0u);
  std::cout << runs.states << " states\n";
}

TEST_F(termination_interleavings, reports_may_overwrite_those_of_two_rounds_ago) {
  // Less work, more rounds: A leads to nothing.
  work_in_all_ = 1;
  const auto runs =
      all_.explore_states(s_.words(),
                          {[this] { counted_first::finish(s_.work[0], [] {}); },
                           reporter<four_counters>(0, 4), reporter<four_counters>(1, 4)},
                          [&] { ends_found_ += found_ > 0; });
  EXPECT_EQ(too_early_, 0);
  EXPECT_GT(ends_found_, 0);
  EXPECT_EQ(runs.stuck, 0u);
  std::cout << runs.states << " states\n";
}

TEST_F(termination_interleavings, two_rounds_find_the_end_of_finished_work) {
  int missed = 0;
  const auto runs = all_.explore_states(
      s_.words(),
      {worker<counted_first>(0), worker<counted_first>(1), reporter<four_counters>(0, 2, true),
       reporter<four_counters>(1, 2, true)},
      [&] { missed += found_ != 2; });
  EXPECT_GT(runs.ends, 0u);
  EXPECT_EQ(missed, 0);
  EXPECT_EQ(too_early_, 0);
}

TEST_F(termination_interleavings, counting_after_sending_is_found) {
  explore<counted_after_sending, four_counters>(2);
  EXPECT_GT(too_early_, 0);
}

TEST_F(termination_interleavings, finishing_before_children_are_counted_is_found) {
  explore<finished_before_its_children, four_counters>(2);
  EXPECT_GT(too_early_, 0);
}

TEST_F(termination_interleavings, a_rule_of_one_round_is_found) {
  explore<counted_first, one_round>(2);
  EXPECT_GT(too_early_, 0);
}

TEST_F(termination_interleavings, a_rule_with_the_rounds_swapped_is_found) {
  explore<counted_first, rounds_swapped>(2);
  EXPECT_GT(too_early_, 0);
}

}  // namespace
}  // namespace gossamer
