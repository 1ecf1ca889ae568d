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
#include <string>
#include <thread>

#include "gossamer/base/cgroup.hpp"
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

/// The tightest quota of the process's cgroups, in cores; infinity without one.
double cgroup_cores() {
  double cores = std::numeric_limits<double>::infinity();
  for (const cgroup_folder& group : cgroup_folders("cpu")) {
    double quota = 0, period = 0;
    if (group.v2) {
      std::ifstream(group.path + "/cpu.max") >> quota >> period;  // or "max", which is no number
    } else {
      std::ifstream(group.path + "/cpu.cfs_quota_us") >> quota;
      std::ifstream(group.path + "/cpu.cfs_period_us") >> period;
    }
    if (quota > 0 && period > 0) cores = std::min(cores, quota / period);
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
