// How much host memory a run may plan with, and how much it has taken.
#pragma once

#include <cstdint>
#include <string>

namespace gossamer {

/// A limit and where it comes from ("GOSSAMER_MEMORY", "cgroup", "available memory").
struct memory_limit {
  std::int64_t bytes = 0;  ///< at least 1
  std::string source;
  bool left = false;  ///< what can still be taken; false: of all that work takes, held or not
};

/// GOSSAMER_MEMORY, else what is left: system_memory_left(). On virtual machines whose memory grows
/// with use that is too small, which is why an explicit limit wins.
memory_limit host_memory_limit();

/// The smallest of MemAvailable and of what each cgroup of the process, ancestors included, has
/// left. A group's part is its limit (memory.max and memory.high, or limit_in_bytes of version 1)
/// less what all its processes use. This process's memory counts as used, and so do tmpfs and the
/// group's other processes; droppable pages of the page cache and kernel objects do not. Swap is
/// not counted on. `root`: what stands before /proc and mount points.
memory_limit system_memory_left(const std::string& root = "");

/// Largest resident size of this process so far, in bytes (getrusage).
std::int64_t peak_resident_bytes();

}  // namespace gossamer
