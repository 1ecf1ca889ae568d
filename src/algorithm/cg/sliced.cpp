// Decides whether a rank's rows are worth slicing (many, short, little padding), and builds the
// slices on the host.
#include "algorithm/cg/sliced.hpp"

#include <algorithm>

namespace gossamer::cg_detail {

namespace {

/// Calls f(first row, row behind the last, longest row) for every slice.
template <class F>
void each_slice(std::span<const std::int64_t> offsets, F f) {
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  for (std::int64_t begin = 0; begin < rows; begin += slice_rows) {
    const std::int64_t end = std::min(rows, begin + slice_rows);
    std::int64_t longest = 0;
    for (std::int64_t i = begin; i < end; ++i)
      longest = std::max(
          longest, offsets[static_cast<std::size_t>(i + 1)] - offsets[static_cast<std::size_t>(i)]);
    f(begin, end, longest);
  }
}

}  // namespace

std::int64_t sliced_entries(std::span<const std::int64_t> offsets) {
  std::int64_t all = 0;
  each_slice(offsets, [&](std::int64_t, std::int64_t, std::int64_t longest) {
    all += slice_rows * longest;
  });
  return all;
}

bool worth_slicing(std::span<const std::int64_t> offsets) {
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  // Fewer threads than a GPU runs cannot hide the reads: then several share a row.
  constexpr std::int64_t fewest = 100'000, longest_average = 24;
  if (rows < fewest || offsets.back() > longest_average * rows) return false;
  return 4 * sliced_entries(offsets) <= 5 * offsets.back();
}

sliced_rows slice(const local_matrix& part) {
  sliced_rows made;
  const auto all = static_cast<std::size_t>(sliced_entries(part.offsets));
  made.columns.resize(all);
  made.values.resize(all);
  std::size_t at = 0;
  each_slice(part.offsets, [&](std::int64_t begin, std::int64_t end, std::int64_t longest) {
    made.first.push_back(static_cast<std::int64_t>(at));
    for (std::int64_t k = 0; k < longest; ++k)
      for (std::int64_t lane = 0; lane < slice_rows; ++lane, ++at) {
        const std::int64_t i = std::min(begin + lane, end - 1);
        const auto first = static_cast<std::size_t>(part.offsets[static_cast<std::size_t>(i)]);
        const auto last = static_cast<std::size_t>(part.offsets[static_cast<std::size_t>(i + 1)]);
        const bool there = begin + lane < end && first + static_cast<std::size_t>(k) < last;
        const std::size_t entry = there ? first + static_cast<std::size_t>(k) : first;
        made.columns[at] = first < last ? part.columns[entry] : 0;
        made.values[at] = there ? part.values[entry] : 0;
      }
  });
  made.first.push_back(static_cast<std::int64_t>(at));
  return made;
}

}  // namespace gossamer::cg_detail
