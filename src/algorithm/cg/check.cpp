// What conjugate gradient needs of a matrix, checked before anything is placed.
#include <algorithm>
#include <cmath>

#include "algorithm/cg/layout.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/shown.hpp"

namespace gossamer::cg_detail {

namespace {

std::string place(const graph& g, std::int64_t row, std::int64_t column) {
  return "entry (" + std::to_string(g.names.name(row)) + ", " +
         std::to_string(g.names.name(column)) + ")";
}

/// Sum of the stored entries (row, column): parallel entries of a graph add up in a matrix.
template <class Id>
double sum_of(const graph& g, const csr_view<Id>& rows, std::int64_t row, std::int64_t column) {
  const auto ids = rows.row(row);
  const auto [from, to] = std::equal_range(ids.begin(), ids.end(), static_cast<Id>(column));
  double sum = 0;
  for (auto i = from; i != to; ++i) sum += entry(g, rows.offsets[row] + (i - ids.begin()));
  return sum;
}

template <class Id>
void check_rows(const graph& g, const csr_view<Id>& rows) {
  for (std::int64_t i = 0; i < rows.vertices(); ++i) {
    double diagonal = 0;
    for (edge_offset k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      const auto j = static_cast<std::int64_t>(rows.indices[k]);
      const double value = entry(g, k);
      if (!std::isfinite(value))
        throw input_error(g.name + ": " + place(g, i, j) + " is " + shown(value));
      if (j == i) diagonal += value;
      if (g.symmetric || j <= i) continue;  // each pair once, from its upper half
      const double here = sum_of(g, rows, i, j), there = sum_of(g, rows, j, i);
      if (std::abs(here - there) > 1e-12 * std::max(std::abs(here), std::abs(there)))
        throw input_error(g.name + ": the matrix is not symmetric: " + place(g, i, j) + " is " +
                          shown(here) + ", " + place(g, j, i) + " is " + shown(there));
    }
    // e_i' A e_i is the diagonal entry, so this is where definiteness can be refuted for free.
    if (!(diagonal > 0))
      throw input_error(g.name + ": the matrix is not positive definite: " + place(g, i, i) +
                        " is " + shown(diagonal));
  }
  if (g.symmetric) return;  // a promise of the graph, see csr.hpp
  // The lower half's pairs whose mirror image is not stored at all.
  for (std::int64_t i = 0; i < rows.vertices(); ++i)
    for (edge_offset k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      const auto j = static_cast<std::int64_t>(rows.indices[k]);
      if (j >= i || entry(g, k) == 0) continue;
      const auto ids = rows.row(j);
      if (!std::binary_search(ids.begin(), ids.end(), static_cast<Id>(i)))
        throw input_error(g.name + ": the matrix is not symmetric: " + place(g, i, j) + " is " +
                          shown(entry(g, k)) + ", " + place(g, j, i) + " is 0");
    }
}

}  // namespace

double entry(const graph& g, std::int64_t k) {
  const auto at = static_cast<std::size_t>(k);
  if (const auto* d = std::get_if<shared_array<double>>(&g.weights)) return (*d)[at];
  if (const auto* f = std::get_if<shared_array<float>>(&g.weights)) return (*f)[at];
  return std::get<shared_array<std::int32_t>>(g.weights)[at];
}

void check_form(const graph& g) {
  if (g.vertices() == 0) throw input_error(g.name + ": the matrix is empty");
  if (!g.weighted())
    throw usage_error(g.name +
                      ": has no values; conjugate gradient needs a matrix, not only its pattern");
  require(g.sorted, "conjugate gradient: rows must be sorted by column");
  if (g.vertices() > 2147483647)
    throw usage_error(g.name + ": at most 2147483647 rows, it has " + std::to_string(g.vertices()));
}

void check_matrix(const graph& g) {
  check_form(g);
  g.visit([&](const auto& rows) { check_rows(g, rows); });
}

}  // namespace gossamer::cg_detail
