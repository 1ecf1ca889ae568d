// From edges to CSR in the memory of one GPU: the twin of builder.hpp for lists and arrays that
// already lie there.
//
// The graph is the host's, bit by bit. Offsets, columns, weights, flags and the words of its steps
// are those that build_csr (and Python's from_edges and from_csr above it) makes of the same
// arrays. What they refuse is refused in the same words. `to_host` gives it as a host's graph.
//
// Method: the list is read once to check it, once to count the arcs of ranges of rows, and then
// once for each piece of some rows. A piece's arcs become keys (row in piece) << bits | column,
// sorted by radix on the bits in use. Reading the list again costs 8 bytes an edge. Dividing it
// among pieces would cost 16 an arc, and memory for all keys at once.
// src/graph/cuda/device_builder.cu has the passes over memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "gossamer/graph/device_csr.hpp"

namespace gossamer {

/// What an array of the caller's holds.
enum class element : std::uint8_t { int32, int64, uint32, float32, float64 };
/// Bytes of one.
constexpr int element_bytes(element e) noexcept {
  return e == element::int64 || e == element::float64 ? 8 : 4;
}

/// An array in the memory of a GPU that somebody else keeps alive.
struct device_view {
  const void* data = nullptr;
  std::int64_t count = 0;
  element type = element::int32;
};

/// A list of edges in the memory of one GPU. It is read until the call that takes it returns, and
/// must not change meanwhile.
struct device_edges {
  int ordinal = 0;                          ///< the GPU
  device_view sources, targets;             ///< int32, int64 or uint32, the two alike
  std::optional<device_view> weights = {};  ///< int32, float32 or float64
  /// A cudaStream_t of that GPU: reading begins after what was queued there so far. None: the
  /// arrays are there already.
  std::optional<void*> stream = {};
};

/// As build_options, and what from_edges adds to them.
struct device_build_options {
  std::optional<std::int64_t> vertices = {};  ///< none: the largest id and one
  bool symmetrize = false;
  bool deduplicate = false;        ///< one arc per (u,v): the smallest weight is kept
  bool remove_self_loops = false;  ///< drop (v,v)
  bool known_symmetric = false;    ///< the input already holds both directions (checked)
  bool listed_once = false;  ///< symmetrize even what looks symmetric: (0,1), (1,0) are two edges
  std::string name = {};
  /// Bytes of the GPU that building may take beside the list; 0: GOSSAMER_MEMORY, else what is
  /// free. Tight limits make pieces smaller, and so the build slower.
  std::int64_t memory = 0;
  std::function<void(double)> progress = {};  ///< called with 0..1 after each piece
  /// Looked at before each piece, of some 20 ms on an H200; cancelled_error when requested.
  std::stop_token stop = {};
};

/// What building takes of a GPU beside the list, by purpose, in bytes.
struct device_build_plan {
  std::int64_t offsets = 0;
  std::int64_t columns = 0, weights = 0;     ///< before duplicates are dropped
  std::int64_t working = 0;                  ///< keys while they are sorted, or a copy at the end
  std::int64_t piece_arcs = 0;               ///< of a piece
  [[nodiscard]] std::int64_t total() const;  ///< saturates
};

/// The plan for `edges` edges between `vertices` vertices with weights of `weight_bytes` (0: none).
/// No list of that size takes more, and most take less. `longest_row`, where it is known, is the
/// most arcs that a row gets before duplicates are dropped. With pieces of `piece` arcs, unless a
/// row is longer; 0: as large as if memory did not matter.
device_build_plan plan_device_build(std::int64_t vertices, std::int64_t edges, int weight_bytes,
                                    const device_build_options& options,
                                    std::optional<std::int64_t> longest_row = {},
                                    std::int64_t piece = 0);

/// The graph of the list, in the list's GPU. `symmetric` is found out. Throws usage_error,
/// input_error and capacity_error in from_edges' words, not_compiled without CUDA. When it returns,
/// what it made is ready for any stream. Waits for runs whose kernels wait for each other, and
/// holds up such runs meanwhile.
device_csr build_on_device(const device_edges& edges, const device_build_options& options = {});

/// CSR arrays in the memory of one GPU.
struct device_csr_arrays {
  int ordinal = 0;
  device_view offsets;                      ///< int64 or int32, n + 1
  device_view indices;                      ///< int32, int64 or uint32
  std::optional<device_view> weights = {};  ///< int32, float32 or float64
  std::optional<void*> stream = {};         ///< as device_edges'
  /// Keeps the arrays alive: the graph shares what needs no conversion, and must not change. None:
  /// everything is copied.
  std::shared_ptr<void> owner = {};
};

struct device_csr_options {
  std::optional<bool> symmetric = {};  ///< none: found out; true is checked
  std::optional<bool> sorted = true;   ///< none: found out; true is checked
  /// Columns of 64 bits become 32 where the vertices allow it; false: they stay, as in from_csr.
  bool narrow = false;
  std::string name = {};
  std::int64_t memory = 0;  ///< as device_build_options'
  std::stop_token stop = {};
};

/// What csr_on_device takes of a GPU beside the arrays, in bytes.
std::int64_t csr_on_device_bytes(const device_csr_arrays& arrays,
                                 const device_csr_options& options);

/// The arrays as a graph, checked as graph::validate does, in its words and from_csr's.
device_csr csr_on_device(const device_csr_arrays& arrays, const device_csr_options& options = {});

}  // namespace gossamer
