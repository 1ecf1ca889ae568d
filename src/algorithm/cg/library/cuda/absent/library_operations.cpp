// Engine library of conjugate gradient in a build with CUDA but without cuSPARSE and cuBLAS.
#include "algorithm/cg/library/cuda/library_operations.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::cg_detail {

std::unique_ptr<library_operations> make_library_operations(const local_matrix&, const device&) {
  throw not_compiled("engine 'library' of cg", "configure with -DGOSSAMER_CUSPARSE=ON");
}

}  // namespace gossamer::cg_detail
