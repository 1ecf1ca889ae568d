// The kernel as functions: how it is laid over a device, and its launch.
#pragma once

#include "algorithm/bfs/single_kernel/cuda/peers.cuh"
#include "gossamer/machine/device.hpp"

namespace gossamer::bfs_detail::cuda {

/// Blocks that all run at the same time, in clusters.
struct kernel_shape {
  unsigned blocks = 0;   ///< a multiple of cluster
  unsigned cluster = 1;  ///< blocks
};

/// On this rank's share of the device, which is current; no block where the device has no clusters
/// of that many blocks. launch_one.cu and launch_many.cu.
template <class Id, bool Multi>
kernel_shape shape_of(const device& d, unsigned cluster);
/// Asynchronous; throws foreign_error when it cannot be launched.
template <class Id, bool Multi>
void launch(const kernel_shape& shape, void* stream, const search_view<Id>& v,
            const peers_view<Id>& p);

}  // namespace gossamer::bfs_detail::cuda
