// cuSPARSE's and cuBLAS's functions, found in the libraries when the program runs, and the macros
// that check them.
#pragma once

#include <cublas_v2.h>
#include <cusparse.h>

#include <string>

#include "gossamer/base/error.hpp"

/// Evaluates a call of cuBLAS or cuSPARSE once; throws foreign_error when it fails.
#define GOSSAMER_CHECK_CUBLAS(expr) \
  ::gossamer::cg_detail::check_cublas((expr), #expr, __FILE__, __LINE__)
#define GOSSAMER_CHECK_CUSPARSE(expr) \
  ::gossamer::cg_detail::check_cusparse((expr), #expr, __FILE__, __LINE__)

namespace gossamer::cg_detail {

inline void check_cublas(cublasStatus_t code, const char* call, const char* file, int line) {
  if (code == CUBLAS_STATUS_SUCCESS) return;
  throw foreign_error(std::string(call) + ": cuBLAS status " + std::to_string(code) + " at " +
                          file + ":" + std::to_string(line),
                      static_cast<int>(code), code == CUBLAS_STATUS_EXECUTION_FAILED);
}

inline void check_cusparse(cusparseStatus_t code, const char* call, const char* file, int line) {
  if (code == CUSPARSE_STATUS_SUCCESS) return;
  throw foreign_error(std::string(call) + ": cuSPARSE status " + std::to_string(code) + " at " +
                          file + ":" + std::to_string(line),
                      static_cast<int>(code), code == CUSPARSE_STATUS_EXECUTION_FAILED);
}

/// One pointer a function, with the type its header declares.
struct library_functions {
  decltype(&cublasCreate_v2) blas_create;
  decltype(&cublasDestroy_v2) blas_destroy;
  decltype(&cublasSetStream_v2) blas_set_stream;
  decltype(&cublasSetPointerMode_v2) blas_set_pointer_mode;
  decltype(&cublasDdot_v2_64) blas_dot;
  decltype(&cublasDaxpy_v2_64) blas_axpy;
  decltype(&cusparseCreate) sparse_create;
  decltype(&cusparseDestroy) sparse_destroy;
  decltype(&cusparseSetStream) sparse_set_stream;
  decltype(&cusparseCreateConstCsr) create_csr;
  decltype(&cusparseDestroySpMat) destroy_matrix;
  decltype(&cusparseCreateDnVec) create_vector;
  decltype(&cusparseDestroyDnVec) destroy_vector;
  decltype(&cusparseSpMV_bufferSize) multiply_buffer;
  decltype(&cusparseSpMV_preprocess) prepare_multiply;
  decltype(&cusparseSpMV) multiply;

  /// Opens the libraries at the first call; usage_error naming the one that is not there.
  static const library_functions& get();
};

}  // namespace gossamer::cg_detail
