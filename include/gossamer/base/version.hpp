// The version of the library, which processes of an MPI job must have alike.
#pragma once

namespace gossamer {

/// Such as 0.2.0.
const char* version() noexcept;

}  // namespace gossamer
