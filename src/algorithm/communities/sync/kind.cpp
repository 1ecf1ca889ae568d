// Engine sync: what it is, and what it takes on CPU ranks and on GPUs.
#include "algorithm/communities/gpu.hpp"
#include "algorithm/communities/kinds.hpp"
#include "algorithm/communities/sync/sync.hpp"

namespace gossamer::communities_detail {

namespace {

void declare(memory_layout& l, const machine& m, const problem& p,
             const communities_options& options) {
  if (m[0].is_cuda()) return declare_gpu(l, m, p, options);
  const sync_bytes taken = sync_bytes_of(p, options);
  l.shared("smaller graphs", taken.arcs,
           p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  l.shared("vertices and communities of a level", taken.vertices, p.vertices_are);
  for (int r = 0; r < m.size(); ++r)
    l.own(r, "weights to communities", taken.thread * m[r].threads, p.vertices_are);
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "a sixteenth of the vertices moves at once, round by round, level by "
                          "level",
               .chosen = "always"},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make =
          [](const preparation& from) {
            return from.on[0].is_cuda() ? make_gpu(from) : make_sync(from);
          }};
  return kind;
}

}  // namespace gossamer::communities_detail
