// The entries of the plan, rank by rank, and the arenas of a run, from the same sizes: matrix rows,
// vectors, exchange, and what collectives of a modelled system take.
#include "algorithm/cg/planning.hpp"

#include "algorithm/cg/engine.hpp"
#include "algorithm/cg/single_kernel/single_kernel.hpp"
#include "algorithm/cg/sliced.hpp"
#include "algorithm/cg/vector_exchange.hpp"
#include "algorithm/cg/vectors.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer::cg_detail {

using algorithm_detail::memory_layout;

namespace {

std::int64_t matrix_bytes(const local_matrix& part, const device& on, const cg_options& options) {
  const bool library = kind_of(options).libraries;
  const bool sliced = on.is_cuda() && !library && worth_slicing(part.offsets);
  const std::int64_t entries = sliced ? sliced_entries(part.offsets) : part.offsets.back();
  return entries * 12 + (part.rows + 1) * (library ? 4 : 8) + (options.jacobi ? part.rows * 8 : 0);
}

/// Of which entries a GPU packs for others: lists that it uploads when it first sends.
std::int64_t packing_bytes(const layout& l, int r, const device& on) {
  if (!l.halo || !on.is_cuda()) return 0;
  std::int64_t entries = 0;
  for (const halo_message& m : l.sends[static_cast<std::size_t>(r)])
    entries += static_cast<std::int64_t>(m.entries.size());
  return entries * static_cast<std::int64_t>(sizeof(std::int32_t));
}

constexpr int around_direction = 512;  ///< what alignment takes

/// Of the window in which processes receive each other's rows of the solution.
std::size_t gathered_bytes(const machine& m, std::int64_t n) {
  return m.all_here() ? 0 : static_cast<std::size_t>(n) * sizeof(double) + 256;
}

/// Of a rank's arenas beside the exchange of vectors: agreement on scalars, and what a modelled
/// system's collectives take, which may keep the vector in host memory twice.
arena_plan collective_arenas(const machine& m, int r, const local_matrix& part) {
  const auto p = static_cast<std::size_t>(m.size());
  arena_plan plan{0, 64 * p + 1024};
  if (m[r].model != nullptr) {
    plan.native += static_cast<std::size_t>(part.extended) * 2 * 8 + (std::size_t{1} << 16);
    plan.host += static_cast<std::size_t>(part.extended) * 4 * 8 + (std::size_t{1} << 16);
  }
  return plan;
}

}  // namespace

place_options ranges_of(const cg_options& options) {
  place_options how;
  how.partition = options.partition;
  how.part_of = options.part_of;
  how.memory = options.memory;
  how.stop = options.run.cancel;
  return how;
}

void plan_order(memory_plan& plan, const machine& m, const graph& matrix,
                const vertex_ranges& ranges, const cg_options& options) {
  constexpr std::int64_t in_and_out = std::int64_t{3} * 8;  // b, x0 and x by row
  plan_ordered(plan, m, ranges, graph_sizes::of(matrix), ranges_of(options), in_and_out);
}

memory_layout layout_of(const machine& m, const graph& matrix, const layout& l,
                        const vertex_ranges& ranges, const cg_options& options) {
  memory_layout all(m);
  const certainty sure = ranges.are;
  for (int r = 0; r < m.size(); ++r) {
    const local_matrix& part = l.parts[static_cast<std::size_t>(r)];
    all.own(r, "matrix rows", matrix_bytes(part, m[r], options), sure);
    if (kind_of(options).libraries)
      all.own(r, "cuSPARSE and cuBLAS", static_cast<std::int64_t>(library_workspace));
    all.own(r, "entries to send", packing_bytes(l, r, m[r]), sure);
    all.window(r, "direction vector", part.extended * 8 + around_direction, sure);
    all.window(r, "vectors", engine_bytes(part, options.jacobi, m[r]), sure);
    all.window(r, "exchange", exchange_bytes(l, r), sure);
    if (kind_of(options).loop == method::single_kernel)
      all.window(r, "second vectors",
                 static_cast<std::int64_t>(single_kernel_bytes(l, r, options.jacobi)), sure);
    const arena_plan collectives = collective_arenas(m, r, part);
    all.window(r, "collectives", static_cast<std::int64_t>(collectives.native), sure);
    all.host_window(r, "scalars and collectives", static_cast<std::int64_t>(collectives.host),
                    sure);
    all.host_window(r, "gathered solution",
                    static_cast<std::int64_t>(gathered_bytes(m, matrix.vertices())));
  }
  memory_plan order;
  plan_order(order, m, matrix, ranges, options);
  all.include(order);
  all.shared("solution", matrix.vertices() * 8);
  return all;
}

}  // namespace gossamer::cg_detail
