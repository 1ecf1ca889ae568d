// GAP Benchmark Suite serialised graphs (.sg, .wsg), little endian:
//
//   u8 directed, i64 arcs, i64 n, i64 offsets[n + 1], i32 neighbours[arcs] (.wsg: pairs of i32
//   neighbour and i32 weight); if directed, offsets and neighbours of the reversed graph follow.
//
// The reversed half is not kept, only its length is checked; graph::transposed() makes it anew.
#include "graph/io/csr_arrays.hpp"
#include "graph/io/readers.hpp"

namespace gossamer::io {
namespace {

graph read_serialised(const byte_image& image, const read_context& context, bool weighted) {
  binary_reader in(image, context);
  const auto directed = in.take<std::uint8_t>("directed flag");
  if (directed > 1)
    in.fail_at(0, "not a GAPBS graph: the directed flag is " + std::to_string(directed));
  const std::int64_t m = in.take_count("number of arcs");
  const std::int64_t n = in.take_count("number of vertices", INT32_MAX);
  if (n == 0) in.fail_at(9, "the graph has no vertices");
  const std::int64_t rows_at = in.position();
  const char* rows = in.take_array<std::int64_t>(n + 1, "row offsets");
  const std::int64_t arcs_at = in.position();
  const std::int64_t each = weighted ? 8 : 4;
  const char* arcs = weighted ? in.take_array<std::int64_t>(m, "weighted neighbours")
                              : in.take_array<std::int32_t>(m, "neighbours");
  if (directed) {
    in.take_array<std::int64_t>(n + 1, "row offsets of the reversed graph");
    if (weighted)
      in.take_array<std::int64_t>(m, "weighted neighbours of the reversed graph");
    else
      in.take_array<std::int32_t>(m, "neighbours of the reversed graph");
  }
  in.expect_end("graph");
  context.settle(context.csr_plan(n, m, weighted ? 4 : 0, image.held ? image.size() : 0));

  graph g;
  g.offsets = shared_array<edge_offset>(static_cast<std::size_t>(n) + 1);
  std::int64_t before = 0;
  for (std::int64_t v = 0; v <= n; ++v) {
    const auto offset = load<std::int64_t>(rows, v);
    if (offset < before || offset > m || (v == 0 && offset != 0))
      in.fail_at(rows_at + 8 * v, "row offset " + std::to_string(offset) + " of vertex " +
                                      std::to_string(v) + " is out of order");
    g.offsets[static_cast<std::size_t>(v)] = before = offset;
  }
  if (before != m)
    in.fail_at(1, "the header says " + std::to_string(m) + " arcs, the rows hold " +
                      std::to_string(before));
  shared_array<vertex32> columns(static_cast<std::size_t>(m));
  shared_array<std::int32_t> weights(weighted ? static_cast<std::size_t>(m) : 0);
  auto watch = context.watch();
  for (std::int64_t i = 0; i < m; ++i) {
    watch.step();
    const auto v = load<std::int32_t>(arcs + i * each, 0);
    if (v < 0 || v >= n)
      in.fail_at(arcs_at + each * i,
                 "neighbour " + std::to_string(v) + " is outside 0.." + std::to_string(n - 1));
    columns[static_cast<std::size_t>(i)] = v;
    if (weighted) weights[static_cast<std::size_t>(i)] = load<std::int32_t>(arcs + i * each + 4, 0);
  }
  g.indices = columns;
  if (weighted) g.weights = weights;
  return finish_csr(std::move(g), context);
}

}  // namespace

graph read_gapbs(const byte_image& image, const read_context& context) {
  return read_serialised(image, context, false);
}

graph read_weighted_gapbs(const byte_image& image, const read_context& context) {
  return read_serialised(image, context, true);
}

}  // namespace gossamer::io
