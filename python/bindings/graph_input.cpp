// Graphs from the caller's arrays: CSR shared without copying, edge lists through the builder.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/mapped_block.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/graph/memory_needs.hpp"
#include "text.hpp"

namespace gossamer_python {

using gossamer::edge;
using gossamer::edge_chunks;
using gossamer::graph;
using gossamer::shared_array;

namespace {

constexpr std::int64_t chunk_edges = std::int64_t{1} << 20;

void check_stop(const work_control& c, const char* what) {
  if (c.stop.stop_requested()) throw gossamer::cancelled_error(std::string(what) + ": stopped");
}

gossamer::weight_array share_weights(const std::optional<numbers>& given) {
  if (!given) return {};
  const numbers& w = *given;
  if (holds<std::int32_t>(w)) return share<std::int32_t>(w);
  if (holds<float>(w)) return share<float>(w);
  if (holds<double>(w)) return share<double>(w);
  throw gossamer::usage_error("weights: expected int32, float32 or float64");
}

// True when every row ascends; rows that are not even rows are left to validate().
bool rows_ascending(const int64s& indptr, const ids& indices) {
  const auto offsets = share<std::int64_t>(indptr);
  const auto check = [&]<class Id>(const shared_array<Id>& ids) {
    return run_work([offsets, ids](work_control& c) {
      const auto m = static_cast<std::int64_t>(ids.size());
      for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
        if (v % (1 << 16) == 0) check_stop(c, "from_csr");
        for (std::int64_t i = std::max<std::int64_t>(offsets[v], 0) + 1;
             i < std::min(offsets[v + 1], m); ++i)
          if (ids[i - 1] > ids[i]) return false;
      }
      return true;
    });
  };
  return holds<std::int32_t>(indices) ? check(share<std::int32_t>(indices))
                                      : check(share<std::int64_t>(indices));
}

graph from_csr(const int64s& indptr, const ids& indices, const std::optional<numbers>& weights,
               bool sorted, std::optional<bool> symmetric, std::string name) {
  graph g;
  g.name = std::move(name);
  g.offsets = share<std::int64_t>(indptr);
  if (holds<std::int32_t>(indices))
    g.indices = share<std::int32_t>(indices);
  else
    g.indices = share<std::int64_t>(indices);
  g.weights = share_weights(weights);
  g.sorted = sorted;
  if (g.weighted()) g.weight_source = "caller";
  return run_work([g = std::move(g), symmetric](work_control& c) mutable {
    const auto stop = c.stop.get_token();
    gossamer::require(g.vertices() > 0, "from_csr: the graph has no vertices");
    g.symmetric = false;
    g.validate(stop);  // shape first: the check for symmetry trusts it
    g.symmetric = symmetric ? *symmetric : gossamer::is_symmetric(g, 0, stop);
    if (symmetric && *symmetric) g.validate(stop);
    return g;
  });
}

// Ids of one endpoint array, whatever its width.
struct id_array {
  shared_array<std::int32_t> narrow;
  shared_array<std::int64_t> wide;
  explicit id_array(const ids& a) {
    if (holds<std::int32_t>(a))
      narrow = share<std::int32_t>(a);
    else
      wide = share<std::int64_t>(a);
  }
  [[nodiscard]] std::int64_t size() const {
    return static_cast<std::int64_t>(std::max(narrow.size(), wide.size()));
  }
  [[nodiscard]] std::int64_t operator[](std::int64_t i) const {
    return narrow.empty() ? wide[i] : narrow[i];
  }
};

std::int64_t largest_id(const id_array& u, const char* what, const work_control& c) {
  std::int64_t largest = -1;
  for (std::int64_t i = 0; i < u.size(); ++i) {
    if (i % chunk_edges == 0) check_stop(c, "from_edges");
    if (u[i] < 0)
      throw gossamer::input_error("from_edges: edge " + std::to_string(i) + ": " + what +
                                  " vertex " + std::to_string(u[i]) + " is negative");
    largest = std::max(largest, u[i]);
  }
  return largest;
}

template <class Id>
edge_chunks<Id> pair_up(const id_array& u, const id_array& v, const gossamer::weight_array& w,
                        std::int64_t vertices, const work_control& c) {
  edge_chunks<Id> out;
  out.vertices = vertices;
  for (std::int64_t first = 0; first < u.size(); first += chunk_edges) {
    check_stop(c, "from_edges");
    const std::int64_t n = std::min(chunk_edges, u.size() - first);
    auto chunk = gossamer::mapped_array<edge<Id>>(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i)
      chunk[i] = {static_cast<Id>(u[first + i]), static_cast<Id>(v[first + i])};
    out.edges.push_back(std::move(chunk));
  }
  std::visit(
      [&]<class T>(const T& values) {
        if constexpr (!std::is_same_v<T, std::monostate>) {
          std::vector<T> parts;
          for (std::int64_t first = 0; first < u.size(); first += chunk_edges)
            parts.emplace_back(values.data() + first, std::min(chunk_edges, u.size() - first),
                               values.owner());
          out.weights = std::move(parts);
        }
      },
      w);
  return out;
}

// Refuses n vertices and m edges whose list and graph would not fit beside the caller's arrays.
void require_edges(std::int64_t n, std::int64_t m, int weight_bytes,
                   const gossamer::build_options& options) {
  using gossamer::configuration::format_bytes;
  const gossamer::graph_sizes sizes{n, m, gossamer::configuration::narrow_ids(n) ? 4 : 8,
                                    weight_bytes};
  const std::int64_t built = build_bytes(sizes, 2 * m * sizes.id_bytes, options);
  const auto limit = gossamer::host_memory_limit();
  if (built <= limit.bytes) return;
  throw gossamer::capacity_error(
      "from_edges: the graph does not fit: " + std::to_string(n) + " vertices, " +
      std::to_string(m) + " edges; building it takes up to " + format_bytes(built) +
      "; the limit is " + format_bytes(limit.bytes) + " (" + limit.source + ")");
}

graph from_edges(const ids& sources, const ids& targets, const std::optional<numbers>& weights,
                 std::optional<std::int64_t> vertices, bool symmetrize, bool deduplicate,
                 bool remove_self_loops, int threads, std::string name) {
  id_array u(sources), v(targets);
  auto w = share_weights(weights);
  gossamer::build_options options;
  options.symmetrize = symmetrize;
  options.deduplicate = deduplicate;
  options.remove_self_loops = remove_self_loops;
  options.threads = threads;
  return run_work([=, name = std::move(name)](work_control& c) mutable {
    if (u.size() != v.size())
      throw gossamer::usage_error("from_edges: " + std::to_string(u.size()) + " sources, but " +
                                  std::to_string(v.size()) + " targets");
    const std::int64_t weight_count = std::visit(
        []<class T>(const T& a) -> std::int64_t {
          if constexpr (std::is_same_v<T, std::monostate>)
            return -1;
          else
            return static_cast<std::int64_t>(a.size());
        },
        w);
    if (weight_count >= 0 && weight_count != u.size())
      throw gossamer::usage_error("from_edges: " + std::to_string(u.size()) + " edges, but " +
                                  std::to_string(weight_count) + " weights");
    const std::int64_t largest = std::max(largest_id(u, "source", c), largest_id(v, "target", c));
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::int64_t n = vertices.value_or(largest == most ? most : largest + 1);
    gossamer::require(n > 0, "from_edges: the graph has no vertices");
    if (largest >= n)
      throw gossamer::input_error("from_edges: vertex " + std::to_string(largest) +
                                  " is not below the number of vertices, " + std::to_string(n));
    require_edges(n, u.size(), weight_count < 0 ? 0 : w.index() == 3 ? 8 : 4, options);
    options.stop = c.stop.get_token();
    graph g = gossamer::configuration::narrow_ids(n)
                  ? gossamer::build_csr(pair_up<std::int32_t>(u, v, w, n, c), options)
                  : gossamer::build_csr(pair_up<std::int64_t>(u, v, w, n, c), options);
    g.name = name;
    if (g.weighted()) g.weight_source = "caller";
    if (!g.symmetric) g.symmetric = gossamer::is_symmetric(g, options.threads, options.stop);
    return g;
  });
}

}  // namespace

void bind_graph_input(nb::module_& m) {
  m.def("rows_ascending", &rows_ascending, nb::arg("indptr"), nb::arg("indices"));
  m.def("from_csr", &from_csr, nb::arg("indptr"), nb::arg("indices"), nb::arg("weights").none(),
        nb::arg("sorted"), nb::arg("symmetric").none(), nb::arg("name"),
        "Shares int64 indptr, int32 or int64 indices and the weights; symmetric=None finds out.");
  m.def("from_edges", &from_edges, nb::arg("sources"), nb::arg("targets"),
        nb::arg("weights").none(), nb::arg("vertices").none(), nb::arg("symmetrize"),
        nb::arg("deduplicate"), nb::arg("remove_self_loops"), nb::arg("threads"), nb::arg("name"),
        "Builds a graph from int32 or int64 endpoint arrays.");
}

}  // namespace gossamer_python
