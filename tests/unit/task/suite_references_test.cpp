// References to words of other ranks: each operation, and what many tasks do to one word.
#include <cstdint>

#include "gossamer/task/global_reference.hpp"
#include "gossamer/task/stackful.hpp"
#include "gossamer/task/task_group.hpp"
#include "unit/task/global_suite.hpp"

namespace gossamer {
namespace {

TEST_P(global_suite, ReferencesReadAndChangeWordsOfAnyRank) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto words = g.heap().allocate_owned<std::int64_t>(1);
    words.local()[0] = 10 + g.id();
    const auto main = [](global_tasks& g, global_array<std::int64_t> words) -> task<> {
      const int next = (g.id() + 1) % g.size();  // nobody else refers to that word
      const global_reference word(g, words[next]);
      EXPECT_EQ(co_await word.read(), 10 + next);
      co_await word.write(20);
      EXPECT_EQ(co_await word.fetch_add(-3), 20);
      EXPECT_EQ(co_await word.compare_and_swap(20, 1), 17) << "not what was expected";
      EXPECT_EQ(co_await word.compare_and_swap(17, 100 + g.id()), 17);
      EXPECT_EQ(co_await word.read(), 100 + g.id());
    };
    r.barrier();  // words are set
    g.run(main(g, words));
    EXPECT_EQ(words.local()[0], 100 + (g.id() + g.size() - 1) % g.size());
  });
}

// A counter by compare-and-swap: whoever loses tries again.
TEST_P(global_suite, ComparingAndSwappingLosesNothing) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto word = g.heap().allocate<std::int64_t>(1);
    word.for_each_local([](std::int64_t, std::int64_t& w) { w = 0; });
    const auto adds = [](global_tasks& g, global_array<std::int64_t> word) -> task<> {
      const global_reference counter(g, word[0]);
      for (int i = 0; i < 20; ++i)
        for (std::int64_t seen = co_await counter.read();;) {
          const std::int64_t before = co_await counter.compare_and_swap(seen, seen + 1);
          if (before == seen) break;
          seen = before;
        }
    };
    const auto main = [adds](global_tasks& g, global_array<std::int64_t> word) -> task<> {
      task_group group(g.local());
      for (int i = 0; i < 5; ++i) group.spawn(adds(g, word));
      co_await group.join();
    };
    r.barrier();
    g.run(main(g, word));
    word.for_each_local([&](std::int64_t, std::int64_t& w) { EXPECT_EQ(w, 100 * g.size()); });
  });
}

TEST_P(global_suite, ReferencesAreIssuedAndCompletedLater) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto words = g.heap().allocate_owned<std::int64_t>(3);
    for (auto& w : words.local()) w = 10 + g.id();
    const auto main = [](global_tasks& g, global_array<std::int64_t> words) -> task<> {
      const int next = (g.id() + 1) % g.size();
      const auto word = [&](std::int64_t i) { return global_reference(g, words[3 * next + i]); };
      const auto old = word(0).issue_read();
      const auto added = word(1).issue_fetch_add(5);
      const auto swapped = word(2).issue_compare_and_swap(10 + next, 7);
      EXPECT_FALSE(old.ready()) << "nothing leaves before this task's turn ends";
      co_await yield_now();
      EXPECT_EQ(co_await added.complete(), 10 + next);
      EXPECT_EQ(co_await swapped.complete(), 10 + next);
      EXPECT_EQ(co_await old.complete(), 10 + next);
      const auto written = word(0).issue_write(100);
      co_await written.complete();
      EXPECT_TRUE(written.ready());
      static_cast<void>(word(1).issue_fetch_add(1));  // nobody waits for it; done all the same
    };
    r.barrier();
    g.run(main(g, words));
    EXPECT_EQ(words.local()[0], 100);
    EXPECT_EQ(words.local()[1], 16 + g.id());
    EXPECT_EQ(words.local()[2], 7);
  });
}

TEST_P(global_suite, WhatAnIssuedReferenceThrowsComesWhenItIsCompleted) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto words = g.heap().allocate_owned<std::int64_t>(1);
    const auto main = [](global_tasks& g, global_array<std::int64_t> words) -> task<> {
      // Behind the last element: refused when it is issued.
      const global_reference beyond(
          g, global_address<std::int64_t>(words[0].allocation(), words.size() + 5));
      const auto never = beyond.issue_read();
      bool thrown = false;
      try {
        co_await never.complete();
      } catch (const usage_error&) {
        thrown = true;
      }
      EXPECT_TRUE(thrown);
    };
    r.barrier();
    g.run(main(g, words));
  });
}

using word = full_empty<std::int64_t>;

// One word, by each of its operations, from the rank before the owner.
TEST_P(global_suite, WordsOfOthersAreFullOrEmpty) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto words = g.heap().allocate_owned<word>(1);
    const auto main = [](global_tasks& g, global_array<word> words) -> task<> {
      const global_reference w(g, words[(g.id() + 1) % g.size()]);
      EXPECT_FALSE(co_await w.full());
      EXPECT_EQ(co_await w.write_ef(1), 1);
      EXPECT_TRUE(co_await w.full());
      EXPECT_EQ(co_await w.read_ff(), 1);
      EXPECT_EQ(co_await w.write_ff(2), 2);
      EXPECT_EQ(co_await w.read_fe(), 2);
      EXPECT_FALSE(co_await w.full());
      EXPECT_EQ(co_await w.read_xx(), 2) << "the value stays";
      co_await w.write_xf(3);
      co_await w.write_xf(4);
      EXPECT_EQ(co_await w.read_ff(), 4);
      co_await w.reset_xe();
      EXPECT_FALSE(co_await w.full());
      EXPECT_EQ(co_await w.read_xx(), 0);
      co_await w.write_xf(100 + g.id());
    };
    r.barrier();
    g.run(main(g, words));
    EXPECT_TRUE(words.local()[0].full());
    EXPECT_EQ(words.local()[0].read_xx(), 100 + (g.id() + g.size() - 1) % g.size());
  });
}

// Every rank puts numbers into one word and takes as many out of it: each comes out once.
TEST_P(global_suite, WordsHandOverEachValueOnce) {
  constexpr std::int64_t each = 20;
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto words = g.heap().allocate<word>(1);
    std::int64_t taken = 0;
    const auto puts = [](global_tasks& g, global_array<word> words) -> task<> {
      const global_reference w(g, words[0]);
      for (std::int64_t i = 0; i < each; ++i) co_await w.write_ef(g.id() * each + i);
    };
    const auto takes = [&taken](global_tasks& g, global_array<word> words) -> task<> {
      const global_reference w(g, words[0]);
      for (std::int64_t i = 0; i < each; ++i) taken += co_await w.read_fe();
    };
    const auto main = [&](global_tasks& g, global_array<word> words) -> task<> {
      task_group group(g.local());
      group.spawn(takes(g, words));
      group.spawn(puts(g, words));
      co_await group.join();
    };
    r.barrier();
    g.run(main(g, words));
    const std::int64_t n = each * g.size();
    EXPECT_EQ(sum_over(r, taken), n * (n - 1) / 2);
    words.for_each_local([](std::int64_t, word& w) { EXPECT_FALSE(w.full()); });
  });
}

TEST_P(global_suite, WordsThatNobodyFillsAreNamed) {
  const std::string what = thrown([](rank& r) {
    global_tasks g(r, plain());
    const auto words = g.heap().allocate<word>(1);
    const auto main = [](global_tasks& g, global_array<word> words) -> task<> {
      if (g.id() == g.size() - 1) {
        const global_reference w(g, words[0]);
        co_await w.read_fe();
      }
    };
    r.barrier();
    g.run(main(g, words));
  });
  EXPECT_NE(what.find("readFE"), std::string::npos) << what;
}

/// A plain recursive function, which waits for words of all ranks.
std::int64_t sum_of(global_tasks& g, global_array<std::int64_t> words, std::int64_t from,
                    std::int64_t to) {
  if (to - from == 1) return await_here(global_reference(g, words[from]).read());
  const std::int64_t half = (from + to) / 2;
  return sum_of(g, words, from, half) + sum_of(g, words, half, to);
}

TEST_P(global_suite, StackfulTasksUseReferences) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    constexpr std::int64_t n = 13;
    const auto words = g.heap().allocate<std::int64_t>(n);
    words.for_each_local([](std::int64_t i, std::int64_t& w) { w = i; });
    const auto main = [](global_tasks& g, global_array<std::int64_t> words) -> task<> {
      const auto sum = [&] { return sum_of(g, words, 0, words.size()); };
      EXPECT_EQ(co_await on_own_stack(sum), n * (n - 1) / 2);
    };
    r.barrier();
    g.run(main(g, words));
  });
}

}  // namespace
}  // namespace gossamer
