// Graphs as data: compressed sparse rows, and what is known about where they came from.
//
// Contract of the layer `graph`: no ranks; graphs lie in host memory, or in that of one GPU
// (device_csr.hpp), and only what makes one uses GPUs. Immutable once built; copies share memory.
// Rows are sorted by column id unless `sorted` says otherwise; offsets are always 64 bits; ids are
// 32 bits whenever the vertices allow it, else 64 (`id_width`).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/base/lifetime.hpp"
#include "gossamer/base/shared_array.hpp"

namespace gossamer {

/// Rows of a graph as plain spans, for kernels: row v is indices[offsets[v] .. offsets[v+1]).
template <class Id>
struct csr_view {
  std::span<const edge_offset> offsets;  ///< vertices + 1 entries, offsets[0] == 0
  std::span<const Id> indices;           ///< offsets.back() entries
  [[nodiscard]] std::int64_t vertices() const noexcept {
    return static_cast<std::int64_t>(offsets.size()) - 1;
  }
  [[nodiscard]] std::span<const Id> row(std::int64_t v) const noexcept {
    return indices.subspan(offsets[v], offsets[v + 1] - offsets[v]);
  }
};

/// Edge weights, parallel to `indices`; monostate = none.
using weight_array = std::variant<std::monostate, shared_array<std::int32_t>, shared_array<float>,
                                  shared_array<double>>;

/// How the caller's vertex names relate to 0-based array indices.
struct vertex_names {
  /// Added to an index to print it when `map` is empty (1 for DIMACS, METIS, Matrix Market).
  std::int64_t base = 0;
  /// If not empty, map[index] is the file's own id (SNAP's sparse ids), strictly increasing or not.
  shared_array<std::int64_t> map;
  /// If not null, vertices have texts for names: (*texts)[name(index)].
  std::shared_ptr<const std::vector<std::string>> texts;
  /// Name of the vertex with this index.
  [[nodiscard]] std::int64_t name(std::int64_t index) const {
    return map.empty() ? index + base : map[static_cast<std::size_t>(index)];
  }
  /// Index of the vertex with this name, -1 when there is none among `vertices` vertices.
  [[nodiscard]] std::int64_t index(std::int64_t name, std::int64_t vertices) const;
};

/// An immutable graph in CSR form.
struct graph {
  std::string name;    ///< file name or generator spec
  std::string format;  ///< name of the file format it was read as (formats()); empty if it was not
  shared_array<edge_offset> offsets;                                     ///< n + 1
  std::variant<shared_array<vertex32>, shared_array<vertex64>> indices;  ///< m, stored arcs
  weight_array weights;                                                  ///< none or m
  bool symmetric = false;  ///< (u,v) is stored as often as (v,u), weights alike
  bool sorted = true;      ///< rows ascending by column
  bool mapped = false;  ///< the arrays lie in a mapped file: its pages take no memory of their own
  int gpu = -1;         ///< the arrays lie in this GPU's memory, where the CPU cannot read them
  std::string weight_source = "none";  ///< "none", "file", "generated: …", "caller"
  vertex_names names;
  std::vector<std::string> steps;  ///< transformations applied, in words, for output
  /// Shared by copies; what is kept for the graph (placement/kept.hpp) goes with the last.
  lifetime life = {};

  /// Number of vertices n.
  [[nodiscard]] std::int64_t vertices() const noexcept {
    return offsets.empty() ? 0 : static_cast<std::int64_t>(offsets.size()) - 1;
  }
  /// Number of stored arcs m (each undirected edge counts twice, a self-loop once).
  [[nodiscard]] std::int64_t arcs() const noexcept {
    if (gpu >= 0)
      return std::visit([](const auto& ids) { return std::ssize(ids.span()); }, indices);
    return offsets.empty() ? 0 : offsets[offsets.size() - 1];
  }
  [[nodiscard]] std::int64_t degree(std::int64_t v) const noexcept {
    return offsets[v + 1] - offsets[v];
  }
  /// Bytes per id in `indices`: 4 or 8.
  [[nodiscard]] int id_width() const noexcept { return indices.index() == 0 ? 4 : 8; }
  [[nodiscard]] bool weighted() const noexcept { return weights.index() != 0; }
  /// usage_error for a graph whose arrays the CPU cannot read.
  void require_here() const {
    require(gpu < 0, name + " lies in the memory of cuda:" + std::to_string(gpu) +
                         ", where the CPU cannot read it: on_host() copies it");
  }
  /// View of the rows; throws usage_error when Id is not the stored width, or they are not here.
  template <class Id>
  [[nodiscard]] csr_view<Id> view() const {
    require_here();
    const auto* ids = std::get_if<shared_array<Id>>(&indices);
    require(ids != nullptr, "graph: ids have another width");
    return {offsets.span(), ids->span()};
  }
  /// Calls f(csr_view<Id>) with the stored width.
  template <class F>
  decltype(auto) visit(F&& f) const {
    if (id_width() == 4) return f(view<vertex32>());
    return f(view<vertex64>());
  }
  /// Checks every structural promise above (offsets monotone, ids in range, sizes match, sorted,
  /// symmetric if claimed); throws input_error naming the first violation. O(n + m);
  /// cancelled_error soon after a stop is requested.
  void validate(const std::stop_token& stop = {}) const;
  /// The graph with every arc reversed (in-adjacency); shares memory when symmetric.
  [[nodiscard]] graph transposed(const std::stop_token& stop = {}) const;
};

}  // namespace gossamer
