// Values of all vertices from those of the ranks' own placed ids: what ranks bring back from a run.
//
// Ranks of one process write into one array. Where ranks are processes, every one gets the values
// of all: a byte crosses the network once for each receiver.
//
//   const vertex_values<T> values(placed);            // before a run
//   const auto all = values.open(r);                  // on each rank, before what is timed
//   fill(values.by_id(), first, last);                // own placed ids
//   values.close(r, all);                             // values.by_vertex() has the own ones
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

/// Collective, of ranks that are processes: this one's [first, first + own.size()) of `result`, all
/// of which is there afterwards. `all`: a host window with as many elements.
template <class T>
void gather_ranges(rank& r, const window<T>& all, std::int64_t first, std::span<const T> own,
                   std::span<T> result) {
  std::copy(own.begin(), own.end(), all.local().begin() + first);
  // Neighbours first to the right: no two ranks begin with the same receiver.
  for (int i = 1; i < r.size(); ++i)
    r.put(all, (r.id() + i) % r.size(), static_cast<std::size_t>(first), own);
  r.barrier();
  std::copy_n(all.local().begin(), result.size(), result.begin());
}

/// By placed id, holes included.
template <class T>
class placed_values {
 public:
  /// `g` must outlive it.
  explicit placed_values(const placed_graph& g)
      : placed_values(g, make_array<T>(static_cast<std::size_t>(g.bounds().back()))) {}
  placed_values(const placed_graph& g, shared_array<T> values)
      : g_(g), values_(std::move(values)) {}

  /// What open() takes of a rank's arena on the host, of `ids` placed ids.
  static std::int64_t bytes(const machine& m, std::int64_t ids) {
    const auto size = static_cast<std::int64_t>(sizeof(T));
    return m.all_here() ? 0 : (ids * size + 255) / 256 * 256;
  }
  [[nodiscard]] window<T> open(rank& r) const {
    return g_.on().all_here() ? window<T>() : r.make_window<T>(values_.size(), home::host);
  }
  /// Collective where ranks are processes: values of all are in each.
  void close(rank& r, const window<T>& all) const {
    if (g_.on().all_here()) return;
    const auto me = static_cast<std::size_t>(r.id());
    const auto first = static_cast<std::size_t>(g_.bounds()[me]);
    const auto own =
        values_.span().subspan(first, static_cast<std::size_t>(g_.bounds()[me + 1]) - first);
    gather_ranges<T>(r, all, g_.bounds()[me], own, values_.span());
  }
  /// Ranks fill them, each its own.
  [[nodiscard]] const shared_array<T>& values() const { return values_; }

 private:
  const placed_graph& g_;
  shared_array<T> values_;
};

/// The same, and by the caller's vertex.
template <class T>
class vertex_values {
 public:
  explicit vertex_values(const placed_graph& g)
      : g_(g),
        of_vertex_(make_array<T>(static_cast<std::size_t>(g.vertices()))),
        of_id_(g.identity() ? placed_values<T>(g, of_vertex_) : placed_values<T>(g)) {}

  [[nodiscard]] window<T> open(rank& r) const { return of_id_.open(r); }
  void close(rank& r, const window<T>& all) const {
    of_id_.close(r, all);
    if (g_.identity()) return;
    const auto me = static_cast<std::size_t>(r.id());
    const bool own = g_.on().all_here();
    const std::int64_t first = own ? g_.bounds()[me] : 0,
                       last = own ? g_.bounds()[me + 1] : g_.bounds().back();
    if (g_.id_width() == 4)
      order(g_.vertices_by_id<vertex32>(), first, last);
    else
      order(g_.vertices_by_id<vertex64>(), first, last);
  }
  [[nodiscard]] std::span<T> by_id() const { return of_id_.values().span(); }
  [[nodiscard]] const shared_array<T>& by_vertex() const { return of_vertex_; }

 private:
  template <class Id>
  void order(const Id* vertex, std::int64_t first, std::int64_t last) const {
    for (std::int64_t i = first; i < last; ++i)
      if (vertex[i] >= 0)
        of_vertex_[static_cast<std::size_t>(vertex[i])] =
            of_id_.values()[static_cast<std::size_t>(i)];
  }

  const placed_graph& g_;
  shared_array<T> of_vertex_;
  placed_values<T> of_id_;
};

}  // namespace gossamer
