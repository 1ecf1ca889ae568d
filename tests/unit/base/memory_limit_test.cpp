// Where the memory limit comes from, and that the peak is measured.
#include "gossamer/base/memory_limit.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gossamer/base/cgroup.hpp"
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

/// A group below this process's, limited to `bytes`; empty `path` where none can be made.
struct nested_group {
  explicit nested_group(std::int64_t bytes) {
    for (const auto& own : gossamer::cgroup_folders("memory")) {
      const auto limit = own.v2 ? "/memory.max" : "/memory.limit_in_bytes";
      path = own.path + "/gossamer-test-" + std::to_string(getpid());
      if (mkdir(path.c_str(), 0755) == 0) {
        std::ofstream file(path + limit);
        if (std::filesystem::exists(path + limit) && file << bytes << std::flush) return;
        rmdir(path.c_str());
      }
    }
    path.clear();
  }
  ~nested_group() {
    if (!path.empty()) rmdir(path.c_str());
  }
  std::string path;
};

TEST(host_memory_limit, is_that_of_a_nested_cgroup) {
  scoped_variable unset("GOSSAMER_MEMORY", nullptr);
  constexpr std::int64_t bytes = 400 << 20;
  const nested_group group(bytes);
  if (group.path.empty()) GTEST_SKIP() << "this process cannot make a memory cgroup";
  int answers[2];
  ASSERT_EQ(pipe(answers), 0);
  const pid_t child = fork();
  if (child == 0) {
    gossamer::memory_limit found;
    if (std::ofstream file(group.path + "/cgroup.procs"); file << getpid() << std::flush)
      found = gossamer::host_memory_limit();
    const std::int64_t answer = found.source == "cgroup" ? found.bytes : 0;
    _exit(write(answers[1], &answer, sizeof answer) == sizeof answer ? 0 : 1);
  }
  std::int64_t answer = -1;
  EXPECT_EQ(read(answers[0], &answer, sizeof answer), static_cast<ssize_t>(sizeof answer));
  waitpid(child, nullptr, 0);
  close(answers[0]);
  close(answers[1]);
  EXPECT_LE(answer, bytes);
  EXPECT_GT(answer, bytes / 2);
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
