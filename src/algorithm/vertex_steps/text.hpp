// What the texts of steps begin with: headers, without their includes.
#pragma once

namespace gossamer::steps_detail {

/// view.hpp and stages.hpp.
extern const char* const cpu_stages_text;
/// What waits in kernels, cuda/view.hpp and cuda/stages.cuh.
extern const char* const gpu_stages_text;

}  // namespace gossamer::steps_detail
