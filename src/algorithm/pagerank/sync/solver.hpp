// Engine sync's solver, on CPU ranks and on GPUs.
#pragma once

#include <memory>
#include <vector>

#include "algorithm/pagerank/engine.hpp"

namespace gossamer::pagerank_detail {

/// `options.run.arenas` is planned. Reverses arcs, shares weights out, orders rows and columns.
/// `first`: [ranks + 1] row ranges.
std::unique_ptr<solver> make_solver(machine& m, const graph& g, const pagerank_options& options,
                                    const std::vector<std::int64_t>& first);

}  // namespace gossamer::pagerank_detail
