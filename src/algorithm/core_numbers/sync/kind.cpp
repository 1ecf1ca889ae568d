// Engine sync: what it is, and what it takes on CPU ranks and on GPUs.
#include "algorithm/core_numbers/gpu.hpp"
#include "algorithm/core_numbers/kinds.hpp"
#include "algorithm/core_numbers/sync/sync.hpp"

namespace gossamer::core_numbers_detail {

namespace {

void declare(memory_layout& l, const machine& m, const problem& p, const core_numbers_options&) {
  const certainty rows = p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are;
  l.shared("rows sorted", p.sorting, rows);
  l.shared("arcs reversed", p.reversing, rows);
  l.shared("degrees", p.vertices * 4, p.vertices_are);
  if (m[0].is_cuda())
    declare_gpu(l, m, p);
  else
    l.shared("vertices that are left and that leave", list_bytes(p), p.vertices_are);
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "vertices leave level by level, fewest neighbours first",
               .chosen = "always"},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make =
          [](const preparation& from) {
            return from.on[0].is_cuda() ? make_gpu(from) : make_sync(from);
          }};
  return kind;
}

}  // namespace gossamer::core_numbers_detail
