// Phases that a kernel writes itself, by the global timer: they come in its order, last as long as
// they did, and lie where the kernel lay.
#include <gtest/gtest.h>

#include <algorithm>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/fabric/trace_device.cuh"
#include "gossamer/machine/device.hpp"

namespace gossamer {
namespace {

constexpr int levels = 20;
constexpr std::uint64_t working = 20'000;  // ns
constexpr trace_phase names[] = {{"expand"}, {"push", trace_class::copy}};

__device__ void pass(std::uint64_t ns) {
  const std::uint64_t from = device_detail::global_timer();
  while (device_detail::global_timer() - from < ns) {
  }
}

__global__ void persistent(phase_log log) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  for (int level = 0; level < levels; ++level) {
    device_phase expanding(log, 0, level);
    pass(working);
    expanding.end();
    device_phase pushing(log, 1, level);
    pass(working);
    pushing.with(0, 4096);
    pushing.end();
  }
}

std::vector<trace_event> run(std::shared_ptr<timeline> into) {
  run_options options;
  options.trace = into;
  machine::open("cuda:0").run(
      [](rank& r) {
        const trace_span span(r, "kernel", r.stream());
        persistent<<<4, 32, 0, static_cast<cudaStream_t>(r.stream().native())>>>(
            trace_phases(r, names));
        GOSSAMER_CHECK_CUDA(cudaGetLastError());
      },
      options);
  return into == nullptr ? std::vector<trace_event>{} : into->events_of(0);
}

TEST(TraceKernel, WritesItsPhases) {
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  auto events = run(std::make_shared<timeline>());
  const auto kernel = *std::find_if(events.begin(), events.end(), [](const trace_event& e) {
    return e.on == trace_track::stream;
  });
  std::erase_if(events, [](const trace_event& e) { return e.on != trace_track::kernel; });
  ASSERT_EQ(events.size(), 2u * levels);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const trace_event& e = events[i];
    EXPECT_STREQ(e.name, names[i % 2].name);
    EXPECT_EQ(e.level, static_cast<int>(i / 2));
    EXPECT_EQ(e.amount, i % 2 == 0 ? 0 : 4096);
    EXPECT_GE(e.end - e.begin, 1e-9 * static_cast<double>(working) - 1e-9);
    if (i > 0) {
      EXPECT_GE(e.begin, events[i - 1].end - 1e-9);
    }
    // Both clocks of the GPU are related to the host's by the same kernel.
    EXPECT_GT(e.begin, kernel.begin - 20e-6);
    EXPECT_LT(e.end, kernel.end + 20e-6);
  }
}

TEST(TraceKernel, WritesNothingWithoutATimeline) {
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  EXPECT_TRUE(run(nullptr).empty());
}

}  // namespace
}  // namespace gossamer
