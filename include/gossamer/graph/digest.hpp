// Digests (base/digest.hpp) of graphs, and of much memory by several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

#include "gossamer/base/digest.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// Of bytes, in order; the same for any number of threads (0: all cores of this process), and
/// another number than digest_of(bytes). cancelled_error soon after a stop is requested.
std::uint64_t digest_of(std::span<const std::byte> bytes, int threads,
                        const std::stop_token& stop = {});
/// Of a graph's rows, flags and weights; its name and where it came from do not count. Each array
/// is read once a process as long as somebody keeps it.
std::uint64_t digest_of(const graph& g, int threads = 0, const std::stop_token& stop = {});

}  // namespace gossamer
