// Streams, events and futures of CPU teams.
#include "gossamer/machine/stream.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

const device cpu;

TEST(Stream, CpuStreamIsAlwaysIdle) {
  const stream s(cpu);
  EXPECT_FALSE(s.is_cuda());
  EXPECT_EQ(s.native(), nullptr);
  EXPECT_TRUE(s.idle());
}

TEST(Event, MeasuresTheHostClock) {
  const stream s(cpu);
  event start(-1);
  event end(-1);
  start.record(s);
  std::this_thread::sleep_for(5ms);
  end.record(s);
  EXPECT_TRUE(end.done());
  EXPECT_GE(end.milliseconds_since(start), 5.0);
  EXPECT_LT(end.milliseconds_since(start), 5000.0);
  end.block(s);
}

TEST(EventPool, TakesAndGives) {
  event_pool pool(cpu, 2);
  EXPECT_EQ(pool.available(), 2U);
  event a = pool.take();
  event b = pool.take();
  event c = pool.take();  // more than reserved
  EXPECT_EQ(pool.available(), 0U);
  pool.give(std::move(a));
  pool.give(std::move(b));
  pool.give(std::move(c));
  EXPECT_EQ(pool.available(), 3U);
}

TEST(EventFuture, WaitedForBeforeItIsRecorded) {
  event_pool pool(cpu);
  const stream s(cpu);
  event_future future;
  EXPECT_FALSE(future.recorded());
  EXPECT_FALSE(future.done());
  int data = 0;
  std::thread writer([&, future]() mutable {
    std::this_thread::sleep_for(2ms);
    data = 42;
    future.record(pool, s);
  });
  future.wait(30s);
  EXPECT_EQ(data, 42) << "what came before record is visible after wait";
  EXPECT_TRUE(future.recorded());
  EXPECT_TRUE(future.done());
  future.block(s, 1s);
  writer.join();
}

TEST(EventFuture, ManyWaitersManyFutures) {
  event_pool pool(cpu, 4);
  const stream s(cpu);
  for (int round = 0; round < 50; ++round) {
    std::vector<event_future> futures(8);
    std::vector<int> values(8, 0);
    std::thread writer([&] {
      for (std::size_t i = 0; i < 8; ++i) {
        values[i] = round + 1;
        futures[i].record(pool, s);
      }
    });
    for (std::size_t i = 8; i-- > 0;) {
      futures[i].wait(30s);
      ASSERT_EQ(values[i], round + 1);
    }
    writer.join();
  }
  EXPECT_GE(pool.available(), 4U) << "the events came back";
}

TEST(EventFuture, GivesItsEventBackAfterThePoolHandleIsGone) {
  event_future future;
  {
    event_pool pool(cpu, 1);
    future.record(pool, stream(cpu));
  }
  EXPECT_TRUE(future.done());
}

TEST(EventFuture, WaitIsBounded) {
  const event_future future;
  for (const bool block : {false, true}) {
    const auto start = std::chrono::steady_clock::now();
    try {
      block ? future.block(stream(cpu), 20ms) : future.wait(20ms);
      FAIL() << "returned";
    } catch (const rank_error& e) {
      EXPECT_TRUE(e.timed_out());
      EXPECT_STREQ(e.what(), "event_future: not recorded within 20 ms");
    }
    EXPECT_GE(std::chrono::steady_clock::now() - start, 20ms);
  }
}

TEST(EventFuture, FailureReachesEveryCopy) {
  const event_future future;
  event_future copy = future;
  copy.fail(std::make_exception_ptr(std::out_of_range("lost it")));
  EXPECT_THROW(future.wait(1s), std::out_of_range);
  EXPECT_THROW(static_cast<void>(future.recorded()), std::out_of_range);
  EXPECT_THROW(future.block(stream(cpu), 1s), std::out_of_range);
}

TEST(EventFuture, FulfilledOnceOnly) {
  event_pool pool(cpu);
  event_future future;
  future.record(pool, stream(cpu));
  for (const bool fail : {false, true}) try {
      fail ? future.fail(std::make_exception_ptr(1)) : future.record(pool, stream(cpu));
      FAIL() << "accepted";
    } catch (const usage_error& e) {
      EXPECT_STREQ(e.what(), "event_future: recorded or failed before");
    }
  EXPECT_TRUE(future.done());
}

}  // namespace
}  // namespace gossamer
