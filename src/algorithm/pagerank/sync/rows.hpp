// The pull: what the in-neighbours of a range of vertices offer, added up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer::pagerank_detail {

/// Vertices whose sums are added up before they meet those of others: the order of additions, and
/// so every bit of a result, does not depend on threads.
inline constexpr std::int64_t block = 2048;

/// Rows of in-arcs [first, last), and what a pull needs.
template <class Id, class Value>
struct pull_rows {
  const edge_offset* offsets = nullptr;
  const Id* columns = nullptr;     ///< where in-arcs' sources offer
  const Value* weights = nullptr;  ///< share of its source's weight that an in-arc has; null: none
  std::int64_t first = 0, last = 0;
  int threads = 1;
};

/// Sums over own vertices, in double precision.
struct pull_sums {
  double change = 0;      ///< |new - old|
  double dangling = 0;    ///< of ranks that no arc leads on from
  bool negative = false;  ///< a rank was written that is
};

/// What an iteration has beside the ranks.
template <class Value>
struct step {
  const Value* offered = nullptr;         ///< x / W of every vertex, where columns say
  const Value* inverse_weight = nullptr;  ///< [own] 1 / W; 0 where W is
  const double* jumps = nullptr;          ///< [rows of all] p; null: uniform
  double uniform = 0;                     ///< 1 / n
  double damping = 0;
  double dangling = 0;  ///< D, of all ranks
  double over = 1;      ///< more than 1: how far to go from the ranks before the last beyond them
  Value* offer = nullptr;  ///< [own] what ranks offer next; null: nobody asks
};

/// Ranks to begin with: even + arc * W, where arc is not zero.
struct first_ranks {
  double even = 0, arc = 0;
};

/// One iteration over the own rows: what `ranks` [own] become is written to `next` [own]. That may
/// be `ranks`; with s.over it has the ranks before them, and is replaced by
/// next + over * (what ranks become - next).
template <class Id, class Value>
pull_sums pull(const pull_rows<Id, Value>& rows, const step<Value>& s, const Value* ranks,
               Value* next);

/// What own rows offer, ranks * inverse_weight, all [own]. The sum of ranks that no arc leads on
/// from.
template <class Value>
double offer(std::int64_t own, int threads, const Value* ranks, const Value* inverse_weight,
             Value* offered);

/// Rows in ranges of so many pieces each. A sweep pulls all first pieces, then all second ones, and
/// so on. Threads take ranges, so a result has the same bits with any number of them.
struct sweep_pieces {
  static constexpr std::int64_t ranges = 32, stages = 2, of_all = ranges * stages;
  static constexpr std::int64_t worth = 64 * of_all;  ///< rows from which on there are sweeps
  std::vector<std::int64_t> first;                    ///< [of_all + 1] rows
};

/// Sums over all vertices after a sweep.
struct sweep_sums {
  double change = 0;  ///< |new - old| of those that arcs lead on from
  double all = 0;     ///< of what ranks are proportional to
};

/// Gauss and Seidel's sweep for x = d P x + (1 - d) p, what ranks are proportional to. A row sees
/// what its own range has become, and of others what they were before this stage. s.offered: two
/// arrays one after the other, of what all see and, for columns that much farther, of what only the
/// own range does, s.offer. `before`: [own] gets the old ranks, or null.
template <class Id, class Value>
sweep_sums sweep(const pull_rows<Id, Value>& rows, const step<Value>& s, const sweep_pieces& pieces,
                 Value* ranks, Value* before, Value* seen);

/// ranks + by * (ranks - before), and at least what jumps alone give.
template <class Value>
void extrapolate(std::int64_t own, int threads, const step<Value>& s, double by,
                 const Value* before, Value* ranks);

/// Own ranks to begin with.
template <class Value>
void begin_with(const first_ranks& first, std::int64_t own, int threads,
                const Value* inverse_weight, Value* ranks);

}  // namespace gossamer::pagerank_detail
