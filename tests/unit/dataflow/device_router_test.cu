// Device routers on GPUs: every number that a kernel sends arrives once, at a rank that the policy
// allows; waits end by the deadline; and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/dataflow/device_router.cuh"
#include "gossamer/dataflow/wiring.hpp"  // which has policies of the same names
#include "on_machine.hpp"
#include "unit/dataflow/routed_numbers.cuh"

namespace gossamer::dataflow {
namespace {

using namespace testing_router;
using device_policy::round_robin;
using to_any = device_policy::any_device;
using namespace std::chrono_literals;

template <class Policy>
__global__ void __launch_bounds__(256, 1)
    number_kernel(const __grid_constant__ device_router_view<Policy> route,
                  const __grid_constant__ number_work work) {
  route_numbers(route, work);
}

/// By rank: how often each number came, and how many segments.
struct outcome {
  std::vector<std::vector<std::uint32_t>> seen;
  std::vector<std::uint32_t> segments;
};

struct settings {
  std::size_t segment = 4096;
  int buffers = 16;
  std::uint32_t numbers = 300'001, message = most_sent;  ///< of a source
  bool held = false;                                     ///< rank 0 receives when it has sent
  bool nobody_receives = false;
};

class DeviceRouter : public testing_machines::OnMachine {
 protected:
  template <class Policy>
  outcome route(const std::vector<int>& sources, const std::vector<int>& destinations,
                const settings& how, const run_options& options = {}) {
    machine& m = *machine_;
    device_router<Policy> router(m, {.sources = sources,
                                     .destinations = destinations,
                                     .segment = how.segment,
                                     .buffers = how.buffers,
                                     .name = "numbers"});
    const auto all = how.numbers * static_cast<std::uint32_t>(sources.size());
    std::vector<buffer<std::uint32_t>> seen, segments;
    for (int r = 0; r < m.size(); ++r) {
      seen.push_back(make_native_buffer<std::uint32_t>(m[r], all));
      segments.push_back(make_native_buffer<std::uint32_t>(m[r], 3));
      for (auto* b : {&seen.back(), &segments.back()})
        fill_bytes(memory_kind::device, m[r].ordinal, b->data(), 0,
                   b->size() * sizeof(std::uint32_t));
    }
    run_options mine = options;
    mine.arenas = router.arenas();
    m.run(
        [&](rank& r) {
          const auto me = static_cast<std::size_t>(r.id());
          const auto source = std::find(sources.begin(), sources.end(), r.id());
          const bool sends = source != sources.end(),
                     receives = !how.nobody_receives &&
                                std::find(destinations.begin(), destinations.end(), r.id()) !=
                                    destinations.end();
          // Two blocks at least, where a unit has one for each kind.
          const int blocks = std::max(2, router.blocks(r.id())),
                    senders = !sends ? 0 : (receives ? blocks / 2 : blocks);
          number_work work;
          work.first = static_cast<std::uint32_t>(source - sources.begin()) * how.numbers;
          work.count = sends ? how.numbers : 0;
          work.message = how.message;
          work.sending = static_cast<unsigned>(senders);
          work.after_own = how.held && r.id() == 0;
          if (work.after_own) work.sending = 1;
          work.seen = seen[me].data();
          work.segments = segments[me].data();
          const auto view = router.begin(r, static_cast<int>(work.sending));
          const int launched = static_cast<int>(work.sending) + (receives ? blocks - senders : 0);
          if (launched > 0) {
            number_kernel<Policy><<<static_cast<unsigned>(launched), 256, 0,
                                    static_cast<cudaStream_t>(r.stream().native())>>>(view, work);
            GOSSAMER_CHECK_CUDA(cudaGetLastError());
          }
          r.synchronize();
        },
        mine);
    outcome found;
    std::vector<std::uint32_t> times(all);
    for (std::size_t r = 0; r < seen.size(); ++r) {
      std::vector<std::uint32_t> here(all), counts(3);
      copy_bytes(here.data(), seen[r].data(), here.size() * sizeof(std::uint32_t));
      copy_bytes(counts.data(), segments[r].data(), counts.size() * sizeof(std::uint32_t));
      EXPECT_EQ(counts[1], 0u) << "numbers that were others at rank " << r;
      for (std::uint32_t i = 0; i < all; ++i) times[i] += here[i];
      found.seen.push_back(std::move(here));
      found.segments.push_back(counts[0]);
    }
    for (std::uint32_t i = 0; i < all; ++i)
      if (times[i] != 1) {
        ADD_FAILURE() << i << " came " << times[i] << " times";
        break;
      }
    return found;
  }
  [[nodiscard]] std::vector<int> all_ranks() const {
    std::vector<int> ranks(static_cast<std::size_t>(machine_->size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
  }
};

TEST_P(DeviceRouter, DeliversEachSegmentOnce) {
  for (const auto& how :
       {settings{}, settings{128, 1, 20'000}, settings{4096, 2}, settings{64 << 10, 64}}) {
    SCOPED_TRACE(std::to_string(how.segment) + " bytes, " + std::to_string(how.buffers));
    route<to_any>(all_ranks(), all_ranks(), how);
  }
}

TEST_P(DeviceRouter, SourcesAndDestinationsMayDiffer) {
  const int last = machine_->size() - 1;
  route<to_any>({0}, all_ranks(), {});
  route<to_any>(all_ranks(), {last}, {});
  route<to_any>({last}, {0}, {});
}

TEST_P(DeviceRouter, KeepsTurns) {
  const settings how{2048, 4, 100'000, 512};
  const auto found = route<round_robin>(all_ranks(), all_ranks(), how);
  // A message is a segment; each source deals its own out.
  const auto p = static_cast<std::uint32_t>(machine_->size()),
             of_a_source = (how.numbers + how.message - 1) / how.message;
  for (const std::uint32_t segments : found.segments) {
    EXPECT_GE(segments, p * (of_a_source / p));
    EXPECT_LE(segments, p * (of_a_source / p + 1));
  }
}

TEST_P(DeviceRouter, AsksThePolicy) {
  if (machine_->size() == 1) GTEST_SKIP() << "needs another rank";
  const settings how;
  const auto found = route<to_others>(all_ranks(), all_ranks(), how);
  for (std::size_t r = 0; r < found.seen.size(); ++r)
    for (std::uint32_t i = 0; i < how.numbers; ++i)
      ASSERT_EQ(found.seen[r][r * how.numbers + i], 0u);
}

TEST_P(DeviceRouter, WhoIsNotFreeGetsNoMore) {
  if (machine_->size() == 1) GTEST_SKIP() << "needs another rank";
  settings how;
  how.held = true;
  const auto found = route<to_any>({0}, all_ranks(), how);
  EXPECT_EQ(found.segments[0], static_cast<std::uint32_t>(how.buffers));
}

TEST_P(DeviceRouter, WaitsEnd) {
  run_options options;
  options.deadline = 300ms;
  settings how;
  how.nobody_receives = true;
  try {
    route<to_any>({0}, all_ranks(), how, options);
    ADD_FAILURE() << "no time-out";
  } catch (const rank_error& e) {
    EXPECT_TRUE(e.timed_out()) << e.what();
    EXPECT_EQ(e.rank(), 0) << e.what();
  }
  route<to_any>({0}, all_ranks(), {});
}

TEST_P(DeviceRouter, SaysWhatDoesNotFit) {
  machine& m = *machine_;
  const auto refused = [](const machine& on, device_router_options options) -> std::string {
    try {
      device_router<to_any>(on, std::move(options));
    } catch (const usage_error& e) {
      return e.what();
    }
    return "taken";
  };
  const auto says = [&](const device_router_options& options, const std::string& text) {
    const std::string what = refused(m, options);
    EXPECT_NE(what.find(text), std::string::npos) << what;
  };
  says({.sources = {}, .destinations = {0}}, "device router: needs a source and a destination");
  says({.sources = {0}, .destinations = {m.size()}}, "the machine has no rank");
  says({.sources = {0, 0}, .destinations = {0}}, "names rank 0 twice");
  says({.sources = {0}, .destinations = {0}, .segment = 0}, "1 byte to 1 TiB, not 0");
  says({.sources = {0}, .destinations = {0}, .buffers = 65}, "1 to 64 buffers, not 65");
  const auto host = machine::open("cpu:1x1");
  const std::string what = refused(host, {.sources = {0}, .destinations = {0}});
  EXPECT_NE(what.find("needs GPUs of one process"), std::string::npos) << what;

  device_router<to_any> router(m, {.sources = {0}, .destinations = {0}});
  run_options how;
  how.arenas = router.arenas();
  try {
    m.run([&](rank& r) { router.begin(r, 0); }, how);
    ADD_FAILURE() << "a source of no blocks was taken";
  } catch (const usage_error& e) {
    EXPECT_NE(std::string(e.what()).find("rank 0 is a source of no blocks"), std::string::npos)
        << e.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, DeviceRouter,
                         ::testing::Values("cuda:0", "cuda:0*2", "cuda:0*3", "cuda:0-1",
                                           "cuda:0-3"),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer::dataflow
