// What launch_one.cu and launch_many.cu instantiate, in two files because the kernel takes long to
// compile.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "algorithm/bfs/single_kernel/cuda/launch.hpp"
#include "algorithm/bfs/single_kernel/cuda/traversal.cuh"
#include "gossamer/base/check_cuda.hpp"

namespace gossamer::bfs_detail::cuda {

/// A launch's configuration and the attribute that it points to.
struct launch_parts {
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute cluster{};
  launch_parts(const kernel_shape& shape, std::size_t memory, void* stream) {
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(team_threads);
    config.dynamicSmemBytes = memory;
    config.stream = static_cast<cudaStream_t>(stream);
    if (shape.cluster == 1) return;
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {shape.cluster, 1, 1};
    config.attrs = &cluster;
    config.numAttrs = 1;
  }
  launch_parts(const launch_parts&) = delete;
};

template <class Id, bool Multi>
kernel_shape shape_of(const device& d, unsigned cluster) {
  const auto* kernel = reinterpret_cast<const void*>(&traverse_kernel<Id, Multi>);
  GOSSAMER_CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(sizeof(team_memory<Multi>))));
  const int units = std::max(1, d.units / std::max(1, d.share));
  if (cluster == 1) return {static_cast<unsigned>(units), 1};
  int major = 0;
  GOSSAMER_CHECK_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, d.ordinal));
  if (major < 9) return {0, cluster};
  constexpr unsigned portable = 8;
  if (cluster > portable)
    GOSSAMER_CHECK_CUDA(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  const launch_parts parts({cluster, cluster}, sizeof(team_memory<Multi>), nullptr);
  int clusters = 0;
  if (cudaOccupancyMaxActiveClusters(&clusters, kernel, &parts.config) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return {0, cluster};
  }
  clusters = std::min(clusters / std::max(1, d.share), units / static_cast<int>(cluster));
  return {static_cast<unsigned>(clusters) * cluster, cluster};
}

template <class Id, bool Multi>
void launch(const kernel_shape& shape, void* stream, const search_view<Id>& v,
            const peers_view<Id>& p) {
  const launch_parts parts(shape, sizeof(team_memory<Multi>), stream);
  GOSSAMER_CHECK_CUDA(cudaLaunchKernelEx(&parts.config, traverse_kernel<Id, Multi>, v, p));
}

#define GOSSAMER_INSTANTIATE(Id, Multi)                                               \
  template kernel_shape shape_of<Id, Multi>(const device&, unsigned);                 \
  template void launch<Id, Multi>(const kernel_shape&, void*, const search_view<Id>&, \
                                  const peers_view<Id>&);

}  // namespace gossamer::bfs_detail::cuda
