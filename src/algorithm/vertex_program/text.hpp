// What the texts of programs begin with: headers, without their includes.
#pragma once

namespace gossamer::program_detail {

/// What kernels' headers use of the standard library, which NVRTC comes without.
extern const char* const standard_text;
/// The headers of the worklist's kernel, one behind the other (CMakeLists.txt lists them). They
/// include each other and, of the standard library, what text.cpp gives in place of it.
extern const char* const worklist_text;
/// arithmetic.hpp.
extern const char* const arithmetic_text;

}  // namespace gossamer::program_detail
