// Timelines: what is recorded by itself and by spans, what happens without room, and without a
// timeline; modelled machines repeat byte by byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/trace.hpp"
#include "unit/fabric/allocations.hpp"

namespace gossamer {
namespace {

run_options recorded(const std::shared_ptr<timeline>& into) {
  run_options options;
  options.trace = into;
  return options;
}

/// Every rank sends 800 bytes to the next one and waits for those of the one before it.
void pass_on(rank& r) {
  auto w = r.make_window<double>(100);
  auto flag = r.make_signal();
  const auto from = r.scratch<double>(100);
  r.barrier();
  const double begin = r.clock();
  {
    const trace_level level(r, "round", 3, 7);
    const trace_span span(r, "work");
    if (r.id() == 0) r.charge(1e-3);
    r.put_signal(w, (r.id() + 1) % r.size(), 0, from, flag, 1);
    r.wait_signal(flag, 1, (r.id() + r.size() - 1) % r.size());
  }
  trace_run(r, "test", begin, r.clock() - begin);
  r.barrier();
}

std::vector<trace_event> of_kind(const timeline& t, int rank, trace_class kind) {
  auto found = t.events_of(rank);
  std::erase_if(found, [&](const trace_event& e) { return e.kind != kind; });
  return found;
}

bool inside(const trace_event& a, const trace_event& b) {
  return b.begin <= a.begin && a.end <= b.end;
}

class Trace : public ::testing::TestWithParam<const char*> {};

TEST_P(Trace, CopiesSpansAndLevelsOfEveryRank) {
  const auto t = std::make_shared<timeline>();
  machine::open(GetParam()).run(pass_on, recorded(t));
  for (int r = 0; r < 3; ++r) {
    const auto copies = of_kind(*t, r, trace_class::copy),
               spans = of_kind(*t, r, trace_class::compute),
               levels = of_kind(*t, r, trace_class::level), runs = of_kind(*t, r, trace_class::run);
    ASSERT_EQ(copies.size(), 1u);
    EXPECT_EQ(copies[0].amount, 800);
    EXPECT_EQ(copies[0].from, r);
    EXPECT_EQ(copies[0].to, (r + 1) % 3);
    EXPECT_EQ(copies[0].level, 3);
    EXPECT_GT(copies[0].end, copies[0].begin);
    ASSERT_EQ(spans.size(), 1u);
    EXPECT_STREQ(spans[0].name, "work");
    EXPECT_EQ(spans[0].level, 3);
    ASSERT_EQ(levels.size(), 1u);
    EXPECT_EQ(levels[0].amount, 7);
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_TRUE(inside(spans[0], levels[0]));
    EXPECT_TRUE(inside(levels[0], runs[0]));
  }
  EXPECT_EQ(t->dropped(), 0u);
}

/// Rank 2 waits for rank 0, which lets 5 ms pass once rank 2 is about to.
void keep_waiting(rank& r) {
  auto ready = r.make_signal(), flag = r.make_signal();
  r.barrier();
  if (r.id() == 0) {
    r.wait_signal(ready, 1, 2);
    const double begin = r.clock();
    r.charge(5e-3);  // a model's time; others really let it pass
    while (r.clock() - begin < 5e-3) r.progress();
    r.raise(flag, 2, 1);
  } else if (r.id() == 2) {
    r.raise(ready, 0, 1);
    const trace_level level(r, "only", 1);
    r.wait_signal(flag, 1, 0);
  }
}

TEST_P(Trace, WaitsNameWhomTheyWereFor) {
  // On a busy host rank 2 may come so late that there is nothing left to wait for.
  std::vector<trace_event> waits;
  for (int tries = 0; tries < 50 && waits.empty(); ++tries) {
    const auto t = std::make_shared<timeline>();
    machine::open(GetParam()).run(keep_waiting, recorded(t));
    waits = of_kind(*t, 2, trace_class::wait);
    std::erase_if(waits,
                  [](const trace_event& e) { return e.level != 1 || e.end - e.begin < 1e-3; });
  }
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_STREQ(waits[0].name, "wait_signal");
  EXPECT_EQ(waits[0].from, 0);
}

INSTANTIATE_TEST_SUITE_P(Machines, Trace, ::testing::Values("cpu:3x1", "sim:peach2,ranks=3"),
                         [](const auto& of) { return std::string(of.index ? "sim" : "cpu"); });

TEST(TraceOff, NothingIsRecorded) {
  machine::open("cpu:2x1").run([](rank& r) {
    EXPECT_EQ(r.tracing(), nullptr);
    pass_on(r);
    const trace_phase names[] = {{"phase"}};
    EXPECT_EQ(trace_phases(r, names).records, nullptr);
  });
  timeline unused;
  EXPECT_EQ(unused.events(), 0u);
  EXPECT_THROW(static_cast<void>(unused.json()), usage_error);
  EXPECT_THROW(unused.describe("test", 1), usage_error);
}

TEST(TraceRoom, WhatDoesNotFitIsCountedAndSaid) {
  const auto t = std::make_shared<timeline>(1);  // the least of a rank: 256
  machine::open("cpu:1x1").run(
      [](rank& r) {
        for (int i = 0; i < 300; ++i) const trace_span span(r, "one");
      },
      recorded(t));
  EXPECT_EQ(t->events(), 256u);
  EXPECT_EQ(t->dropped(), 44u);
  EXPECT_NE(t->json().find("\"dropped\":44"), std::string::npos);
}

TEST(TraceRoom, EveryRunHasItsOwn) {
  const auto t = std::make_shared<timeline>(1);
  auto m = machine::open("cpu:1x1");
  for (int run = 0; run < 3; ++run)
    m.run(
        [](rank& r) {
          for (int i = 0; i < 200; ++i) const trace_span span(r, "one");
        },
        recorded(t));
  EXPECT_EQ(t->events(), 600u);
  EXPECT_EQ(t->dropped(), 0u);
}

TEST(TraceRoom, RecordingAllocatesNothing) {
  const auto t = std::make_shared<timeline>();
  machine::open("cpu:2x1").run(
      [](rank& r) {
        auto w = r.make_window<double>(100);
        const auto from = r.scratch<double>(100);
        scalar_plan<std::int64_t> plan(r);
        const auto step = [&](std::int64_t i) {
          const trace_level level(r, "level", i);
          const trace_span span(r, "work");
          r.put(w, 1 - r.id(), 0, from);
          plan.allreduce(i, reduction::sum);
        };
        step(0);
        const auto before = testing::allocations;
        for (std::int64_t i = 1; i < 20; ++i) step(i);
        EXPECT_EQ(testing::allocations - before, 0u);
      },
      recorded(t));
  EXPECT_GE(of_kind(*t, 0, trace_class::copy).size(), 20u);
}

TEST(TraceNesting, InnerLevelsAndWaitsEndWithTheirScopes) {
  const auto t = std::make_shared<timeline>();
  machine::open("cpu:1x1").run(
      [](rank& r) {
        const trace_level outer(r, "outer", 1);
        {
          const trace_level inner(r, "inner", 2);
          const trace_span span(r, "in both");
        }
        const trace_span span(r, "in outer");
      },
      recorded(t));
  const auto spans = of_kind(*t, 0, trace_class::compute);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0].level, 2);
  EXPECT_EQ(spans[1].level, 1);
}

TEST(TracePhases, AKernelsRecordsBecomeEvents) {
  // A CPU rank's log is host memory, and its timer rank::clock(): what a kernel writes, a loop can.
  static constexpr trace_phase names[] = {
      {"expand"}, {"wait", trace_class::wait}, {"send", trace_class::copy}};
  const auto t = std::make_shared<timeline>();
  machine::open("cpu:1x1").run(
      [](rank& r) {
        const phase_log log = trace_phases(r, names);
        ASSERT_NE(log.records, nullptr);
        const auto write = [&](const phase_record& p) {
          const auto at = (*log.written)++;
          if (at < log.capacity) log.records[at] = p;
        };
        write({1000, 3000, 0, 0, 4, -1});
        write({3000, 4000, 0, 1, 4, 2});
        write({4000, 9000, 64, 2, 5, 1});
        write({0, 1, 0, 3, 0, 0});  // no such phase
        trace_kernel_level(r, "top-down", 5, 17, 4000, 9000);
        for (std::uint32_t i = 4; i < log.capacity + 10; ++i) write({9000, 9001, 0, 0, 6, -1});
      },
      recorded(t));
  const auto level = of_kind(*t, 0, trace_class::level);
  ASSERT_EQ(level.size(), 1u);
  EXPECT_EQ(level[0].level, 5);
  EXPECT_EQ(level[0].amount, 17);
  EXPECT_NEAR(level[0].end - level[0].begin, 5e-6, 1e-12);
  auto events = t->events_of(0);
  std::erase_if(events, [](const trace_event& e) { return e.kind == trace_class::level; });
  ASSERT_GE(events.size(), 3u);
  EXPECT_STREQ(events[0].name, "expand");
  EXPECT_NEAR(events[0].begin, 1e-6, 1e-12);
  EXPECT_NEAR(events[0].end, 3e-6, 1e-12);
  EXPECT_EQ(events[0].level, 4);
  EXPECT_EQ(events[1].kind, trace_class::wait);
  EXPECT_EQ(events[1].from, 2);
  EXPECT_EQ(events[2].kind, trace_class::copy);
  EXPECT_EQ(events[2].from, 0);
  EXPECT_EQ(events[2].to, 1);
  EXPECT_EQ(events[2].amount, 64);
  EXPECT_EQ(t->dropped(), 11u);  // ten too many, one without a name
}

TEST(TraceSim, RepeatsByteByByte) {
  const auto once = [] {
    const auto t = std::make_shared<timeline>();
    auto m = machine::open("sim:peach2,ranks=4");
    for (int run = 0; run < 2; ++run) {
      m.run(pass_on, recorded(t));
      t->describe("test", 1, {{"source", 3}}, run == 0 ? "sync" : "");
    }
    return t->json();
  };
  const std::string first = once();
  EXPECT_EQ(first, once());
  EXPECT_NE(first.find("\"clock\":\"virtual\""), std::string::npos);
  EXPECT_NE(first.find("\"bandwidth\":3660000000"), std::string::npos)
      << "PEACH2's links are known";
  EXPECT_NE(first.find("\"engine\":\"sync\",\"source\":3}"), std::string::npos);
  EXPECT_EQ(first.find("\"engine\":\"\""), std::string::npos) << "none is not said";
}

TEST(TraceSim, TransfersLastFromIssueToArrival) {
  const auto t = std::make_shared<timeline>();
  machine::open("sim:peach2,ranks=3").run(pass_on, recorded(t));
  const auto sent = of_kind(*t, 0, trace_class::copy);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].on, trace_track::beside);
  auto waits = of_kind(*t, 1, trace_class::wait);
  std::erase_if(waits, [](const trace_event& e) { return e.level != 3; });
  ASSERT_EQ(waits.size(), 1u);
  // Rank 0 works for 1 ms first; what rank 1 waits for is there when the transfer has arrived.
  EXPECT_GT(waits[0].end - waits[0].begin, 0.9e-3);
  EXPECT_NEAR(waits[0].end, sent[0].end, 1e-7);
}

TEST(TraceErrors, OneTimelineIsOfOneMachine) {
  const auto t = std::make_shared<timeline>();
  machine::open("cpu:1x1").run([](rank&) {}, recorded(t));
  EXPECT_THROW(machine::open("cpu:2x1").run([](rank&) {}, recorded(t)), usage_error);
  machine::open("cpu:1x1").run([](rank&) {}, recorded(t));  // still usable
}

TEST(TraceErrors, AFailedRunKeepsWhatItDid) {
  const auto t = std::make_shared<timeline>();
  auto m = machine::open("cpu:1x1");
  EXPECT_THROW(m.run(
                   [](rank& r) {
                     const trace_span span(r, "before");
                     throw input_error("broken");
                   },
                   recorded(t)),
               input_error);
  ASSERT_EQ(of_kind(*t, 0, trace_class::compute).size(), 1u);
  m.run(pass_on, recorded(t));
}

}  // namespace
}  // namespace gossamer
