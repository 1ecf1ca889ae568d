// What generating a spec takes, before anything is allocated.
#include <algorithm>

#include "gossamer/base/configuration.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer {
namespace {

/// What plan_generate() says of a matrix: the CSR is all that is ever allocated.
generator_plan plan_matrix(const generator_spec& spec) {
  generator_plan plan;
  plan.vertices = spec.vertices();
  plan.generated_edges = plan.arcs_bound = spec.candidates();
  plan.exact = true;
  plan.longest_row = spec.kind == generator_kind::poisson ? 7 : 0;
  plan.weight_bytes = 8;
  const std::int64_t id = configuration::narrow_ids(plan.vertices) ? 4 : 8;
  plan.graph_bytes = plan.host_bytes = 8 * (plan.vertices + 1) + plan.arcs_bound * (id + 8);
  return plan;
}

/// No row has more arcs; 0: nobody knows.
std::int64_t longest_row(const generator_spec& spec) {
  switch (spec.kind) {
    case generator_kind::grid:
    case generator_kind::road:
      return 4;
    case generator_kind::mesh:
      return 6;
    case generator_kind::path:
      return 2;
    case generator_kind::tree:
      return spec.edge_factor + 1;
    case generator_kind::star:
      return std::max<std::int64_t>(spec.width - 1, 1);
    case generator_kind::cliques:
      return spec.height + 1;
    case generator_kind::lollipop:
      return std::max<std::int64_t>(spec.width, 2);
    case generator_kind::bipartite:
      return std::max(spec.height, spec.edge_factor);
    default:
      return 0;
  }
}

/// What renumbering takes of a graph that gets its weights afterwards.
void add_ordering(const generator_spec& spec, generator_plan& plan) {
  if (!spec.by_degree) return;
  graph_sizes unordered{plan.vertices, plan.arcs_bound};
  unordered.id_bytes = configuration::narrow_ids(plan.vertices) ? 4 : 8;
  const std::int64_t order = 8 * plan.vertices;
  plan.host_bytes =
      std::max(plan.host_bytes, csr_bytes(unordered) + order + renumber_bytes(unordered));
}

}  // namespace

generator_plan plan_generate(const generator_spec& spec, const generate_options& options,
                             std::int64_t device_free) {
  if (spec.matrix()) return plan_matrix(spec);
  generator_plan plan;
  const std::int64_t n = spec.vertices();
  plan.vertices = n;
  plan.generated_edges = spec.candidates();
  std::int64_t edges = plan.generated_edges;
  // Six standard deviations above the mean of the kept edges are never exceeded in practice; the
  // bound is rounded up to whole per mille of the candidates plus a constant.
  if (spec.kind == generator_kind::road)
    edges = std::min(edges, static_cast<std::int64_t>(
                                (static_cast<long double>(edges) * spec.keep) / 4294967296.0L) +
                                edges / 500 + 1000);
  // Half of DEGREE a point in the mean, less at the borders.
  if (spec.kind == generator_kind::geometric)
    edges = std::min(edges, n * spec.edge_factor / 2 + edges / 100 + 1000);
  plan.arcs_bound = 2 * edges;
  plan.longest_row = longest_row(spec);
  const bool wide = !configuration::narrow_ids(n);
  const bool weighted = options.weights || spec.kind == generator_kind::road;
  const std::int64_t id = wide ? 8 : 4;
  const std::int64_t offsets = 8 * (n + 1);
  plan.weight_bytes = weighted ? 4 : 0;
  const std::int64_t csr = offsets + plan.arcs_bound * (id + plan.weight_bytes);
  plan.graph_bytes = csr;
  if (options.device < 0) {
    // Edge list, then partition (its memory rises as the list's falls), then partition and CSR.
    const std::int64_t list = 2 * id * edges;
    const std::int64_t partition = plan.arcs_bound * (4 + id);
    plan.host_bytes = std::max(list + partition, partition + offsets + plan.arcs_bound * id);
    plan.host_bytes = std::max(plan.host_bytes, csr) + (std::int64_t{64} << 20);
    add_ordering(spec, plan);
    return plan;
  }
  plan.host_bytes = csr + (std::int64_t{128} << 20);
  // Keys twice (radix sort in two buffers) and the sort's own space; counters a vertex.
  const std::int64_t fixed = offsets + (std::int64_t{256} << 20);
  const std::int64_t keys = plan.arcs_bound * 17;
  const std::int64_t room = std::max<std::int64_t>(device_free > 0 ? device_free - fixed : keys, 1);
  plan.device_passes =
      static_cast<int>(std::clamp<std::int64_t>((keys + room - 1) / room, 1, 4096));
  // More than one pass leaves a margin for ranges that hold more than the average.
  if (plan.device_passes > 1) plan.device_passes += plan.device_passes / 4 + 1;
  // Parts of the rows are joined at the end.
  if (plan.device_passes > 1) plan.host_bytes += plan.arcs_bound * id;
  plan.device_bytes = fixed + keys / plan.device_passes;
  add_ordering(spec, plan);
  return plan;
}

std::string generator_plan::text() const {
  std::string line = std::to_string(vertices) + " vertices, ";
  if (!exact) line += std::to_string(generated_edges) + " generated edges, at most ";
  line += std::to_string(arcs_bound) + " arcs; host " + configuration::format_bytes(host_bytes);
  if (device_bytes > 0)
    line += ", GPU " + configuration::format_bytes(device_bytes) + " in " +
            std::to_string(device_passes) + (device_passes == 1 ? " pass" : " passes");
  return line;
}

}  // namespace gossamer
