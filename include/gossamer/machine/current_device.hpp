// The GPU that CUDA calls of a scope mean.
#pragma once

#include <memory>

namespace gossamer {

class driver_pause;

/// Makes a GPU current for a scope, and afterwards the one that was current before. Whatever loads
/// a kernel needs one. Loading waits for kernels that run, so no run whose kernels wait for each
/// other begins meanwhile; if one goes on already, the constructor waits for its end. Not for
/// programs inside a run. Throws not_compiled where CUDA is left out.
class current_device {
 public:
  explicit current_device(int ordinal);
  ~current_device();
  current_device(const current_device&) = delete;
  current_device& operator=(const current_device&) = delete;

 private:
  std::unique_ptr<driver_pause> pause_;
  int before_ = 0;
};

}  // namespace gossamer
