// What building and adopting graphs on a GPU take of its memory.
#include <algorithm>

#include "gossamer/base/configuration.hpp"
#include "gossamer/graph/device_builder.hpp"
#include "graph/saturating.hpp"

namespace gossamer {

namespace {

using detail::sat_add, detail::sat_mul;

/// A piece's arcs, unless a row has more: 20 ms of sorting or less on an H200, by keys and weights
/// by two sorts. Few arcs are one piece; else four or more, so that the keys of one, twice 8 bytes,
/// take no more memory than the columns of all.
constexpr std::int64_t most_arcs = std::int64_t{1} << 28, most_weighted = most_arcs / 2;
constexpr std::int64_t least_arcs = std::int64_t{1} << 20;

/// Sorting `arcs` keys, and weights with them: each twice, and CUB's own. That is 1,024 bytes for a
/// tile of keys, 5,760 of them or, with weights, 2,048 at least, and little.
std::int64_t sorting_bytes_of(std::int64_t arcs, int weight_bytes) {
  const std::int64_t each = std::int64_t{2} * (8 + weight_bytes);
  const std::int64_t own = arcs / (weight_bytes == 0 ? 4 : 2);
  return sat_add(sat_mul(arcs, each), sat_add(own, std::int64_t{16} << 20));
}

}  // namespace

std::int64_t device_build_plan::total() const {
  return sat_add(sat_add(offsets, columns), sat_add(weights, working));
}

device_build_plan plan_device_build(std::int64_t vertices, std::int64_t edges, int weight_bytes,
                                    const device_build_options& options,
                                    std::optional<std::int64_t> longest_row, std::int64_t piece) {
  const std::int64_t id_bytes = configuration::narrow_ids(vertices) ? 4 : 8;
  const bool mirror = options.symmetrize && !options.known_symmetric;
  const std::int64_t arcs = mirror ? sat_mul(edges, 2) : edges;
  device_build_plan plan;
  if (piece <= 0)
    piece =
        std::clamp(arcs / 4 + arcs / 64, least_arcs, weight_bytes == 0 ? most_arcs : most_weighted);
  // An edge gives a row one arc at most.
  plan.piece_arcs = std::min(
      arcs, std::max(piece, std::clamp<std::int64_t>(longest_row.value_or(edges), 0, edges)));
  plan.offsets = sat_mul(sat_add(vertices, 1), sizeof(edge_offset));
  plan.columns = sat_mul(arcs, id_bytes);
  plan.weights = sat_mul(arcs, weight_bytes);
  plan.working = sorting_bytes_of(plan.piece_arcs, weight_bytes);
  // Where many duplicates went, columns and then weights are copied into arrays of their size.
  if (options.deduplicate)
    plan.working = std::max(plan.working, std::max(plan.columns, plan.weights));
  return plan;
}

std::int64_t csr_on_device_bytes(const device_csr_arrays& arrays,
                                 const device_csr_options& options) {
  const bool borrowed = arrays.owner != nullptr;
  const std::int64_t n = std::max<std::int64_t>(arrays.offsets.count - 1, 0);
  std::int64_t bytes = 0;
  if (!borrowed || arrays.offsets.type != element::int64)
    bytes = sat_mul(arrays.offsets.count, sizeof(edge_offset));
  const bool small = configuration::narrow_ids(n);
  const bool wide = arrays.indices.type == element::int64
                        ? !(options.narrow && small)
                        : arrays.indices.type == element::uint32 && !small;
  const bool kept =
      arrays.indices.type != element::uint32 && wide == (arrays.indices.type == element::int64);
  if (!borrowed || !kept) bytes = sat_add(bytes, sat_mul(arrays.indices.count, wide ? 8 : 4));
  if (!borrowed && arrays.weights)
    bytes = sat_add(bytes, sat_mul(arrays.weights->count, element_bytes(arrays.weights->type)));
  return bytes;
}

}  // namespace gossamer
