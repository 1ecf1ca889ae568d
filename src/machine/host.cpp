// host(): the CPU's name, and how many cores this process may use.
//
// Three limits apply, and the smallest wins: the affinity mask (taskset, Slurm, cpusets), and the
// CPU bandwidth quota of the process's cgroup and of each of its ancestors (containers). A quota of
// 1.5 cores counts as 2: a second thread still gets half a core.
#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/machine/device.hpp"

namespace gossamer {

namespace {

int affinity_cores() {
  // The kernel rejects masks smaller than its own, so the size grows until it accepts.
  for (int cpus = 1024; cpus <= (1 << 20); cpus *= 4) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(cpus));
    if (set == nullptr) break;
    const std::size_t size = CPU_ALLOC_SIZE(cpus);
    int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (count > 0) return count;
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// "QUOTA PERIOD" (cgroup v2) in cores; infinity for "max" or a missing file.
double quota_v2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  double quota = 0, period = 0;
  if (file >> quota >> period && quota > 0 && period > 0) return quota / period;
  return std::numeric_limits<double>::infinity();
}

double quota_v1(const std::string& folder) {
  std::ifstream quota_file(folder + "/cpu.cfs_quota_us");
  std::ifstream period_file(folder + "/cpu.cfs_period_us");
  double quota = 0, period = 0;
  if (quota_file >> quota && period_file >> period && quota > 0 && period > 0)
    return quota / period;
  return std::numeric_limits<double>::infinity();
}

/// The tightest quota on the way from the process's own cgroup up to the root.
double cgroup_cores() {
  double cores = std::min(quota_v2("/sys/fs/cgroup"), quota_v1("/sys/fs/cgroup/cpu"));
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    // "0::/a/b" (v2) or "4:cpu,cpuacct:/a/b" (v1)
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::string controllers(1, ',');
    controllers.append(line, first + 1, second - first - 1).push_back(',');
    const bool v2 = controllers == ",,";
    if (!v2 && controllers.find(",cpu,") == std::string::npos) continue;
    for (std::string path = line.substr(second + 1); path.size() > 1;
         path.resize(path.find_last_of('/')))
      cores = std::min(
          cores, v2 ? quota_v2("/sys/fs/cgroup" + path) : quota_v1("/sys/fs/cgroup/cpu" + path));
  }
  return cores;
}

std::string model_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto start = line.find_first_not_of(" \t", colon + 1);
    if (start != std::string::npos) return line.substr(start);
  }
  utsname system{};  // Arm's cpuinfo names no model
  if (uname(&system) == 0) return std::string(system.machine) + " processor";
  return "unknown processor";
}

}  // namespace

host_processor host() {
  host_processor result;
  result.name = model_name();
  result.cores = affinity_cores();
  if (const double quota = cgroup_cores(); quota < result.cores)
    result.cores = std::max(1, static_cast<int>(std::ceil(quota)));
  return result;
}

}  // namespace gossamer
