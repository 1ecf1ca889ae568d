// Opens cuBLAS and cuSPARSE by dlopen() at first use and looks their functions up, so that a build
// does not link them.
#include "algorithm/cg/library/cuda/library_functions.hpp"

#include <dlfcn.h>

namespace gossamer::cg_detail {

namespace {

/// A library of the release the headers are from: by the loader's own search, else from the folder
/// it was in at build time. Never closed: its threads and exit handlers may outlive any owner.
void* open(const std::string& name, int release) {
  const std::string file = "lib" + name + ".so." + std::to_string(release);
  if (void* found = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return found;
  const std::string why = dlerror();
  if (void* found = dlopen((GOSSAMER_CUDA_LIBRARIES "/" + file).c_str(), RTLD_NOW | RTLD_LOCAL))
    return found;
  throw usage_error("cg: engine library: " + why);
}

template <class Function>
void find(Function& function, void* library, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr)
    throw usage_error(std::string("cg: engine library: no function ") + name);
}

library_functions load() {
  void* const blas = open("cublas", CUBLAS_VER_MAJOR);
  void* const sparse = open("cusparse", CUSPARSE_VER_MAJOR);
  library_functions f{};
  find(f.blas_create, blas, "cublasCreate_v2");
  find(f.blas_destroy, blas, "cublasDestroy_v2");
  find(f.blas_set_stream, blas, "cublasSetStream_v2");
  find(f.blas_set_pointer_mode, blas, "cublasSetPointerMode_v2");
  find(f.blas_dot, blas, "cublasDdot_v2_64");
  find(f.blas_axpy, blas, "cublasDaxpy_v2_64");
  find(f.sparse_create, sparse, "cusparseCreate");
  find(f.sparse_destroy, sparse, "cusparseDestroy");
  find(f.sparse_set_stream, sparse, "cusparseSetStream");
  find(f.create_csr, sparse, "cusparseCreateConstCsr");
  find(f.destroy_matrix, sparse, "cusparseDestroySpMat");
  find(f.create_vector, sparse, "cusparseCreateDnVec");
  find(f.destroy_vector, sparse, "cusparseDestroyDnVec");
  find(f.multiply_buffer, sparse, "cusparseSpMV_bufferSize");
  find(f.prepare_multiply, sparse, "cusparseSpMV_preprocess");
  find(f.multiply, sparse, "cusparseSpMV");
  return f;
}

}  // namespace

const library_functions& library_functions::get() {
  static const library_functions all = load();
  return all;
}

}  // namespace gossamer::cg_detail
