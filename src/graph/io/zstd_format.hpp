// What a .zst file says of itself, in the headers of its frames and blocks (RFC 8878, 3.1).
//
// Decoders find out whether that is true. Here it is only for plans: it costs a read for each
// block.
#pragma once

#include <cstdint>

#include "graph/io/byte_source.hpp"

namespace gossamer::io {

/// Bytes that all frames decompress to, from their headers; 0 where one does not say it, is no
/// frame, or where blocks are very many.
std::int64_t zstd_said_bytes(const byte_source& file);

}  // namespace gossamer::io
