// What the text of a program for GPUs begins with.
#pragma once

namespace gossamer::program_detail {

/// The headers of the worklist's kernel, one behind the other (CMakeLists.txt lists them). They
/// include each other and, of the standard library, what text.cpp gives in place of it.
extern const char* const worklist_text;

}  // namespace gossamer::program_detail
