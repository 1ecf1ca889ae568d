// Engine sync: what it is, and what it takes on CPU ranks and on GPUs.
#include <algorithm>

#include "algorithm/triangles/gpu.hpp"
#include "algorithm/triangles/kinds.hpp"
#include "algorithm/triangles/sync/laid_rows.hpp"
#include "algorithm/triangles/sync/sync.hpp"

namespace gossamer::triangles_detail {

namespace {

void declare(memory_layout& l, const machine& m, const problem& p, const triangles_options&) {
  const certainty rows = p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are;
  const laid_bytes all = bytes_of_laid(m, p);
  const bool gpus = m[0].is_cuda();
  l.shared("rows of neighbours of higher degree", all.rows, rows);
  l.shared("rows while they are laid out",
           gpus ? std::max(all.making, uploading_bytes(p)) : all.making, rows);
  l.shared("bits of hubs", all.hubs, p.vertices_are);
  if (!gpus) l.shared("counts that threads share", beyond_bytes(p), p.vertices_are);
  for (int r = 0; r < m.size(); ++r) {
    if (m[r].is_cuda())
      declare_gpu(l, m, p, r);
    else
      l.own(r, "marks and counts of threads", m[r].threads * thread_bytes(p), p.vertices_are);
  }
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "rows of neighbours of higher degree, intersected edge by edge",
               .chosen = "always"},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make =
          [](const preparation& from) {
            return from.on[0].is_cuda() ? make_gpu(from) : make_sync(from);
          }};
  return kind;
}

}  // namespace gossamer::triangles_detail
