// ownership: builds the tables block -> rank and back from ranges or from any assignment.
#include "gossamer/placement/ownership.hpp"

#include <string>

#include "gossamer/base/error.hpp"

namespace gossamer {

ownership ownership::ranges(std::span<const std::int64_t> counts, int block_bits) {
  require(!counts.empty(), "ownership: no ranks");
  require(block_bits >= 6 && block_bits < 40, "ownership: block_bits must be 6 to 39");
  const std::int64_t block = std::int64_t{1} << block_bits;
  ownership o;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    require(counts[r] >= 0, "ownership: negative count");
    const std::int64_t blocks = (counts[r] + block - 1) >> block_bits;
    o.rank_of_.insert(o.rank_of_.end(), blocks, static_cast<std::int32_t>(r));
  }
  o.finish(static_cast<int>(counts.size()), block_bits);
  return o;
}

ownership ownership::blocks(std::vector<std::int32_t> rank_of, int ranks, int block_bits) {
  require(ranks > 0, "ownership: no ranks");
  require(block_bits >= 6 && block_bits < 40, "ownership: block_bits must be 6 to 39");
  for (std::int32_t r : rank_of) {
    require(r >= 0 && r < ranks,
            "ownership: block owned by rank " + std::to_string(r) + " of " + std::to_string(ranks));
  }
  ownership o;
  o.rank_of_ = std::move(rank_of);
  o.finish(ranks, block_bits);
  return o;
}

void ownership::finish(int ranks, int block_bits) {
  const std::size_t blocks = rank_of_.size();
  first_.assign(ranks + 1, 0);
  for (std::int32_t r : rank_of_) ++first_[r + 1];
  for (int r = 0; r < ranks; ++r) first_[r + 1] += first_[r];
  local_of_.resize(blocks);
  block_at_.resize(blocks);
  std::vector<std::int64_t> next(first_.begin(), first_.end() - 1);
  contiguous_ = true;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::int32_t r = rank_of_[b];
    local_of_[b] = static_cast<std::int32_t>(next[r] - first_[r]);
    block_at_[next[r]++] = static_cast<std::int32_t>(b);
    // Blocks of a rank are adjacent when the table has one run per rank.
    if (local_of_[b] > 0 && rank_of_[b - 1] != r) contiguous_ = false;
  }
  view_ = {block_bits,
           ranks,
           static_cast<std::int64_t>(blocks),
           rank_of_.data(),
           local_of_.data(),
           block_at_.data(),
           first_.data()};
}

ownership_sizes ownership_sizes::ranges(std::span<const std::int64_t> counts, int block_bits) {
  const std::int64_t block = std::int64_t{1} << block_bits;
  ownership_sizes sizes;
  sizes.block_bits_ = block_bits;
  for (const std::int64_t count : counts) {
    sizes.local_.push_back((count + block - 1) / block * block);
    sizes.placed_ += sizes.local_.back();
  }
  return sizes;
}

ownership_sizes::ownership_sizes(const ownership& o)
    : placed_(o.placed()), block_bits_(o.view().block_bits) {
  for (int r = 0; r < o.ranks(); ++r) local_.push_back(o.local_size(r));
}

std::int64_t ownership::local_size(int rank) const {
  return (first_.at(rank + 1) - first_.at(rank)) << view_.block_bits;
}

ownership::ownership(const ownership& other)
    : rank_of_(other.rank_of_),
      local_of_(other.local_of_),
      block_at_(other.block_at_),
      first_(other.first_),
      view_(other.view_),
      contiguous_(other.contiguous_) {
  view_.rank_of = rank_of_.data();
  view_.local_of = local_of_.data();
  view_.block_at = block_at_.data();
  view_.first = first_.data();
}

ownership& ownership::operator=(const ownership& other) {
  if (this != &other) *this = ownership(other);
  return *this;
}

}  // namespace gossamer
