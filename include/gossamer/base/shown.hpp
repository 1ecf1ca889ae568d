// shown: numbers, and text from outside, as messages show them. Who wrote a text may mean harm to
// the terminal, or have written a megabyte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer {

/// At most `most` bytes of `text`, on one line. What does not print, changes the direction of what
/// follows, or is no UTF-8 is shown as '?'.
std::string shown(std::string_view text, std::size_t most = 32);

/// Six digits at most.
std::string shown(double number);

/// Whether all of it is shown as it is.
bool prints(std::string_view text);

}  // namespace gossamer
