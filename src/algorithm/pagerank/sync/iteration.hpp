// The power iteration of one rank.
//
// One array of offers serves all iterations. A rank writes its own part, and others' parts arrive,
// only after an allreduce. Every rank has entered that after it had pulled from the array.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/pagerank/sync/rows.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::pagerank_detail {

/// What one rank brings back; all but the times is the same on every rank.
struct outcome {
  std::int64_t iterations = 0;
  bool converged = false;
  bool in_other = false;  ///< the ranks are in the second array
  double change = 0;
  double begin = 0;  ///< by the rank's clock
  double seconds = 0, gather = 0, agree = 0;
};

/// The whole run's, of the slowest ranks, as a result has it.
void describe(const std::vector<outcome>& outcomes, pagerank_result& result);

/// What one rank iterates over.
template <class Id, class Value>
struct part {
  pull_rows<Id, Value> rows;
  const Value* inverse_weight = nullptr;  ///< own rows
  std::int64_t block = 0;                 ///< rows of a rank, padding included
  std::int64_t vertices = 0;
  bool symmetric = false;                ///< every arc has its reverse, and all weigh alike
  first_ranks first = {};                ///< where nobody gave a start
  const sweep_pieces* sweeps = nullptr;  ///< of a rank that is alone, whose columns are for them
  bool started = false;                  ///< somebody gave a start, which may be the answer
};

/// Iterates until ranks change little enough. `offered`: window of block * size() elements, of two
/// blocks where there is one rank, which writes what it offers next while it pulls;
/// `ranks`: own rows, at first the start; `other`: as many, which may become the ranks
/// (outcome::in_other); `jumps`: [rows of all] or null.
template <class Id, class Value>
outcome iterate(rank& r, const part<Id, Value>& mine, const window<Value>& offered, Value* ranks,
                Value* other, const double* jumps, const pagerank_options& options);

/// Bytes that collectives may take of a rank's arenas beside the windows.
std::size_t collective_bytes(std::size_t vector_bytes, bool modelled);

}  // namespace gossamer::pagerank_detail
