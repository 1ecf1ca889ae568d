// Whether NCCL can be opened here: tried once, by opening it.
#include "collective/run/cuda/nccl_functions.hpp"
#include "collective/run/nccl.hpp"

namespace gossamer {

bool nccl_there() {
  static const bool there = [] {
    try {
      nccl::functions::get();
      return true;
    } catch (const usage_error&) {
      return false;
    }
  }();
  return there;
}

}  // namespace gossamer
