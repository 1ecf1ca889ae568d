// The few CUDA calls of the bindings themselves; cuda/ and absent/ implement them.
#pragma once

#include <cstdint>

namespace gossamer_python {

struct cuda_version_numbers {
  int runtime = 0, driver = 0;
};
/// Asking for versions creates no context.
cuda_version_numbers cuda_versions();

/// Waits for all work submitted so far to a stream of the CUDA array interface (a cudaStream_t as a
/// number; 1 and 2 are the legacy and the per-thread default stream).
void synchronize_stream(std::uintptr_t stream);
/// The same of a GPU that need not be the thread's current one.
void synchronize_stream_of(int ordinal, std::uintptr_t stream);

/// Waits for everything submitted to a GPU; failures are left for the next call to report.
void synchronize_device(int ordinal) noexcept;

}  // namespace gossamer_python
