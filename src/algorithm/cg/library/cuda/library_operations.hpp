// The operations of one rank's loop by NVIDIA's libraries: cuSPARSE's product of matrix and vector,
// cuBLAS's dot product and axpy. What paper E's own program calls, and what the passes written for
// this project are measured against (engine `library`).
//
// The libraries are opened when first used: linked, they would add 0.1 s, when not in the file
// cache more than a second, to every start of every program.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "algorithm/cg/layout.hpp"

namespace gossamer::cg_detail {

class library_operations {
 public:
  virtual ~library_operations() = default;
  /// A run begins: its vectors and its stream.
  virtual void begin(double* extended, double* q, cudaStream_t on) = 0;
  /// q := A * extended. Repeats bit for bit.
  virtual void multiply() = 0;
  /// *into = a'b over the own rows, in stream order; `into` is memory the GPU can write.
  virtual void dot(const double* a, const double* b, double* into) = 0;
  /// b := b + alpha * a.
  virtual void axpy(double alpha, const double* a, double* b) = 0;
};

/// Uploads the rows. not_compiled where the libraries were not there at build time; usage_error
/// where they are not now, and for 2^31 entries and more on one rank.
std::unique_ptr<library_operations> make_library_operations(const local_matrix& part,
                                                            const device& on);

}  // namespace gossamer::cg_detail
