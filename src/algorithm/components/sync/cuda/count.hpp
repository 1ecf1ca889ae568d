// Components counted where their labels lie.
#pragma once

#include <cstdint>

#include "algorithm/components/sync/cuda/passes.hpp"

namespace gossamer::components_detail::cuda {

/// What finished labels say.
struct label_counts {
  unsigned long long count;    ///< components
  unsigned long long largest;  ///< vertices of the largest
  /// Its label's complement; of several as large the smallest's: the largest complement.
  unsigned long long label;
};

/// Counts in the order of the stream. `sizes`: [vertices], overwritten; `counts`: zeros.
template <class Id>
void count_labels(const launch_site& on, const Id* labels, std::int64_t vertices, Id* sizes,
                  label_counts* counts);

}  // namespace gossamer::components_detail::cuda
