// Engine sync: what it is, and what it takes on CPU ranks and on GPUs.
#include "algorithm/spanning_forest/gpu.hpp"
#include "algorithm/spanning_forest/kinds.hpp"
#include "algorithm/spanning_forest/sync/sync.hpp"

namespace gossamer::spanning_forest_detail {

namespace {

void declare(memory_layout& l, const machine& m, const problem& p, const spanning_forest_options&) {
  if (m[0].is_cuda()) return declare_gpu(l, m, p);
  const certainty edges = p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are;
  const sync_bytes taken = sync_bytes_of(p);
  l.shared("edges", taken.edges, edges);
  l.shared("components and their first edges", taken.vertices, p.vertices_are);
  l.shared("which arcs are the forest's", taken.arcs, p.arcs_are);
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "each component takes its first edge to another, round by round",
               .chosen = "always"},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make =
          [](const preparation& from) {
            return from.on[0].is_cuda() ? make_gpu(from) : make_sync(from);
          }};
  return kind;
}

}  // namespace gossamer::spanning_forest_detail
