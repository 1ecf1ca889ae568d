// Devices: one GPU, or one team of CPU threads; what hardware there is, and how pairs reach each
// other.
//
// Contract of the layer `machine`: knows hardware and how to run on it (memory, streams, events,
// loops). It does not know graphs, and moves bytes between devices only through `fabric`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gossamer {

namespace model {
struct system;
}

enum class device_kind : std::uint8_t { cpu, cuda };

/// What one rank runs on.
struct device {
  device_kind kind = device_kind::cpu;
  int ordinal = -1;         ///< CUDA ordinal; -1 for CPU teams
  int threads = 1;          ///< CPU: threads of the team. CUDA: 1 (the host thread that drives it)
  int share = 1;            ///< how many ranks of this machine share the GPU (cuda:0*3)
  int share_index = 0;      ///< which of them this is
  bool own_engines = true;  ///< CUDA: no other rank has work for the GPU's copy engines
  std::string name;         ///< "NVIDIA H200", "AMD EPYC …"
  std::int64_t memory = 0;  ///< bytes: the GPU's total, or the host's limit
  int units = 0;            ///< CUDA: streaming multiprocessors; CPU: cores of the team
  std::string pci;          ///< CUDA: PCI bus id
  int process = -1;         ///< rank of its MPI process; -1: not of an mpi machine
  int memory_group = 0;     ///< devices of equal groups share host memory
  /// The system this rank is a node of, when it exists only as a model (sim:…); its memory is host
  /// memory of this process.
  std::shared_ptr<const model::system> model;
  [[nodiscard]] bool is_cuda() const noexcept { return kind == device_kind::cuda; }
};

/// How one device reaches another's memory.
enum class reach : std::uint8_t {
  self,    ///< the same memory
  nvlink,  ///< peer access over NVLink: loads, stores and atomics
  pcie,    ///< peer access over PCIe: loads and stores, atomics only if `atomic`
  host,    ///< CPU threads of one process, or a GPU and host memory
  none,    ///< no direct access: staged through pinned host memory
};

/// One entry of the p × p table of a machine.
struct link {
  reach how = reach::none;
  std::string transport;    ///< "threads", "peer", "pinned", …: the folder that serves the pair
  bool load_store = false;  ///< the target's native windows can be addressed directly
  bool shares_host = true;  ///< the target's host windows can be: both ranks share that memory
  bool atomic = false;      ///< remote atomics work on them
  bool proxied = false;     ///< atomics and signals are requests applied by somebody else
  double bandwidth = 0;     ///< nominal bytes per second in one direction; 0 = unknown
};

/// Every GPU this process can use; empty when CUDA is not compiled in, no driver is loaded, or no
/// GPU is there. Never throws for a missing GPU.
std::vector<device> cuda_devices();
/// Why cuda_devices() is empty: "not compiled in", "no CUDA driver", "no GPU"; empty otherwise.
std::string cuda_unavailable_reason();
/// Physical reach of GPU `a`'s kernels into GPU `b`'s memory, GOSSAMER_PEER not considered.
reach cuda_reach(int a, int b);

/// CPU model name, and the number of cores this process may use (affinity and cgroup quota).
struct host_processor {
  std::string name;
  int cores = 1;
};
host_processor host();

}  // namespace gossamer
