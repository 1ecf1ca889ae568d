// The shipped signal code under every interleaving of small programs, by the atomics policy.
//
// Memory model: release/acquire with views. Each location keeps all values ever stored, in order;
// a load may return any of them that is not older than what its thread has seen; a release store
// carries its thread's view, an acquire load takes it over. (The strong release/acquire model of
// Lahav, Giannarakis and Vafeiadis, "Taming Release-Acquire Consistency", POPL 2016; relaxed
// accesses carry no view.) Threads switch at every access. All schedules and all choices of values
// are explored, depth first; a thread is resumed by running it again from its start with the
// results it has had, so that no second stack is needed.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "fabric/word_operations.hpp"

namespace gossamer {
namespace {

constexpr std::size_t most_words = 6;
using view = std::array<std::size_t, most_words>;

struct message {
  std::uint64_t value;
  view seen;
};

struct pause_here {};  // thrown out of a thread at the access it will make next time

class explorer {
 public:
  using thread = std::function<void()>;

  /// Runs all executions of `threads` over `words`, calling `check` after each; gives their number.
  std::size_t explore(std::vector<const void*> words, const std::vector<thread>& threads,
                      const std::function<void()>& check) {
    words_ = std::move(words);
    choices_.clear();
    std::size_t executions = 0;
    do {
      execute(threads);
      check();
      ++executions;
    } while (next());
    return executions;
  }

  std::uint64_t last(const void* word) const { return history_[index_of(word)].back().value; }

  // --- accesses of the running thread, called by the policy -------------------------------------
  std::uint64_t load(const void* word, bool acquire) {
    return access([&] {
      const auto w = index_of(word);
      auto& mine = states_[running_].seen;
      const auto& all = history_[w];
      const auto at = mine[w] + choose(all.size() - mine[w]);
      mine[w] = at;
      if (acquire) join(mine, all[at].seen);
      return all[at].value;
    });
  }
  void store(const void* word, std::uint64_t value, bool release) {
    access([&] { return append(index_of(word), value, release, {}); });
  }
  /// Read-modify-write, acquire and release: reads the latest value, always.
  std::uint64_t update(const void* word,
                       const std::function<std::uint64_t(std::uint64_t)>& change) {
    return access([&] {
      const auto w = index_of(word);
      const message before = history_[w].back();
      auto& mine = states_[running_].seen;
      mine[w] = history_[w].size() - 1;
      join(mine, before.seen);
      if (const auto after = change(before.value); after != before.value)
        append(w, after, true, before.seen);
      return before.value;
    });
  }

 private:
  struct state {
    view seen{};
    std::vector<std::uint64_t> results;
    std::size_t position = 0;
    bool finished = false;
  };

  static void join(view& into, const view& other) {
    for (std::size_t i = 0; i < most_words; ++i) into[i] = std::max(into[i], other[i]);
  }
  std::size_t index_of(const void* word) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i] == word) return i;
    ADD_FAILURE() << "an access to a word that was not declared";
    return 0;
  }
  std::uint64_t append(std::size_t w, std::uint64_t value, bool release, const view& inherited) {
    auto& mine = states_[running_].seen;
    mine[w] = history_[w].size();
    message m{value, inherited};  // a release sequence goes on through updates
    if (release) join(m.seen, mine);
    m.seen[w] = mine[w];
    history_[w].push_back(m);
    return 0;
  }
  template <class F>
  std::uint64_t access(F&& perform) {
    auto& s = states_[running_];
    if (s.position < s.results.size()) return s.results[s.position++];
    if (stepped_) throw pause_here{};
    stepped_ = true;
    s.results.push_back(perform());
    return s.results[s.position++];
  }
  void execute(const std::vector<thread>& threads) {
    depth_ = 0;
    states_.assign(threads.size(), {});
    history_.assign(words_.size(), {message{0, {}}});
    for (;;) {
      std::vector<std::size_t> ready;
      for (std::size_t t = 0; t < threads.size(); ++t)
        if (!states_[t].finished) ready.push_back(t);
      if (ready.empty()) return;
      running_ = ready[choose(ready.size())];
      auto& s = states_[running_];
      s.position = 0;
      stepped_ = false;
      try {
        threads[running_]();
        s.finished = true;
      } catch (const pause_here&) {
      }
    }
  }
  std::size_t choose(std::size_t options) {
    if (depth_ == choices_.size()) choices_.push_back({0, options});
    return choices_[depth_++].first;
  }
  bool next() {
    while (!choices_.empty() && ++choices_.back().first == choices_.back().second)
      choices_.pop_back();
    return !choices_.empty();
  }

  std::vector<const void*> words_;
  std::vector<std::vector<message>> history_;
  std::vector<state> states_;
  std::vector<std::pair<std::size_t, std::size_t>> choices_;
  std::size_t depth_ = 0, running_ = 0;
  bool stepped_ = false;
};

explorer* current = nullptr;

/// The policy that the shipped templates are instantiated with.
struct explored {
  template <class T>
  static T load_relaxed(const T& word) {
    return static_cast<T>(current->load(&word, false));
  }
  template <class T>
  static T load_acquire(const T& word) {
    return static_cast<T>(current->load(&word, true));
  }
  template <class T>
  static void store_relaxed(T& word, T value) {
    current->store(&word, value, false);
  }
  template <class T>
  static void store_release(T& word, T value) {
    current->store(&word, value, true);
  }
  template <class T>
  static T fetch_add(T& word, T operand) {
    return static_cast<T>(
        current->update(&word, [&](std::uint64_t old) { return static_cast<T>(old + operand); }));
  }
  template <class T>
  static T compare_and_swap(T& word, T expected, T desired) {
    return static_cast<T>(
        current->update(&word, [&](std::uint64_t old) { return old == expected ? desired : old; }));
  }
};

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
