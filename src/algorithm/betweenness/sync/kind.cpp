// Engine sync: what it is, and what it takes on CPU ranks and on GPUs.
#include "algorithm/betweenness/gpu.hpp"
#include "algorithm/betweenness/kinds.hpp"
#include "algorithm/betweenness/sync/edge_scores.hpp"
#include "algorithm/betweenness/sync/sync.hpp"

namespace gossamer::betweenness_detail {

namespace {

void declare(memory_layout& l, const machine& m, const problem& p,
             const betweenness_options& options) {
  l.shared("rows as searches read them", p.laying_out,
           p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  // A GPU adds them up itself where its rows are the caller's.
  if (p.simplified || !m[0].is_cuda())
    l.shared("scores of arcs while they are added up",
             collecting_bytes(p.vertices, p.arcs, options.edges),
             p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  if (m[0].is_cuda()) {
    declare_gpu(l, m, p, options);
    return;
  }
  const certainty sure = options.edges ? p.arcs_are : p.vertices_are;
  for (int r = 0; r < m.size(); ++r)
    l.own(r, "counts, levels and sums of threads",
          workers(m, r, sources_of(p.vertices, options)) * thread_bytes(p, options.edges), sure);
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning =
                   "a thread a source, or blocks of a GPU: counts by level, then dependencies back",
               .chosen = "always"},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make =
          [](const preparation& from) {
            return from.on[0].is_cuda() ? make_gpu(from) : make_sync(from);
          }};
  return kind;
}

}  // namespace gossamer::betweenness_detail
