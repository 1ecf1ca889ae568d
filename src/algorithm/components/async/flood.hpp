// Engines async and host: one rank's side, on a CPU (async.cpp) or a GPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "algorithm/components/async/smallest_label.hpp"
#include "algorithm/components/planning.hpp"
#include "algorithm/driver/worklist_outcome.hpp"
#include "algorithm/host_driven/drive.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::components_detail {

template <class Id>
class label_flood {
 public:
  virtual ~label_flood() = default;
  /// Collective. Fills the own rows of `labels` [vertices]; seconds until they are final, on a GPU
  /// in its memory and by its clock.
  virtual algorithm_detail::worklist_outcome run(rank& r, Id* labels) = 0;
};

/// A rank's rows, whose arcs lead both ways: a slice's own arrays, or written down.
template <class Id>
struct both_ways {
  const edge_offset* offsets = nullptr;
  const Id* columns = nullptr;
  shared_array<edge_offset> made_offsets;
  shared_array<Id> made_columns;

  /// Out-arcs and in-arcs, on the host.
  void write_down(const graph_slice<Id>& slice) {
    made_offsets = make_array<edge_offset>(static_cast<std::size_t>(slice.rows + 1));
    made_columns = make_array<Id>(static_cast<std::size_t>(slice.arcs + slice.in_arcs));
    Id* to = made_columns.data();
    for (std::int64_t i = 0; i < slice.rows; ++i) {
      made_offsets[static_cast<std::size_t>(i)] = to - made_columns.data();
      to = std::copy(slice.columns + slice.offsets[i], slice.columns + slice.offsets[i + 1], to);
      to = std::copy(slice.in_columns + slice.in_offsets[i],
                     slice.in_columns + slice.in_offsets[i + 1], to);
    }
    made_offsets[static_cast<std::size_t>(slice.rows)] = to - made_columns.data();
    offsets = made_offsets.data();
    columns = made_columns.data();
  }
};
/// Of write_down(); `arcs`: of both ways.
constexpr std::int64_t both_ways_bytes(std::int64_t rows, std::int64_t arcs, int id_width) {
  return (rows + 1) * static_cast<std::int64_t>(sizeof(edge_offset)) + arcs * id_width;
}

/// On GPUs: takes all that runs of rank `self` need, windows apart. `g`: with in-arcs. In
/// components/cuda, else absent: not_compiled.
template <class Id>
std::unique_ptr<label_flood<Id>> make_gpu_flood(const placed_graph& g, int self,
                                                const algorithm_detail::list_drive& how);

/// What that takes; `arcs`: of both ways.
void declare_gpu_flood(memory_layout& l, const machine& m, const problem& p, int self,
                       std::int64_t arcs, const algorithm_detail::list_drive& how);

}  // namespace gossamer::components_detail
