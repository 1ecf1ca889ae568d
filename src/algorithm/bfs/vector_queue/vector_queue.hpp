// Paper A's breadth-first search: every level clears Vector, gathers the neighbours of
// all ranks' queues (exchange.hpp), updates labels and makes the next queue (steps.hpp).
//
// Ranks agree on the sizes of their queues before each level, 8 bytes from each to each; all zero
// is the end. Nothing else crosses ranks but queues: 8 (p - 1) bytes for each vertex reached. Where
// the result goes to the host's memory, delivery.hpp sends it, and the search lasts until it is
// there.
#pragma once

#include <memory>
#include <vector>

#include "algorithm/bfs/rank_search.hpp"
#include "algorithm/bfs/vector_queue/delivery.hpp"
#include "algorithm/bfs/vector_queue/exchange.hpp"
#include "algorithm/bfs/vector_queue/steps.hpp"
#include "gossamer/collective/scalar.hpp"

namespace gossamer::bfs_detail {

template <class Id>
class vector_queue final : public rank_search<Id> {
 public:
  vector_queue(const placed_graph& g, int rank, const bfs_options& options);
  ~vector_queue() override;

  void begin(rank& r, std::int64_t source_local) override;
  void traverse(rank& r, traversal& out) override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  [[nodiscard]] traffic_by_kind sent() const override { return sent_; }
  [[nodiscard]] bfs_result::part take_part() override;

 private:
  struct level_found {
    std::int64_t vertices, arcs;
  };
  bool agree(rank& r);
  level_found level(rank& r, std::int64_t number);

  const bool direct_;
  copy_lane lane_;
  std::vector<std::int64_t> rows_of_;  ///< [ranks]
  std::unique_ptr<vector_queue_steps<Id>> steps_;
  std::unique_ptr<delivery<Id>> delivery_;                ///< none: the result stays
  std::unique_ptr<queue_exchange> exchange_;              ///< of the run
  std::unique_ptr<scalar_plan<std::int64_t>> agreement_;  ///< of the run
  std::vector<std::int64_t> counts_;                      ///< [ranks] of the level's queues
  std::int64_t found_ = 0;                                ///< in this rank's queue
  traffic_by_kind sent_;
};

extern const engine_functions vector_queue_engine;

}  // namespace gossamer::bfs_detail
