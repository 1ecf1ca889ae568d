// Components as paper C finds them (Ben-Nun, Sutton, Pai, Pingali, PPoPP 2017): topology-driven,
// and nobody owns anything.
//
// Rank 0's host makes packets of edges out of the graph's rows, each edge of a symmetric graph
// once. It sends them through a router to whichever rank has room first (any_device). Every rank,
// rank 0 too, hooks the edges it gets into a label array of its own for the whole graph. Whoever is
// faster, or has more threads, gets more.
//
// With each edge a rank compresses one of its ends. It compresses all labels once, when the stream
// of edges has ended: after each segment that would be more work than the segment's. Then it merges
// the labels of its children in a tree of ranks by joining each vertex with its label there, and
// hands its own on. (The tree is reduction_policy: those that reach each other best are merged
// first.)
//
// Which edges a rank gets differs from run to run, labels do not: whatever was joined where, a
// component's root is its smallest vertex (graph/union_find.hpp).
#pragma once

#include <cstdint>
#include <memory>

#include "algorithm/components/program.hpp"

namespace gossamer::components_detail {

/// `packet`: as in components_options. Reads the caller's rows, on rank 0 alone. CPU ranks,
/// GPUs of this process, and both together.
std::unique_ptr<components_program> make_routed(machine& m, const graph& g, std::int64_t packet);

}  // namespace gossamer::components_detail
