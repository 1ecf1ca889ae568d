// Host side of the single kernel: takes its memory, launches it. Made by engine.cu.
#pragma once

#include <memory>

#include "algorithm/cg/cuda/rows.cuh"
#include "algorithm/cg/single_kernel/single_kernel.hpp"
#include "algorithm/cg/vectors.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::cg_detail::cuda {

class single_kernel {
 public:
  /// Collective; `inverse`: diagonal, with `jacobi`; `extended`: the rank's extended vector.
  /// Everything given must outlive it.
  single_kernel(rank& r, const layout& l, const device_rows& matrix, const double* inverse,
                bool jacobi, const vectors& v, double* extended);
  ~single_kernel();
  /// From the first residual in v.r (and the iterate in v.x) until state.done. Leaves the iterate
  /// in v.x, the kept one in v.best. Once.
  void run(single_kernel_state& state);

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace gossamer::cg_detail::cuda
