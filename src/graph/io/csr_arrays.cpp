// Sorting rows in place and the options on graphs that come as CSR.
#include "graph/io/csr_arrays.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace gossamer::io {
namespace {

template <class Id>
bool rows_sorted(const csr_view<Id>& rows, detail::stop_watch watch) {
  for (std::int64_t v = 0; v < rows.vertices(); ++v) {
    const auto row = rows.row(v);
    watch.step(static_cast<std::int64_t>(row.size()) + 1);
    if (!std::is_sorted(row.begin(), row.end())) return false;
  }
  return true;
}

// Sorts each row by column, weights along; equal columns keep their order.
template <class Id>
void sort_rows(const graph& g, detail::stop_watch watch) {
  const auto& columns = std::get<shared_array<Id>>(g.indices);
  std::visit(
      [&](const auto& weights) {
        using array = std::decay_t<decltype(weights)>;
        std::vector<std::int64_t> order;
        std::vector<Id> ids;
        for (std::int64_t v = 0; v < g.vertices(); ++v) {
          const std::int64_t first = g.offsets[v], degree = g.degree(v);
          watch.step(degree + 1);
          Id* row = columns.data() + first;
          if (std::is_sorted(row, row + degree)) continue;
          if constexpr (std::is_same_v<array, std::monostate>) {
            std::sort(row, row + degree);
          } else {
            order.resize(static_cast<std::size_t>(degree));
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                             [row](std::int64_t a, std::int64_t b) { return row[a] < row[b]; });
            ids.assign(row, row + degree);
            auto* w = weights.data() + first;
            std::vector<std::decay_t<decltype(*w)>> values(w, w + degree);
            for (std::int64_t i = 0; i < degree; ++i) {
              row[i] = ids[static_cast<std::size_t>(order[i])];
              w[i] = values[static_cast<std::size_t>(order[i])];
            }
          }
        }
      },
      g.weights);
}

}  // namespace

graph finish_csr(graph g, const read_context& context, bool symmetric_known) {
  g.name = context.name;
  if (g.weighted() && g.weight_source == "none") g.weight_source = "file";
  const bool sorted = g.visit([&](const auto& rows) { return rows_sorted(rows, context.watch()); });
  if (!sorted) {
    if (g.id_width() == 4)
      sort_rows<vertex32>(g, context.watch());
    else
      sort_rows<vertex64>(g, context.watch());
  }
  g.sorted = true;
  g.symmetric = symmetric_known;
  const build_options& b = context.build;
  if (context.rebuilds()) {
    const std::string source = g.weight_source;
    const vertex_names names = g.names;
    g = rebuild(g, b);
    g.name = context.name;
    g.weight_source = source;
    g.names = names;
  }
  if (!g.symmetric) g.symmetric = is_symmetric(g, b.threads, b.stop);
  return g;
}

}  // namespace gossamer::io
