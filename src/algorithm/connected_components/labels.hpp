// What is made of finished labels: counts, and labels of the caller's vertices where rows were
// moved.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "algorithm/vertex_parts.hpp"
#include "gossamer/algorithm/connected_components.hpp"
#include "gossamer/base/large_array.hpp"

namespace gossamer::components_detail {

/// Components, and the largest, counted from finished labels.
template <class Id>
void count_components(const shared_array<Id>& labels, components_result& result) {
  std::vector<Id> size(labels.size(), 0);
  for (const Id l : labels) ++size[static_cast<std::size_t>(l)];
  for (std::size_t v = 0; v < size.size(); ++v) {
    result.count += size[v] > 0;
    if (size[v] <= result.largest) continue;
    result.largest = size[v];
    result.largest_label = static_cast<std::int64_t>(v);
  }
}

/// Labels by row, which name rows, as labels by vertex: of each component the smallest vertex.
template <class Id>
label_array labels_by_vertex(const algorithm_detail::parted_graph& parted,
                             const shared_array<Id>& of_rows) {
  if (!parted.moved()) return of_rows;
  const auto n = of_rows.size();
  const auto smallest = make_array<Id>(n), labels = make_array<Id>(n);
  std::fill(smallest.begin(), smallest.end(), std::numeric_limits<Id>::max());
  for (std::size_t i = 0; i < n; ++i) {
    Id& its = smallest[static_cast<std::size_t>(of_rows[i])];
    its = std::min(its, static_cast<Id>(parted.vertex_of(static_cast<std::int64_t>(i))));
  }
  for (std::size_t i = 0; i < n; ++i)
    labels[static_cast<std::size_t>(parted.vertex_of(static_cast<std::int64_t>(i)))] =
        smallest[static_cast<std::size_t>(of_rows[i])];
  return labels;
}

}  // namespace gossamer::components_detail
