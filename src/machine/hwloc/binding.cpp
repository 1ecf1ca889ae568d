// Thread placement by hwloc: each CPU team gets consecutive processing units in hwloc's logical
// order, so that its threads share caches and a NUMA node as far as they can; the thread that
// drives a GPU gets what the teams leave over in the GPU's NUMA node.
#include "machine/binding.hpp"

#include <hwloc.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <utility>

#include "gossamer/base/configuration.hpp"

namespace gossamer {

struct binding::plan {
  hwloc_topology_t topology = nullptr;
  std::vector<hwloc_bitmap_t> places;  // one per rank; nullptr = anywhere

  plan() = default;
  plan(const plan&) = delete;
  plan& operator=(const plan&) = delete;
  ~plan() {
    for (hwloc_bitmap_t place : places)
      if (place != nullptr) hwloc_bitmap_free(place);
    if (topology != nullptr) hwloc_topology_destroy(topology);
  }
};

namespace {

bool openmp_binds() {
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"})
    if (std::getenv(name) != nullptr) return true;  // NOLINT(concurrency-mt-unsafe): read alone
  return false;
}

/// Whether hwloc will find the memory that it takes: it does not look, and ends the process
/// without. Here two cores took 0.8 MiB.
bool room_for_topology(std::size_t cores) {
  const std::size_t bytes = (std::size_t{8} << 20) + (cores << 16);
  void* const tried =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (tried == MAP_FAILED) return false;
  ::munmap(tried, bytes);
  return true;
}

/// The processing units near a GPU; all allowed ones where hwloc does not know the GPU.
hwloc_const_bitmap_t units_near(hwloc_topology_t topology, const device& gpu,
                                hwloc_const_bitmap_t allowed) {
  hwloc_obj_t found = hwloc_get_pcidev_by_busidstring(topology, gpu.pci.c_str());
  hwloc_obj_t near = found == nullptr ? nullptr : hwloc_get_non_io_ancestor_obj(topology, found);
  return near == nullptr ? allowed : near->cpuset;
}

}  // namespace

binding::binding(const std::vector<device>& ranks) {
  if (!configuration::bind_allowed() || openmp_binds()) return;
  std::size_t threads = 0;
  bool gpus = false;
  for (const device& d : ranks) {
    threads += static_cast<std::size_t>(d.threads);
    gpus = gpus || d.is_cuda();
  }
  const auto cores = static_cast<std::size_t>(host().cores);
  if (threads > cores || 2 * threads <= cores) return;

  // Placement is a help, not a need: where /sys is not mounted (some containers) hwloc would write
  // a line to stderr in the middle of the program's own output.
  // NOLINTNEXTLINE(concurrency-mt-unsafe): once, while the machine is opened
  static_cast<void>(setenv("HWLOC_HIDE_ERRORS", "2", 0));
  auto made = std::make_unique<plan>();
  if (!room_for_topology(cores)) return;
  if (hwloc_topology_init(&made->topology) != 0) return;
  if (gpus) hwloc_topology_set_io_types_filter(made->topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  if (hwloc_topology_load(made->topology) != 0) return;
  // The mask of the thread that opens the machine, not the whole host: taskset and Slurm count.
  hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
  const bool known = hwloc_get_cpubind(made->topology, allowed, HWLOC_CPUBIND_THREAD) == 0 &&
                     static_cast<std::size_t>(hwloc_bitmap_weight(allowed)) == cores;
  if (!known) {
    hwloc_bitmap_free(allowed);
    return;
  }

  std::vector<unsigned> units;  // operating-system indices in logical order
  for (hwloc_obj_t pu = nullptr;
       (pu = hwloc_get_next_obj_by_type(made->topology, HWLOC_OBJ_PU, pu)) != nullptr;)
    if (hwloc_bitmap_isset(allowed, pu->os_index)) units.push_back(pu->os_index);
  hwloc_bitmap_t left = hwloc_bitmap_dup(allowed);
  std::size_t next = 0;
  made->places.resize(ranks.size(), nullptr);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (ranks[r].is_cuda()) continue;
    made->places[r] = hwloc_bitmap_alloc();
    for (int t = 0; t < ranks[r].threads && next < units.size(); ++t, ++next) {
      hwloc_bitmap_set(made->places[r], units[next]);
      hwloc_bitmap_clr(left, units[next]);
    }
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (!ranks[r].is_cuda()) continue;
    hwloc_bitmap_t place = hwloc_bitmap_alloc();
    hwloc_bitmap_and(place, left, units_near(made->topology, ranks[r], allowed));
    if (hwloc_bitmap_iszero(place)) hwloc_bitmap_copy(place, left);
    made->places[r] = place;
  }
  hwloc_bitmap_free(left);
  hwloc_bitmap_free(allowed);
  plan_ = std::move(made);
}

binding::~binding() = default;

void binding::apply(int rank) const noexcept {
  if (plan_ == nullptr) return;
  hwloc_bitmap_t place = plan_->places[static_cast<std::size_t>(rank)];
  if (place == nullptr || hwloc_bitmap_iszero(place)) return;
  static_cast<void>(hwloc_set_cpubind(plan_->topology, place, HWLOC_CPUBIND_THREAD));
}

}  // namespace gossamer
