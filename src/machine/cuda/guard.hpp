// device_guard: another current device for the length of a scope.
#pragma once

namespace gossamer::cuda_backend {

class device_guard {
 public:
  /// Makes `ordinal` the calling thread's device; -1 keeps the present one. Throws usage_error for
  /// a device that is not there.
  explicit device_guard(int ordinal);
  /// Restores the device before, unless that one has no context in this process yet: selecting it
  /// would make one, which takes hundreds of megabytes on a GPU the program never asked for.
  ~device_guard();
  device_guard(const device_guard&) = delete;
  device_guard& operator=(const device_guard&) = delete;

 private:
  int previous_ = -1;
};

}  // namespace gossamer::cuda_backend
