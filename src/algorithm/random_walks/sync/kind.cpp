// Engine sync: what it is, and what it takes.
#include "algorithm/random_walks/kinds.hpp"
#include "algorithm/random_walks/sync/sync.hpp"

namespace gossamer::random_walks_detail {

namespace {

void declare(memory_layout& l, const machine& m, const problem& p,
             const random_walks_options& options) {
  (void)m;
  if (options.weighted) l.shared("weights added up along rows", sum_bytes(p), p.arcs_are);
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "many walks at once by each thread, which hide each other's memory "
                          "accesses",
               .chosen = "always",
               .gpus = false},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make = make_sync};
  return kind;
}

}  // namespace gossamer::random_walks_detail
