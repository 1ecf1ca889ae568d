// How a matrix lies over p ranks: contiguous rows, columns renumbered into each rank's extended
// direction vector, and who sends which entries to whom.
//
// Extended vector of a rank: the entries its SpMV may read. allgather: all n, padded to p equal
// blocks, own entries at `own_offset`. halo: own entries first, then those of other ranks its
// columns touch, grouped by owner and ascending, so that one owner's entries arrive by one put.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/algorithm/cg.hpp"

namespace gossamer::cg_detail {

/// One rank's rows in CRS; columns index its extended vector.
struct local_matrix {
  std::int64_t first_row = 0, rows = 0;
  std::int64_t extended = 0;    ///< entries of the extended vector
  std::int64_t own_offset = 0;  ///< where this rank's own entries begin in it
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  std::vector<double> inverse_diagonal;  ///< only when preconditioned
};

/// Entries of one rank that another one needs.
struct halo_message {
  int peer = 0;
  std::vector<std::int32_t> entries;  ///< sender's own indices (0 = its first row)
  std::int64_t at = 0;                ///< where they begin in the receiver's extended vector
};

struct layout {
  std::vector<std::int64_t> first;  ///< [p + 1] row ranges
  bool halo = false;
  std::string reason;      ///< why this exchange
  std::int64_t bytes = 0;  ///< direction entries received per iteration, all ranks, in bytes
  std::int64_t allgather_block = 0;  ///< entries of each rank's padded block; 0 when rows differ
  std::vector<local_matrix> parts;   ///< [p]
  std::vector<std::vector<halo_message>> sends;  ///< [p] halo: by receiver
};

/// Everything above, of a matrix that has been checked and whose rows are divided at `first`.
/// Columns, values and diagonals are those of the machine's ranks in this process; without
/// `entries` they stay empty: enough for a plan.
layout make_layout(const machine& m, const graph& matrix, const std::vector<std::int64_t>& first,
                   const cg_options& options, bool entries = true);

/// Throws unless the matrix has rows, values and 32-bit ids: what a plan needs.
void check_form(const graph& matrix);
/// Throws unless the matrix can be given to conjugate gradient; see cg_solver. O(entries).
void check_matrix(const graph& matrix);
/// Value of stored entry k.
double entry(const graph& matrix, std::int64_t k);

}  // namespace gossamer::cg_detail
