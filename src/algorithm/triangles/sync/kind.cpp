// Engine sync: what it is, and what it takes.
#include "algorithm/triangles/kinds.hpp"
#include "algorithm/triangles/sync/sync.hpp"

namespace gossamer::triangles_detail {

namespace {

void declare(memory_layout& l, const machine& m, const problem& p, const triangles_options&) {
  const certainty rows = p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are;
  const shared_bytes all = sync_bytes(m, p);
  l.shared("rows of neighbours of higher degree", all.rows, rows);
  l.shared("rows while they are laid out", all.making, rows);
  l.shared("bits of hubs", all.hubs, p.vertices_are);
  l.shared("counts that threads share", all.beyond, p.vertices_are);
  for (int r = 0; r < m.size(); ++r)
    l.own(r, "marks and counts of threads", m[r].threads * thread_bytes(p), p.vertices_are);
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "rows of neighbours of higher degree, intersected edge by edge",
               .chosen = "always",
               .gpus = false},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make = make_sync};
  return kind;
}

}  // namespace gossamer::triangles_detail
