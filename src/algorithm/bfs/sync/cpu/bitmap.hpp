// Bitmap words over vertices.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

namespace gossamer::bfs_detail {

inline std::int64_t words_of(std::int64_t bits) {
  return (bits + 63) / 64;
}

inline bool test_bit(const std::uint64_t* words, std::int64_t i) {
  return (words[i >> 6] >> (i & 63)) & 1;
}
inline void set_bit(std::uint64_t* words, std::int64_t i) {
  words[i >> 6] |= std::uint64_t{1} << (i & 63);
}
/// test_bit() of words that other threads change.
inline bool is_set(std::uint64_t* words, std::int64_t i) {
  const std::atomic_ref<std::uint64_t> word(words[i >> 6]);
  return word.load(std::memory_order_relaxed) >> (i & 63) & 1;
}
/// Sets bit i; true when it was clear. Several threads may set bits of one word.
inline bool claim_bit(std::uint64_t* words, std::int64_t i) {
  const std::uint64_t bit = std::uint64_t{1} << (i & 63);
  std::atomic_ref<std::uint64_t> word(words[i >> 6]);
  if (word.load(std::memory_order_relaxed) & bit) return false;
  return !(word.fetch_or(bit, std::memory_order_relaxed) & bit);
}
/// Calls f(index of the bit) for every set bit, ascending.
template <class F>
void each_bit(std::uint64_t word, F&& f) {
  for (; word != 0; word &= word - 1) f(std::countr_zero(word));
}

}  // namespace gossamer::bfs_detail
