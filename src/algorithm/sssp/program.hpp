// A prepared search of one id width and one type of distance, behind one interface.
#pragma once

#include <memory>

#include "algorithm/arc_weights.hpp"
#include "algorithm/vertex_parts.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::sssp_detail {

using algorithm_detail::weight_facts;

class sssp_program {
 public:
  virtual ~sssp_program() = default;
  /// One search on all ranks; fills distances, parents and counts of `result`.
  virtual void run(std::int64_t source, const run_options& how, sssp_result& result) = 0;
};

/// `options.run.arenas` is planned, `options.engine` is sync, async, tasks or host; `delta` is in
/// range; `parted` is g.
std::unique_ptr<sssp_program> make_program(machine& m, const graph& g,
                                           const algorithm_detail::parted_graph& parted,
                                           const sssp_options& options, double delta,
                                           const weight_facts& facts);

}  // namespace gossamer::sssp_detail
