// A prepared iteration of one width of ids and ranks, behind one interface.
#pragma once

#include <memory>
#include <vector>

#include "algorithm/driver/common_terms.hpp"
#include "gossamer/algorithm/pagerank.hpp"

namespace gossamer::pagerank_detail {

/// What all processes must have been given alike for a run.
inline void set_inputs(run_options& of, const shared_array<double>& jumps,
                       const shared_array<double>& start) {
  algorithm_detail::set_term_array<double>(of, "personalization", jumps.span());
  algorithm_detail::set_term_array<double>(of, "start", start.span());
}

/// Prepared for one width of ids and ranks.
class solver {
 public:
  virtual ~solver() = default;
  virtual void run(const shared_array<double>& jumps, const shared_array<double>& start,
                   const run_options& how, pagerank_result& result) = 0;
};

/// `options.run.arenas` is planned. Reverses arcs, shares weights out, orders rows and columns.
/// `first`: [ranks + 1] row ranges.
std::unique_ptr<solver> make_solver(machine& m, const graph& g, const pagerank_options& options,
                                    const std::vector<std::int64_t>& first);

}  // namespace gossamer::pagerank_detail
