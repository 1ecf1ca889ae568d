// Memory that is a mapping of its own: counted, kept while it grows, and given back.
#include "gossamer/base/mapped_block.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer {
namespace {

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * 4096;
}

TEST(MappedBlock, KeepsWhatIsThereWhileItGrows) {
  const std::int64_t before = memory_in_use(host_account).now;
  {
    mapped_block block;
    EXPECT_EQ(block.size(), 0u);
    block.grow(10000);
    for (int i = 0; i < 10000; ++i) block.data()[i] = static_cast<char>(i);
    block.grow(std::size_t{1} << 30);  // most of which is never touched
    for (int i = 0; i < 10000; ++i) ASSERT_EQ(block.data()[i], static_cast<char>(i));
    EXPECT_EQ(memory_in_use(host_account).now - before, std::int64_t{1} << 30);
    EXPECT_THROW(block.grow(std::size_t{1} << 60), capacity_error);
    EXPECT_EQ(block.size(), std::size_t{1} << 30);
  }
  EXPECT_EQ(memory_in_use(host_account).now, before);
}

// An allocator may keep blocks of this size once it has seen one freed.
TEST(MappedArray, GoesBackToTheSystem) {
  constexpr std::size_t each = std::size_t{8} << 20;
  for (int i = 0; i < 2; ++i) shared_array<char>{each};
  const std::int64_t before = resident_bytes();
  std::vector<shared_array<char>> all;
  for (int i = 0; i < 8; ++i) {
    all.push_back(mapped_array<char>(each));
    for (std::size_t at = 0; at < each; at += 4096) all.back()[at] = 1;
  }
  EXPECT_GE(resident_bytes() - before, static_cast<std::int64_t>(7 * each));
  all.erase(all.begin(), all.end() - 1);
  EXPECT_LE(resident_bytes() - before, static_cast<std::int64_t>(2 * each));
  EXPECT_EQ(mapped_array<double>(3).size(), 3u);
  EXPECT_THROW(mapped_array<double>(std::size_t{1} << 62), capacity_error);
}

}  // namespace
}  // namespace gossamer
