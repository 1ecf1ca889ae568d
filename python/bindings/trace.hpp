// A timeline as other bindings take it: None = nothing is recorded.
#pragma once

#include "gossamer/fabric/trace.hpp"
#include "machine.hpp"

namespace gossamer_python {

using trace_handle = std::shared_ptr<gossamer::timeline>;

}  // namespace gossamer_python
