// A prepared search of one id width and one type of distance, behind one interface.
#pragma once

#include <memory>

#include "algorithm/layouts/arc_weights.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::sssp_detail {

using algorithm_detail::weight_facts;

class sssp_program {
 public:
  virtual ~sssp_program() = default;
  /// One search on all ranks; fills distances, parents and counts of `result`.
  virtual void run(std::int64_t source, const run_options& how, sssp_result& result) = 0;
};

/// Whether ranks search on a placement of the graph: several, and all whose engine asks for one.
/// One rank of engine sync reads a layout of its own.
bool searches_placed(const machine& m, const sssp_options& options);
/// How those are placed.
place_options placement_of(const sssp_options& options);

/// `options.run.arenas` is planned, `options.engine` is sync, async, tasks or host; `delta` is in
/// range; `placed`: g as placement_of() says, or null.
std::unique_ptr<sssp_program> make_program(machine& m, const graph& g,
                                           std::shared_ptr<const placed_graph> placed,
                                           const sssp_options& options, double delta,
                                           const weight_facts& facts);

}  // namespace gossamer::sssp_detail
