// References to words of other ranks: each operation, and what many tasks do to one word.
#include <cstdint>

#include "gossamer/task/global_reference.hpp"
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

}  // namespace
}  // namespace gossamer
