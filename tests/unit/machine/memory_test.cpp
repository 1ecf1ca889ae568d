// Buffers and raw memory of the host; pinned memory too, plain where there is no GPU.
#include "gossamer/machine/memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/memory_use.hpp"

namespace gossamer {
namespace {

TEST(Memory, AlignedAtEverySize) {
  for (const memory_kind kind : {memory_kind::host, memory_kind::pinned})
    for (const std::size_t bytes : {1UL, 255UL, 4096UL, 4097UL, (1UL << 24) + 1}) {
      void* data = allocate(kind, -1, bytes);
      ASSERT_NE(data, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 256, 0U);
      fill_bytes(kind, -1, data, 0xA5, bytes);
      EXPECT_EQ(static_cast<unsigned char*>(data)[bytes - 1], 0xA5);
      release(kind, -1, data);
    }
}

TEST(Memory, NothingIsNull) {
  for (const memory_kind kind : {memory_kind::host, memory_kind::pinned, memory_kind::device}) {
    EXPECT_EQ(allocate(kind, 0, 0), nullptr);
    release(kind, 0, nullptr);
  }
  copy_bytes(nullptr, nullptr, 0);
  fill_bytes(memory_kind::host, -1, nullptr, 0, 0);
}

TEST(Memory, IsCountedUntilReleased) {
  const auto before = memory_in_use(host_account);
  begin_peaks();
  {
    buffer<double> some(memory_kind::host, -1, 1000);
    buffer<char> pinned(memory_kind::pinned, -1, 77);
    buffer<double> moved = std::move(some);
    EXPECT_EQ(memory_in_use(host_account).now, before.now + 8077);
  }
  EXPECT_EQ(memory_in_use(host_account).now, before.now);
  EXPECT_EQ(memory_in_use(host_account).peak, before.now + 8077);
  EXPECT_THROW(allocate(memory_kind::host, -1, std::size_t{1} << 50), capacity_error);
  EXPECT_EQ(memory_in_use(host_account).now, before.now);
}

TEST(Memory, TooMuchIsRefused) {
  for (const std::size_t bytes : {std::size_t{1} << 50, static_cast<std::size_t>(-1)}) try {
      release(memory_kind::host, -1, allocate(memory_kind::host, -1, bytes));
      FAIL() << "allocated " << bytes;
    } catch (const capacity_error& e) {
      EXPECT_EQ(std::string(e.what()).find("host memory: wanted more than 128.0 TiB, available "),
                0U)
          << e.what();
    }
}

TEST(Memory, CountsThatOverflowAreRefused) {
  EXPECT_EQ(bytes_for(3, 8), 24U);
  EXPECT_THROW(buffer<std::int64_t>(memory_kind::host, -1, (std::size_t{1} << 61) + 1),
               capacity_error);
}

TEST(Memory, CopiesBetweenHostKinds) {
  std::vector<int> from(1000);
  for (int i = 0; i < 1000; ++i) from[static_cast<std::size_t>(i)] = i;
  buffer<int> middle(memory_kind::pinned, -1, 1000);
  std::vector<int> to(1000);
  copy_bytes(middle.data(), from.data(), 4000);
  copy_bytes(to.data(), middle.data(), 4000);
  EXPECT_EQ(from, to);
}

TEST(Memory, DeviceWithoutOneIsAnError) {
  if (!cuda_devices().empty()) GTEST_SKIP() << "this host has a GPU";
  EXPECT_THROW(allocate(memory_kind::device, 0, 64), usage_error);
  release(memory_kind::device, 0, reinterpret_cast<void*>(64));  // never throws, frees nothing
}

TEST(Buffer, OwnsAndMoves) {
  buffer<int> a(memory_kind::host, -1, 5);
  EXPECT_EQ(a.size(), 5U);
  EXPECT_EQ(a.span().size(), 5U);
  a.data()[4] = 7;
  int* const where = a.data();
  buffer<int> b = std::move(a);
  EXPECT_EQ(b.data(), where);
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(a.size(), 0U);
  buffer<int> c;
  c = std::move(b);
  EXPECT_EQ(c.data()[4], 7);
  buffer<int> empty(memory_kind::host, -1, 0);
  EXPECT_EQ(empty.data(), nullptr);
}

TEST(Buffer, NativeMemoryOfACpuIsTheHost) {
  const device cpu;
  EXPECT_EQ(native_memory(cpu), memory_kind::host);
  EXPECT_EQ(make_native_buffer<double>(cpu, 3).kind(), memory_kind::host);
}

}  // namespace
}  // namespace gossamer
