// Bytes from place to place by the threads of a team, in words as wide as both places allow: what
// steps of a command list do with data (command_list.hpp).
//
// Team: index() and size() of its threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer::command_detail {

template <class Word>
GOSSAMER_HD inline bool apart_by_whole(const void* a, const void* b) {
  return (reinterpret_cast<std::uintptr_t>(a) ^ reinterpret_cast<std::uintptr_t>(b)) %
             sizeof(Word) ==
         0;
}
template <class Word>
GOSSAMER_HD inline bool aligned(const void* a, const void* b) {
  return (reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b)) %
             sizeof(Word) ==
         0;
}

struct alignas(16) wide {
  std::uint64_t low, high;
};

/// `count` words, four in flight per thread: a store to a peer waits for nothing, a load does.
template <class Word, class Team>
GOSSAMER_HD inline void copy_words(const Team& team, void* to, const void* from,
                                   std::size_t count) {
  auto* target = static_cast<Word*>(to);
  const auto* source = static_cast<const Word*>(from);
  const std::size_t step = team.size();
  std::size_t i = team.index();
  for (; i + 3 * step < count; i += 4 * step) {
    const Word a = source[i], b = source[i + step], c = source[i + 2 * step],
               d = source[i + 3 * step];
    target[i] = a;
    target[i + step] = b;
    target[i + 2 * step] = c;
    target[i + 3 * step] = d;
  }
  for (; i < count; i += step) target[i] = source[i];
}

/// Whole words of both places, and byte by byte what is before the first and behind the last.
template <class Word, class Team>
GOSSAMER_HD inline void copy_as(const Team& team, std::uint8_t* to, const std::uint8_t* from,
                                std::size_t bytes) {
  const std::size_t beside = (0 - reinterpret_cast<std::uintptr_t>(to)) % sizeof(Word);
  const std::size_t before = beside < bytes ? beside : bytes;
  const std::size_t words = (bytes - before) / sizeof(Word);
  const std::size_t end = before + words * sizeof(Word);
  copy_words<std::uint8_t>(team, to, from, before);
  copy_words<Word>(team, to + before, from + before, words);
  copy_words<std::uint8_t>(team, to + end, from + end, bytes - end);
}

template <class Team>
GOSSAMER_HD void copy_bytes(const Team& team, void* to, const void* from, std::size_t bytes) {
  auto* target = static_cast<std::uint8_t*>(to);
  const auto* source = static_cast<const std::uint8_t*>(from);
  if (apart_by_whole<wide>(to, from))
    copy_as<wide>(team, target, source, bytes);
  else if (apart_by_whole<std::uint64_t>(to, from))
    copy_as<std::uint64_t>(team, target, source, bytes);
  else if (apart_by_whole<std::uint32_t>(to, from))
    copy_as<std::uint32_t>(team, target, source, bytes);
  else
    copy_words<std::uint8_t>(team, target, source, bytes);
}

/// The i-th eight bytes from anywhere; fewer at the end, zeros behind them.
GOSSAMER_HD inline std::uint64_t load_eight(const void* from, std::size_t i, std::size_t bytes) {
  const auto* at = static_cast<const std::uint8_t*>(from) + 8 * i;
  if (8 * i + 8 <= bytes && aligned<std::uint64_t>(at, nullptr))
    return *reinterpret_cast<const std::uint64_t*>(at);
  std::uint64_t data = 0;
  for (std::size_t k = 0; k < 8 && 8 * i + k < bytes; ++k)
    data |= static_cast<std::uint64_t>(at[k]) << (8 * k);
  return data;
}
GOSSAMER_HD inline void store_eight(void* to, std::size_t i, std::size_t bytes,
                                    std::uint64_t data) {
  auto* at = static_cast<std::uint8_t*>(to) + 8 * i;
  if (8 * i + 8 <= bytes && aligned<std::uint64_t>(at, nullptr)) {
    *reinterpret_cast<std::uint64_t*>(at) = data;
    return;
  }
  for (std::size_t k = 0; k < 8 && 8 * i + k < bytes; ++k)
    at[k] = static_cast<std::uint8_t>(data >> (8 * k));
}

}  // namespace gossamer::command_detail
