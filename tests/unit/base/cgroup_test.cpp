// Which cgroups bind this process, on made trees of files: both versions, containers, namespaces.
#include "gossamer/base/cgroup.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "gossamer/base/memory_limit.hpp"
#include "unit/base/made_system.hpp"

namespace gossamer {
namespace {

std::vector<std::string> paths(const made_system& made, std::string_view controller) {
  std::vector<std::string> all;
  for (const auto& folder : cgroup_folders(controller, made.root()))
    all.push_back((folder.v2 ? "2:" : "1:") + folder.path.substr(made.root().size()));
  return all;
}
using list = std::vector<std::string>;

TEST(Cgroups, FromTheOwnGroupToTheRoot) {
  made_system made;
  made.file("/proc/self/cgroup", "0::/user.slice/a b/job\n");
  made.file("/proc/self/mountinfo",
            "20 1 8:1 / / rw - ext4 /dev/sda rw\n"
            "30 20 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  EXPECT_EQ(paths(made, "memory"),
            (list{"2:/sys/fs/cgroup/user.slice/a b/job", "2:/sys/fs/cgroup/user.slice/a b",
                  "2:/sys/fs/cgroup/user.slice", "2:/sys/fs/cgroup"}));
}

TEST(Cgroups, OfVersionOneAreThoseOfTheController) {
  made_system made;
  made.file("/proc/self/cgroup",
            "5:memory:/jobs/7\n4:cpu,cpuacct:/jobs\n3:cpuset:/other\n0::/jobs\n");
  made.file("/proc/self/mountinfo",
            "31 2 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
            "32 2 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
            "33 2 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  EXPECT_EQ(paths(made, "memory"),
            (list{"1:/sys/fs/cgroup/memory/jobs/7", "1:/sys/fs/cgroup/memory/jobs",
                  "1:/sys/fs/cgroup/memory", "2:/sys/fs/cgroup/unified/jobs",
                  "2:/sys/fs/cgroup/unified"}));
  EXPECT_EQ(paths(made, "cpu").front(), "1:/sys/fs/cgroup/cpu,cpuacct/jobs");
}

TEST(Cgroups, MountsOfAPartShowThatPart) {
  made_system made;
  // A container without a cgroup namespace, and a folder with a blank.
  made.file("/proc/self/cgroup", "5:memory:/docker/c1/inner\n");
  made.file("/proc/self/mountinfo",
            "32 2 0:30 /docker/c1 /sys/fs/mem\\040ory rw - cgroup cgroup rw,memory\n"
            "33 2 0:30 /docker/c2 /sys/fs/other rw - cgroup cgroup rw,memory\n");
  EXPECT_EQ(paths(made, "memory"), (list{"1:/sys/fs/mem ory/inner", "1:/sys/fs/mem ory"}));
}

TEST(Cgroups, NamespacesMayBeginBelowOrBesideTheMount) {
  const auto seen = [](const std::string& group, const std::string& top) {
    made_system made;
    made.file("/proc/self/cgroup", "0::" + group + "\n");
    made.file("/proc/self/mountinfo", "30 2 0:26 " + top + " /c rw - cgroup2 cgroup2 rw\n");
    return paths(made, "memory");
  };
  EXPECT_EQ(seen("/../x", "/.."), (list{"2:/c/x", "2:/c"}));
  EXPECT_EQ(seen("/a", "/"), (list{"2:/c/a", "2:/c"}));
  // The names between the mount's top and the namespace's root are not known: only the top is.
  EXPECT_EQ(seen("/a", "/../.."), (list{"2:/c"}));
  EXPECT_EQ(seen("/", "/.."), (list{"2:/c"}));
  // Outside of what is mounted.
  EXPECT_EQ(seen("/../x", "/"), list{});
  EXPECT_EQ(seen("/a", "/../b"), list{});
  EXPECT_EQ(seen("/ab", "/a"), list{});
}

TEST(Cgroups, NoneWithoutProc) {
  EXPECT_EQ(paths(made_system(), "memory"), list{});
}

constexpr std::int64_t mib = 1 << 20;

std::string bytes(std::int64_t of) {
  return std::to_string(of) + "\n";
}

/// A process in /slice/job of version 2; 10 GiB of the machine are available.
struct in_a_job : made_system {
  in_a_job() {
    file("/proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable: 10485760 kB\n");
    file("/proc/self/cgroup", "0::/slice/job\n");
    file("/proc/self/mountinfo", "30 2 0:26 / /c rw - cgroup2 cgroup2 rw\n");
  }
};

TEST(SystemMemoryLeft, IsWhatIsAvailableWithoutLimits) {
  in_a_job made;
  made.file("/c/slice/job/memory.max", "max\n");
  const memory_limit found = system_memory_left(made.root());
  EXPECT_EQ(found.bytes, 10240 * mib);
  EXPECT_EQ(found.source, "available memory");
  EXPECT_TRUE(found.left);
  EXPECT_EQ(system_memory_left(made_system().root()).bytes,
            std::numeric_limits<std::int64_t>::max());
}

TEST(SystemMemoryLeft, TheTightestGroupCounts) {
  in_a_job made;
  made.file("/c/slice/job/memory.max", bytes(900 * mib));
  made.file("/c/slice/memory.max", bytes(400 * mib));
  memory_limit found = system_memory_left(made.root());
  EXPECT_EQ(found.bytes, 400 * mib);
  EXPECT_EQ(found.source, "cgroup");
  made.file("/c/slice/job/memory.high", bytes(300 * mib));
  EXPECT_EQ(system_memory_left(made.root()).bytes, 300 * mib);
}

TEST(SystemMemoryLeft, WhatCannotBeDroppedIsGone) {
  in_a_job made;
  // Others of the slice use 700 MiB, of which 200 MiB are files and 50 MiB kernel objects.
  made.file("/c/slice/memory.max", bytes(1000 * mib));
  made.file("/c/slice/memory.current", bytes(700 * mib));
  made.file("/c/slice/memory.stat", "anon " + bytes(450 * mib) + "file " + bytes(300 * mib) +
                                        "inactive_anon " + bytes(100 * mib) + "active_file " +
                                        bytes(50 * mib) + "inactive_file " + bytes(150 * mib) +
                                        "slab_reclaimable " + bytes(50 * mib));
  EXPECT_EQ(system_memory_left(made.root()).bytes, 550 * mib);
  // Nothing left is little, not no limit.
  made.file("/c/slice/memory.max", bytes(100 * mib));
  EXPECT_EQ(system_memory_left(made.root()).bytes, 1);
}

TEST(SystemMemoryLeft, OfVersionOne) {
  in_a_job made;
  made.file("/proc/self/cgroup", "5:memory:/slice/job\n");
  made.file("/proc/self/mountinfo", "30 2 0:26 / /c rw - cgroup cgroup rw,memory\n");
  made.file("/c/memory.limit_in_bytes", "9223372036854771712\n");
  made.file("/c/slice/job/memory.max", bytes(1 * mib));  // no file of version 1
  EXPECT_EQ(system_memory_left(made.root()).source, "available memory");
  made.file("/c/slice/memory.limit_in_bytes", bytes(400 * mib));
  made.file("/c/slice/memory.usage_in_bytes", bytes(300 * mib));
  made.file("/c/slice/memory.stat", "inactive_file " + bytes(1 * mib) + "total_inactive_file " +
                                        bytes(30 * mib) + "total_active_file " + bytes(20 * mib));
  EXPECT_EQ(system_memory_left(made.root()).bytes, 150 * mib);
}

}  // namespace
}  // namespace gossamer
