// Digests: whether two processes have the same bytes, told by eight.
//
// Words are mixed in eight independent lanes, at the speed of memory. Any one changed word changes
// the digest for certain; any other change does, except in one case of 2^64. This is no
// cryptography: nobody is kept from making two inputs of one digest.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>

namespace gossamer {

namespace digest_detail {

/// One to one for a given `state`, and for a given `word`.
constexpr std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  return std::rotl(state ^ word, 29) * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
}
/// Spreads over all bits what a product leaves in the high ones.
constexpr std::uint64_t spread(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace digest_detail

/// Of bytes, in order, by this thread.
inline std::uint64_t digest_of(std::span<const std::byte> bytes) {
  using namespace digest_detail;
  std::array<std::uint64_t, 8> state{1, 2, 3, 4, 5, 6, 7, 8}, words{};
  std::uint64_t all = bytes.size();
  for (; bytes.size() >= sizeof words; bytes = bytes.subspan(sizeof words)) {
    std::memcpy(words.data(), bytes.data(), sizeof words);
    for (std::size_t i = 0; i < state.size(); ++i) state[i] = mix(state[i], words[i]);
  }
  words = {};
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  for (std::size_t i = 0; i < state.size(); ++i) all = mix(all, spread(mix(state[i], words[i])));
  return spread(all);
}

/// Of several numbers, in order.
inline std::uint64_t digest_of(std::initializer_list<std::uint64_t> numbers) {
  return digest_of(std::as_bytes(std::span(numbers.begin(), numbers.size())));
}

/// 16 hexadecimal digits.
inline std::string digest_text(std::uint64_t digest) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest));
  return text;
}

}  // namespace gossamer
