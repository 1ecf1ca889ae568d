// What an .xz file says of itself, in headers and indexes (The .xz File Format, 1.2.1).
//
// Decoders find out whether that is true. Here it is only for plans: it costs a few small reads.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/io/byte_source.hpp"

namespace gossamer::io {

/// The dictionary that the first block asks for, from the file's first bytes; 0 where they are not
/// a header. Later blocks rarely ask for another.
std::int64_t xz_dictionary_bytes(std::string_view head);

/// Bytes that all streams decompress to, from their indexes; 0 where these cannot be read, are not
/// indexes, or are very many.
std::int64_t xz_said_bytes(const byte_source& file);

}  // namespace gossamer::io
