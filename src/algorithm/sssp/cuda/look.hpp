// What distances say on the whole, looked at on the GPU.
#pragma once

#include <cstdint>

#include "algorithm/sssp/cuda/view.hpp"

namespace gossamer::sssp_detail::cuda {

/// What `keys` say: sums[0] += how many are reached, sums[1] = the largest of those. Both were 0.
template <class Distance>
void look_at_distances(void* stream, const key_of<Distance>* keys, std::int64_t n,
                       unsigned long long* sums);

}  // namespace gossamer::sssp_detail::cuda
