// What only a GPU shows: its memory, streams, events and links.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/stream.hpp"
#include "gossamer/machine/topology.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

class Cuda : public ::testing::Test {
 protected:
  void SetUp() override {
    gpus_ = cuda_devices();
    if (gpus_.empty()) GTEST_SKIP() << "no GPU: " << cuda_unavailable_reason();
  }
  std::vector<device> gpus_;
};

TEST_F(Cuda, CopiesBetweenAllKinds) {
  std::vector<std::int64_t> values(100'001);
  std::iota(values.begin(), values.end(), 0);
  const std::size_t bytes = values.size() * sizeof(std::int64_t);
  for (const device& from : gpus_)
    for (const device& to : gpus_) {
      auto a = make_native_buffer<std::int64_t>(from, values.size());
      auto b = make_native_buffer<std::int64_t>(to, values.size());
      buffer<std::int64_t> pinned(memory_kind::pinned, to.ordinal, values.size());
      std::vector<std::int64_t> back(values.size(), -1);
      copy_bytes(a.data(), values.data(), bytes);
      copy_bytes(b.data(), a.data(), bytes);
      copy_bytes(pinned.data(), b.data(), bytes);
      copy_bytes(back.data(), pinned.data(), bytes);
      EXPECT_EQ(back, values) << from.ordinal << " -> " << to.ordinal;
    }
}

TEST_F(Cuda, FillsDeviceMemory) {
  auto block = make_native_buffer<unsigned char>(gpus_.back(), 1000);
  fill_bytes(block.kind(), block.ordinal(), block.data(), 0x5A, 1000);
  std::vector<unsigned char> back(1000);
  copy_bytes(back.data(), block.data(), 1000);
  EXPECT_EQ(back, std::vector<unsigned char>(1000, 0x5A));
}

TEST_F(Cuda, SpreadMemoryIsOneArray) {
  const device& gpu = gpus_[0];
  constexpr std::size_t page = spread_pages::bytes / sizeof(std::int64_t);
  std::vector<std::int64_t> values(4 * page + 1000);
  std::iota(values.begin(), values.end(), 7);
  const std::size_t bytes = values.size() * sizeof(std::int64_t);
  for (const std::vector<bool>& there : {std::vector<bool>{true, false, false, true, false},
                                         {false, false, true, false, true},
                                         {false, false, false, false, false},
                                         {true, true, true, true, true}}) {
    const auto pages = static_cast<std::int64_t>(std::count(there.begin(), there.end(), true));
    const auto page_bytes = static_cast<std::int64_t>(spread_pages::bytes);
    const auto here = memory_in_use(host_account).now, on_gpu = memory_in_use(gpu.ordinal).now;
    {
      const spread_pages where{there};
      const buffer<std::int64_t> spread(gpu.ordinal, where, values.size());
      EXPECT_EQ(memory_in_use(gpu.ordinal).now - on_gpu, pages * page_bytes);
      EXPECT_EQ(memory_in_use(host_account).now - here, (5 - pages) * page_bytes);
      copy_to_spread(spread.data(), where, values.data(), bytes);
      // A kernel reads it; the driver's copies know no such memory.
      auto read = make_native_buffer<std::int64_t>(gpu, values.size());
      const stream on(gpu);
      copy_bytes(read.data(), spread.data(), bytes, on, copier::kernel);
      event done(gpu.ordinal);
      done.record(on);
      done.block(stream());
      std::vector<std::int64_t> back(values.size());
      copy_bytes(back.data(), read.data(), bytes);
      EXPECT_EQ(back, values);
    }
    EXPECT_EQ(memory_in_use(gpu.ordinal).now, on_gpu);
    EXPECT_EQ(memory_in_use(host_account).now, here);
  }
}

TEST_F(Cuda, TooMuchNamesDeviceAndBytes) {
  try {
    make_native_buffer<char>(gpus_[0], std::size_t{1} << 46);
    FAIL() << "allocated";
  } catch (const capacity_error& e) {
    EXPECT_EQ(std::string(e.what()).find("cuda:0 (" + gpus_[0].name + "): wanted 64.0 TiB, free "),
              0U)
        << e.what();
  }
  // The failure was cleared: the next call is not blamed for it.
  EXPECT_EQ(make_native_buffer<char>(gpus_[0], 64).size(), 64U);
}

TEST_F(Cuda, DeviceThatIsNotThere) {
  EXPECT_THROW(allocate(memory_kind::device, static_cast<int>(gpus_.size()), 64), usage_error);
  EXPECT_THROW(allocate(memory_kind::device, -1, 64), usage_error);
}

TEST_F(Cuda, StreamsAndEvents) {
  for (const device& d : gpus_) {
    stream s(d);
    const stream urgent(d, stream::priority::high);
    EXPECT_TRUE(s.is_cuda());
    EXPECT_NE(s.native(), nullptr);
    event start(d.ordinal);
    event end(d.ordinal);
    start.record(s);
    end.record(s);
    end.block(urgent);
    end.block(stream());  // a CPU stream waits on the host
    EXPECT_TRUE(end.done());
    EXPECT_GE(end.milliseconds_since(start), 0.0);
    stream moved = std::move(s);
    EXPECT_TRUE(moved.idle());
    EXPECT_TRUE(urgent.idle());
  }
}

TEST_F(Cuda, EventsKeepToTheirDevice) {
  event e(0);
  EXPECT_THROW(e.record(stream()), usage_error);
  event cpu(-1);
  try {
    cpu.record(stream(gpus_[0]));
    FAIL() << "accepted";
  } catch (const usage_error& error) {
    EXPECT_STREQ(error.what(), "event of the CPU recorded in a stream of cuda:0");
  }
  event_pool pool(gpus_[0], 1);
  EXPECT_THROW(pool.give(event(-1)), usage_error);
  EXPECT_THROW(static_cast<void>(e.milliseconds_since(cpu)), usage_error);
}

TEST_F(Cuda, FutureAcrossThreads) {
  event_pool pool(gpus_[0], 1);
  const stream s(gpus_[0]);
  const stream other(gpus_.back());
  for (int round = 0; round < 20; ++round) {
    event_future future;
    std::thread writer([&, future]() mutable {
      std::this_thread::sleep_for(1ms);
      future.record(pool, s);
    });
    future.block(other, 30s);
    future.wait(30s);
    EXPECT_TRUE(future.done());
    writer.join();
  }
  EXPECT_EQ(pool.available(), 1U) << "one event served every round";
}

TEST_F(Cuda, MachineLinks) {
  const testing::scoped_variable on("GOSSAMER_PEER", nullptr);
  const auto all = machine::open("cuda");
  for (int i = 0; i < all.size(); ++i)
    for (int j = 0; j < all.size(); ++j) {
      const reach how = cuda_reach(all[i].ordinal, all[j].ordinal);
      EXPECT_EQ(all.between(i, j).how, how);
      EXPECT_EQ(all.between(i, j).transport, how == reach::none ? "pinned" : "peer");
      EXPECT_EQ(all.between(i, j).load_store, how != reach::none);
    }
  const auto shared = machine::open("cuda:0*3");
  EXPECT_EQ(shared.fabric(), "peer");
  EXPECT_TRUE(shared.all_direct());
  const auto mixed = machine::open("cpu:2x1+cuda:0");
  EXPECT_EQ(mixed.fabric(), "peer+threads");
  EXPECT_FALSE(mixed.all_direct());
  EXPECT_NE(describe(mixed).find("rank 2: " + gpus_[0].name + ", cuda:0, "), std::string::npos);
}

TEST_F(Cuda, KernelsOfSharersAreTried) {
  const testing::scoped_variable on("GOSSAMER_SHARED_KERNELS", nullptr);
  device shared = gpus_[0];
  shared.share = 3;
  const auto first = shared_kernels(shared);
  EXPECT_NE(first, sharing::alone);
  shared.share = 2;  // fewer than were seen together: known without a trial
  if (first == sharing::together) {
    EXPECT_EQ(shared_kernels(shared), sharing::together);
  }
  // Every GPU that Gossamer is built for has had concurrent kernels for ten years.
  EXPECT_EQ(first, sharing::together);
  EXPECT_NE(describe(machine::open("cuda:0*3")).find("share 2 of 3, kernels run together"),
            std::string::npos);
}

TEST_F(Cuda, NoAtomicsKeepsPeerAccess) {
  const testing::scoped_variable off("GOSSAMER_PEER", "no-atomics");
  const auto shared = machine::open("cuda:0*2");
  EXPECT_EQ(shared.fabric(), "peer");
  EXPECT_TRUE(shared.all_direct());
  EXPECT_NE(describe(shared).find("self, transport peer, atomics by request"), std::string::npos);
}

TEST_F(Cuda, PeerOffGoesThroughPinnedMemory) {
  const testing::scoped_variable off("GOSSAMER_PEER", "off");
  const auto shared = machine::open("cuda:0*2");
  EXPECT_EQ(shared.fabric(), "pinned");
  EXPECT_FALSE(shared.all_direct());
  EXPECT_EQ(shared.between(0, 0).how, reach::self);
  EXPECT_NE(describe(shared).find("no direct access, transport pinned, atomics by request"),
            std::string::npos);
}

}  // namespace
}  // namespace gossamer
