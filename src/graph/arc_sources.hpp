// Where the builder's arcs come from: lists of edge chunks, or the rows of an existing graph.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/graph/builder.hpp"
#include "graph/parallel.hpp"

namespace gossamer::detail {

/// The weights of a graph or of chunks as an element type: monostate has none.
template <class Weight>
using chunk_weights = std::vector<shared_array<Weight>>;

/// Edge chunks in pieces; a chunk's memory goes back as soon as its last piece was consumed.
template <class Id, class Weight>
class chunk_source {
 public:
  explicit chunk_source(edge_chunks<Id>& input) : input_(input), left_(input.edges.size()) {
    for (std::size_t c = 0; c < input.edges.size(); ++c) {
      const auto size = static_cast<std::int64_t>(input.edges[c].size());
      std::int64_t pieces = 0;
      for (std::int64_t at = 0; at < size; at += piece_edges, ++pieces)
        pieces_.push_back({c, at, std::min(at + piece_edges, size), arcs_ + at});
      left_[c].store(pieces, std::memory_order_relaxed);
      arcs_ += size;
    }
  }
  [[nodiscard]] std::int64_t arcs() const { return arcs_; }
  [[nodiscard]] std::int64_t blocks() const { return static_cast<std::int64_t>(pieces_.size()); }
  void check(std::int64_t block) const {
    const piece& p = pieces_[block];
    const edge<Id>* edges = input_.edges[p.chunk].data();
    const auto n = static_cast<std::uint64_t>(input_.vertices);
    for (std::int64_t i = p.first; i < p.last; ++i) {
      const auto u = static_cast<std::uint64_t>(edges[i].source);
      const auto v = static_cast<std::uint64_t>(edges[i].target);
      if (u >= n || v >= n)
        throw input_error("edge " + std::to_string(p.global + i - p.first) + ": (" +
                          std::to_string(edges[i].source) + ", " + std::to_string(edges[i].target) +
                          ") has a vertex outside 0.." + std::to_string(input_.vertices - 1));
    }
  }
  template <class F>
  void visit(std::int64_t block, const F& f) const {
    const piece& p = pieces_[block];
    const edge<Id>* edges = input_.edges[p.chunk].data();
    if constexpr (std::is_same_v<Weight, std::monostate>) {
      for (std::int64_t i = p.first; i < p.last; ++i) f(edges[i].source, edges[i].target, Weight{});
    } else {
      const Weight* w = std::get<chunk_weights<Weight>>(input_.weights)[p.chunk].data();
      for (std::int64_t i = p.first; i < p.last; ++i) f(edges[i].source, edges[i].target, w[i]);
    }
  }
  void release(std::int64_t block) {
    const std::size_t c = pieces_[block].chunk;
    // Acquire-release: all reads of the other pieces come before the memory goes.
    if (left_[c].fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    input_.edges[c] = {};
    if constexpr (!std::is_same_v<Weight, std::monostate>)
      std::get<chunk_weights<Weight>>(input_.weights)[c] = {};
  }

 private:
  static constexpr std::int64_t piece_edges = std::int64_t{1} << 17;
  struct piece {
    std::size_t chunk;
    std::int64_t first, last, global;
  };
  edge_chunks<Id>& input_;
  std::vector<piece> pieces_;
  std::vector<std::atomic<std::int64_t>> left_;
  std::int64_t arcs_ = 0;
};

/// The rows of a graph, in ranges of about the same number of arcs and vertices.
template <class Id, class Weight>
class row_source {
 public:
  explicit row_source(const graph& g) : rows_(g.view<Id>()) {
    if constexpr (!std::is_same_v<Weight, std::monostate>)
      weights_ = std::get<shared_array<Weight>>(g.weights).data();
    const std::int64_t work = g.arcs() + g.vertices();
    const std::int64_t parts = std::clamp<std::int64_t>(work >> 17, 1, 4096);
    for (std::int64_t p = 0; p <= parts; ++p) {
      const std::int64_t goal = work / parts * p + work % parts * p / parts;
      bounds_.push_back(p == parts ? g.vertices()
                                   : row_at(rows_.offsets.data(), 0, g.vertices(), goal));
    }
  }
  [[nodiscard]] std::int64_t arcs() const {
    return static_cast<std::int64_t>(rows_.indices.size());
  }
  [[nodiscard]] std::int64_t blocks() const {
    return static_cast<std::int64_t>(bounds_.size()) - 1;
  }
  void check(std::int64_t) const {}  // a graph's ids are in range already
  template <class F>
  void visit(std::int64_t block, const F& f) const {
    for (std::int64_t u = bounds_[block]; u < bounds_[block + 1]; ++u)
      for (edge_offset i = rows_.offsets[u]; i < rows_.offsets[u + 1]; ++i) {
        if constexpr (std::is_same_v<Weight, std::monostate>)
          f(u, rows_.indices[i], Weight{});
        else
          f(u, rows_.indices[i], weights_[i]);
      }
  }
  void release(std::int64_t) {}

 private:
  csr_view<Id> rows_;
  const Weight* weights_ = nullptr;
  std::vector<std::int64_t> bounds_;
};

/// Calls run(Id, Weight) with values of the graph's types.
template <class Run>
auto with_types(const graph& g, const Run& run) {
  const auto with_id = [&]<class Id>(Id id) {
    switch (g.weights.index()) {
      case 1:
        return run(id, std::int32_t{});
      case 2:
        return run(id, float{});
      case 3:
        return run(id, double{});
      default:
        return run(id, std::monostate{});
    }
  };
  return g.id_width() == 4 ? with_id(vertex32{}) : with_id(vertex64{});
}

}  // namespace gossamer::detail
