// Which transfers of a schedule travel packed: flag and data in one store.
//
// A packed transfer goes into the receiver's inbox as 8-byte words, half data and half epoch. The
// receiver's wait reads it from there to where the schedule wants it. That is one crossing of the
// wire instead of data, fence and flag, for twice the bytes. The inbox has a slot per transfer and
// exists for several epochs, which take turns. Two are enough where no rank can run ahead of others
// (finish.cpp). Where credits hold it back, more inboxes let the readers send them less often. That
// pays because a kernel ends only when a store to a peer has been answered, a microsecond later.
//
// A pair's transfers are packed all or none: each must be short and have a signal of its own that
// the receiver waits for once in the same epoch. Then nothing relies on the order between a pair's
// puts, which packed words do not keep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "gossamer/collective/schedule.hpp"

namespace gossamer {

/// Longest packed transfer in bytes. Where half the link's rate costs more than a fence and a flag
/// save: about a microsecond at some 200 GB/s would be far more, but a reader polls every word.
inline constexpr std::size_t longest_packed = 4096;
/// The same where data makes one hop or two between GPUs, and many blocks poll (packed_hops.hpp).
/// Fences and flags cost some 10 microseconds there, twice the bytes 2.6 for each peer at this
/// length.
inline constexpr std::size_t longest_hop = 512 << 10;
/// Bytes of all inboxes of a rank from which no more than two take turns.
inline constexpr std::size_t most_inboxes = 1 << 20;
/// Plans of more ranks are not laid out: the layout reads every rank's part.
inline constexpr int most_packed_ranks = 64;
/// Most inboxes, and how many steps of all turns together a team keeps close at hand.
inline constexpr int most_turns = 8, kept_steps = 96;

struct packed_slot {
  std::size_t bytes = 0;  ///< 0 = this signal's transfer is not packed
  std::size_t at = 0;     ///< first word in the inbox
  buffer_place to;        ///< where the data belongs at the receiver
};

class packing {
 public:
  packing() = default;
  explicit packing(const schedule& s);
  /// The transfer that raises `signal` of `receiver`.
  [[nodiscard]] const packed_slot& slot(int receiver, int signal) const;
  /// Inboxes that take turns by epoch, the same number on every rank: a power of two.
  [[nodiscard]] int turns() const { return turns_; }
  /// 8-byte words of one of the receiver's inboxes.
  [[nodiscard]] std::size_t words(int receiver) const;
  /// Whether all data that comes to `receiver` is packed.
  [[nodiscard]] bool complete(int receiver) const;

 private:
  std::vector<std::vector<packed_slot>> slots_;
  std::vector<std::size_t> words_;
  std::vector<char> complete_;
  int turns_ = 2;
};

/// Whether all transfers of this collective, staged, are packed.
bool all_packed(collective_request q, std::string_view algorithm);
/// Length of a transfer up to which that may be.
constexpr std::size_t longest_packed_of(const collective_request& q) {
  return std::max(longest_packed, q.longest_hop);
}

/// Words that hold `bytes` bytes, four in each; in pairs, which one store carries.
constexpr std::size_t packed_words(std::size_t bytes) {
  return (bytes + 7) / 8 * 2;
}

}  // namespace gossamer
