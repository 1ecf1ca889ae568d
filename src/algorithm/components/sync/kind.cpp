// Engine sync: what it is, and what it takes on CPU ranks and on GPUs.
#include "algorithm/components/gpu.hpp"
#include "algorithm/components/kinds.hpp"
#include "algorithm/components/sync/giant.hpp"
#include "algorithm/components/sync/sync.hpp"

namespace gossamer::components_detail {

namespace {

using algorithm_detail::aligned, algorithm_detail::counted, algorithm_detail::memory_layout;

void declare(memory_layout& l, const machine& m, const problem& p, const components_options&) {
  for (int r = 0; r < m.size(); ++r) {
    if (m[r].is_cuda()) {
      declare_gpu(l, m, p, r);
    } else if (m.size() > 1) {
      l.window(r, "labels of the rank", aligned(p.rows.ids() * p.id_width), p.rows.rows_are);
      l.window(r, "labels of another", aligned(fetched * p.id_width) + 1024);
    } else if (p.symmetric) {
      const auto flood = p.id_width == 4 ? counted<flood_arrays<vertex32>>(p.vertices)
                                         : counted<flood_arrays<vertex64>>(p.vertices);
      l.own(r, "marks and queue of the flood", flood.own, p.vertices_are);
    }
  }
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "hook and compress, then merge by pairs of ranks",
               .chosen = "always"},
      .declare = declare,
      .make = [](const preparation& from) {
        return from.on[0].is_cuda() ? make_gpu(from.placed) : make_sync(from.placed);
      }};
  return kind;
}

}  // namespace gossamer::components_detail
