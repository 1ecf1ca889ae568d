// Engine sync's solver, on CPU ranks and on GPUs.
#pragma once

#include <memory>

#include "algorithm/pagerank/engine.hpp"

namespace gossamer::pagerank_detail {

/// `options.run.arenas` is planned. Reverses arcs, shares weights out, orders rows and columns.
std::unique_ptr<solver> make_solver(const preparation& from);

}  // namespace gossamer::pagerank_detail
