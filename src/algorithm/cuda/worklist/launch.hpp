// The kernel of a distributed worklist as functions: the host code (engine.hpp) sees no launch
// syntax. Instantiated by one .cu file an operator.
#pragma once

#include "algorithm/cuda/worklist/view.hpp"

namespace gossamer::algorithm_detail::cuda {

/// Loads the kernel onto the current device.
template <class Operator, class Weight, class Start>
void prepare_list();

/// Asynchronous; `blocks`: one a multiprocessor at most, so that all run at the same time.
template <class Operator, class Weight, class Start>
void launch_list(void* stream, int blocks, const list_view<Operator, Weight>& v,
                 const Start& start);

}  // namespace gossamer::algorithm_detail::cuda
