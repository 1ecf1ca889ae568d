// Layouts of global arrays: what is computed once.
#include "gossamer/task/global_layout.hpp"

#include <limits>

#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
}  // namespace

global_layout global_layout::cyclic(std::int64_t size, std::int64_t block, int ranks) {
  require(size >= 0, "global_layout: a size cannot be negative");
  require(block >= 1 && ranks >= 1, "global_layout: block and ranks must be positive");
  global_layout l;
  l.size_ = size;
  l.ranks_ = ranks;
  // A block longer than the array is one that holds it all; and products stay small.
  block = std::min(block, std::max<std::int64_t>(size, 1));
  require(block <= most / 2 / ranks && size <= most / 2,
          "global_layout: more elements than 64 bits can number");
  l.by_block_ = divisor(block);
  l.by_ranks_ = divisor(ranks);
  return l;
}

global_layout global_layout::owned(std::span<const std::int64_t> sizes) {
  require(!sizes.empty(), "global_layout: block and ranks must be positive");
  global_layout l;
  l.ranks_ = static_cast<int>(sizes.size());
  l.first_.push_back(0);
  for (const std::int64_t n : sizes) {
    require(n >= 0, "global_layout: a size cannot be negative");
    require(n <= most - l.first_.back(), "global_layout: more elements than 64 bits can number");
    l.first_.push_back(l.first_.back() + n);
  }
  l.size_ = l.first_.back();
  return l;
}

std::int64_t global_layout::count(int rank) const {
  const auto r = static_cast<std::size_t>(rank);
  if (!first_.empty()) return first_[r + 1] - first_[r];
  const std::int64_t block = by_block_.value, stride = block * ranks_;
  const std::int64_t left = size_ % stride - rank * block;
  return size_ / stride * block + std::clamp<std::int64_t>(left, 0, block);
}

}  // namespace gossamer
