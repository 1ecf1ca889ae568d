// Loading the kernels of all noted files (gossamer/machine/kernels.cuh says why). The runtime names
// one kernel of each; the driver knows the others of its module.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <vector>

#include "gossamer/base/check_cuda.hpp"
#include "machine/cuda/driver_function.hpp"
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

/// Of the list below.
template <class F>
F module_function(const char* name) {
  return cuda_backend::driver_function<F>(name, 12040, "a process with several ranks on GPUs");
}

struct module_functions {
  CUresult (*module_of)(CUmodule*,
                        CUfunction) = module_function<decltype(module_of)>("cuFuncGetModule");
  CUresult (*count)(unsigned*,
                    CUmodule) = module_function<decltype(count)>("cuModuleGetFunctionCount");
  CUresult (*list)(CUfunction*, unsigned,
                   CUmodule) = module_function<decltype(list)>("cuModuleEnumerateFunctions");
  CUresult (*load)(CUfunction) = module_function<decltype(load)>("cuFuncLoad");
};

/// Onto the current device: all kernels of the file that `one` is of.
void load_file(const module_functions& driver, const void* one) {
  cudaFunction_t known = nullptr;
  GOSSAMER_CHECK_CUDA(cudaGetFuncBySymbol(&known, one));
  CUmodule file = nullptr;
  cuda_backend::check_driver(driver.module_of(&file, known), "cuFuncGetModule");
  unsigned count = 0;
  cuda_backend::check_driver(driver.count(&count, file), "cuModuleGetFunctionCount");
  std::vector<CUfunction> kernels(count);
  cuda_backend::check_driver(driver.list(kernels.data(), count, file),
                             "cuModuleEnumerateFunctions");
  for (const CUfunction kernel : kernels)
    cuda_backend::check_driver(driver.load(kernel), "cuFuncLoad");
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
