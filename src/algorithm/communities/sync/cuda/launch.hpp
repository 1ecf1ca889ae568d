// The kernels of communities as functions, asynchronous in a stream. The host code of a rank
// (engine.cpp) sees no launch syntax.
#pragma once

#include "algorithm/communities/sync/cuda/level_view.hpp"

namespace gossamer::communities_detail::cuda {

/// Where launches go.
struct launch_site {
  void* stream = nullptr;  ///< cudaStream_t
  int units = 1;           ///< streaming multiprocessors that this rank may fill
  int resident = 1;        ///< blocks of rounds on one, at most
};

/// What is found out about labels.
struct label_counts {
  unsigned long long changed, count, largest, largest_label;
};

/// Arcs of the smaller graph: both ends in one word, the vertex whose row it is in first.
template <class Sum>
struct arc_list {
  unsigned long long* ends;
  Sum* weights;  ///< null: each weighs one
  unsigned long long* count;
  unsigned bits;  ///< of an end
};

/// Graphs of so many vertices and arcs at most: what is taken for them.
template <class Id, class Sum>
struct needs {
  /// Pieces of rows that are longer than a block looks at at once.
  static std::int64_t pieces(std::int64_t arcs);
  /// Bytes that number() and merge_arcs() work with.
  static std::int64_t work_bytes(std::int64_t vertices, std::int64_t arcs);
};

/// Steps of a level (level_steps.cuh), but for those that say otherwise.
template <class Id, class Sum>
struct launches {
  using level = level_view<Id, Sum>;
  launch_site on;
  void* work = nullptr;
  std::int64_t work_bytes = 0;

  /// Kernels are made ready, on the current GPU; how many blocks of rounds it holds on a
  /// multiprocessor.
  static int prepare();
  /// rounds.cuh.
  void move(const move_view<Id, Sum>& of) const;
  void refine(const move_view<Id, Sum>& of) const;

  void begin(const level& of, Id* node, const Id* labels) const;
  /// Each vertex alone, or in the community that it is of.
  void seat(const level& of, bool alone) const;
  /// Names those communities that have vertices in the order of their numbers; `name` has one entry
  /// more than vertices, which is how many they are.
  void number(const level& of, const Id* sizes, Id* name) const;
  void rename(const level& of, const Id* name, const Id* sizes, const std::int64_t* totals,
              std::int64_t* strengths, Id* lowest) const;
  void relabel(const level& of, Id* label, const Id* name, Id* lowest) const;
  void keep(const level& of, const Id* label, const Id* lowest, Id* community) const;
  void follow(const level& of, Id* node, const Id* label, std::int64_t vertices) const;
  void list_arcs(const level& of, const Id* label, const arc_list<Sum>& to) const;
  /// Sorts so many arcs, and adds up those of the same ends: their weights to `weights`, how many
  /// to `of.count`. Lists have room for `room` arcs, and as much behind them. Where ends are then.
  unsigned long long* merge_arcs(const arc_list<Sum>& of, std::int64_t arcs, std::int64_t room,
                                 Sum* weights) const;
  void make_rows(const level& of, const arc_list<Sum>& from, std::int64_t arcs,
                 std::int64_t vertices, edge_offset* offsets, Id* columns) const;
  /// Communities become connected parts of them.
  void split(const level& of, Id* parent) const;
  /// Labels of the caller's vertices, and how many of them are new.
  void name(const level& of, Id* node, Id* lowest, Id* labels, std::int64_t vertices, bool all_new,
            label_counts* found) const;
  /// The other counts.
  void tally(const level& of, const Id* labels, Id* sizes, std::int64_t vertices,
             label_counts* found) const;
};

}  // namespace gossamer::communities_detail::cuda
