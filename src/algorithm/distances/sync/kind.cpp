// Engine sync: what it is, and what it takes on CPU ranks and on GPUs.
#include "algorithm/distances/gpu.hpp"
#include "algorithm/distances/kinds.hpp"
#include "algorithm/distances/sync/sync.hpp"

namespace gossamer::distances_detail {

namespace {

void declare(memory_layout& l, const machine& m, const problem& p,
             const distances_options& options) {
  l.shared("arcs reversed", p.reversing,
           p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  const bool gpus = m[0].is_cuda();
  l.shared("order of sources, and bounds", shared_bytes(p, options, !gpus), p.vertices_are);
  if (gpus) return declare_gpu(l, m, p, options);
  for (int r = 0; r < m.size(); ++r)
    l.host(r, "who was met by which search, a thread", m[r].threads * thread_bytes(p, options),
           p.vertices_are);
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "64 searches at once, batch by batch, by a thread or a GPU each",
               .chosen = "always"},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make =
          [](const preparation& from) {
            return from.on[0].is_cuda() ? make_gpu(from) : make_sync(from);
          }};
  return kind;
}

}  // namespace gossamer::distances_detail
