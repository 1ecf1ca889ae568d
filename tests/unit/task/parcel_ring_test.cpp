// parcel_ring between two threads: every parcel once, in order, whole; also under ThreadSanitizer.
#include "task/parcel_ring.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace gossamer {
namespace {

TEST(parcel_ring, HoldsAsManyAsItHasPlacesFor) {
  parcel_ring ring(2, 100);
  const std::array<std::byte, 100> parcel{std::byte{7}};
  EXPECT_TRUE(ring.empty());
  ring.push(parcel, 3);
  EXPECT_TRUE(ring.room());
  ring.push(std::span(parcel).first(1), 4);
  EXPECT_FALSE(ring.room());
  EXPECT_EQ(ring.front().size(), 100u);
  EXPECT_EQ(ring.from(), 3);
  ring.pop();
  EXPECT_EQ(ring.done(), 1u);
  EXPECT_TRUE(ring.room());
  EXPECT_EQ(ring.front().size(), 1u);
  EXPECT_EQ(ring.front()[0], std::byte{7});
  EXPECT_EQ(ring.from(), 4);
  ring.pop();
  EXPECT_TRUE(ring.empty());
}

TEST(parcel_ring, HandsParcelsFromThreadToThread) {
  constexpr int parcels = 20000;
  parcel_ring ring(3, 64);
  std::thread writer([&] {
    for (int i = 0; i < parcels; ++i) {
      while (!ring.room()) std::this_thread::yield();
      std::array<std::byte, 64> parcel;
      parcel.fill(static_cast<std::byte>(i));
      ring.push(std::span(parcel).first(static_cast<std::size_t>(i % 64 + 1)), i);
    }
  });
  int wrong = 0;
  for (int i = 0; i < parcels; ++i) {
    while (ring.empty()) std::this_thread::yield();
    wrong += ring.from() != i || ring.front().size() != static_cast<std::size_t>(i % 64 + 1);
    for (const std::byte b : ring.front()) wrong += b != static_cast<std::byte>(i);
    ring.pop();
  }
  writer.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace gossamer
