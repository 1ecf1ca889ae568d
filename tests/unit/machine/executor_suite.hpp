// One conformance suite for executors: whatever runs for_each has to pass it.
//
// A fixture per executor gives `on()`, `finish()` (all queued work is done) and memory() for what
// loops write; the functors are named types, as algorithms have them, and run on both sides.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::testing {

/// Counts visits, so that a skipped and a repeated index both show.
struct visit {
  std::int32_t* visits;
  GOSSAMER_HD void operator()(std::int64_t i) const { visits[i] += 1; }
};

/// Reads what an earlier loop wrote at another index: order between loops of one executor.
struct copy_reversed {
  const std::int64_t* from;
  std::int64_t* to;
  std::int64_t n;
  GOSSAMER_HD void operator()(std::int64_t i) const { to[i] = from[n - 1 - i]; }
};

struct write_square {
  std::int64_t* to;
  GOSSAMER_HD void operator()(std::int64_t i) const { to[i] = i * i; }
};

template <class Fixture>
class executor_suite : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* why = fixture_.missing()) GTEST_SKIP() << why;
  }

  template <class T>
  buffer<T> zeros(std::int64_t n) {
    buffer<T> made(fixture_.memory(), fixture_.ordinal(), static_cast<std::size_t>(n));
    fill_bytes(made.kind(), made.ordinal(), made.data(), 0, made.size() * sizeof(T));
    return made;
  }
  template <class T>
  std::vector<T> fetch(const buffer<T>& from) {
    fixture_.finish();
    std::vector<T> values(from.size());
    copy_bytes(values.data(), from.data(), from.size() * sizeof(T));
    return values;
  }

  Fixture fixture_;
};

TYPED_TEST_SUITE_P(executor_suite);

TYPED_TEST_P(executor_suite, VisitsEveryIndexOnce) {
  // 0, 1, around a block and a wave of blocks, and more than one stride of the largest grid.
  for (const std::int64_t n : {0L, 1L, 2L, 3L, 255L, 256L, 257L, 65'537L, (1L << 24) + 3}) {
    auto visits = this->template zeros<std::int32_t>(n + 1);
    for_each(this->fixture_.on(), n, visit{visits.data()});
    auto seen = this->fetch(visits);
    EXPECT_EQ(seen.back(), 0) << "index " << n << " is outside the range";
    seen.pop_back();
    std::int64_t wrong = 0;
    for (const std::int32_t v : seen) wrong += v != 1;
    EXPECT_EQ(wrong, 0) << "of " << n;
  }
}

TYPED_TEST_P(executor_suite, NegativeCountIsEmpty) {
  auto visits = this->template zeros<std::int32_t>(1);
  for_each(this->fixture_.on(), -5, visit{visits.data()});
  EXPECT_EQ(this->fetch(visits)[0], 0);
}

TYPED_TEST_P(executor_suite, LoopsOfOneExecutorAreOrdered) {
  constexpr std::int64_t n = 100'003;
  auto a = this->template zeros<std::int64_t>(n);
  auto b = this->template zeros<std::int64_t>(n);
  for_each(this->fixture_.on(), n, write_square{a.data()});
  for_each(this->fixture_.on(), n, copy_reversed{a.data(), b.data(), n});
  for_each(this->fixture_.on(), n, copy_reversed{b.data(), a.data(), n});
  const auto seen = this->fetch(a);
  for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i * i);
}

REGISTER_TYPED_TEST_SUITE_P(executor_suite, VisitsEveryIndexOnce, NegativeCountIsEmpty,
                            LoopsOfOneExecutorAreOrdered);

}  // namespace gossamer::testing
