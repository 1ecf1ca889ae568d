// What one rank does by itself in paper B's breadth-first search: it marks whom the frontier
// reaches, and makes the next frontier of what was found here and of what came. published.hpp has
// the loop around it, and what ranks send.
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "algorithm/bfs/rank_search.hpp"

namespace gossamer::bfs_detail {

/// Of a run. A parent is its local index at the rank that found it, -1 = none.
struct published_windows {
  window<std::int32_t> inbox;  ///< [ranks][own rows], by who sent it; the own segment is unused
  signal_set arrived;          ///< [ranks]
  window<std::int64_t> tree;   ///< rank 0: parents of all placed ids, in order of rank
  std::span<std::int64_t> own_tree;  ///< other ranks: what they send of it
  std::span<std::int32_t> outgoing;  ///< one entry a row of each peer, in order of rank

  void list(algorithm_detail::array_list& of, const std::vector<std::int64_t>& rows_of, int self) {
    const auto ranks = static_cast<int>(rows_of.size());
    const std::int64_t rows = rows_of[static_cast<std::size_t>(self)];
    const std::int64_t placed = std::reduce(rows_of.begin(), rows_of.end());
    of.add(inbox, ranks * rows);
    of.add(arrived, ranks);
    of.add(tree, self == 0 ? placed : 0);
    of.add(own_tree, self == 0 ? 0 : rows);
    of.add(outgoing, placed - rows);
  }
};

/// [ranks + 1] where each rank's part of `outgoing` begins, and its end; the own part is empty.
inline std::vector<std::int64_t> outgoing_parts(const ownership& owners, int self) {
  std::vector<std::int64_t> first{0};
  for (int r = 0; r < owners.ranks(); ++r)
    first.push_back(first.back() + (r == self ? 0 : owners.local_size(r)));
  return first;
}

template <class Id>
class published_steps {
 public:
  virtual ~published_steps() = default;
  /// Nothing found and `outgoing` clear; enters the source (local index; -1 = another rank's).
  virtual void begin(rank& r, const published_windows& w, std::int64_t source_local) = 0;
  /// Own vertices that the frontier reaches get parent and depth, those of peers a place of
  /// `outgoing`.
  virtual void expand(rank& r, const published_windows& w, std::int32_t depth) = 0;
  /// The next frontier: what expand() found, and what the inbox has. Returns, when it is complete,
  /// its vertices, and the arcs that expand() has looked at.
  virtual step_result merge(rank& r, const published_windows& w, std::int32_t depth) = 0;
  /// `outgoing` := -1.
  virtual void clear(rank& r, const published_windows& w) = 0;
  /// Parents as the paper has them, 8 bytes a row, in native memory; complete when it returns.
  virtual void tree(rank& r, std::int64_t* into) = 0;
  /// As bfs_engine::take_part.
  [[nodiscard]] virtual bfs_result::part take_part() = 0;
};

template <class Id>
std::unique_ptr<published_steps<Id>> make_cpu_published(const placed_graph& g, int rank);
/// In cuda, else absent: not_compiled.
template <class Id>
std::unique_ptr<published_steps<Id>> make_cuda_published(const placed_graph& g, int rank);
/// The explicit instantiations of one of them.
#define GOSSAMER_PUBLISHED_STEPS(make)                                                \
  template std::unique_ptr<published_steps<vertex32>> make(const placed_graph&, int); \
  template std::unique_ptr<published_steps<vertex64>> make(const placed_graph&, int);
/// Arrays that they take beside parents, depths and the windows above.
algorithm_detail::listed_bytes cpu_published_bytes(const planned_rank& p);
algorithm_detail::listed_bytes cuda_published_bytes(const planned_rank& p);

}  // namespace gossamer::bfs_detail
