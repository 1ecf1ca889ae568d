// Where the memory limit comes from, and that the peak is measured.
#include "gossamer/base/memory_limit.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "gossamer/base/error.hpp"
#include "unit/base/environment.hpp"

namespace {

TEST(host_memory_limit, an_explicit_limit_wins) {
  scoped_variable set("GOSSAMER_MEMORY", "1234567");
  const auto limit = gossamer::host_memory_limit();
  EXPECT_EQ(limit.bytes, 1234567);
  EXPECT_EQ(limit.source, "GOSSAMER_MEMORY");
}

TEST(host_memory_limit, is_the_systems_otherwise) {
  scoped_variable unset("GOSSAMER_MEMORY", nullptr);
  const auto limit = gossamer::host_memory_limit();
  EXPECT_GT(limit.bytes, 1 << 20);
  EXPECT_TRUE(limit.source == "cgroup" || limit.source == "available memory") << limit.source;
}

TEST(host_memory_limit, a_malformed_limit_is_an_error_not_a_default) {
  scoped_variable set("GOSSAMER_MEMORY", "much");
  EXPECT_THROW(gossamer::host_memory_limit(), gossamer::usage_error);
}

TEST(peak_resident_bytes, grows_with_touched_memory) {
  const auto before = gossamer::peak_resident_bytes();
  ASSERT_GT(before, 0);
  const std::size_t size = static_cast<std::size_t>(before) + (64 << 20);
  std::vector<char> block(size);
  std::memset(block.data(), 1, size);
  EXPECT_GE(gossamer::peak_resident_bytes() - before, 32 << 20);
}

}  // namespace
