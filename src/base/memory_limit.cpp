// Reads /proc/meminfo and the memory controllers of the process's cgroups, of both versions. The
// least that any of them leaves is the limit.
#include "gossamer/base/memory_limit.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>

#include "gossamer/base/cgroup.hpp"
#include "gossamer/base/configuration.hpp"

namespace gossamer {

namespace {

std::optional<std::int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  if (file >> value && value >= 0) return value;
  return std::nullopt;  // absent, or the word "max"
}

/// Sum of the named lines of a memory.stat.
std::int64_t sum_in(const std::string& path, std::initializer_list<std::string_view> lines) {
  std::ifstream file(path);
  std::int64_t sum = 0, value = 0;
  for (std::string key; file >> key >> value;)
    if (std::find(lines.begin(), lines.end(), key) != lines.end()) sum += value;
  return sum;
}

/// What a group has left, if it has a limit. Lists of file pages hold what can be dropped or
/// written back: tmpfs, which cannot, is on those of anonymous memory.
std::optional<std::int64_t> left_in(const cgroup_folder& group) {
  const std::string at = group.path + "/memory.";
  std::optional<std::int64_t> limit;
  for (const char* name : {"max", "high", "limit_in_bytes"}) {
    if (group.v2 == (std::string_view(name) == "limit_in_bytes")) continue;
    if (const auto found = number_in(at + name)) limit = std::min(*found, limit.value_or(*found));
  }
  if (!limit) return std::nullopt;
  const std::int64_t used = number_in(at + (group.v2 ? "current" : "usage_in_bytes")).value_or(0);
  const std::int64_t droppable =
      group.v2 ? sum_in(at + "stat", {"active_file", "inactive_file", "slab_reclaimable"})
               : sum_in(at + "stat", {"total_active_file", "total_inactive_file"});
  return *limit - std::max<std::int64_t>(0, used - droppable);
}

std::int64_t available_memory(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  std::string key, unit;
  std::int64_t kib = 0;
  while (file >> key >> kib) {
    std::getline(file, unit);
    if (key == "MemAvailable:") return kib * 1024;
  }
  return std::numeric_limits<std::int64_t>::max();
}

}  // namespace

memory_limit system_memory_left(const std::string& root) {
  memory_limit found{available_memory(root), "available memory", true};
  for (const cgroup_folder& group : cgroup_folders("memory", root))
    if (const auto left = left_in(group); left && *left < found.bytes)
      found = {*left, "cgroup", true};
  found.bytes = std::max<std::int64_t>(found.bytes, 1);
  return found;
}

memory_limit host_memory_limit() {
  if (auto bytes = configuration::memory()) return {*bytes, "GOSSAMER_MEMORY"};
  return system_memory_left();
}

std::int64_t peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace gossamer
