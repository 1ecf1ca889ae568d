// Files that are read: regular ones, and texts beside a graph only up to a length.
//
// A pipe that nobody writes to never opens, and a device may never end. Errors are input_error,
// "PATH: reason".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer {

/// A descriptor of the regular file, for reading, which the caller closes. `what` is read from it,
/// in words ("a graph").
int open_input(const std::string& path, std::string_view what);

/// All of a file that has at most `most` bytes.
std::string read_text(const std::string& path, std::string_view what,
                      std::size_t most = std::size_t{1} << 20);

}  // namespace gossamer
