// Collectives under ThreadSanitizer: every algorithm, back to back, with ranks that run at
// different speeds, so that buffers rotate under readers that are late.
#include <gtest/gtest.h>

#include <thread>

#include "unit/collective/collective_fixture.hpp"
#include "unit/collective/run/plan_cases.hpp"

namespace gossamer {
namespace {

using namespace plan_cases;

class collective_races : public ::testing::TestWithParam<int> {};

TEST_P(collective_races, every_algorithm_back_to_back) {
  auto m = open_cpu(GetParam());
  for (const auto& a : collective_algorithms())
    m.run(
        [&](rank& r) {
          for (int i = 0; i < 4; ++i) {
            variant v;
            v.root = i % r.size();
            v.count = 6;
            v.in_place = i % 2 == 1;
            v.windowed = i >= 2;
            v.epochs = 8;
            EXPECT_EQ(wrong_in<std::int32_t>(r, a, v), "");
          }
        },
        bounded());
}

TEST_P(collective_races, a_late_reader_keeps_its_result) {
  auto m = open_cpu(GetParam());
  for (const bool windowed : {false, true})
    m.run(
        [&](rank& r) {
          auto w = r.make_window<int>(8);
          std::vector<int> own(8);
          const auto data = windowed ? w.local() : std::span<int>(own);
          auto plan = windowed ? plan_broadcast<int>(r, w, 0) : plan_broadcast<int>(r, own, 0);
          for (int e = 1; e <= 30; ++e) {
            if (r.id() == 0) std::fill(data.begin(), data.end(), e);
            plan.run();
            // The last rank reads slowly; the root would be two epochs ahead if it could.
            for (const int& x : data) {
              if (r.id() == r.size() - 1) std::this_thread::yield();
              ASSERT_EQ(x, e);
            }
          }
        },
        bounded());
}

TEST_P(collective_races, plain_stores_before_a_barrier) {
  auto m = open_cpu(GetParam());
  for (const char* name : {"direct", "dissemination", "binomial"})
    m.run(
        [&](rank& r) {
          auto w = r.make_window<int>(1);
          plan_options options;
          options.algorithm = name;
          auto barrier = plan_barrier(r, options);
          const int next = (r.id() + 1) % r.size(), before = (r.id() + r.size() - 1) % r.size();
          for (int e = 0; e < 30; ++e) {
            w.direct(next)[0] = e + r.id();
            barrier.run();
            ASSERT_EQ(w.local()[0], e + before);
            barrier.run();
          }
        },
        bounded());
}

INSTANTIATE_TEST_SUITE_P(ranks, collective_races, ::testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace gossamer
