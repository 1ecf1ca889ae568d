// Sparse matrices in .npz: SciPy's save_npz (CSR, CSC, COO), or plain arrays indptr and indices
// with optional data or weights. Entry (i, j) is the arc i -> j, 0-based.
//
// Numbers of `data` are the weights: floats as they are, integers as int32 or, when one is larger,
// as doubles. Boolean data means no weights. `gossamer_base` and `gossamer_map`, which SciPy
// ignores, keep the names of the vertices.
#include <algorithm>

#include "gossamer/graph/memory_needs.hpp"
#include "graph/io/csr_arrays.hpp"
#include "graph/io/edge_sink.hpp"
#include "graph/io/npz_file.hpp"
#include "graph/io/readers.hpp"
#include "graph/io/tokens.hpp"

namespace gossamer::io {
namespace {

std::string matrix_format(const npz_file& file) {
  const auto a = file.find("format");
  if (!a) return "csr";
  if ((a->kind != 'S' && a->kind != 'U') || a->count != 1 || a->bytes > 64)
    file.fail(a->at, "array 'format' must hold one short string");
  std::string text;
  for (int i = 0; i < a->bytes; i += a->kind == 'U' ? 4 : 1)
    if (a->data[i] != '\0') text += a->data[i];
  return text;
}

std::int64_t side(const npz_file& file) {
  const auto a = file.find("shape");
  if (!a) return -1;
  std::int64_t rows = 0, columns = 0;
  if ((a->kind != 'i' && a->kind != 'u') || a->count != 2 || !a->integer(0, rows) ||
      !a->integer(1, columns) || rows < 0 || columns < 0)
    file.fail(a->at, "array 'shape' must hold two sizes");
  if (rows != columns)
    file.fail(a->at, "a graph needs a square matrix, this one is " + std::to_string(rows) + " x " +
                         std::to_string(columns));
  return rows;
}

weight_array weights_of(const npz_file& file, const npy_array& a) {
  weight_array out;
  std::int64_t bad = -1;
  bool ok = true;
  const char* d = a.data;
  if (a.shape.size() != 1) file.fail(a.at, "array '" + a.name + "' must have one dimension");
  if (a.kind == 'b') return out;
  if (a.kind == 'f' && a.bytes == 4) {
    bad = take_real_weights<float>(d, a.count, out);
  } else if (a.kind == 'f' && a.bytes == 8) {
    bad = take_real_weights<double>(d, a.count, out);
  } else if (a.kind == 'i' || a.kind == 'u') {
    const bool sign = a.kind == 'i';
    auto take = [&]<class T>(T) { return take_whole_weights<T>(d, a.count, out, bad); };
    if (a.bytes == 1) ok = sign ? take(std::int8_t{}) : take(std::uint8_t{});
    if (a.bytes == 2) ok = sign ? take(std::int16_t{}) : take(std::uint16_t{});
    if (a.bytes == 4) ok = sign ? take(std::int32_t{}) : take(std::uint32_t{});
    if (a.bytes == 8) ok = sign ? take(std::int64_t{}) : take(std::uint64_t{});
  } else {
    file.fail(a.at, "weights of NumPy type '" + shown({&a.kind, 1}) + std::to_string(a.bytes) +
                        "' are not read");
  }
  if (!ok) file.fail(a.at + bad * a.bytes, "weight is larger than 2^53");
  if (bad >= 0) file.fail(a.at + bad * a.bytes, "weight is not a finite number (NaN or infinite)");
  return out;
}

vertex_names names_of(const npz_file& file, std::int64_t n) {
  vertex_names names;
  if (auto base = file.find("gossamer_base")) {
    if (base->kind != 'i' || base->count != 1 || !base->integer(0, names.base))
      file.fail(base->at, "array 'gossamer_base' must hold one integer");
  }
  if (file.has("gossamer_map")) {
    const npy_array map = file.integers("gossamer_map");
    if (map.count != n) file.fail(map.at, "array 'gossamer_map' must have one entry a vertex");
    names.map = shared_array<std::int64_t>(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i)
      if (!map.integer(i, names.map[static_cast<std::size_t>(i)]))
        file.fail(map.at + i * map.bytes, "vertex name does not fit 63 bits");
  }
  return names;
}

// A column or row number, checked.
std::int64_t place(const npz_file& file, const npy_array& a, std::int64_t i, std::int64_t n) {
  std::int64_t v = 0;
  if (!a.integer(i, v) || v < 0 || v >= n)
    file.fail(a.at + i * a.bytes,
              "array '" + a.name + "': " +
                  (v < 0 ? "negative id or one over 63 bits"
                         : "id " + std::to_string(v) + " is outside 0.." + std::to_string(n - 1)));
  return v;
}

// COO and CSC, where arcs do not come row by row, go through the builder.
graph from_pairs(const npz_file& file, const read_context& context, std::int64_t n,
                 const npy_array& from, const npy_array& to, const weight_array& weights,
                 vertex_names names) {
  edge_sink sink(context, weights.index() != 0, weights.index() > 1);
  sink.expect_vertices(n);
  parsed_edges block;
  constexpr std::int64_t step = 1 << 16;
  for (std::int64_t first = 0; first < from.count; first += step) {
    const std::int64_t last = std::min(from.count, first + step);
    block.reset(static_cast<std::size_t>(last - first), weights.index() != 0);
    for (std::int64_t i = first; i < last; ++i) {
      const std::int64_t u = place(file, from, i, n), v = place(file, to, i, n);
      std::visit(
          [&](const auto& w) {
            if constexpr (std::is_same_v<std::decay_t<decltype(w)>, std::monostate>)
              block.add(u, v);
            else
              block.add(u, v, static_cast<double>(w[static_cast<std::size_t>(i)]),
                        std::is_same_v<std::decay_t<decltype(w[0])>, std::int32_t>);
          },
          weights);
    }
    sink.append(block);
    context.tick(from.at, file.size(), sink.edges());
  }
  return sink.finish(n, std::move(names));
}

}  // namespace

graph read_npz(const byte_image& image, const read_context& context) {
  const npz_file file(image, context);
  const std::string kind = matrix_format(file);
  if (kind != "csr" && kind != "csc" && kind != "coo")
    file.fail(0, "sparse format '" + shown(kind) + "' is not read (csr, csc, coo are)");
  std::int64_t n = side(file);
  const char* data_name = file.has("data") ? "data" : (file.has("weights") ? "weights" : nullptr);

  if (kind == "coo") {
    const npy_array rows = file.integers("row"), columns = file.integers("col");
    if (n < 0) file.fail(file.size(), "array 'shape' is missing");
    if (n == 0) file.fail(file.size(), "the graph has no vertices");
    if (rows.count != columns.count)
      file.fail(columns.at, "arrays 'row' and 'col' differ in length");
    context.settle(context.edge_plan(n, rows.count, data_name ? 8 : 0, false));
    weight_array weights;
    if (data_name) {
      const npy_array data = *file.find(data_name);
      if (data.count != rows.count)
        file.fail(data.at, "array 'data' has another length than 'row'");
      weights = weights_of(file, data);
    }
    return from_pairs(file, context, n, rows, columns, weights, names_of(file, n));
  }

  const npy_array rows = file.integers("indptr"), columns = file.integers("indices");
  if (rows.count == 0) file.fail(rows.at, "array 'indptr' is empty");
  if (n >= 0 && rows.count - 1 != n)
    file.fail(rows.at, "array 'indptr' has " + std::to_string(rows.count) + " entries for " +
                           std::to_string(n) + " vertices");
  n = rows.count - 1;
  if (n == 0) file.fail(rows.at, "the graph has no vertices");
  const std::int64_t m = columns.count;
  const int weight_bytes = data_name ? 8 : 0;
  read_plan plan = context.csr_plan(n, m, weight_bytes, image.held ? image.size() : 0);
  // Columns become rows by one more pass through the builder.
  if (kind == "csc")
    plan.items.push_back(
        {"reversing", rebuild_bytes({n, plan.arcs, id_bytes(n), weight_bytes}, {})});
  context.settle(std::move(plan));
  graph g;
  g.offsets = shared_array<edge_offset>(static_cast<std::size_t>(n) + 1);
  std::int64_t before = 0;
  for (std::int64_t v = 0; v <= n; ++v) {
    std::int64_t offset = 0;
    if (!rows.integer(v, offset) || offset < before || offset > m || (v == 0 && offset != 0))
      file.fail(rows.at + v * rows.bytes,
                "array 'indptr' is out of order at entry " + std::to_string(v));
    g.offsets[static_cast<std::size_t>(v)] = before = offset;
  }
  if (before != m)
    file.fail(rows.at + n * rows.bytes, "array 'indptr' ends at " + std::to_string(before) +
                                            ", 'indices' has " + std::to_string(m) + " entries");
  if (data_name) {
    const npy_array data = *file.find(data_name);
    if (data.count != m)
      file.fail(data.at,
                std::string("array '") + data_name + "' has another length than 'indices'");
    g.weights = weights_of(file, data);
  }
  g.names = names_of(file, n);
  auto copy = [&]<class Id>(Id) {
    shared_array<Id> out(static_cast<std::size_t>(m));
    auto watch = context.watch();
    for (std::int64_t i = 0; i < m; ++i) {
      watch.step();
      out[static_cast<std::size_t>(i)] = static_cast<Id>(place(file, columns, i, n));
    }
    g.indices = out;
  };
  if (id_bytes(n) == 4)
    copy(vertex32{});
  else
    copy(vertex64{});
  if (kind == "csr") return finish_csr(std::move(g), context);
  // CSC holds the reversed rows; the arcs' true direction comes from reversing once more.
  g.sorted = false;
  graph reversed = finish_csr(std::move(g), context);
  if (reversed.symmetric) return reversed;
  graph out = reversed.transposed(context.options.stop);
  out.name = reversed.name;
  out.weight_source = reversed.weight_source;
  out.names = reversed.names;
  out.steps = reversed.steps;
  return out;
}

}  // namespace gossamer::io
