// What is made of finished labels: counts, and labels of the caller's vertices where rows were
// moved.
#pragma once

#include <algorithm>
#include <limits>

#include "algorithm/vertex_parts.hpp"
#include "gossamer/algorithm/connected_components.hpp"
#include "gossamer/base/atomics.hpp"
#include "gossamer/base/large_array.hpp"

namespace gossamer::components_detail {

/// Components, and the largest (of several the one with the smallest label), counted from finished
/// labels by `threads`. One label is counted apart: most vertices of most graphs have the same, and
/// threads would meet at its counter.
template <class Id>
void count_components(const shared_array<Id>& labels, int threads, components_result& result) {
  const auto n = static_cast<std::int64_t>(labels.size());
  if (n == 0) return;
  static_cast<void>(threads);
  const auto sizes = make_array<Id>(labels.size());
  const Id apart = labels[labels.size() / 2];
  std::int64_t with_it = 0, count = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) if (threads > 1 && n > 65536)
#endif
  {
#ifdef _OPENMP
#pragma omp for
#endif
    for (std::int64_t v = 0; v < n; ++v) sizes[static_cast<std::size_t>(v)] = 0;
#ifdef _OPENMP
#pragma omp for reduction(+ : with_it)
#endif
    for (std::int64_t v = 0; v < n; ++v) {
      const Id l = labels[static_cast<std::size_t>(v)];
      if (l == apart)
        ++with_it;
      else
        std_atomics::fetch_add(sizes[static_cast<std::size_t>(l)], Id{1});
    }
#ifdef _OPENMP
#pragma omp single
#endif
    sizes[static_cast<std::size_t>(apart)] = static_cast<Id>(with_it);
    std::int64_t largest = 0, its_label = 0;
#ifdef _OPENMP
#pragma omp for schedule(static) reduction(+ : count)
#endif
    for (std::int64_t l = 0; l < n; ++l) {
      const Id size = sizes[static_cast<std::size_t>(l)];
      count += size > 0;
      if (size <= largest) continue;
      largest = size;
      its_label = l;
    }
#ifdef _OPENMP
#pragma omp critical
#endif
    if (largest > result.largest ||
        (largest == result.largest && its_label < result.largest_label)) {
      result.largest = largest;
      result.largest_label = its_label;
    }
  }
  result.count = count;
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
