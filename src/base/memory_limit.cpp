#include "gossamer/base/memory_limit.hpp"

#include <sys/resource.h>

#include <fstream>
#include <limits>
#include <optional>

#include "gossamer/base/configuration.hpp"

namespace gossamer {

namespace {

std::optional<std::int64_t> number_in(const char* path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;  // absent, or the word "max"
}

// cgroup v2, then v1. The limit counts page cache that can be dropped, so use is subtracted only
// as far as it is resident in this process: the rest is reclaimable.
std::optional<std::int64_t> cgroup_limit() {
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    auto limit = number_in(path);
    if (limit && *limit < (std::int64_t{1} << 60)) return limit;
  }
  return std::nullopt;
}

std::int64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::int64_t kib = 0;
  while (file >> key >> kib) {
    std::getline(file, unit);
    if (key == "MemAvailable:") return kib * 1024;
  }
  return std::numeric_limits<std::int64_t>::max();
}

}  // namespace

memory_limit host_memory_limit() {
  if (auto bytes = configuration::memory()) return {*bytes, "GOSSAMER_MEMORY"};
  std::int64_t available = available_memory();
  if (auto limit = cgroup_limit(); limit && *limit < available) return {*limit, "cgroup"};
  return {available, "available memory"};
}

std::int64_t peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace gossamer
