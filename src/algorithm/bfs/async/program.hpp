// Breadth-first search without levels: shortest paths of unit length by a distributed worklist
// (dataflow/vertex_program.hpp). A vertex's value is its depth and the parent that gave it; a
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
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/bfs/cpu/arrays.hpp"
#include "algorithm/bfs/program.hpp"
#include "algorithm/vertex_worklist.hpp"

namespace gossamer::bfs_detail {

/// The operator.
template <class Id>
struct unit_steps {
  struct value {
    std::int32_t depth;
    Id parent;  ///< placed id
  };
  static constexpr value unreached = {std::numeric_limits<std::int32_t>::max(), -1};

  GOSSAMER_HD static bool update(value& at, const value& incoming) {
    if (incoming.depth >= at.depth) return false;
    at = incoming;
    return true;
  }
  template <class Arc>
  GOSSAMER_HD static value propagate(const value& from, const Arc& along) {
    return {from.depth + 1, along.from};
  }
  GOSSAMER_HD static double priority(const value& at) { return at.depth; }
  GOSSAMER_HD static std::pair<Id, value> sender(const value& incoming) {
    return {incoming.parent, {incoming.depth - 1, -1}};
  }
};

template <class Id>
using step_worklist =
    algorithm_detail::vertex_worklist<unit_steps<Id>, Id, no_weight, ownership_view>;

template <class Id>
class cpu_async final : public bfs_program<Id> {
 public:
  cpu_async(const placed_graph& g, int rank, const bfs_options& options);

  void begin(rank& r, std::int64_t source_local) override;
  void traverse(rank& r, traversal& out) override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  [[nodiscard]] traffic_by_kind sent() const override { return sent_; }
  [[nodiscard]] bfs_result::part take_part() override;

 private:
  void settle(rank& r);
  void report(rank& r, traversal& out) const;

  const placed_graph& graph_;
  ownership_view owners_;
  int rank_, threads_;
  graph_slice<Id> slice_;
  step_worklist<Id> work_;
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  traffic_by_kind sent_;
};

extern const program_kind async_program;

}  // namespace gossamer::bfs_detail
