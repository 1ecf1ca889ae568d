// The shipped signal code under every interleaving of small programs, by the atomics policy
// (explorer.hpp has the model).
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/word_operations.hpp"
#include "race/explorer.hpp"

namespace gossamer {
namespace {

using testing_races::current, testing_races::explored, testing_races::explorer;

class signal_interleavings : public ::testing::Test {
 protected:
  void SetUp() override { current = &all_; }
  void TearDown() override { current = nullptr; }
  explorer all_;
  std::uint64_t data_[3] = {}, counter_ = 0;
};

// What a wait does per poll: acquire, and read the data when the counter is high enough.
template <class Data>
bool poll_is_wrong(std::uint64_t& counter, std::uint64_t wanted, const Data& data) {
  if (explored::load_acquire(counter) < wanted) return false;
  for (const auto& [word, value] : data)
    if (explored::load_relaxed(*word) != value) return true;
  return false;
}

using expectation = std::vector<std::pair<const std::uint64_t*, std::uint64_t>>;

TEST_F(signal_interleavings, a_raised_counter_brings_the_data) {
  for (const signal_op op : {signal_op::set, signal_op::add}) {
    bool wrong = false, seen = false;
    int failures = 0;
    bool ever_seen = false;
    const auto runs = all_.explore(
        {&data_[0], &data_[1], &counter_},
        {[&] {
           explored::store_relaxed(data_[0], std::uint64_t{7});
           explored::store_relaxed(data_[1], std::uint64_t{8});
           raise_word<explored>(counter_, 1, op);
         },
         [&] {
           wrong = poll_is_wrong(counter_, 1, expectation{{&data_[0], 7}, {&data_[1], 8}});
           wrong |= poll_is_wrong(counter_, 1, expectation{{&data_[1], 8}});
           seen = explored::load_acquire(counter_) >= 1;
         }},
        [&] {
          failures += wrong;
          ever_seen |= seen;
        });
    EXPECT_GT(runs, 20u);
    EXPECT_TRUE(ever_seen);
    EXPECT_EQ(failures, 0);
  }
}

TEST_F(signal_interleavings, the_model_finds_a_signal_without_release) {
  int failures = 0;
  bool wrong = false;
  all_.explore({&data_[0], &counter_},
               {[&] {
                  explored::store_relaxed(data_[0], std::uint64_t{7});
                  explored::store_relaxed(counter_, std::uint64_t{1});
                },
                [&] {
                  wrong = poll_is_wrong(counter_, 1, expectation{{&data_[0], 7}});
                }},
               [&] { failures += wrong; });
  EXPECT_GT(failures, 0);
}

TEST_F(signal_interleavings, rounds_of_set_signals_stay_in_order) {
  // Two rounds into two slots: seeing round 2 means both are there, seeing 1 the first.
  int failures = 0;
  bool wrong = false;
  all_.explore({&data_[0], &data_[1], &counter_},
               {[&] {
                  for (std::uint64_t round = 1; round <= 2; ++round) {
                    explored::store_relaxed(data_[round - 1], round);
                    raise_word<explored>(counter_, round, signal_op::set);
                  }
                },
                [&] {
                  wrong = poll_is_wrong(counter_, 1, expectation{{&data_[0], 1}});
                  wrong |= poll_is_wrong(counter_, 2, expectation{{&data_[0], 1}, {&data_[1], 2}});
                }},
               [&] { failures += wrong; });
  EXPECT_EQ(failures, 0);
}

TEST_F(signal_interleavings, adds_of_several_ranks_bring_all_their_data) {
  // Whoever sees the sum of two adders has acquired both: the second add continues the first one's
  // release sequence.
  int failures = 0;
  bool wrong = false;
  auto adder = [&](std::size_t who) {
    return [this, who] {
      explored::store_relaxed(data_[who], std::uint64_t{who + 5});
      raise_word<explored>(counter_, 1, signal_op::add);
    };
  };
  const auto runs = all_.explore(
      {&data_[0], &data_[1], &counter_},
      {adder(0), adder(1),
       [&] {
         wrong = poll_is_wrong(counter_, 2, expectation{{&data_[0], 5}, {&data_[1], 6}});
       }},
      [&] { failures += wrong; });
  EXPECT_EQ(runs, 50u);  // 6 orders of the writers, 8 or 9 moments and values to read in each
  EXPECT_EQ(failures, 0);
}

TEST_F(signal_interleavings, concurrent_adds_lose_nothing) {
  int lost = 0;
  auto adder = [&] {
    raise_word<explored>(counter_, 1, signal_op::add);
    raise_word<explored>(counter_, 10, signal_op::add);
  };
  const auto runs =
      all_.explore({&counter_}, {adder, adder, adder}, [&] { lost += all_.last(&counter_) != 33; });
  EXPECT_EQ(runs, 90u);  // 6! / (2! 2! 2!) schedules, no other choice
  EXPECT_EQ(lost, 0);
}

TEST_F(signal_interleavings, the_model_finds_an_add_that_is_no_atomic) {
  int lost = 0;
  auto adder = [&] { explored::store_release(counter_, explored::load_acquire(counter_) + 1); };
  all_.explore({&counter_}, {adder, adder}, [&] { lost += all_.last(&counter_) != 2; });
  EXPECT_GT(lost, 0);
}

TEST_F(signal_interleavings, atomics_of_both_widths) {
  std::uint32_t narrow = 0;
  std::array<std::uint64_t, 2> got{};
  int wrong = 0;
  auto* address = reinterpret_cast<std::byte*>(&narrow);
  auto ticket = [&](std::size_t who) {
    return [&, who] { got[who] = atomic_word<explored>(address, 4, true, ~std::uint64_t{0}, 0); };
  };
  all_.explore({&narrow}, {ticket(0), ticket(1)}, [&] {
    wrong += !((got[0] == 0 && got[1] == 0xffffffffu) || (got[1] == 0 && got[0] == 0xffffffffu));
    wrong += all_.last(&narrow) != 0xfffffffeu;
  });
  EXPECT_EQ(wrong, 0);
  auto* word = reinterpret_cast<std::byte*>(&counter_);
  auto swap = [&](std::size_t who) {
    return [&, who] { got[who] = atomic_word<explored>(word, 8, false, 0, who + 1); };
  };
  all_.explore({&counter_}, {swap(0), swap(1)}, [&] {
    const auto winner = all_.last(&counter_) - 1;
    wrong += winner > 1 || got[winner] != 0 || got[1 - winner] != winner + 1;
  });
  EXPECT_EQ(wrong, 0);
}

TEST_F(signal_interleavings, a_lock_by_compare_and_swap_excludes) {
  // The counter is the lock; data_[0] is only touched inside. A thread that fails gives up, so that
  // executions are finite.
  int wrong = 0;
  std::array<bool, 3> inside{};
  auto* lock = reinterpret_cast<std::byte*>(&counter_);
  auto locker = [&](std::size_t who) {
    return [&, who] {
      inside[who] = false;
      if (atomic_word<explored>(lock, 8, false, 0, 1) != 0) return;
      explored::store_relaxed(data_[0], explored::load_relaxed(data_[0]) + 1);
      inside[who] = true;
      raise_word<explored>(counter_, 0, signal_op::set);
    };
  };
  all_.explore({&data_[0], &counter_}, {locker(0), locker(1), locker(2)}, [&] {
    const auto entered = static_cast<std::uint64_t>(inside[0] + inside[1] + inside[2]);
    wrong += all_.last(&data_[0]) != entered || entered == 0;
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace gossamer
