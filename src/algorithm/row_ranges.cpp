#include "algorithm/row_ranges.hpp"

#include <algorithm>

namespace gossamer::algorithm_detail {

std::vector<std::int64_t> even_ranges(std::int64_t n, int ranks) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(ranks) + 1, n);
  first[0] = 0;
  const std::int64_t block = (n + ranks - 1) / ranks;
  for (int r = 1; r < ranks; ++r) first[r] = std::min(n, r * block);
  return first;
}

std::vector<std::int64_t> arc_ranges(std::span<const edge_offset> offsets, int ranks) {
  // A graph of no vertices may have no offsets either.
  const auto n = std::max<std::int64_t>(static_cast<std::int64_t>(offsets.size()) - 1, 0);
  std::vector<std::int64_t> first(static_cast<std::size_t>(ranks) + 1, n);
  first[0] = 0;
  for (int r = 1; r < ranks && n > 0; ++r) {
    const auto wanted = static_cast<edge_offset>(static_cast<double>(offsets.back()) * r / ranks);
    const auto at = std::lower_bound(offsets.begin(), offsets.end(), wanted) - offsets.begin();
    first[r] = std::clamp<std::int64_t>(at, first[r - 1], n);
  }
  return first;
}

std::int64_t longest_range(std::span<const std::int64_t> first) {
  std::int64_t longest = 0;
  for (std::size_t r = 0; r + 1 < first.size(); ++r)
    longest = std::max(longest, first[r + 1] - first[r]);
  return longest;
}

bool is_padded(std::span<const std::int64_t> first) {
  const std::int64_t block = longest_range(first);
  for (std::size_t r = 0; r + 1 < first.size(); ++r)
    if (first[r] < first[r + 1] && first[r] != static_cast<std::int64_t>(r) * block) return true;
  return false;
}

}  // namespace gossamer::algorithm_detail
