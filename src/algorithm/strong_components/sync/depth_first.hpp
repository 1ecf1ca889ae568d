// Tarjan's depth-first search, without recursion, over the vertices of one part: others, and those
// that are done, are not there. Several parts may be searched at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "gossamer/graph/csr.hpp"

namespace gossamer::strong_components_detail {

/// What is known of a component.
struct component_size {
  std::int64_t vertices = 0, label = 0;
  /// The larger, and of equals the smaller label.
  void take(const component_size& other) {
    if (other.vertices > vertices || (other.vertices == vertices && other.label < label))
      *this = other;
  }
};

/// [n] each; entries of the part's vertices are used, and of `open` and `calls` as many as it has.
template <class Id>
struct depth_first_arrays {
  Id* number;        ///< by vertex: 0 before it is met, `closed` once its component is known
  Id* low;           ///< by vertex: the smallest number that it leads back to
  edge_offset* at;   ///< by vertex: the next of its arcs
  Id *open, *calls;  ///< vertices whose component is not known; the way from the root
};

template <class Id>
class depth_first {
 public:
  /// `part`: by vertex. Those of `own` are searched.
  depth_first(const csr_view<Id>& rows, const std::uint8_t* part, std::uint8_t own,
              const depth_first_arrays<Id>& arrays, Id* labels)
      : rows_(rows), part_(part), own_(own), a_(arrays), labels_(labels) {}

  std::int64_t count = 0;
  component_size largest;

  /// From one vertex, unless it was met. ask() after every `between_asks` looks or so; false: it
  /// said no, and the search is given up.
  template <class Ask>
  bool from(Id root, std::int64_t between_asks, const Ask& ask) {
    if (a_.number[root] != 0) return true;
    meet(root);
    while (calls_ > 0) {
      if (looks_ >= between_asks) {
        looks_ = 0;
        if (!ask()) return false;
      }
      const Id v = a_.calls[calls_ - 1];
      if (step(v)) continue;
      --calls_;
      if (calls_ > 0) {
        Id& low = a_.low[a_.calls[calls_ - 1]];
        low = std::min(low, a_.low[v]);
      }
      if (a_.low[v] == a_.number[v]) close(v);
    }
    return true;
  }

 private:
  void meet(Id v) {
    a_.number[v] = a_.low[v] = ++met_;
    a_.at[v] = rows_.offsets[static_cast<std::size_t>(v)];
    a_.open[opened_++] = v;
    a_.calls[calls_++] = v;
  }

  /// Goes on along v's arcs until one leads to a vertex that was not met; false at their end.
  bool step(Id v) {
    const edge_offset end = rows_.offsets[static_cast<std::size_t>(v) + 1];
    edge_offset at = a_.at[v];
    Id low = a_.low[v];
    const edge_offset begin = at;
    while (at < end) {
      const Id u = rows_.indices[static_cast<std::size_t>(at++)];
      if (part_[u] != own_) continue;
      const Id number = a_.number[u];
      if (number == 0) {
        a_.at[v] = at;
        a_.low[v] = low;
        looks_ += at - begin;
        meet(u);
        return true;
      }
      if (number != closed) low = std::min(low, number);
    }
    a_.at[v] = at;
    a_.low[v] = low;
    looks_ += at - begin + 1;
    return false;
  }

  /// The component whose first vertex is v: all that are open from it on.
  void close(Id v) {
    std::int64_t first = opened_;
    Id label = v;
    do {
      label = std::min(label, a_.open[--first]);
    } while (a_.open[first] != v);
    for (std::int64_t i = first; i < opened_; ++i) {
      labels_[a_.open[i]] = label;
      a_.number[a_.open[i]] = closed;
    }
    ++count;
    largest.take({opened_ - first, static_cast<std::int64_t>(label)});
    opened_ = first;
  }

  static constexpr Id closed = std::numeric_limits<Id>::max();

  csr_view<Id> rows_;
  const std::uint8_t* part_;
  std::uint8_t own_;
  depth_first_arrays<Id> a_;
  Id* labels_;
  Id met_ = 0;
  std::int64_t opened_ = 0, calls_ = 0;
  std::int64_t looks_ = 0;  ///< since it was asked, from whatever root
};

}  // namespace gossamer::strong_components_detail
