// Memory whose pages lie on a GPU or on its host, in one range of addresses: kernels read an array
// by one pointer, wherever its pages are.
//
// Physical memory is made of either kind, a block for each run of pages, and mapped behind each
// other (CUDA's virtual memory management). One H200, PCIe 5: kernels read what lies on the host at
// 51 GB/s in order, and 63 million lines a second at random.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "machine/cuda/driver_function.hpp"
#include "machine/cuda/guard.hpp"
#include "machine/cuda_backend.hpp"

namespace gossamer::cuda_backend {

namespace {

template <class F>
F spread_function(const char* name) {
  return driver_function<F>(name, 12020, "memory spread over a GPU and its host");
}

struct spread_functions {
  CUresult (*attribute)(int*, CUdevice_attribute,
                        CUdevice) = spread_function<decltype(attribute)>("cuDeviceGetAttribute");
  CUresult (*reserve)(CUdeviceptr*, std::size_t, std::size_t, CUdeviceptr, unsigned long long) =
      spread_function<decltype(reserve)>("cuMemAddressReserve");
  CUresult (*leave)(CUdeviceptr,
                    std::size_t) = spread_function<decltype(leave)>("cuMemAddressFree");
  CUresult (*make)(CUmemGenericAllocationHandle*, std::size_t, const CUmemAllocationProp*,
                   unsigned long long) = spread_function<decltype(make)>("cuMemCreate");
  CUresult (*drop)(CUmemGenericAllocationHandle) = spread_function<decltype(drop)>("cuMemRelease");
  CUresult (*map)(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle,
                  unsigned long long) = spread_function<decltype(map)>("cuMemMap");
  CUresult (*unmap)(CUdeviceptr, std::size_t) = spread_function<decltype(unmap)>("cuMemUnmap");
  CUresult (*allow)(CUdeviceptr, std::size_t, const CUmemAccessDesc*,
                    std::size_t) = spread_function<decltype(allow)>("cuMemSetAccess");
};

const spread_functions& driver() {
  static const spread_functions found;
  return found;
}

/// Blocks by address. Never destroyed: buffers of static machines are released after main.
struct block_sizes {
  std::mutex guard;
  std::map<void*, std::size_t> bytes;
};
block_sizes& the_blocks() {
  static auto* made = new block_sizes;
  return *made;
}

CUmemLocation home_of(int ordinal, bool on_device) {
  if (on_device) return {CU_MEM_LOCATION_TYPE_DEVICE, {ordinal}};
  int node = 0;
  check_driver(driver().attribute(&node, CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, ordinal),
               "cuDeviceGetAttribute");
  return {CU_MEM_LOCATION_TYPE_HOST_NUMA, {std::max(node, 0)}};
}

/// A range of addresses that is filled from its front.
class mapping {
 public:
  mapping(int ordinal, std::size_t bytes) : ordinal_(ordinal), bytes_(bytes) {
    check_driver(driver().reserve(&begin_, bytes, spread_pages::bytes, 0, 0),
                 "cuMemAddressReserve");
  }
  ~mapping() {
    if (begin_ == 0) return;
    if (filled_ > 0) static_cast<void>(driver().unmap(begin_, filled_));
    static_cast<void>(driver().leave(begin_, bytes_));
  }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  void add(std::size_t bytes, bool on_device) {
    CUmemAllocationProp kind{};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location = home_of(ordinal_, on_device);
    CUmemGenericAllocationHandle made{};
    const CUresult code = driver().make(&made, bytes, &kind, 0);
    if (code == CUDA_ERROR_OUT_OF_MEMORY)
      throw capacity_error(
          (on_device ? "cuda:" + std::to_string(ordinal_) : "pinned host memory for spread rows") +
          ": wanted " + configuration::format_bytes(static_cast<std::int64_t>(bytes)));
    check_driver(code, "cuMemCreate");
    const CUresult mapped = driver().map(begin_ + filled_, bytes, 0, made, 0);
    static_cast<void>(driver().drop(made));  // the mapping keeps it
    check_driver(mapped, "cuMemMap");
    filled_ += bytes;
    const CUmemAccessDesc who[2] = {
        {{CU_MEM_LOCATION_TYPE_DEVICE, {ordinal_}}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE},
        {kind.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE}};
    check_driver(driver().allow(begin_ + filled_ - bytes, bytes, who, on_device ? 1 : 2),
                 "cuMemSetAccess");
  }
  void* keep() {
    auto* data = reinterpret_cast<void*>(begin_);
    begin_ = 0;
    return data;
  }

 private:
  const int ordinal_;
  const std::size_t bytes_;
  CUdeviceptr begin_ = 0;
  std::size_t filled_ = 0;
};

}  // namespace

void* allocate_spread(int ordinal, const spread_pages& pages) {
  const device_guard guard(ordinal);
  static_cast<void>(cudaFree(nullptr));  // the driver's functions need the context
  const auto& there = pages.on_device;
  mapping made(ordinal, there.size() * spread_pages::bytes);
  for (std::size_t first = 0, last = 0; first < there.size(); first = last) {
    while (last < there.size() && there[last] == there[first]) ++last;
    made.add((last - first) * spread_pages::bytes, there[first]);
  }
  void* data = made.keep();
  const std::lock_guard lock(the_blocks().guard);
  the_blocks().bytes[data] = there.size() * spread_pages::bytes;
  return data;
}

void release_spread(int ordinal, void* data) noexcept {
  try {
    const device_guard guard(ordinal);
    std::size_t bytes = 0;
    {
      const std::lock_guard lock(the_blocks().guard);
      const auto found = the_blocks().bytes.find(data);
      if (found == the_blocks().bytes.end()) return;
      bytes = found->second;
      the_blocks().bytes.erase(found);
    }
    // Unlike cudaFree(), unmapping waits for nothing: kernels may still read.
    static_cast<void>(cudaDeviceSynchronize());
    const auto begin = reinterpret_cast<CUdeviceptr>(data);
    static_cast<void>(driver().unmap(begin, bytes));
    static_cast<void>(driver().leave(begin, bytes));
  } catch (...) {
  }
}

}  // namespace gossamer::cuda_backend
