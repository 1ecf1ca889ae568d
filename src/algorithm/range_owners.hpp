// Owners of vertices for worklists whose ranks read contiguous ranges of the caller's rows
// (row_ranges.hpp): ids are placed ids, and rows are found by id, as nothing was copied.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace gossamer::algorithm_detail {

class range_owners {
 public:
  /// `first`: [ranks + 1] row ranges, which must live as long; `self` is asked about most.
  range_owners(const std::vector<std::int64_t>& first, int self)
      : first_(&first),
        self_(self),
        begin_(first[static_cast<std::size_t>(self)]),
        rows_(first[static_cast<std::size_t>(self) + 1] - begin_) {}

  [[nodiscard]] int owner(std::int64_t v) const {
    // One comparison for both ends: what lies before them wraps.
    if (static_cast<std::uint64_t>(v - begin_) < static_cast<std::uint64_t>(rows_)) return self_;
    return static_cast<int>(std::upper_bound(first_->begin(), first_->end(), v) - first_->begin()) -
           1;
  }
  /// Where v's row is: the caller's offsets are of all rows.
  [[nodiscard]] static std::int64_t local(std::int64_t v) { return v; }
  [[nodiscard]] std::int64_t local_size(int rank) const {
    return (*first_)[static_cast<std::size_t>(rank) + 1] -
           (*first_)[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> own() const {
    return {begin_, begin_ + rows_};
  }

 private:
  const std::vector<std::int64_t>* first_;
  int self_;
  std::int64_t begin_, rows_;
};

}  // namespace gossamer::algorithm_detail
