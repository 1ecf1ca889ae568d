// Timelines of a GPU rank: streams and kernels on the host's clock. Runs on a GPU, and on a host
// without one on the stand-in of tests/fake_gpu, since no kernel is needed: what one writes into
// its log is copied there.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "fabric/gpu_operations.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer {
namespace {

/// The clocks are related within this many seconds, on a busy host too.
constexpr double clocks_agree = 2e-3;

class TraceGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  }
  /// Events of rank 0 of a run on one GPU, but those of its host thread.
  std::vector<trace_event> device_events(const std::function<void(rank&)>& program) {
    trace_ = std::make_shared<timeline>();
    run_options options;
    options.trace = trace_;
    machine::open("cuda:0").run(program, options);
    auto found = trace_->events_of(0);
    std::erase_if(found, [](const trace_event& e) { return e.on == trace_track::host; });
    return found;
  }
  std::shared_ptr<timeline> trace_;
};

TEST_F(TraceGpu, CopiesAndSpansLieInTheirStreams) {
  double begin = 0, end = 0;
  const auto events = device_events([&](rank& r) {
    auto w = r.make_window<double>(1000);
    const auto from = r.scratch<double>(1000);
    const stream other(r.dev());
    r.quiet();
    begin = r.clock();
    const trace_level level(r, "round", 2);
    {
      const trace_span span(r, "work", r.stream());
      r.put(w, 0, 0, from);
    }
    r.put(w, 0, 0, from, &other);
    r.quiet();
    end = r.clock();
  });
  ASSERT_EQ(events.size(), 3u);
  const auto named = [&](const char* name, trace_track on) {
    return *std::find_if(events.begin(), events.end(), [&](const trace_event& e) {
      return std::string(e.name) == name && e.on == on;
    });
  };
  const auto work = named("work", trace_track::stream), put = named("put", trace_track::stream),
             beside = named("put", trace_track::beside);
  EXPECT_EQ(put.amount, 8000);
  EXPECT_EQ(put.kind, trace_class::copy);
  EXPECT_LE(work.begin, put.begin);
  EXPECT_LE(put.begin, put.end);
  EXPECT_LE(put.end, work.end);
  for (const trace_event& e : {work, put, beside}) {
    EXPECT_EQ(e.level, 2);
    EXPECT_GT(e.begin, begin - clocks_agree);
    EXPECT_LT(e.end, end + clocks_agree);
  }
  EXPECT_NE(trace_->json().find("rank 0, stream"), std::string::npos);
}

TEST_F(TraceGpu, PhasesOfKernelsComeOnTheHostsClock) {
  static constexpr trace_phase names[] = {{"expand"}, {"push", trace_class::copy}};
  double begin = 0, end = 0;
  const auto events = device_events([&](rank& r) {
    buffer<std::uint64_t> timer(memory_kind::pinned, r.dev().ordinal, 2);
    buffer<phase_record> records(memory_kind::pinned, r.dev().ordinal, 2);
    buffer<std::uint32_t> written(memory_kind::pinned, r.dev().ordinal, 1);
    const phase_log log = trace_phases(r, names);
    ASSERT_GE(log.capacity, 1000u);
    begin = r.clock();
    gpu::read_timer(timer.data(), r.stream());
    gpu::read_timer(timer.data() + 1, r.stream());
    r.synchronize();
    end = r.clock();
    const std::uint64_t *from = timer.data(), *to = timer.data() + 1;
    records.data()[0] = {*from, *to, 0, 0, 7, -1};
    records.data()[1] = {*to, *to + 100, 64, 1, 7, 0};
    *written.data() = 2;
    copy_bytes(log.records, records.data(), 2 * sizeof(phase_record), r.stream());
    copy_bytes(log.written, written.data(), sizeof(std::uint32_t), r.stream());
    r.synchronize();
  });
  ASSERT_EQ(events.size(), 2u);
  EXPECT_STREQ(events[0].name, "expand");
  EXPECT_EQ(events[0].on, trace_track::kernel);
  EXPECT_EQ(events[0].level, 7);
  EXPECT_GT(events[0].begin, begin - clocks_agree);
  EXPECT_LT(events[0].end, end + clocks_agree);
  EXPECT_EQ(events[1].kind, trace_class::copy);
  EXPECT_EQ(events[1].amount, 64);
  EXPECT_NEAR(events[1].end - events[1].begin, 100e-9, 50e-9);
}

TEST_F(TraceGpu, MomentsBeyondTheRoomAreCounted) {
  const auto events = device_events([](rank& r) {
    for (int i = 0; i < 8292; ++i) const trace_span span(r, "one", r.stream());
  });
  EXPECT_EQ(events.size(), 8192u);
  EXPECT_EQ(trace_->dropped(), 100u);
}

TEST_F(TraceGpu, EveryRunRelatesItsClocksAnew) {
  trace_ = std::make_shared<timeline>();
  run_options options;
  options.trace = trace_;
  auto m = machine::open("cuda:0");
  std::array<double, 2> before{}, after{};
  for (std::size_t i = 0; i < 2; ++i)
    m.run(
        [&](rank& r) {
          before[i] = r.clock();
          { const trace_span span(r, "one", r.stream()); }
          r.synchronize();
          after[i] = r.clock();
        },
        options);
  auto found = trace_->events_of(0);
  std::erase_if(found, [](const trace_event& e) { return e.on != trace_track::stream; });
  ASSERT_EQ(found.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(found[i].begin, before[i] - clocks_agree);
    EXPECT_LT(found[i].end, after[i] + clocks_agree);
  }
}

}  // namespace
}  // namespace gossamer
