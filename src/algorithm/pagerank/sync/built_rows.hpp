// One GPU's rows (gpu_rows.hpp) made in its own memory, from a graph that lies there: the bits of
// make_gpu_rows() for one rank, without the host.
//
// Vertices are sorted by the class of their rows' lengths, which gives slots, and the order of
// offers likewise. Arcs are then taken in the order in which their sources offer, and sorted by the
// slot of their target, so many at a time. The sort is stable. So a row's columns rise, and what a
// lot has of a row follows what the lots before had. No row needs a sort of its own, however long
// it is, and directed graphs need not be reversed before. Beside the columns nothing is taken that
// has an entry for every arc.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <variant>

#include "algorithm/pagerank/sync/gpu_rows.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::pagerank_detail {

/// A whole graph in the memory of one GPU, which nobody writes while rows are built.
template <class Id>
struct graph_on_gpu {
  std::int64_t vertices = 0, arcs = 0;
  const edge_offset* offsets = nullptr;  ///< [vertices + 1], from 0
  const Id* columns = nullptr;           ///< [arcs]
  /// [vertices + 1] of the reversed graph; `offsets` if symmetric; null: counted from the columns.
  const edge_offset* in_offsets = nullptr;
  /// [arcs] beside the columns; looked at if steps follow weights.
  std::variant<std::monostate, const std::int32_t*, const float*, const double*> weights = {};
};

/// How rows are built.
struct row_building {
  bool weighted = false;
  std::stop_token stop = {};
  /// Called when a weight is negative or not finite, or a vertex's sum is not: throws what says so.
  std::function<void()> refuse_weights = {};
  std::int64_t lot = 0;  ///< arcs sorted at a time; 0: lot_of(arcs)
};

/// One rank's rows in its GPU's memory; arrays as in gpu_rows and gpu_part.
template <class Value>
struct rows_on_gpu {
  std::int64_t rows = 0;
  std::array<std::int64_t, row_classes> class_end{};
  bool hubs_first = false;
  buffer<std::uint32_t> offsets;
  buffer<std::int64_t> bases;
  buffer<chunk> chunks;
  buffer<std::int64_t> chunk_first;
  buffer<vertex32> columns;
  buffer<Value> shares, inverse;
  buffer<vertex32> place;        ///< empty: offers lie by slot
  buffer<std::uint32_t> wanted;  ///< empty where there is one rank
  buffer<vertex32> slot;         ///< by vertex; of rows that were built here
};

/// Lots are few. Except for small graphs, sorting one takes at most as much as the columns.
constexpr std::int64_t lot_of(std::int64_t arcs) {
  constexpr std::int64_t least = std::int64_t{1} << 22, most = std::int64_t{1} << 27;
  return std::min(arcs, std::clamp(arcs / 4, least, most));
}

/// Bytes taken while rows are built, beside the graph and the rows, at most.
std::int64_t building_bytes(std::int64_t vertices, std::int64_t arcs, bool symmetric,
                            const pagerank_options& options);

/// Rows of a graph in the memory of `on`, a GPU. cancelled_error when a stop is requested, which is
/// looked for between steps, of some tens of milliseconds on large graphs. In
/// src/algorithm/pagerank/cuda, else absent: not_compiled.
template <class Id, class Value>
rows_on_gpu<Value> build_rows(const device& on, const graph_on_gpu<Id>& g,
                              const row_building& options);

}  // namespace gossamer::pagerank_detail
