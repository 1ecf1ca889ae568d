// The whole iteration as one kernel a rank: no host in the loop. Set up by the host once a solve,
// then launched for some hundreds of iterations at a time, so that a cancelled run ends soon.
//
// An iteration has two sums over all ranks, and nothing else that waits. Each rank computes the
// foreign entries of the direction itself. What travels is z, right after it is updated. For
// foreign entries as for own ones, p = z + beta p is then computed, with the same bits. So
//
//   multiply: q = A (z + beta p_old), p_new = z + beta p_old, and p'q;        sum p'q
//   update:   x += alpha p, r_new = r_old - alpha q, z = D^-1 r_new, and z's entries that others
//             need straight into their memory;                                 sum r'z (and r'r)
//
// p, r and z exist twice, so that nobody overwrites what others still read: the sums are the only
// barriers. They are also what orders z's entries before their use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithm/cg/layout.hpp"

namespace gossamer::cg_detail {

/// What the kernel keeps between launches, in device memory; the host reads it after each.
struct single_kernel_state {
  double rz = 0, rr = 0, beta = 0, residual = 0, best = 0, previous = 0, curvature = 0;
  double goal = 0;  ///< -1: run `most` iterations whatever the residual
  std::int64_t most = 0, iterations = 0;
  std::int64_t negative_curvature = -1, not_finite = -1;
  std::int32_t kept = 0, started = 0, done = 0;
  std::int32_t p_now = 0, r_now = 0;  ///< which of the two is current
  std::uint32_t sums = 0;             ///< grid-wide sums so far
};

/// 64-bit words of its grid-wide sums, and bytes of a message's description.
inline constexpr std::size_t single_kernel_words = std::size_t{2} * 2 * (2048 + 1) * 2;
inline constexpr std::size_t single_kernel_message = 64;

/// Bytes of a rank's native arena that it takes beside the engine's, the window of z included.
std::size_t single_kernel_bytes(const layout& l, int rank, bool jacobi);

}  // namespace gossamer::cg_detail
