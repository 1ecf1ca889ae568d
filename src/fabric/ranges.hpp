// Ranges of a host thread that profilers show: nvtx/ranges.cpp has them where the headers of NVTX
// are, absent/ranges.cpp does nothing.
#pragma once

namespace gossamer::ranges {

void push(const char* name) noexcept;
void pop() noexcept;

}  // namespace gossamer::ranges
