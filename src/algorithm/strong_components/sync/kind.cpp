// Engine sync: what it is, and what it takes on CPU ranks and on GPUs.
#include "algorithm/strong_components/gpu.hpp"
#include "algorithm/strong_components/kinds.hpp"
#include "algorithm/strong_components/sync/sync.hpp"

namespace gossamer::strong_components_detail {

namespace {

void declare(memory_layout& l, const machine& m, const problem& p,
             const strong_components_options&) {
  l.shared("arcs reversed", p.reversing,
           p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  if (m[0].is_cuda())
    declare_gpu(l, p);
  else
    l.shared("who was met, queues and stacks", shared_bytes(p), p.vertices_are);
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "searches from a pivot both ways, trimming, then depth first",
               .chosen = "always"},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make =
          [](const preparation& from) {
            return from.on[0].is_cuda() ? make_gpu(from) : make_sync(from);
          }};
  return kind;
}

}  // namespace gossamer::strong_components_detail
