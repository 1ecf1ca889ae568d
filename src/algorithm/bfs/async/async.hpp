// Breadth-first search without levels: shortest paths of unit length by a distributed worklist
// (dataflow/operator_worklist.hpp). A vertex's value is its depth and the parent that gave it; a
// better depth replaces both, wherever it comes from and whenever.
//
// When no work is left, every depth is final, and then so are parents: v's depth d came from u when
// u's was d - 1; had u's become smaller since, so would v's.
//
// Depth is also the soft priority: ranks work in windows of depths, whose width adapts. Sources of
// time for the report: "exchange" is sending parcels, "agree" is waiting, for messages as well as
// for the others' reports.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithm/bfs/async/unit_steps.hpp"
#include "algorithm/bfs/cpu_arrays.hpp"
#include "algorithm/bfs/rank_search.hpp"
#include "algorithm/driver/vertex_worklist.hpp"

namespace gossamer::bfs_detail {

template <class Id>
using step_worklist = vertex_worklist<unit_steps<Id>, Id, no_weight, ownership_view>;

template <class Id>
class cpu_async final : public rank_search<Id> {
 public:
  cpu_async(const placed_graph& g, int rank, const bfs_options& options);

  void begin(rank& r, std::int64_t source_local) override;
  void traverse(rank& r, traversal& out) override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  [[nodiscard]] traffic_by_kind sent() const override { return sent_; }
  [[nodiscard]] bfs_result::part take_part() override {
    return lend_part(pool_, result_, rank_, slice_.rows);
  }

 private:
  void settle(rank& r);

  const placed_graph& graph_;
  ownership_view owners_;
  int rank_, threads_;
  graph_slice<Id> slice_;
  step_worklist<Id> work_;
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  traffic_by_kind sent_;
};

extern const engine_functions async_engine;
/// The same worklist on GPUs, driven by host threads.
extern const engine_functions host_engine;

}  // namespace gossamer::bfs_detail
