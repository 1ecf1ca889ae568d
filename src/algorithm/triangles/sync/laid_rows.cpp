// Rows are laid out by all threads of the ranks, and of GPUs' ranks by the host's cores.
#include "algorithm/triangles/sync/laid_rows.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <type_traits>
#include <variant>

#include "algorithm/driver/host_threads.hpp"
#include "algorithm/layouts/arc_weights.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::triangles_detail {

namespace {

using algorithm_detail::oriented_rows;

/// Blocks of about the same work, some 100 us each: marks, and looks at other rows.
template <class Id, class Value>
std::vector<std::int64_t> blocks_of(const oriented_rows<Id, Value>& rows, std::int64_t n) {
  constexpr std::int64_t work_of_block = 100'000;
  std::vector<std::int64_t> first{0};
  std::int64_t work = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    const edge_offset length = rows.offsets[v + 1] - rows.offsets[v];
    work += 1 + length * (2 + length / 4);
    if (work < work_of_block) continue;
    first.push_back(v + 1);
    work = 0;
  }
  if (first.back() < n) first.push_back(n);
  return first;
}

}  // namespace

template <class Id, class Value>
std::shared_ptr<const laid_rows<Id, Value>> laid(const machine& m, const graph& g,
                                                 const std::stop_token& stop, double& seconds) {
  double largest = 0;
  if (std::is_same_v<Value, double>)
    largest = algorithm_detail::check_weights(g, "triangles needs", stop).largest;
  seconds = 0;
  return kept::of_graph<laid_rows<Id, Value>>(g, "oriented rows", [&](const graph& bare) {
    const auto begin = std::chrono::steady_clock::now();
    auto made = std::make_shared<laid_rows<Id, Value>>();
    made->rows = algorithm_detail::orient<Id, Value>(
        bare, largest, algorithm_detail::threads_before_runs(m, bare.arcs()), stop);
    if (std::is_same_v<Value, std::monostate>) made->hubs = hub_bits(made->rows, bare.vertices());
    made->blocks = blocks_of(made->rows, bare.vertices());
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return made;
  });
}

#define GOSSAMER_LAID(Id, Value)                                                          \
  template std::shared_ptr<const laid_rows<Id, Value>> laid(const machine&, const graph&, \
                                                            const std::stop_token&, double&);
GOSSAMER_LAID(vertex32, std::monostate)
GOSSAMER_LAID(vertex32, std::uint8_t)
GOSSAMER_LAID(vertex32, double)
GOSSAMER_LAID(vertex64, std::monostate)
GOSSAMER_LAID(vertex64, std::uint8_t)
GOSSAMER_LAID(vertex64, double)
#undef GOSSAMER_LAID

std::int64_t longest_row(std::int64_t vertices, std::int64_t arcs, bool symmetric) {
  const auto both = static_cast<double>(symmetric ? arcs : 2 * arcs);
  return std::min(vertices, static_cast<std::int64_t>(std::sqrt(both)) + 1);
}

int value_width(const problem& p) {
  return p.weight_width > 0 ? 8 : p.symmetric ? 0 : 1;
}

std::int64_t most_edges(const problem& p) {
  return p.symmetric ? p.arcs / 2 : p.arcs;
}

laid_bytes bytes_of_laid(const machine& m, const problem& p) {
  const auto rows = algorithm_detail::oriented_rows_bytes(
      p.vertices, p.arcs, p.id_width, value_width(p), p.weight_width, p.symmetric,
      algorithm_detail::threads_before_runs(m, p.arcs));
  const bool hubs = p.weight_width == 0 && !p.directed;
  return {rows.kept, rows.making + p.sorting, hubs ? hub_bits::bytes(p.vertices) : 0};
}

}  // namespace gossamer::triangles_detail
