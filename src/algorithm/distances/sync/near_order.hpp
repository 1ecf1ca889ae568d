// Vertices in an order in which those next to each other are near each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gossamer/base/shared_array.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::distances_detail {

/// Clumps of up to `size` vertices, each the beginning of a search from a vertex beside clumps
/// before it, among vertices that are in none. O(n + m). `order` has room for all.
template <class Id, class Ask>
void near_order(const csr_view<Id>& rows, std::int64_t size, std::int64_t* order, const Ask& ask) {
  const std::int64_t n = rows.vertices();
  std::vector<bool> taken(static_cast<std::size_t>(n));
  const auto take = [&](std::int64_t v) {
    const auto at = static_cast<std::size_t>(v);
    if (taken[at]) return false;
    taken[at] = true;
    return true;
  };
  std::int64_t end = 0, looks = 0;
  // What is beside a clump is found by going over its rows again, one clump after the other.
  std::int64_t beside = 0;  // of order: rows before it have been gone over
  std::int64_t arc = 0;     // in the row there: how far
  const auto grow = [&](std::int64_t first) {
    const std::int64_t begin = end;
    order[end++] = first;
    for (std::int64_t head = begin; head < end && end - begin < size; ++head)
      for (const Id v : rows.row(order[head])) {
        ++looks;
        if (end - begin == size) break;
        if (take(static_cast<std::int64_t>(v))) order[end++] = static_cast<std::int64_t>(v);
      }
  };
  for (std::int64_t root = 0; root < n; ++root) {
    if (!take(root)) continue;
    grow(root);
    for (; beside < end; ++beside, arc = 0) {
      const auto row = rows.row(order[beside]);
      for (; arc < std::ssize(row); ++arc) {
        const auto v = static_cast<std::int64_t>(row[static_cast<std::size_t>(arc)]);
        ++looks;
        if (take(v)) grow(v);
      }
      if (looks >= 1 << 16) {
        if (!ask()) return;
        looks = 0;
      }
    }
  }
}

}  // namespace gossamer::distances_detail
