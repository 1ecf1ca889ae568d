// The kernels of a .cu file, loaded before runs. Include this in each .cu file that has kernels for
// runs; Gossamer's own headers with kernels do.
//
// Why: the driver loads a kernel when it is first launched, and that launch begins only when all
// kernels that run have ended. One of them may wait for what the launch would do: a run of several
// ranks would hang. So such a run loads all kernels of all these files first, once a process and
// GPU.
#pragma once

#include <cuda_runtime.h>

namespace gossamer {

/// Called as the program starts, for each file; `one`: any kernel of it.
void note_kernels(const void* one);

namespace {

__global__ void kernel_of_this_file() {}

// Internal to each file, on purpose: each has kernels of its own to be loaded.
[[maybe_unused]] const bool kernels_noted =
    (note_kernels(reinterpret_cast<const void*>(&kernel_of_this_file)), true);

}  // namespace

}  // namespace gossamer
