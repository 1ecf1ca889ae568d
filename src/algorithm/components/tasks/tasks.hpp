// Components by tasks (task/global_tasks.hpp): joined trees of which each rank has its own, and
// delegated joins where they meet.
//
// Each rank joins the arcs of its rows in a forest over all vertices, where a vertex's parent is a
// smaller vertex of the same component. As in engine sync, first come two arcs a row, then the rest
// of rows outside the largest component. There is one rule across ranks: whoever gives another
// rank's root a parent posts that to the root's owner. The owner joins the two in its own forest.
// If that gives a third rank's root a parent, it tells that rank in turn. A rank does so at most
// once a vertex, whatever the number of arcs.
//
// Why that is enough: let next(v) be the root of v in the forest of v's owner. It is v or smaller,
// so that going on from owner to owner ends, at end(v). Whenever a root h got a parent l somewhere,
// end(h) = end(l): by induction over h, since h's owner has joined them, and all parents on the way
// from l to next(h) there were given to vertices below h. So an arc's two vertices, which have one
// root in the forest of the rank that joined them, have one end: the smallest of their component.
//
// The ends of roots that are others' are then asked for, by tasks that each follow one.
#pragma once

#include <cstdint>
#include <memory>

#include "algorithm/components/program.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::components_detail {

/// Reads rows in one direction, whatever the graph.
std::unique_ptr<components_program> make_tasks(std::shared_ptr<const placed_graph> g);

/// What it takes, in bytes, on a rank.
struct tasks_bytes {
  std::int64_t work = 0;      ///< vertices to tell of, or to ask about
  std::int64_t windows = 0;   ///< in the native arena: the forest and messages
  std::int64_t gathered = 0;  ///< in the host arena, where ranks are processes
};
tasks_bytes tasks_bytes_on(const machine& m, const planned_rows& rows, int rank, int id_width);

}  // namespace gossamer::components_detail
