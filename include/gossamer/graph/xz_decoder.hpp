// A decoder of .xz from outside, for builds without liblzma.
//
// Python has one of its own, so that the package reads such files in any build.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace gossamer {

/// What one call of a decoder gives: at most as many bytes as there was room for, and whether the
/// next call needs more of the file. No bytes at the end of the file: that is all.
struct decoded_part {
  std::string bytes;
  bool wants_more = true;
};

/// Decodes one file from its beginning, any number of streams one after the other. `more` holds the
/// file's next bytes when the last call wanted more (the first does), none at its end; else it is
/// empty. Throws input_error with the reason alone, such as "xz data is damaged".
using xz_decoder = std::function<decoded_part(std::string_view more, std::size_t room)>;

/// Reading takes decoders that `make` makes from now on, one a file. Empty: liblzma again, and
/// not_compiled without it. Any thread.
void use_xz_decoder(std::function<xz_decoder()> make);

}  // namespace gossamer
