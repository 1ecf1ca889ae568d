// Loading the kernels of all noted files (gossamer/machine/kernels.cuh says why). The runtime names
// one kernel of each; the driver knows the others of its module.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/error.hpp"
#include "machine/cuda/guard.hpp"
#include "machine/cuda_backend.hpp"

namespace gossamer {

namespace {

struct noted_files {
  std::mutex guard;
  std::vector<const void*> kernels;      ///< one of each
  std::map<int, std::size_t> loaded_on;  ///< by GPU: the first so many
};

noted_files& noted() {
  static noted_files files;
  return files;
}

/// A function of the driver, asked for through the runtime, so that a build needs no libcuda.
template <class F>
F driver_function(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  constexpr unsigned since = 12040;
  GOSSAMER_CHECK_CUDA(
      cudaGetDriverEntryPointByVersion(name, &found, since, cudaEnableDefault, &result));
  if (result != cudaDriverEntryPointSuccess)
    throw foreign_error(std::string("several ranks with GPUs need a driver of CUDA 12.4 or newer; "
                                    "this one has no ") +
                            name,
                        0, false);
  return reinterpret_cast<F>(found);
}

struct module_functions {
  CUresult (*module_of)(CUmodule*,
                        CUfunction) = driver_function<decltype(module_of)>("cuFuncGetModule");
  CUresult (*count)(unsigned*,
                    CUmodule) = driver_function<decltype(count)>("cuModuleGetFunctionCount");
  CUresult (*list)(CUfunction*, unsigned,
                   CUmodule) = driver_function<decltype(list)>("cuModuleEnumerateFunctions");
  CUresult (*load)(CUfunction) = driver_function<decltype(load)>("cuFuncLoad");
};

void check(CUresult code, const char* call) {
  check_cuda(static_cast<cudaError_t>(code), call, __FILE__, __LINE__);  // the codes are the same
}

/// Onto the current device: all kernels of the file that `one` is of.
void load_file(const module_functions& driver, const void* one) {
  cudaFunction_t known = nullptr;
  GOSSAMER_CHECK_CUDA(cudaGetFuncBySymbol(&known, one));
  CUmodule file = nullptr;
  check(driver.module_of(&file, known), "cuFuncGetModule");
  unsigned count = 0;
  check(driver.count(&count, file), "cuModuleGetFunctionCount");
  std::vector<CUfunction> kernels(count);
  check(driver.list(kernels.data(), count, file), "cuModuleEnumerateFunctions");
  for (const CUfunction kernel : kernels) check(driver.load(kernel), "cuFuncLoad");
}

}  // namespace

void note_kernels(const void* one) {
  const std::lock_guard only(noted().guard);
  noted().kernels.push_back(one);
}

void cuda_backend::load_kernels(int ordinal) {
  noted_files& files = noted();
  const std::lock_guard only(files.guard);
  std::size_t& loaded = files.loaded_on[ordinal];
  if (loaded == files.kernels.size()) return;
  static const module_functions driver;
  const device_guard here(ordinal);
  for (; loaded < files.kernels.size(); ++loaded) load_file(driver, files.kernels[loaded]);
}

}  // namespace gossamer
