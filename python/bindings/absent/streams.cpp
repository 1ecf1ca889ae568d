#include "streams.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer_python {

cuda_version_numbers cuda_versions() {
  return {};
}

void synchronize_stream(std::uintptr_t) {
  throw gossamer::not_compiled("CUDA arrays", "configure with -DGOSSAMER_CUDA=ON");
}

void synchronize_stream_of(int, std::uintptr_t stream) {
  synchronize_stream(stream);
}

void synchronize_device(int) noexcept {}

}  // namespace gossamer_python
