// Topology: which rank reaches which, by what, and how fast at best.
#pragma once

#include <string>
#include <string_view>

#include "gossamer/machine/device.hpp"

namespace gossamer {

class machine;

/// How kernels or threads of `from` reach memory of `to`, and which transport serves the pair.
/// `peer_allowed` = false (GOSSAMER_PEER=off) sends every two GPU ranks through pinned host memory,
/// ranks that share one GPU included.
///
///   CPU -> CPU       host, "threads": loads, stores and atomics
///   GPU -> itself    self, "peer": loads, stores and atomics; ranks that share a GPU too
///   GPU -> GPU       nvlink or pcie, "peer"; without peer access none, "pinned", proxied
///   CPU -> GPU       host, "peer": copies only; signals and atomics are proxied
///   GPU -> CPU       host, "peer": loads and stores, CPU arenas being pinned beside GPUs
///
/// `bandwidth` is what the hardware says of itself (NVLink generation and width, PCIe generation
/// and width), never a measurement; 0 where it says nothing.
link make_link(const device& from, const device& to, bool peer_allowed);

/// "self", "nvlink", "pcie", "host", "none".
std::string_view to_string(reach how) noexcept;

/// What `gossamer info` prints of a machine: one line per rank, then one line per kind of pair with
/// the pairs it covers, for example "nvlink, transport peer, 450.0 GB/s: 0->1 1->0".
std::string describe(const machine& m);

}  // namespace gossamer
