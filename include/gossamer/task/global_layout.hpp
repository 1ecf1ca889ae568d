// global_layout: which rank owns an element of a global array, and where it lies there.
//
// Contract: every index 0 … size - 1 has exactly one owner and one place among its elements;
// global(owner(i), local(i)) == i; the places of a rank are 0 … count(rank) - 1, in ascending order
// of their indices. Any number of ranks, any block, sizes that neither divides, also 0.
//
//   cyclic   blocks of `block` elements, dealt out in turn: load spread evenly, whatever is hot
//   owned    one range a rank, as long as that rank asked for: what belongs together stays together
//
// Pure arithmetic, the same on every rank; `placement`'s ownership is the table for graphs, where a
// block may move and a rank's part is padded to whole blocks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace gossamer {

class global_layout {
 public:
  struct place {
    int rank;
    std::int64_t local;
    friend bool operator==(const place&, const place&) = default;
  };

  global_layout() = default;  ///< of no elements, on one rank
  /// usage_error unless size >= 0, block >= 1 and ranks >= 1.
  static global_layout cyclic(std::int64_t size, std::int64_t block, int ranks);
  /// Rank r owns sizes[r] elements, after those of the ranks before it. usage_error for a negative
  /// size or no rank.
  static global_layout owned(std::span<const std::int64_t> sizes);

  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] int ranks() const noexcept { return ranks_; }

  /// Where element `i` lies; 0 <= i < size() is the caller's to check.
  [[nodiscard]] place find(std::int64_t i) const {
    if (!first_.empty()) {
      // The last rank that begins at or before i: those that own nothing begin where it does.
      const auto after = std::upper_bound(first_.begin(), first_.end(), i);
      const auto rank = after - first_.begin() - 1;
      return {static_cast<int>(rank), i - first_[static_cast<std::size_t>(rank)]};
    }
    const std::int64_t block = by_block_.quotient(i), round = by_ranks_.quotient(block);
    return {static_cast<int>(block - round * ranks_),
            round * by_block_.value + (i - block * by_block_.value)};
  }
  [[nodiscard]] int owner(std::int64_t i) const { return find(i).rank; }
  [[nodiscard]] std::int64_t local(std::int64_t i) const { return find(i).local; }
  /// The index of element `local` of `rank`.
  [[nodiscard]] std::int64_t global(int rank, std::int64_t local) const {
    if (!first_.empty()) return first_[static_cast<std::size_t>(rank)] + local;
    const std::int64_t round = by_block_.quotient(local);
    return (round * ranks_ + rank) * by_block_.value + (local - round * by_block_.value);
  }
  /// How many elements `rank` owns.
  [[nodiscard]] std::int64_t count(int rank) const;

  /// Calls visit(index, local, n) for each run of consecutive indices in [first, last) that `rank`
  /// owns, in ascending order. Costs one call a run.
  template <class Visit>
  void for_each_run(int rank, std::int64_t first, std::int64_t last, Visit&& visit) const {
    if (!first_.empty()) {
      const std::int64_t mine = first_[static_cast<std::size_t>(rank)];
      const std::int64_t begin = std::max(first, mine), end = std::min(last, mine + count(rank));
      if (begin < end) visit(begin, begin - mine, end - begin);
      return;
    }
    const std::int64_t length = by_block_.value, stride = length * ranks_;
    std::int64_t round = by_ranks_.quotient(by_block_.quotient(std::max<std::int64_t>(first, 0)));
    for (std::int64_t at = round * stride + rank * length; at < std::min(last, size_);
         at += stride, ++round) {
      const std::int64_t begin = std::max(first, at);
      const std::int64_t end = std::min({last, size_, at + length});
      if (begin < end) visit(begin, round * length + (begin - at), end - begin);
    }
  }

 private:
  /// Division of what is not negative; a shift where it can be one: an access computes two.
  struct divisor {
    divisor() = default;
    explicit divisor(std::int64_t v)
        : value(v),
          shift(std::has_single_bit(static_cast<std::uint64_t>(v))
                    ? std::countr_zero(static_cast<std::uint64_t>(v))
                    : -1) {}
    [[nodiscard]] std::int64_t quotient(std::int64_t i) const {
      return shift >= 0 ? i >> shift : i / value;
    }
    std::int64_t value = 1;
    int shift = 0;
  };

  std::int64_t size_ = 0;
  int ranks_ = 1;
  divisor by_block_, by_ranks_;      ///< cyclic
  std::vector<std::int64_t> first_;  ///< owned: [ranks + 1]; cyclic: empty
};

}  // namespace gossamer
