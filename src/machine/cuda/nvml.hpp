// What NVML knows of links and CUDA does not: the wire between two GPUs and its nominal speed.
//
// Loaded when first asked, never linked: without the library, or in a container that hides it,
// every answer is 0 = unknown.
#pragma once

#include <string>

namespace gossamer::cuda_backend::nvml {

/// Bytes per second in one direction over all active NVLinks that lead from one GPU to the other,
/// directly or through switches; 0 when there are none or nobody knows.
double nvlink_bandwidth(const std::string& from_pci, const std::string& to_pci);
/// Bytes per second in one direction of the GPU's PCIe slot at its highest generation and width.
double pcie_bandwidth(const std::string& pci);

}  // namespace gossamer::cuda_backend::nvml
