// What modelled processors are charged for; real machines charge nothing.
#pragma once

namespace gossamer {

/// Bytes that one random access moves.
inline constexpr double line = 64;

}  // namespace gossamer
