// Every operation on a full/empty word, on a full one and on an empty one, with and without others
// that wait, in both forms of storage.
#include "gossamer/task/full_empty.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/task/task_group.hpp"

namespace gossamer {
namespace {

// Values as the two forms have them: small integers, and pointers to elements of an array.
alignas(8) std::array<std::int64_t, 64> targets;

template <class Word>
struct form;
template <>
struct form<full_empty<std::int64_t>> {
  static std::int64_t of(int i) { return i; }
  static int back(std::int64_t v) { return static_cast<int>(v); }
};
template <>
struct form<full_empty<std::int64_t, packed_pointer>> {
  static std::int64_t* of(int i) {
    return i == 0 ? nullptr : &targets[static_cast<std::size_t>(i)];
  }
  static int back(const std::int64_t* p) {
    return p == nullptr ? 0 : static_cast<int>(p - targets.data());
  }
};

static_assert(sizeof(full_empty<std::int64_t, packed_pointer>) == 8);

// A word, its scheduler, and what has been done to it.
template <class Word>
struct word_with_tasks {
  using as = form<Word>;

  // Runs one operation by name and notes "name=value" when it is done.
  task<> operate(std::string name, int value) {
    int got = value;
    if (name == "readFE") got = as::back(co_await word.read_fe());
    if (name == "readFF") got = as::back(co_await word.read_ff());
    if (name == "readXX") got = as::back(word.read_xx());
    if (name == "writeEF") co_await word.write_ef(as::of(value));
    if (name == "writeFF") co_await word.write_ff(as::of(value));
    if (name == "writeXF") word.write_xf(as::of(value));
    if (name == "resetXE") word.reset_xe();
    done.push_back(name + "=" + std::to_string(got));
  }
  void begin(const std::string& name, int value = 0) { s.spawn(operate(name, value)); }
  // Runs what was begun as far as it goes.
  void go() {
    try {
      s.run();
    } catch (const deadlock_error&) {
    }
  }
  std::vector<std::string> take() { return std::exchange(done, {}); }

  Word word;
  scheduler s;
  std::vector<std::string> done;
};

template <class Word>
class full_empty_words : public testing::Test, protected word_with_tasks<Word> {};

using forms = testing::Types<full_empty<std::int64_t>, full_empty<std::int64_t, packed_pointer>>;
TYPED_TEST_SUITE(full_empty_words, forms);

using names = std::vector<std::string>;

// The table of full_empty.hpp: operation, on a full word holding 5 (or an empty one): does it wait,
// what does it give, is the word full then, with which value.
struct row {
  const char* operation;
  bool on_full;
  bool waits;
  const char* done;
  bool full_then;
  int value_then;
};
constexpr row table[] = {
    {"readFE", true, false, "readFE=5", false, 5},
    {"readFE", false, true, "", false, 0},
    {"readFF", true, false, "readFF=5", true, 5},
    {"readFF", false, true, "", false, 0},
    {"readXX", true, false, "readXX=5", true, 5},
    {"readXX", false, false, "readXX=0", false, 0},
    {"writeEF", true, true, "", true, 5},
    {"writeEF", false, false, "writeEF=9", true, 9},
    {"writeFF", true, false, "writeFF=9", true, 9},
    {"writeFF", false, true, "", false, 0},
    {"writeXF", true, false, "writeXF=9", true, 9},
    {"writeXF", false, false, "writeXF=9", true, 9},
    {"resetXE", true, false, "resetXE=9", false, 0},
    {"resetXE", false, false, "resetXE=9", false, 0},
};

TYPED_TEST(full_empty_words, DoAsTheTableSays) {
  using f = form<TypeParam>;
  for (const row& r : table) {
    SCOPED_TRACE(std::string(r.operation) + (r.on_full ? " on full" : " on empty"));
    word_with_tasks<TypeParam> t;
    if (r.on_full) t.word.write_xf(f::of(5));
    t.begin(r.operation, std::string(r.operation).starts_with("read") ? 0 : 9);
    t.go();
    EXPECT_EQ(t.s.waiting(), r.waits ? 1u : 0u);
    EXPECT_EQ(t.take(), r.waits ? names{} : names{r.done});
    EXPECT_EQ(t.word.full(), r.full_then);
    EXPECT_EQ(f::back(t.word.read_xx()), r.value_then);
    // What waits goes on when the word changes.
    if (!r.waits) continue;
    t.begin(r.on_full ? "readFE" : "writeEF", 7);
    t.go();
    EXPECT_EQ(t.s.waiting(), 0u);
    EXPECT_EQ(t.done.size(), 2u);
  }
}

// The same on words that one task waits for already: who is done, in which order, who still waits,
// and what the word is then.
struct crowded_row {
  const char* operation;
  names done;
  std::size_t waiting;
  bool full_then;
  int value_then;
};
struct crowded_word {
  const char* waits;  ///< with value 7 if it writes
  bool full;          ///< with 5
  std::vector<crowded_row> rows;
};
const crowded_word crowded[] = {
    {"writeEF",
     true,
     {{"readFE", {"readFE=5", "writeEF=7"}, 0, true, 7},
      {"readFF", {"readFF=5"}, 1, true, 5},
      {"readXX", {"readXX=5"}, 1, true, 5},
      {"writeEF", {}, 2, true, 5},
      {"writeFF", {"writeFF=9"}, 1, true, 9},
      {"writeXF", {"writeXF=9"}, 1, true, 9},
      {"resetXE", {"resetXE=9", "writeEF=7"}, 0, true, 7}}},
    {"readFE",
     false,
     {{"readFE", {}, 2, false, 0},
      {"readFF", {}, 2, false, 0},
      {"readXX", {"readXX=0"}, 1, false, 0},
      {"writeEF", {"writeEF=9", "readFE=9"}, 0, false, 9},
      {"writeFF", {}, 2, false, 0},
      {"writeXF", {"writeXF=9", "readFE=9"}, 0, false, 9},
      {"resetXE", {"resetXE=9"}, 1, false, 0}}},
    {"readFF",
     false,
     {{"readFE", {}, 2, false, 0},
      {"readFF", {}, 2, false, 0},
      {"readXX", {"readXX=0"}, 1, false, 0},
      {"writeEF", {"writeEF=9", "readFF=9"}, 0, true, 9},
      {"writeFF", {}, 2, false, 0},
      {"writeXF", {"writeXF=9", "readFF=9"}, 0, true, 9},
      {"resetXE", {"resetXE=9"}, 1, false, 0}}},
    {"writeFF",
     false,
     {{"readFE", {}, 2, false, 0},
      {"readFF", {}, 2, false, 0},
      {"readXX", {"readXX=0"}, 1, false, 0},
      {"writeEF", {"writeEF=9", "writeFF=7"}, 0, true, 7},
      {"writeFF", {}, 2, false, 0},
      {"writeXF", {"writeXF=9", "writeFF=7"}, 0, true, 7},
      {"resetXE", {"resetXE=9"}, 1, false, 0}}},
};

TYPED_TEST(full_empty_words, DoAsTheTableSaysWhileOthersWait) {
  using f = form<TypeParam>;
  const auto value = [](const char* op, int v) {
    return std::string(op).starts_with("read") ? 0 : v;
  };
  for (const crowded_word& before : crowded) {
    for (const crowded_row& r : before.rows) {
      SCOPED_TRACE(std::string(r.operation) + " while " + before.waits + " waits");
      word_with_tasks<TypeParam> t;
      if (before.full) t.word.write_xf(f::of(5));
      t.begin(before.waits, value(before.waits, 7));
      t.go();
      ASSERT_EQ(t.s.waiting(), 1u);
      t.begin(r.operation, value(r.operation, 9));
      t.go();
      EXPECT_EQ(t.take(), r.done);
      EXPECT_EQ(t.s.waiting(), r.waiting);
      EXPECT_EQ(t.word.full(), r.full_then);
      EXPECT_EQ(f::back(t.word.read_xx()), r.value_then);
    }
  }
}

TYPED_TEST(full_empty_words, ServeReadersOfAFullWordUntilOneEmptiesIt) {
  for (const char* op : {"readFF", "readFF", "readFE", "readFF", "readFE"}) this->begin(op);
  this->go();
  EXPECT_EQ(this->s.waiting(), 5u);
  this->begin("writeEF", 3);
  this->go();
  EXPECT_EQ(this->take(), (names{"writeEF=3", "readFF=3", "readFF=3", "readFE=3"}));
  EXPECT_FALSE(this->word.full());
  this->begin("writeXF", 4);
  this->go();
  EXPECT_EQ(this->take(), (names{"writeXF=4", "readFF=4", "readFE=4"}));
  EXPECT_FALSE(this->word.full());
}

TYPED_TEST(full_empty_words, ServeWritersInOrder) {
  this->begin("writeEF", 1);
  for (int v = 2; v < 6; ++v) this->begin("writeEF", v);
  this->go();
  EXPECT_EQ(this->take(), names{"writeEF=1"});
  EXPECT_EQ(this->s.waiting(), 4u);
  for (int i = 0; i < 5; ++i) this->begin("readFE");
  this->go();
  EXPECT_EQ(this->s.waiting(), 0u);
  names reads, writes;
  for (const auto& d : this->take()) (d[0] == 'r' ? reads : writes).push_back(d);
  EXPECT_EQ(reads, (names{"readFE=1", "readFE=2", "readFE=3", "readFE=4", "readFE=5"}));
  EXPECT_EQ(writes, (names{"writeEF=2", "writeEF=3", "writeEF=4", "writeEF=5"}));
}

TYPED_TEST(full_empty_words, KeepAValueWhileWritersWait) {
  this->begin("writeEF", 1);
  this->begin("writeEF", 2);
  this->begin("readXX");
  this->begin("readFF");
  this->begin("writeFF", 6);
  this->begin("readXX");
  this->go();
  EXPECT_EQ(this->take(), (names{"writeEF=1", "readXX=1", "readFF=1", "writeFF=6", "readXX=6"}));
  this->begin("resetXE", 0);  // empties it: the writer that waits fills it
  this->go();
  EXPECT_EQ(this->take(), (names{"resetXE=0", "writeEF=2"}));
  EXPECT_TRUE(this->word.full());
}

TYPED_TEST(full_empty_words, WriteAFullWordAsSoonAsThereIsOne) {
  this->begin("writeFF", 8);
  this->begin("readFE");
  this->go();
  EXPECT_EQ(this->s.waiting(), 2u);
  this->begin("writeEF", 1);
  this->go();
  EXPECT_EQ(this->take(), (names{"writeEF=1", "writeFF=8", "readFE=8"}));
}

TYPED_TEST(full_empty_words, ResettingAnEmptyWordWakesNobody) {
  this->begin("readFF");
  this->go();
  this->begin("resetXE");
  this->go();
  EXPECT_EQ(this->s.waiting(), 1u);
  EXPECT_FALSE(this->word.full());
}

TYPED_TEST(full_empty_words, AreNamedByADeadlock) {
  this->begin("readFE");
  this->begin("readFE");
  try {
    this->s.run();
    FAIL();
  } catch (const deadlock_error& e) {
    EXPECT_NE(std::string(e.what()).find("2 tasks have not ended"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("2 in readFE of 0x"), std::string::npos);
  }
}

task<std::int64_t> value_of(full_empty<std::int64_t>& w) {
  co_return co_await w.read_fe();
}

// run() is left with its result unwritten; what it waited for comes later.
TEST(full_empty_deadlock, WhatWasLeftWaitingGoesOnInALaterRun) {
  scheduler s;
  full_empty<std::int64_t> w;
  EXPECT_THROW(s.run(value_of(w)), deadlock_error);
  w.write_xf(3);
  s.run();
  EXPECT_EQ(s.live(), 0u);
  EXPECT_FALSE(w.full());
}

// A pipe of one word: what goes in comes out, once and in order, whatever the order of turns.
task<> produce(full_empty<std::int64_t>& w, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) co_await w.write_ef(i);
}
task<> consume(full_empty<std::int64_t>& w, std::int64_t n, std::vector<int>& seen) {
  for (std::int64_t i = 0; i < n; ++i) {
    ++seen[static_cast<std::size_t>(co_await w.read_fe())];
    if (i % 3 == 0) co_await yield_now();
  }
}

TEST(full_empty_pipe, LosesAndDoublesNothing) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    scheduler s({.seed = seed});
    full_empty<std::int64_t> w;
    std::vector<int> seen(1000);
    for (int p = 0; p < 4; ++p) s.spawn(produce(w, 1000));
    for (int c = 0; c < 5; ++c) s.spawn(consume(w, 800, seen));
    s.run();
    EXPECT_FALSE(w.full());
    EXPECT_EQ(seen, std::vector<int>(1000, 4)) << "seed " << seed;
  }
}

// Where the compiler optimises: elsewhere it keeps what it does not need.
#ifdef NDEBUG
constexpr std::size_t most_bytes = 128;
#else
constexpr std::size_t most_bytes = 160;
#endif

task<> awaits(full_empty<std::int64_t>& w) {
  co_await w.read_ff();
}

TEST(full_empty_memory, AWaitingTaskTakes128Bytes) {
  scheduler s;
  full_empty<std::int64_t> w;
  constexpr std::size_t tasks = 1000;
  const std::size_t before = frame_pool::mine().bytes();
  for (std::size_t i = 0; i < tasks; ++i) s.spawn(awaits(w));
  EXPECT_LE(frame_pool::mine().bytes() - before, most_bytes * tasks);
  w.write_xf(1);
  s.run();
}

}  // namespace
}  // namespace gossamer
