// One CPU rank of a search without buckets or rounds: a distributed worklist whose soft priority is
// the distance (dataflow/operator_worklist.hpp; Groute's form of shortest paths, PPoPP'17).
//
// A window of distances, whose width adapts, takes the place of a bucket: all ranks work on what
// lies in it in any order, and send what they find for others while they work. A rank agrees with
// the others once a window, not once a round of messages.
//
// Distances are the smallest sums along paths whatever the order, since rounding is monotone: the
// same as delta-stepping's to the bit.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithm/driver/vertex_worklist.hpp"
#include "algorithm/sssp/async/shortest_sums.hpp"
#include "algorithm/sssp/rank_search.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::sssp_detail {

template <class Id, class Distance>
class async_search final : public rank_search<Distance> {
 public:
  /// `rows`: of `rank`; `g`, which is placed like that, must outlive it.
  async_search(const weighted_rows<Id, Distance>& rows, const placed_graph& g, int rank,
               const worklist_options& options);
  /// Times: "exchange" is sending parcels, "agree" waiting, for messages as well as for the others'
  /// reports.
  void run(rank& r, std::int64_t source, Distance* distances, outcome& out) override;

  /// Of windows and counters, taken from the rank's arena.
  static std::int64_t arena_bytes(int ranks, const worklist_options& options) {
    return list::window_bytes(ranks, options);
  }
  /// Of what is kept between runs.
  static std::int64_t work_bytes(const planned_rows& rows, int rank,
                                 const worklist_options& options);

 private:
  using list = vertex_worklist<shortest_sums<Distance>, Id, weight_of<Distance>, ownership_view>;

  std::int64_t first_, last_;  ///< own ids
  list work_;
};

}  // namespace gossamer::sssp_detail
