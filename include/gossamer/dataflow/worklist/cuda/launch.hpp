// The kernel of a distributed worklist as a function: the host code (engine.hpp) sees no kernels.
// Instantiated by one .cu file an operator.
#pragma once

namespace gossamer::dataflow::cuda {

/// The kernel, loaded on the current device. It is launched with a list_view<Operator, Weight> and
/// a Start, with at most one block a multiprocessor, so that all run at the same time. `lone`: for
/// one rank.
template <class Operator, class Weight, class Start>
const void* list_kernel_of(bool lone);

}  // namespace gossamer::dataflow::cuda
