// Steps of a level as functions. Whoever includes this says how one is launched:
//
//   run_step<&level_steps<Sizes, Id, Sum>::step>(site, level, n, arguments…)    n: threads of use
#pragma once

#include "algorithm/communities/sync/cuda/level_steps.cuh"

namespace gossamer::communities_detail::cuda {

template <class Id, class Sum>
void launches<Id, Sum>::begin(const level& of, Id* node, const Id* labels) const {
  run_step<&steps<Id, Sum>::begin>(on, of, of.vertices, node, labels);
}

template <class Id, class Sum>
void launches<Id, Sum>::seat(const level& of, bool alone) const {
  if (alone) return run_step<&steps<Id, Sum>::seat_alone>(on, of, of.vertices);
  run_step<&steps<Id, Sum>::nothing>(on, of, of.vertices);
  run_step<&steps<Id, Sum>::seat>(on, of, of.vertices);
}

template <class Id, class Sum>
void launches<Id, Sum>::rename(const level& of, const Id* name, const Id* sizes,
                               const std::int64_t* totals, std::int64_t* strengths,
                               Id* lowest) const {
  run_step<&steps<Id, Sum>::rename>(on, of, of.vertices, name, sizes, totals, strengths, lowest);
}

template <class Id, class Sum>
void launches<Id, Sum>::relabel(const level& of, Id* label, const Id* name, Id* lowest) const {
  run_step<&steps<Id, Sum>::relabel>(on, of, of.vertices, label, name, lowest);
}

template <class Id, class Sum>
void launches<Id, Sum>::keep(const level& of, const Id* label, const Id* lowest,
                             Id* community) const {
  run_step<&steps<Id, Sum>::keep>(on, of, of.vertices, label, lowest, community);
}

template <class Id, class Sum>
void launches<Id, Sum>::follow(const level& of, Id* node, const Id* label,
                               std::int64_t vertices) const {
  run_step<&steps<Id, Sum>::follow>(on, of, vertices, node, label, vertices);
}

template <class Id, class Sum>
void launches<Id, Sum>::make_rows(const level& of, const arc_list<Sum>& from, std::int64_t arcs,
                                  std::int64_t vertices, edge_offset* offsets, Id* columns) const {
  run_step<&steps<Id, Sum>::make_rows>(on, of, arcs + vertices + 1, from, arcs, vertices, offsets,
                                       columns);
}

template <class Id, class Sum>
void launches<Id, Sum>::split(const level& of, Id* parent) const {
  run_step<&steps<Id, Sum>::alone>(on, of, of.vertices, parent, of.vertices);
  run_step<&steps<Id, Sum>::join>(on, of, of.arcs, parent);
  run_step<&steps<Id, Sum>::joined>(on, of, of.vertices, static_cast<const Id*>(parent));
}

template <class Id, class Sum>
void launches<Id, Sum>::name(const level& of, Id* node, Id* lowest, Id* labels,
                             std::int64_t vertices, bool all_new, label_counts* found) const {
  run_step<&steps<Id, Sum>::fill>(on, of, vertices, lowest, nowhere_to_go<Id>, vertices);
  run_step<&steps<Id, Sum>::name>(on, of, vertices, node, lowest, vertices);
  run_step<&steps<Id, Sum>::label>(on, of, vertices, static_cast<const Id*>(node),
                                   static_cast<const Id*>(lowest), labels, vertices, all_new,
                                   found);
}

template <class Id, class Sum>
void launches<Id, Sum>::tally(const level& of, const Id* labels, Id* sizes, std::int64_t vertices,
                              label_counts* found) const {
  run_step<&steps<Id, Sum>::fill>(on, of, vertices, sizes, Id{0}, vertices);
  run_step<&steps<Id, Sum>::count>(on, of, vertices, labels, sizes, vertices);
  run_step<&steps<Id, Sum>::find_largest>(on, of, vertices, static_cast<const Id*>(sizes), vertices,
                                          found);
  run_step<&steps<Id, Sum>::find_label>(on, of, vertices, static_cast<const Id*>(sizes), vertices,
                                        found);
}

}  // namespace gossamer::communities_detail::cuda
