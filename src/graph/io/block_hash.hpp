// A 64-bit checksum for data at memory speed.
//
// Four lanes take the 64-bit words of each 32-byte stripe in turn: lane = rotl(lane ^ word * P, 29)
// * Q, with odd P and Q; the tail is padded with zeros, then lanes, length and a final mix (the
// 64-bit finaliser of MurmurHash3) are folded. Each step is a bijection of the lane for a fixed
// word and of the word for a fixed lane, so any change within one 8-byte word always changes the
// result before folding; other damage goes unseen with a chance of about 2^-64. It detects
// accidents, not forgery.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>

namespace gossamer::io {

/// `pause` is called every 16 MiB, and may throw to give up.
inline std::uint64_t block_hash(std::span<const char> bytes,
                                const std::function<void()>& pause = {}) {
  constexpr std::uint64_t p = 0x9e3779b97f4a7c15u, q = 0xc2b2ae3d27d4eb4fu;
  auto rotl = [](std::uint64_t x, int r) { return (x << r) | (x >> (64 - r)); };
  std::uint64_t lane[4] = {p, q, p ^ q, ~p};
  auto stripe = [&](const char* at) {
    for (std::size_t i = 0; i < 4; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, at + 8 * i, 8);
      lane[i] = rotl(lane[i] ^ (word * p), 29) * q;
    }
  };
  std::size_t i = 0;
  constexpr std::size_t step = std::size_t{16} << 20;
  while (i + 32 <= bytes.size()) {
    const std::size_t last = std::min(bytes.size(), i + step);
    for (; i + 32 <= last; i += 32) stripe(bytes.data() + i);
    if (pause) pause();
  }
  if (i < bytes.size()) {
    char tail[32] = {};
    std::memcpy(tail, bytes.data() + i, bytes.size() - i);
    stripe(tail);
  }
  std::uint64_t h = bytes.size() * p;
  for (int k = 0; k < 4; ++k) h = rotl(h ^ lane[k], 17 + k) * q;
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdu;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53u;
  return h ^ (h >> 33);
}

}  // namespace gossamer::io
