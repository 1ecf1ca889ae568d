// The kernels of triangles as functions: one launch each, asynchronous in a stream. The host code
// of a rank (engine.cpp) sees no launch syntax.
#pragma once

#include "algorithm/triangles/sync/cuda/share.hpp"

namespace gossamer::triangles_detail::cuda {

/// Blocks that a multiprocessor holds at once.
struct resident_blocks {
  int long_rows = 1, short_rows = 1;
};
/// Of the current GPU, whose kernels are made ready.
template <class Id, class Value>
resident_blocks prepare_counting();

/// Where launches go.
struct launch_site {
  void* stream = nullptr;  ///< cudaStream_t
  int units = 1;           ///< streaming multiprocessors that this rank may fill
  resident_blocks resident;
};

/// Looks of a slice of rows (row_lists.hpp), which should take a tenth of a second.
double most_looks(bool with_values);

/// Adds what the rows of a share close to its counts. None when it has no rows.
template <class Id, class Value>
void count_long_rows(const launch_site& on, const row_share<Id, Value>& of);
template <class Id, class Value>
void count_short_rows(const launch_site& on, const row_share<Id, Value>& of);
/// to[v] := counts[name[v]].
template <class Id, class Worth>
void arrange(const launch_site& on, std::int64_t vertices, const Id* name, const Worth* counts,
             Worth* to);
/// to[i] += more[i].
template <class Worth>
void add_counts(const launch_site& on, std::int64_t n, const Worth* more, Worth* to);

}  // namespace gossamer::triangles_detail::cuda
