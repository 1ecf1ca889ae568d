// Sorting one row of keys: comparison sort for short rows, least-significant-digit radix for long.
//
// Rows of scale-free graphs hold up to millions of keys of about 24 significant bits; three passes
// of 8 bits cost about a third of std::sort there. Digits in which all keys agree are skipped.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace gossamer::detail {

/// Rows that are sorted without spare memory.
inline constexpr std::int64_t short_row = 256;

/// `spare`: room for as many keys, unless the row is short; what is left there means nothing.
template <class Key>
void sort_row(Key* keys, std::int64_t count, Key* spare) {
  if (count < 2) return;
  if (count <= 32) {
    for (std::int64_t i = 1; i < count; ++i) {
      const Key key = keys[i];
      std::int64_t j = i;
      for (; j > 0 && key < keys[j - 1]; --j) keys[j] = keys[j - 1];
      keys[j] = key;
    }
    return;
  }
  if (count < short_row) {
    std::sort(keys, keys + count);
    return;
  }
  Key differing = 0;
  for (std::int64_t i = 1; i < count; ++i) differing |= keys[i] ^ keys[0];
  Key* from = keys;
  Key* to = spare;
  for (int shift = 0; shift < static_cast<int>(8 * sizeof(Key)); shift += 8) {
    if ((static_cast<unsigned>(differing >> shift) & 255u) == 0) continue;
    std::array<std::int64_t, 256> at{};
    for (std::int64_t i = 0; i < count; ++i) ++at[static_cast<unsigned>(from[i] >> shift) & 255u];
    std::int64_t sum = 0;
    for (auto& slot : at) {
      const std::int64_t here = slot;
      slot = sum;
      sum += here;
    }
    for (std::int64_t i = 0; i < count; ++i)
      to[at[static_cast<unsigned>(from[i] >> shift) & 255u]++] = from[i];
    std::swap(from, to);
  }
  if (from != keys) std::copy(from, from + count, keys);
}

}  // namespace gossamer::detail
