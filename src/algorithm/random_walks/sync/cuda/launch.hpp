// The kernel that walks, as a function.
#pragma once

#include "algorithm/random_walks/sync/cuda/walk_slice.hpp"

namespace gossamer::random_walks_detail::cuda {

/// What is walked at once.
struct launch_sizes {
  std::int64_t slice_bytes;  ///< of the walks of a slice
  std::int64_t steps;        ///< of a launch, which takes milliseconds
};
launch_sizes most_at_once();

/// Asynchronous in a stream (cudaStream_t). `units`: streaming multiprocessors that it may fill.
/// `weighted`, `second`: what the walks are.
template <class Id>
void launch_walks(void* stream, int units, bool weighted, bool second, const device_rows<Id>& rows,
                  const walk_slice<Id>& of);

}  // namespace gossamer::random_walks_detail::cuda
