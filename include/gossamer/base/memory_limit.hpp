// How much host memory a run may plan with, and how much it has taken.
#pragma once

#include <cstdint>
#include <string>

namespace gossamer {

/// A limit and where it comes from ("GOSSAMER_MEMORY", "cgroup", "available memory").
struct memory_limit {
  std::int64_t bytes = 0;
  std::string source;
};

/// GOSSAMER_MEMORY, else the cgroup's limit less its use, else MemAvailable. On virtual machines
/// whose memory grows with use the last is too small, which is why an explicit limit wins.
memory_limit host_memory_limit();

/// Largest resident size of this process so far, in bytes (getrusage).
std::int64_t peak_resident_bytes();

}  // namespace gossamer
