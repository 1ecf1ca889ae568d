// Graphs built on a GPU, in a build without CUDA: says how to get them.
#include "gossamer/graph/device_builder.hpp"

namespace gossamer {

namespace {

[[noreturn]] void refuse_to_build() {
  throw not_compiled("building graphs on a GPU", "configure with -DGOSSAMER_CUDA=ON");
}

}  // namespace

device_csr build_on_device(const device_edges&, const device_build_options&) {
  refuse_to_build();
}

device_csr csr_on_device(const device_csr_arrays&, const device_csr_options&) {
  refuse_to_build();
}

}  // namespace gossamer
