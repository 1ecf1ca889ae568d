// layout: where blocks lie, and which rank has which position, for one request. Computed once per
// schedule in O(p), read by every part.
#pragma once

#include <cstddef>
#include <vector>

#include "gossamer/collective/schedule.hpp"

namespace gossamer {

class layout {
 public:
  /// Checks the request; throws usage_error.
  explicit layout(collective_request asked);
  [[nodiscard]] const collective_request& request() const noexcept { return request_; }
  [[nodiscard]] int p() const noexcept { return request_.ranks; }
  [[nodiscard]] bool rooted() const noexcept;
  [[nodiscard]] bool reduces() const noexcept;
  /// Position 0 is the root, or mapping[0] where there is no root.
  [[nodiscard]] int rank_at(int position) const;
  [[nodiscard]] int position_of(int rank) const;

  // Blocks of the vector of one element run per rank. Operations on one vector (broadcast, reduce,
  // allreduce) split it evenly.
  [[nodiscard]] std::size_t begin(int block) const;
  [[nodiscard]] std::size_t size(int block) const { return begin(block + 1) - begin(block); }
  [[nodiscard]] std::size_t largest() const noexcept { return largest_; }
  [[nodiscard]] std::size_t total() const { return begin(p()); }
  /// Begin of the block of position v in a vector whose blocks lie in order of position.
  [[nodiscard]] std::size_t packed(int position) const;
  /// Sum of the sizes of `n` blocks from position v on, around the end.
  [[nodiscard]] std::size_t packed_around(int position, int n) const;

  // all_to_all(_v): what goes from i to j, where it lies in i's input and in j's output.
  [[nodiscard]] std::size_t pair(int from, int to) const;
  [[nodiscard]] std::vector<std::size_t> send_begins(int rank) const;  ///< p + 1 values
  /// Where my data begins in each peer's output: O(p) for equal counts, O(p^2) calls of pair_count
  /// else.
  [[nodiscard]] std::vector<std::size_t> begins_at_peers(int rank) const;
  [[nodiscard]] std::size_t receive_begin(int at, int from) const;

  [[nodiscard]] std::size_t input_size(int rank) const;
  [[nodiscard]] std::size_t output_size(int rank) const;
  [[nodiscard]] std::size_t in_place_offset(int rank) const;

 private:
  collective_request request_;
  std::size_t largest_ = 0;
  std::vector<std::size_t> begins_, packed_;  // empty when blocks are equal or evenly split
  std::vector<int> positions_;                // inverse of the mapping
};

}  // namespace gossamer
