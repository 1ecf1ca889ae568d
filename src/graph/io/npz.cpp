// Sparse matrices in .npz: SciPy's save_npz (CSR, CSC, COO), or plain arrays indptr and indices
// with optional data or weights. Entry (i, j) is the arc i -> j, 0-based.
//
// Numbers of `data` are the weights: floats as they are, integers as int32 or, when one is larger,
// as doubles. Boolean data means no weights. `gossamer_base` and `gossamer_map`, which SciPy
// ignores, keep the names of the vertices.
#include <algorithm>
#include <optional>
#include <type_traits>

#include "gossamer/graph/memory_needs.hpp"
#include "graph/io/csr_arrays.hpp"
#include "graph/io/edge_sink.hpp"
#include "graph/io/npz_file.hpp"
#include "graph/io/readers.hpp"
#include "graph/io/tokens.hpp"

namespace gossamer::io {
namespace {

std::string matrix_format(const npz_file& file) {
  auto a = file.find("format");
  if (!a) return "csr";
  if ((a->kind != 'S' && a->kind != 'U') || a->count != 1 || a->bytes > 64)
    file.fail(a->at, "array 'format' must hold one short string");
  std::string text;
  const char* letters = a->take(1);
  for (int i = 0; i < a->bytes; i += a->kind == 'U' ? 4 : 1)
    if (letters[i] != '\0') text += letters[i];
  return text;
}

std::int64_t side(const npz_file& file) {
  auto a = file.find("shape");
  if (!a) return -1;
  std::int64_t rows = 0, columns = 0;
  const bool sizes = (a->kind == 'i' || a->kind == 'u') && a->count == 2;
  const char* values = sizes ? a->take(2) : nullptr;
  if (!sizes || !a->integer(values, 0, rows) || !a->integer(values, 1, columns) || rows < 0 ||
      columns < 0)
    file.fail(a->at, "array 'shape' must hold two sizes");
  if (rows != columns)
    file.fail(a->at, "a graph needs a square matrix, this one is " + std::to_string(rows) + " x " +
                         std::to_string(columns));
  return rows;
}

/// Calls f(T) with the type of the weights in `a`; not for booleans, which mean none.
template <class F>
auto with_weight_type(const npz_file& file, const npy_array& a, const F& f) {
  const bool sign = a.kind == 'i';
  if (a.kind == 'f' && a.bytes == 4) return f(float{});
  if (a.kind == 'f' && a.bytes == 8) return f(double{});
  if (sign || a.kind == 'u') {
    if (a.bytes == 1) return sign ? f(std::int8_t{}) : f(std::uint8_t{});
    if (a.bytes == 2) return sign ? f(std::int16_t{}) : f(std::uint16_t{});
    if (a.bytes == 4) return sign ? f(std::int32_t{}) : f(std::uint32_t{});
    return sign ? f(std::int64_t{}) : f(std::uint64_t{});
  }
  file.fail(a.at, "weights of NumPy type '" + shown({&a.kind, 1}) + std::to_string(a.bytes) +
                      "' are not read");
}

/// The array of weights, one of `like` each; nothing where there is none, or only booleans.
std::optional<npy_array> find_weights(const npz_file& file, const npy_array& like) {
  const char* name = file.has("data") ? "data" : "weights";
  auto a = file.find(name);
  if (!a) return {};
  if (a->count != like.count)
    file.fail(a->at, "array '" + a->name + "' has another length than '" + like.name + "'");
  if (a->shape.size() != 1) file.fail(a->at, "array '" + a->name + "' must have one dimension");
  if (a->kind == 'b') return {};
  return a;
}

/// Of a weight in the graph: whole numbers may all be small.
int weight_bytes_of(const npz_file& file, const std::optional<npy_array>& a) {
  if (!a) return 0;
  return with_weight_type(file, *a, []<class T>(T) {
    return sizeof(T) == 8 || std::is_same_v<T, std::uint32_t> ? 8 : 4;
  });
}

weight_array weights_of(const npz_file& file, npy_array& a, const read_context& context) {
  return with_weight_type(file, a, [&]<class T>(T) -> weight_array {
    file_weights<T> weights(a.count);
    auto watch = context.watch();
    for (std::int64_t first = 0; first < a.count; first += npy_block) {
      const std::int64_t n = std::min(npy_block, a.count - first);
      watch.step(n);
      if (const std::int64_t good = weights.add(a.take(n), n); good < n)
        file.fail(a.at + (first + good) * a.bytes, weights.complaint);
    }
    return weights.done();
  });
}

vertex_names names_of(const npz_file& file, std::int64_t n) {
  vertex_names names;
  if (auto base = file.find("gossamer_base")) {
    if (base->kind != 'i' || base->count != 1 || !base->integer(base->take(1), 0, names.base))
      file.fail(base->at, "array 'gossamer_base' must hold one integer");
  }
  if (file.has("gossamer_map")) {
    npy_array map = file.integers("gossamer_map");
    if (map.count != n) file.fail(map.at, "array 'gossamer_map' must have one entry a vertex");
    names.map = shared_array<std::int64_t>(static_cast<std::size_t>(n));
    for (std::int64_t first = 0; first < n; first += npy_block) {
      const std::int64_t some = std::min(npy_block, n - first);
      const char* from = map.take(some);
      for (std::int64_t i = 0; i < some; ++i)
        if (!map.integer(from, i, names.map[static_cast<std::size_t>(first + i)]))
          file.fail(map.at + (first + i) * map.bytes, "vertex name does not fit 63 bits");
    }
  }
  return names;
}

/// A column or row number, checked: entry `i` of those from `first` on.
std::int64_t place(const npz_file& file, const npy_array& a, const char* from, std::int64_t first,
                   std::int64_t i, std::int64_t n) {
  std::int64_t v = 0;
  if (!a.integer(from, i, v) || v < 0 || v >= n)
    file.fail(a.at + (first + i) * a.bytes,
              "array '" + a.name + "': " +
                  (v < 0 ? "negative id or one over 63 bits"
                         : "id " + std::to_string(v) + " is outside 0.." + std::to_string(n - 1)));
  return v;
}

// COO, where arcs do not come row by row, goes through the builder.
graph from_pairs(const npz_file& file, const read_context& context, std::int64_t n, npy_array& rows,
                 npy_array& columns, std::optional<npy_array>& data, vertex_names names) {
  edge_sink sink(context, data.has_value(), data && data->kind == 'f');
  sink.expect_vertices(n);
  parsed_edges block;
  const auto add = [&]<class T>(T) {
    constexpr bool weighted = !std::is_same_v<T, std::monostate>;
    for (std::int64_t first = 0; first < rows.count; first += npy_block) {
      const std::int64_t some = std::min(npy_block, rows.count - first);
      block.reset(static_cast<std::size_t>(some), weighted);
      const char *u = rows.take(some), *v = columns.take(some);
      const char* w = weighted ? data->take(some) : nullptr;
      for (std::int64_t i = 0; i < some; ++i) {
        const std::int64_t from = place(file, rows, u, first, i, n);
        const std::int64_t to = place(file, columns, v, first, i, n);
        if constexpr (weighted) {
          const T value = load<T>(w, i);
          if (!is_weight(value))
            file.fail(data->at + (first + i) * data->bytes, file_weights<T>::complaint);
          block.add(from, to, static_cast<double>(value), !std::is_floating_point_v<T>);
        } else {
          block.add(from, to);
        }
      }
      sink.append(block);
      context.tick(rows.at, file.size(), sink.edges());
    }
  };
  if (data)
    with_weight_type(file, *data, add);
  else
    add(std::monostate{});
  return sink.finish(n, std::move(names));
}

}  // namespace

graph read_npz(const byte_image& image, const read_context& context) {
  const npz_file file(image, context);
  const std::string kind = matrix_format(file);
  if (kind != "csr" && kind != "csc" && kind != "coo")
    file.fail(0, "sparse format '" + shown(kind) + "' is not read (csr, csc, coo are)");
  std::int64_t n = side(file);

  if (kind == "coo") {
    npy_array rows = file.integers("row"), columns = file.integers("col");
    if (n < 0) file.fail(file.size(), "array 'shape' is missing");
    if (n == 0) file.fail(file.size(), "the graph has no vertices");
    if (rows.count != columns.count)
      file.fail(columns.at, "arrays 'row' and 'col' differ in length");
    auto data = find_weights(file, rows);
    // The sink has no floats.
    const int weight_bytes = data && data->kind == 'f' ? 8 : weight_bytes_of(file, data);
    context.settle(context.edge_plan(n, rows.count, weight_bytes, false));
    return from_pairs(file, context, n, rows, columns, data, names_of(file, n));
  }

  npy_array rows = file.integers("indptr"), columns = file.integers("indices");
  if (rows.count == 0) file.fail(rows.at, "array 'indptr' is empty");
  if (n >= 0 && rows.count - 1 != n)
    file.fail(rows.at, "array 'indptr' has " + std::to_string(rows.count) + " entries for " +
                           std::to_string(n) + " vertices");
  n = rows.count - 1;
  if (n == 0) file.fail(rows.at, "the graph has no vertices");
  const std::int64_t m = columns.count;
  auto data = find_weights(file, columns);
  const int weight_bytes = weight_bytes_of(file, data);
  read_plan plan = context.csr_plan(n, m, weight_bytes, image.held ? image.size() : 0);
  if (file.has("gossamer_map")) plan.items.push_back({"vertex names", sat_mul(n, 8)});
  // Columns become rows by one more pass through the builder.
  if (kind == "csc")
    plan.items.push_back(
        {"reversing", rebuild_bytes({n, plan.arcs, id_bytes(n), weight_bytes}, {})});
  context.settle(plan);
  graph g;
  g.offsets = shared_array<edge_offset>(static_cast<std::size_t>(n) + 1);
  std::int64_t before = 0;
  for (std::int64_t first = 0; first <= n; first += npy_block) {
    const std::int64_t some = std::min(npy_block, n + 1 - first);
    const char* from = rows.take(some);
    for (std::int64_t i = 0; i < some; ++i) {
      std::int64_t offset = 0;
      const std::int64_t v = first + i;
      if (!rows.integer(from, i, offset) || offset < before || offset > m ||
          (v == 0 && offset != 0))
        file.fail(rows.at + v * rows.bytes,
                  "array 'indptr' is out of order at entry " + std::to_string(v));
      g.offsets[static_cast<std::size_t>(v)] = before = offset;
    }
  }
  if (before != m)
    file.fail(rows.at + n * rows.bytes, "array 'indptr' ends at " + std::to_string(before) +
                                            ", 'indices' has " + std::to_string(m) + " entries");
  if (data) g.weights = weights_of(file, *data, context);
  g.names = names_of(file, n);
  auto copy = [&]<class Id>(Id) {
    shared_array<Id> out(static_cast<std::size_t>(m));
    auto watch = context.watch();
    for (std::int64_t first = 0; first < m; first += npy_block) {
      const std::int64_t some = std::min(npy_block, m - first);
      watch.step(some);
      const char* from = columns.take(some);
      for (std::int64_t i = 0; i < some; ++i)
        out[static_cast<std::size_t>(first + i)] =
            static_cast<Id>(place(file, columns, from, first, i, n));
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
