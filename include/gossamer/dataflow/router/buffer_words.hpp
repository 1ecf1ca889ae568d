// Receive buffers of a device router that any sender may claim and any consumer may take: two words
// of bits and a count, in the memory of the destination.
//
//   free    a bit for each buffer that a sender may claim
//   full    a bit for each buffer that holds a segment which nobody has taken
//   ended   sources that have sent all that they will
//
// A buffer's bit goes from `free` to a sender, who fills the buffer, to `full`, to the consumer who
// takes it, and back. In between nobody sees it, so that it has one owner at every moment.
//
// Every change is an atomic read-modify-write with acquire and release, of the whole system. Who
// takes a bit acquires what the one wrote who gave it, also when others have changed the word
// since: such changes continue the release sequence. So a consumer sees the segment, and a sender
// knows that the consumer before it has read the buffer.
//
// A source counts itself in `ended` after all that it gave. Who acquires the count and looks at
// `full` after that misses nothing: finding it empty, he knows that all has been taken. The other
// way round a segment that came between the two looks would be lost.
//
// Templates on the atomics policy (base/atomics.hpp): tests/race/router_interleavings.cpp runs them
// under all interleavings.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer::dataflow::router_detail {

/// Every word in a line of its own: senders poll `free` while others write `full`.
struct alignas(128) lone_word {
  std::uint64_t bits;
};
struct buffer_words {
  lone_word free, full, ended;
};

inline constexpr int nothing_there = -1, stream_over = -2;

/// Takes one of the bits that are set; nothing_there if none is. A value that has come back in the
/// meantime does no harm, since it says that the bit is there again.
template <class Atomics>
GOSSAMER_HD int take_buffer(std::uint64_t& word) {
  std::uint64_t seen = Atomics::load_relaxed(word);
  while (seen != 0) {
    const std::uint64_t before = Atomics::compare_and_swap(word, seen, seen & (seen - 1));
    if (before != seen) {
      seen = before;
      continue;
    }
    int which = 0;
    while ((seen >> which & 1) == 0) ++which;
    return which;
  }
  return nothing_there;
}

/// A bit that the caller owns becomes everybody's. An addition, since the bit is not set.
template <class Atomics>
GOSSAMER_HD void give_buffer(std::uint64_t& word, int which) {
  Atomics::fetch_add(word, std::uint64_t{1} << which);
}

/// A full buffer, nothing_there, or stream_over: there is none, and of `sources` none sends more.
template <class Atomics>
GOSSAMER_HD int take_segment(buffer_words& words, std::uint64_t sources) {
  const bool ended = Atomics::load_acquire(words.ended.bits) == sources;
  const int which = take_buffer<Atomics>(words.full.bits);
  return which == nothing_there && ended ? stream_over : which;
}

/// After all that the source gave, or acquired of its other blocks.
template <class Atomics>
GOSSAMER_HD void end_source(buffer_words& words) {
  Atomics::fetch_add(words.ended.bits, std::uint64_t{1});
}

}  // namespace gossamer::dataflow::router_detail
