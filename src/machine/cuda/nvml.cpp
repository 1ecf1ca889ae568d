// NVML by dlopen. The declarations follow NVIDIA's "NVML API Reference Guide" (its ABI is stable:
// a changed function gets a new _vN name); the header is not needed, so that a toolkit without it
// builds the same program.
#include "machine/cuda/nvml.hpp"

#include <dlfcn.h>

#include <array>
#include <cstring>

namespace gossamer::cuda_backend::nvml {

namespace {

using handle = void*;
constexpr int success = 0;
constexpr unsigned most_links = 18;  // NVML_NVLINK_MAX_LINKS
constexpr int remote_is_switch = 2;  // NVML_NVLINK_DEVICE_TYPE_SWITCH

struct pci_info {  // nvmlPciInfo_t
  std::array<char, 16> bus_id_legacy;
  unsigned domain, bus, device, device_id, subsystem_id;
  std::array<char, 32> bus_id;
};

struct library {
  int (*init)() = nullptr;
  int (*by_pci)(const char*, handle*) = nullptr;
  int (*pci)(handle, pci_info*) = nullptr;
  int (*link_state)(handle, unsigned, unsigned*) = nullptr;
  int (*link_version)(handle, unsigned, unsigned*) = nullptr;
  int (*link_remote)(handle, unsigned, pci_info*) = nullptr;
  int (*link_remote_type)(handle, unsigned, int*) = nullptr;
  int (*pcie_generation)(handle, unsigned*) = nullptr;
  int (*pcie_width)(handle, unsigned*) = nullptr;
  bool ready = false;

  library() {
    void* so = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (so == nullptr) return;
    bool all = true;
    const auto find = [&](auto& function, const char* name) {
      void* symbol = dlsym(so, name);
      all = all && symbol != nullptr;
      std::memcpy(&function, &symbol, sizeof symbol);
    };
    find(init, "nvmlInit_v2");
    find(by_pci, "nvmlDeviceGetHandleByPciBusId_v2");
    find(pci, "nvmlDeviceGetPciInfo_v3");
    find(link_state, "nvmlDeviceGetNvLinkState");
    find(link_version, "nvmlDeviceGetNvLinkVersion");
    find(link_remote, "nvmlDeviceGetNvLinkRemotePciInfo_v2");
    find(link_remote_type, "nvmlDeviceGetNvLinkRemoteDeviceType");
    find(pcie_generation, "nvmlDeviceGetMaxPcieLinkGeneration");
    find(pcie_width, "nvmlDeviceGetMaxPcieLinkWidth");
    ready = all && init() == success;
  }
};

const library& nvml() {
  static const library loaded;  // never unloaded: others in the process may use it too
  return loaded;
}

handle find_gpu(const std::string& pci) {
  handle gpu = nullptr;
  if (!nvml().ready || nvml().by_pci(pci.c_str(), &gpu) != success) return nullptr;
  return gpu;
}

/// Per link and direction: NVLink 1 is 20 GB/s, 2 to 4 are 25, 5 is 50 (NVIDIA's white papers on
/// Pascal, Volta, Ampere, Hopper and Blackwell).
double bytes_per_link(unsigned version) {
  if (version <= 1) return 20e9;
  return version <= 4 ? 25e9 : 50e9;
}

bool switched(handle gpu, unsigned link) {
  int type = 0;
  return nvml().link_remote_type(gpu, link, &type) == success && type == remote_is_switch;
}

bool active(handle gpu, unsigned link) {
  unsigned state = 0;
  return nvml().link_state(gpu, link, &state) == success && state == 1;
}

bool has_switched_link(handle gpu) {
  for (unsigned link = 0; link < most_links; ++link)
    if (active(gpu, link) && switched(gpu, link)) return true;
  return false;
}

}  // namespace

double nvlink_bandwidth(const std::string& from_pci, const std::string& to_pci) {
  handle from = find_gpu(from_pci);
  handle to = find_gpu(to_pci);
  pci_info target{};
  if (from == nullptr || to == nullptr || nvml().pci(to, &target) != success) return 0;
  const bool to_switch = has_switched_link(to);
  double sum = 0;
  for (unsigned link = 0; link < most_links; ++link) {
    unsigned version = 0;
    if (!active(from, link) || nvml().link_version(from, link, &version) != success) continue;
    pci_info remote{};
    const bool direct = nvml().link_remote(from, link, &remote) == success &&
                        remote.domain == target.domain && remote.bus == target.bus &&
                        remote.device == target.device;
    if (direct || (to_switch && switched(from, link))) sum += bytes_per_link(version);
  }
  return sum;
}

double pcie_bandwidth(const std::string& pci) {
  handle gpu = find_gpu(pci);
  unsigned generation = 0;
  unsigned width = 0;
  if (gpu == nullptr || nvml().pcie_generation(gpu, &generation) != success ||
      nvml().pcie_width(gpu, &width) != success)
    return 0;
  // Giga-transfers per second and lane, times the line code: 8b/10b up to PCIe 2, 128b/130b up to
  // 5, none worth counting from 6 on (PCI-SIG specifications).
  constexpr std::array<double, 7> gigabits{
      0, 2.5 * 0.8, 5 * 0.8, 8 * 128.0 / 130, 16 * 128.0 / 130, 32 * 128.0 / 130, 64};
  if (generation >= gigabits.size()) return 0;
  return gigabits[generation] * 1e9 / 8 * width;
}

}  // namespace gossamer::cuda_backend::nvml
