// NVTX 3 is a header alone: it looks for a profiler when it is first called, and without one a
// range is a branch.
#include "fabric/ranges.hpp"

#include <nvtx3/nvToolsExt.h>

namespace gossamer::ranges {

void push(const char* name) noexcept {
  nvtxRangePushA(name);
}
void pop() noexcept {
  nvtxRangePop();
}

}  // namespace gossamer::ranges
