// The shipped worklist under every interleaving of small programs (explorer.hpp has the model):
// no item is lost, doubled, or seen before it was written, and no slot is written while it is read.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "gossamer/dataflow/worklist.hpp"
#include "race/explorer.hpp"

namespace gossamer {
namespace {

using testing_races::current, testing_races::explored, testing_races::explorer;

/// An item whose copies into a slot, and reads of it, are accesses of the model. Relaxed: only the
/// list's own words order them.
struct slot {
  std::uint64_t word = 0;
  slot() = default;
  explicit slot(std::uint64_t value) : word(value) {}
  slot(const slot&) = default;
  slot& operator=(const slot& from) {
    explored::store_relaxed(word, from.word);
    return *this;
  }
  [[nodiscard]] std::uint64_t read() const { return explored::load_relaxed(word); }
};

using list = worklist<slot, explored>;

std::vector<explorer::word> words_of(list& l) {
  std::vector<explorer::word> words;
  l.each_word([&](const void* address, std::uint64_t value) { words.push_back({address, value}); });
  return words;
}

/// What the consumer of one execution got, set anew each time it runs.
struct taken {
  std::array<std::uint64_t, 4> values{};
  std::size_t n = 0;
  void all_of(list& l, std::size_t most) {
    const auto items = l.consume(most);
    for (const slot& s : items) values[n++] = s.read();
    l.release(items.size());
  }
};

class worklist_interleavings : public ::testing::Test {
 protected:
  void SetUp() override { current = &all_; }
  void TearDown() override { current = nullptr; }
  explorer all_;
};

TEST_F(worklist_interleavings, two_producers_into_one_slot) {
  // The second to come finds the list full, unless the consumer has released the slot by then.
  list l(1);
  std::array<bool, 2> pushed{};
  taken got;
  int wrong = 0, refused = 0, reused = 0;
  const auto producer = [&](std::size_t who) {
    return [&, who] { pushed[who] = l.push(slot(who + 7)); };
  };
  const auto runs = all_.explore_states(
      words_of(l),
      {producer(0), producer(1),
       [&] {
         got = {};
         got.all_of(l, 1);
         got.all_of(l, 1);
       }},
      [&] {
        const auto in = static_cast<std::size_t>(pushed[0] + pushed[1]);
        wrong += got.n > in || in == 0;
        for (std::size_t i = 0; i < got.n; ++i)
          wrong += got.values[i] < 7 || got.values[i] > 8 || !pushed[got.values[i] - 7];
        wrong += got.n == 2 && got.values[0] == got.values[1];
        refused += in == 1;
        reused += got.n == 2;
      });
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(refused, 0);
  EXPECT_GT(reused, 0);
  EXPECT_GT(runs.states, 1000u);
  EXPECT_EQ(runs.stuck, 0u);
}

TEST_F(worklist_interleavings, when_all_have_published_all_is_seen) {
  // Whoever publishes last shows everything: nothing stays hidden behind `done`.
  list l(2);
  int wrong = 0;
  const auto producer = [&](std::uint64_t value) {
    return [&l, value] { static_cast<void>(l.push(slot(value))); };
  };
  std::vector<explorer::word> words = words_of(l);
  const void* end = words[3].address;
  const auto runs =
      all_.explore_states(words, {producer(1), producer(2)}, [&] { wrong += all_.last(end) != 2; });
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(runs.ends, 0u);
}

TEST_F(worklist_interleavings, prepended_items_come_first_and_take_no_producers_slot) {
  list l(2);
  bool pushed = false, prepended = false;
  taken got;
  int wrong = 0, both = 0;
  all_.explore_states(words_of(l),
                      {[&] { pushed = l.push(slot(1)); },
                       [&] {
                         got = {};
                         const std::array<slot, 2> own = {slot(5), slot(6)};
                         prepended = l.prepend(own);
                         got.all_of(l, 2);
                         got.all_of(l, 2);
                       }},
                      [&] {
                        wrong += !pushed && !prepended;
                        std::size_t i = 0;
                        if (prepended) {
                          wrong += got.n < 2 || got.values[0] != 5 || got.values[1] != 6;
                          i = 2;
                        }
                        for (; i < got.n; ++i) wrong += got.values[i] != 1 || !pushed;
                        both += pushed && prepended;
                      });
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(both, 0);
}

/// A list whose producer publishes before it has written.
TEST_F(worklist_interleavings, the_model_finds_an_item_published_too_early) {
  list l(1);
  taken got;
  int unwritten = 0;
  all_.explore_states(words_of(l),
                      {[&] {
                         const auto at = l.reserve(1);
                         l.publish(1);
                         l.at(*at) = slot(9);
                       },
                       [&] {
                         got = {};
                         got.all_of(l, 1);
                       }},
                      [&] { unwritten += got.n == 1 && got.values[0] != 9; });
  EXPECT_GT(unwritten, 0);
}

}  // namespace
}  // namespace gossamer
