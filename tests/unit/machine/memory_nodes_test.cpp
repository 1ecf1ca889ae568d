// Memory nodes: which there are, of which hosts, and that pages lie where they are wanted.
#include "gossamer/machine/memory_nodes.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/memory.hpp"
#include "message_of.hpp"
#include "unit/base/made_system.hpp"

namespace gossamer {
namespace {

using list = std::vector<int>;

TEST(MemoryNodes, AreThoseOfTheProcess) {
  const made_system made;
  EXPECT_EQ(memory_nodes(made.root()), list{0}) << "no such file";
  made.file("/proc/self/status", "Name:\tprogram\nMems_allowed:\t00000113\n");
  EXPECT_EQ(memory_nodes(made.root()), list{0}) << "no such line";
  made.file("/proc/self/status", "Name:\tprogram\nMems_allowed_list:\t0-1,4,8-10\nThreads:\t1\n");
  EXPECT_EQ(memory_nodes(made.root()), (list{0, 1, 4, 8, 9, 10}));
}

TEST(MemoryNodes, AnotherIsRefusedWithThoseThatThereAre) {
  const made_system made;
  const auto said = [&made](int node) {
    return message_of<usage_error>([&] { require_memory_node(node, made.root()); });
  };
  made.file("/proc/self/status", "Mems_allowed_list:\t0\n");
  EXPECT_EQ(said(0), "nothing was thrown");
  EXPECT_EQ(said(1), "memory_node 1: this host has node 0");
  EXPECT_EQ(said(-1), "memory_node -1: this host has node 0");
  made.file("/proc/self/status", "Mems_allowed_list:\t0-1,4\n");
  EXPECT_EQ(said(4), "nothing was thrown");
  EXPECT_EQ(said(2), "memory_node 2: this host has nodes 0, 1, 4");
}

TEST(MemoryNodes, HaveWhatIsFreeAndWhatCanBeDropped) {
  const made_system made;
  EXPECT_EQ(memory_left_on(1, made.root()), std::numeric_limits<std::int64_t>::max());
  made.file("/sys/devices/system/node/node1/meminfo",
            "Node 1 MemTotal:        9000 kB\nNode 1 MemFree:         4000 kB\n"
            "Node 1 Active(anon):    3000 kB\nNode 1 Active(file):     200 kB\n"
            "Node 1 Inactive(file):    30 kB\nNode 1 HugePages_Total:     2\n");
  EXPECT_EQ(memory_left_on(1, made.root()), 4230 * 1024);
}

TEST(MemoryNodes, PagesComeFromTheOneAskedFor) {
  constexpr std::size_t bytes = std::size_t{1} << 20, page = 4096;
  for (const int node : memory_nodes()) {
    buffer<char> memory(memory_kind::host, -1, bytes);
    try {
      take_from_node(memory.data(), bytes, node);
    } catch (const foreign_error& e) {
      GTEST_SKIP() << e.what();
    }
    fill_bytes(memory_kind::host, -1, memory.data(), 1, bytes);
    if (memory_node_of(memory.data()) < 0) GTEST_SKIP() << "the system does not say where";
    for (std::size_t at = 0; at < bytes; at += page)
      ASSERT_EQ(memory_node_of(memory.data() + at), node) << at;
  }
  EXPECT_EQ(memory_node_of(nullptr), -1);
}

}  // namespace
}  // namespace gossamer
