// Hands each call to the CUDA backend that was built, which may be the one that only refuses.
#include "machine/gpu_memory.hpp"

#include "machine/cuda_backend.hpp"

namespace gossamer {

void drive_gpu(int ordinal) {
  cuda_backend::adopt(ordinal);
}

pinned_range::pinned_range(int ordinal, std::byte* data, std::size_t bytes) {
  if (data == nullptr || bytes == 0) return;
  cuda_backend::pin(ordinal, data, bytes);
  data_ = data;
}

pinned_range::~pinned_range() {
  if (data_ != nullptr) cuda_backend::unpin(data_);
}

}  // namespace gossamer
