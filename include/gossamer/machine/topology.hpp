// Topology: which rank reaches which, by what, and how fast at best.
#pragma once

#include <string>
#include <string_view>

#include "gossamer/base/configuration.hpp"
#include "gossamer/machine/device.hpp"

namespace gossamer {

class machine;

/// How kernels or threads of `from` reach memory of `to`, and which transport serves the pair.
/// `allowed` is GOSSAMER_PEER: `off` sends every two GPU ranks through pinned host memory, ranks
/// that share one GPU included; `no_atomics` leaves every two of them without remote atomics.
///
///   CPU -> CPU       host, "threads": loads, stores and atomics
///   MPI processes    "mpi": host and loads, stores, atomics where they share memory, else none and
///                    proxied; GPUs of different processes none and proxied always
///   GPU -> itself    self, "peer": loads, stores and atomics; ranks that share a GPU too
///   GPU -> GPU       nvlink or pcie, "peer", atomics proxied where the pair has none of its own;
///                    without peer access none, "pinned", proxied
///   CPU -> GPU       host, "peer": copies only; signals and atomics are proxied
///   GPU -> CPU       host, "peer": loads and stores, CPU arenas being pinned beside GPUs
///   model -> model   none, "sim": puts and signals alone, also in host memory
///
/// `bandwidth` is what the hardware says of itself (NVLink generation and width, PCIe generation
/// and width), never a measurement; 0 where it says nothing.
link make_link(const device& from, const device& to, configuration::peer_access allowed);

/// "self", "nvlink", "pcie", "host", "none".
std::string_view to_string(reach how) noexcept;

/// Whether kernels of the ranks that share a GPU run at the same time.
enum class sharing : std::uint8_t {
  alone,     ///< no other rank shares the device
  together,  ///< seen to: as many kernels as ranks share it, in as many streams
  in_turn,   ///< not seen to: kernels must not wait for those of other ranks
};
/// Found out at the first call for a device, by a trial that allocates nothing and takes
/// milliseconds (a second when kernels do take turns). It waits for a run that has the GPUs.
/// machine::run makes it before its first run. Throws foreign_error when the device fails,
/// usage_error inside a run of one GPU.
sharing shared_kernels(const device& d);

/// Before a run of several ranks: all kernels that it may launch on this GPU
/// (gossamer/machine/kernels.cuh). Nothing for a CPU; takes no time when it has been done.
void load_kernels(const device& d);
/// "run alone", "run together", "take turns".
std::string_view to_string(sharing how) noexcept;

/// How GPU memory goes into messages: "CUDA-aware MPI" (large transfers by their GPU addresses) or
/// "pinned host memory"; empty unless the ranks of `m` are GPUs of MPI processes.
std::string_view gpu_messages(const machine& m);

/// Bytes of host memory that this process may plan with: the host's limit, divided by the processes
/// there where ranks are those of an MPI job.
std::int64_t host_memory_here(const machine& m);

/// What `gossamer info` prints of a machine: one line per rank, then one line per kind of pair with
/// the pairs it covers, for example "nvlink, transport peer, 450.0 GB/s: 0->1 1->0".
std::string describe(const machine& m);

}  // namespace gossamer
