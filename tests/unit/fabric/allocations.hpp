// How often this thread has allocated; see allocations_test.cpp and cuda_allocations.cpp.
#pragma once

#include <cstdint>

namespace gossamer::testing {

/// Calls of operator new and, in GPU programs, of whatever allocates, registers or makes streams
/// and events in the CUDA runtime, by the calling thread.
inline thread_local std::uint64_t allocations = 0;

}  // namespace gossamer::testing
