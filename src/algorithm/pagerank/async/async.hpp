// PageRank without iterations: residuals are pushed along out-arcs by a distributed worklist (paper
// C's form; Whang, Lenharth, Dhillon, Pingali, "Scalable Data-Driven PageRank", Euro-Par 2015).
//
// A vertex keeps a rank y and a residual r, what has arrived since it was last worked on. Work at u
// adds r(u) to y(u) and offers damping * r(u) * w / W(u) along its arcs, so that at every moment
//   y + r = (1 - d) p + d A y                                                              (1)
// with A the steps along arcs; vertices without any keep what they get. That leaves their jumps
// out, and y short of 1: since they lead where all jumps lead, x = y / |y| is the fixed point of
// the definition with them. Applied to x, the definition changes it, by (1), by
//   r / |y| - p |r| / |y|,   that is in the 1-norm by 2 |r| / |y| at most,
// and |y| is 1 - d or more. What waits for work at v has a residual of least(v) or more. With
//   least(v) = tolerance (1 - d) / (2 P) * (degree(v) + 1) / (m + n)
// the n vertices known on each of P ranks keep less than P times the sum of that, so that one more
// iteration changes the ranks by no more than the tolerance. Shares by degree, as work costs a
// vertex's arcs (Andersen, Chung, Lang, "Local Graph Partitioning using PageRank Vectors", 2006).
//
// The soft priority is the binary exponent of residual over least: what is worth most for its work
// is done first. Sums depend on the order in which residuals arrive, and so do the last bits.
//
// Ranks on CPUs: cpu_push.hpp; on GPUs: cuda/push.cpp, with least() rounded down.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "algorithm/pagerank/engine.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::pagerank_detail {

/// usage_error where this engine (async or host, by its name) cannot do what is asked: the same
/// bits in every run, a tolerance of zero, or no jumps.
void check_async(const pagerank_options& options, const std::string& engine);

/// `options.run.arenas` is planned, options are checked, the engine by its name; `placed`: g,
/// without its weights. Its run() refuses a start.
std::unique_ptr<solver> make_async_solver(const std::shared_ptr<const placed_graph>& placed,
                                          const graph& g, const pagerank_options& options);

}  // namespace gossamer::pagerank_detail
