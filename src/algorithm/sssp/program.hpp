// A prepared search of one id width and one type of distance, behind one interface.
#pragma once

#include <memory>
#include <vector>

#include "algorithm/arc_weights.hpp"
#include "algorithm/sssp/peer.hpp"
#include "algorithm/sssp/solo.hpp"
#include "algorithm/sssp/weights.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::sssp_detail {

using algorithm_detail::weight_facts;

/// What one rank brings back.
struct outcome {
  search_counts counts;
  worklist_counters work;  ///< engine async
  peer_times times;
  double seconds = 0, parents = 0;
};

class sssp_program {
 public:
  virtual ~sssp_program() = default;
  /// One search on all ranks; fills distances, parents and counts of `result`.
  virtual void run(std::int64_t source, sssp_result& result) = 0;
};

/// `options.run.arenas` is planned, `options.engine` is sync or async; `delta` is in range.
std::unique_ptr<sssp_program> make_program(machine& m, const graph& g, const sssp_options& options,
                                           double delta, const weight_facts& facts);

/// What a search takes on one rank, in bytes.
struct rank_bytes {
  std::int64_t rows = 0;      ///< copied, in their order; 0 on several ranks, and with async
  std::int64_t work = 0;      ///< known distances and marks, lists of async; 0 on one rank of sync
  std::int64_t buckets = 0;   ///< about; 0 with async
  std::int64_t windows = 0;   ///< in the native arena
  std::int64_t gathered = 0;  ///< in the host arena, where ranks are processes
};
/// `first`: [ranks + 1] row ranges.
rank_bytes bytes_on(const machine& m, const std::vector<std::int64_t>& first, int rank,
                    std::int64_t arcs, int id_width, int distance_bytes, bool skewed,
                    const sssp_options& options);

/// Bucket width for weights and degrees; see docs/design/sssp.md for what it was measured with.
double choose_delta(const weight_facts& facts, std::int64_t vertices, std::int64_t arcs);

}  // namespace gossamer::sssp_detail
