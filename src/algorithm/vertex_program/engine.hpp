// One rank's side of a compiled program, on a CPU (worklist.cpp) or a GPU (cuda/worklist.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "algorithm/driver/memory_layout.hpp"
#include "algorithm/driver/worklist_outcome.hpp"
#include "gossamer/algorithm/vertex_program.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::program_detail {

/// A placed graph, and the weights of one rank's columns, on the host, converted to the program's
/// type; both outlive who reads them.
template <class Id>
struct program_rows {
  const placed_graph& graph;
  int rank;
  const void* weights;  ///< null: the expression has none

  [[nodiscard]] const graph_slice<Id>& slice() const { return graph.slice<Id>(rank); }
  [[nodiscard]] std::int64_t first() const { return graph.bounds()[at()]; }
  [[nodiscard]] std::int64_t last() const { return graph.bounds()[at() + 1]; }

  [[nodiscard]] std::size_t at() const { return static_cast<std::size_t>(rank); }
};

template <class Key>
class program_rank {
 public:
  virtual ~program_rank() = default;
  /// Collective, all by placed id. `initial`: [ids]; `only_active`: no other vertex has a value
  /// there that is better than the worst; fills the own part of `keys` [ids].
  virtual algorithm_detail::worklist_outcome run(rank& r, const Key* initial,
                                                 std::span<const std::int64_t> active,
                                                 bool only_active, Key* keys) = 0;
};

/// How a worklist goes about a graph.
struct list_shape {
  double delta;     ///< width of the first window of priorities
  bool short_rows;  ///< of the whole graph (short_rows.hpp)
  bool pulls;       ///< label-setting, and arcs lead both ways
};

template <class Id, class Key>
std::unique_ptr<program_rank<Key>> make_worklist(const vertex_program& program,
                                                 const program_rows<Id>& rows, double delta);
/// In cuda, else absent: not_compiled.
template <class Id, class Key>
std::unique_ptr<program_rank<Key>> make_gpu_worklist(const vertex_program& program,
                                                     const program_rows<Id>& rows,
                                                     const list_shape& shape);
#define GOSSAMER_GPU_PROGRAM_RANK(Id, Key)                       \
  template std::unique_ptr<program_rank<Key>> make_gpu_worklist( \
      const vertex_program&, const program_rows<Id>&, const list_shape&);
/// Explicit instantiations: `Each(Id, Key)` of all types.
#define GOSSAMER_PROGRAM_TYPES(Each)                                                        \
  Each(vertex32, std::uint32_t) Each(vertex32, std::uint64_t) Each(vertex64, std::uint32_t) \
      Each(vertex64, std::uint64_t)

/// What they take of rank `self`.
void declare_worklist(algorithm_detail::memory_layout& l, const machine& m,
                      const planned_rows& rows, int self, int id_width,
                      const vertex_program& program);
void declare_gpu_worklist(algorithm_detail::memory_layout& l, const machine& m,
                          const planned_rows& rows, int self, int id_width,
                          const vertex_program& program);

}  // namespace gossamer::program_detail
