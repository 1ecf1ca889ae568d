// The GPUs of this process, and how pairs of them reach each other.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <string>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/forks.hpp"
#include "machine/cuda/guard.hpp"
#include "machine/cuda/nvml.hpp"
#include "machine/cuda_backend.hpp"

namespace gossamer::cuda_backend {

namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string why_none(cudaError_t code) {
  int driver = 0;
  int runtime = 0;
  static_cast<void>(cudaDriverGetVersion(&driver));
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  if (driver == 0) return "no CUDA driver";
  if (code == cudaErrorInsufficientDriver)
    return "the driver supports CUDA " + version_text(driver) + ", this build needs " +
           version_text(runtime);
  if (code == cudaErrorNoDevice || code == cudaSuccess) return "no GPU";
  return cudaGetErrorString(code);
}

device look_up(int ordinal) {
  cudaDeviceProp properties{};
  GOSSAMER_CHECK_CUDA(cudaGetDeviceProperties(&properties, ordinal));
  char pci[32] = "";
  GOSSAMER_CHECK_CUDA(cudaDeviceGetPCIBusId(pci, sizeof pci, ordinal));
  device d;
  d.kind = device_kind::cuda;
  d.ordinal = ordinal;
  d.name = properties.name;
  d.memory = static_cast<std::int64_t>(properties.totalGlobalMem);
  d.units = properties.multiProcessorCount;
  d.pci = pci;
  return d;
}

inventory look_around() {
  inventory found;
  // Streams share a GPU's hardware queues, 8 unless told otherwise, and a stream that waits for a
  // signal holds up whatever shares its queue: the signal itself, if ranks share the GPU. 32 is the
  // most there are; a value the user has set stays. Must come before the first CUDA call.
  static_cast<void>(setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0));
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0) {
    static_cast<void>(cudaGetLastError());
    found.unavailable = why_none(code);
    return found;
  }
  try {
    for (int ordinal = 0; ordinal < count; ++ordinal) found.devices.push_back(look_up(ordinal));
  } catch (const foreign_error& e) {
    found.devices.clear();  // a host with a broken GPU still has its CPU
    found.unavailable = e.what();
  }
  return found;
}

const std::string& pci_of(int ordinal) {
  return devices().devices.at(static_cast<std::size_t>(ordinal)).pci;
}

}  // namespace

bool compiled() noexcept {
  return true;
}

namespace {

/// What was found, and that it is lost in a child made by fork(): CUDA refuses every call there.
struct found_devices final : fork_listener {
  const inventory found = look_around();
  const inventory after_fork{{}, std::string("CUDA ") + lost_by_fork};
  const inventory* now = &found;
  void in_child() noexcept override {
    if (!found.devices.empty()) now = &after_fork;
  }
};

}  // namespace

const inventory& devices() {
  static const auto* known = new found_devices;
  return *known->now;
}

pair_capability pair(int a, int b) {
  pair_capability result;
  const int count = static_cast<int>(devices().devices.size());
  if (a < 0 || b < 0 || a >= count || b >= count) return result;
  int reaches = 0;
  GOSSAMER_CHECK_CUDA(cudaDeviceCanAccessPeer(&reaches, a, b));
  if (reaches == 0) return result;
  int atomic = 0;
  GOSSAMER_CHECK_CUDA(
      cudaDeviceGetP2PAttribute(&atomic, cudaDevP2PAttrNativeAtomicSupported, a, b));
  result.atomic = atomic != 0;
  // CUDA does not name the wire. NVML does, where it may be asked; native atomics, which PCIe
  // lacks between GPUs, tell it elsewhere.
  result.bandwidth = nvml::nvlink_bandwidth(pci_of(a), pci_of(b));
  result.how = result.bandwidth > 0 || result.atomic ? reach::nvlink : reach::pcie;
  if (result.how == reach::pcie) result.bandwidth = host_bandwidth(a);
  return result;
}

double host_bandwidth(int ordinal) {
  if (ordinal < 0 || ordinal >= static_cast<int>(devices().devices.size())) return 0;
  return nvml::pcie_bandwidth(pci_of(ordinal));
}

void enable_peer(int a, int b) {
  const device_guard guard(a);
  const cudaError_t code = cudaDeviceEnablePeerAccess(b, 0);
  if (code == cudaErrorPeerAccessAlreadyEnabled) {
    static_cast<void>(cudaGetLastError());
    return;
  }
  check_cuda(code, "cudaDeviceEnablePeerAccess(b, 0)", __FILE__, __LINE__);
}

void adopt(int ordinal) {
  GOSSAMER_CHECK_CUDA(cudaSetDevice(ordinal));
}

}  // namespace gossamer::cuda_backend
