// Scores of arcs as callers see them, from sums over the rows that searches read: both arcs of an
// undirected edge have what both found, and parallel arcs share it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithm/driver/array_list.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::betweenness_detail {

/// Of which arc each row's next one is the other direction, and how many arcs of the caller's share
/// a score.
struct collecting_arrays {
  shared_array<edge_offset> next;
  shared_array<std::int32_t> parallel;

  void list(algorithm_detail::array_list& of, std::int64_t vertices, std::int64_t arcs) {
    of.add(next, vertices);
    of.add(parallel, arcs);
  }
};

/// `given`: the caller's rows. `out`: those that were searched, which ascend.
template <class Id>
class edge_scores {
 public:
  edge_scores(const csr_view<Id>& given, const csr_view<Id>& out, const collecting_arrays& arrays)
      : given_(given), out_(out), arrays_(arrays) {}

  /// Of a symmetric graph. The other directions of arcs to a vertex are its row's arcs in their
  /// order.
  void join_directions(double* sums) const {
    edge_offset* const next = arrays_.next.data();
    std::copy_n(out_.offsets.data(), out_.vertices(), next);
    for (std::int64_t v = 0; v < out_.vertices(); ++v)
      for (edge_offset k = out_.offsets[v]; k < out_.offsets[v + 1]; ++k) {
        const auto u = static_cast<std::int64_t>(out_.indices[k]);
        const edge_offset back = next[u]++;
        if (u > v) sums[k] = sums[back] = sums[k] + sums[back];
      }
  }

  /// The rows are the caller's: their sums are scores.
  [[nodiscard]] bool same_rows() const { return given_.indices.data() == out_.indices.data(); }

  /// Of the row of v. The caller's may have its arcs in any order, and several to one vertex.
  void share_out(std::int64_t v, const double* sums, double* scores) const {
    std::int32_t* const parallel = arrays_.parallel.data();
    const auto row = out_.row(v);
    const edge_offset begin = out_.offsets[v];
    const auto place = [&](edge_offset k) {
      const Id u = given_.indices[k];
      return begin + (std::lower_bound(row.begin(), row.end(), u) - row.begin());
    };
    std::fill_n(parallel + begin, row.size(), 0);
    for (edge_offset k = given_.offsets[v]; k < given_.offsets[v + 1]; ++k) ++parallel[place(k)];
    for (edge_offset k = given_.offsets[v]; k < given_.offsets[v + 1]; ++k)
      scores[k] = sums[place(k)] / parallel[place(k)];
  }

 private:
  const csr_view<Id>&given_, &out_;
  const collecting_arrays& arrays_;
};

/// Bytes of `collecting_arrays`, at most.
inline std::int64_t collecting_bytes(std::int64_t vertices, std::int64_t arcs, bool edges) {
  return edges ? algorithm_detail::counted<collecting_arrays>(vertices, arcs).own : 0;
}

}  // namespace gossamer::betweenness_detail
