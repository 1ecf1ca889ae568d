// Engine sync: what it is, and what it takes on CPU ranks and on GPUs.
#include "algorithm/random_walks/gpu.hpp"
#include "algorithm/random_walks/kinds.hpp"
#include "algorithm/random_walks/sync/sync.hpp"

namespace gossamer::random_walks_detail {

namespace {

void declare(memory_layout& l, const machine& m, const problem& p,
             const random_walks_options& options) {
  for (int r = 0; r < m.size(); ++r)
    if (m[r].is_cuda()) declare_gpu(l, p, options, r);
  if (options.weighted) l.shared("weights added up along rows", sum_bytes(p), p.arcs_are);
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "many walks at once by each thread, which hide each other's memory "
                          "accesses",
               .chosen = "always"},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make =
          [](const preparation& from) {
            return from.on[0].is_cuda() ? make_gpu(from) : make_sync(from);
          }};
  return kind;
}

}  // namespace gossamer::random_walks_detail
