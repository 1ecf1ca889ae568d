// The kernels of components as functions: one launch each, asynchronous in a stream. The host code
// of a rank (program.cpp) sees no launch syntax.
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer::components_detail::cuda {

/// Rows of a rank in its GPU's memory: row i is vertex first + i, arc k is columns[k - base].
template <class Id>
struct device_rows {
  std::int64_t first = 0, rows = 0;
  edge_offset base = 0;                  ///< offsets[0]
  const edge_offset* offsets = nullptr;  ///< [rows + 1], as in the whole graph
  const Id* columns = nullptr;
  std::int64_t lowest = 0;  ///< arcs to smaller vertices are not hooked
};

/// Vertices [from, to).
struct vertex_span {
  std::int64_t from = 0, to = 0;
  [[nodiscard]] std::int64_t size() const { return to - from; }
};

/// Arcs of a long row, chunk_arcs of them from `begin` on or up to the row's end.
struct row_chunk {
  std::int64_t row;
  edge_offset begin;
};

/// What kernels of a run tell later ones.
struct run_state {
  std::int64_t largest = 0;       ///< root of the component whose rows are left out
  unsigned long long chunks = 0;  ///< listed
};

/// Which arcs the sample leaves to the hooking of the rest.
enum class arcs_left : std::uint8_t {
  all,      ///< of every row: each arc stands in one row alone
  smaller,  ///< those that lead to smaller vertices: each stands in the rows of both its ends
  outside,  ///< of rows outside run_state::largest (see hook_rest)
};

/// Where launches go.
struct launch_site {
  void* stream = nullptr;  ///< cudaStream_t
  int units = 1;           ///< streaming multiprocessors that this rank may fill
};

/// span->from = smallest, span->to = 1 + largest of both what they were and the columns.
template <class Id>
void survey(const launch_site& on, const Id* columns, std::int64_t arcs, vertex_span* span);

/// labels[v] := v, or the first neighbour of an own row if that is smaller, and hooked at all: arc
/// 0, hooked without atomics. Clears state->chunks.
template <class Id>
void begin_labels(const launch_site& on, const device_rows<Id>& rows, vertex_span touched,
                  Id* labels, run_state* state);
/// Hooks arc 1 of every row, and arc 0 where begin_labels could not.
template <class Id>
void hook_second(const launch_site& on, const device_rows<Id>& rows, Id* labels);
/// Joins most of what arc `arc` of every row joins, without atomics: of writes to one label the
/// last stays, and the others are lost. What is joined belongs together.
template <class Id>
void join_loosely(const launch_site& on, const device_rows<Id>& rows, int arc, Id* labels);
/// labels[v] := the root. Nothing is hooked meanwhile.
template <class Id>
void compress(const launch_site& on, vertex_span of, Id* labels);
/// state->largest := the root that most of 512 evenly spread vertices have.
template <class Id>
void guess_largest(const launch_site& on, std::int64_t vertices, const Id* labels,
                   run_state* state);
/// state->largest := the root of `vertex`.
template <class Id>
void note_root(const launch_site& on, Id vertex, const Id* labels, run_state* state);
/// Hooks all arcs of a row but the first `done`. `chunks`: null when no row is long, else the list
/// of those is filled, and hook_chunks must follow. `apart`: warps work on rows far from each
/// other, for graphs whose neighbours are near.
template <class Id>
void hook_rest(const launch_site& on, const device_rows<Id>& rows, arcs_left which, int done,
               Id* labels, run_state* state, row_chunk* chunks, bool apart);
template <class Id>
void hook_chunks(const launch_site& on, const device_rows<Id>& rows, arcs_left which, Id* labels,
                 run_state* state, const row_chunk* chunks);

// Labels of another rank: theirs[0] is that of vertex of.from. Those outside [lowest, v] are no
// labels, but what is there after a wait that failed: they are passed over.
/// labels[v] := what they say, of vertices that this rank knows nothing about.
template <class Id>
void adopt(const launch_site& on, vertex_span of, std::int64_t lowest, const Id* theirs,
           Id* labels);
/// Joins v and what they say of it.
template <class Id>
void merge(const launch_site& on, vertex_span of, std::int64_t lowest, const Id* theirs,
           Id* labels);

}  // namespace gossamer::components_detail::cuda
