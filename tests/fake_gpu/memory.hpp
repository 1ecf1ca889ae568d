// Memory of GPUs that are not there: mapped twice, once without any right at the address that
// programs see, and once for the threads that stand for the device. Host code that touches device
// memory dies as it would beside a real GPU.
#pragma once

#include <cstddef>

namespace gossamer::fake_gpu {

/// Memory of GPU `ordinal`. With GOSSAMER_TEST_OPEN_GPU set, as MPI needs it that knows nothing of
/// this device, the CPU may touch it.
void* allocate(int ordinal, std::size_t bytes);
void release(void* data) noexcept;
/// Bytes of all GPUs that are allocated now.
std::size_t held();
/// The GPU that holds `data`; -1: host memory.
int owner_of(const void* data);
/// Where the device's own threads find it: `data` itself for host memory.
void* reach(const void* data);

}  // namespace gossamer::fake_gpu
