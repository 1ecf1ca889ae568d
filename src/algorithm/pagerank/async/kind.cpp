// Engines async and host of PageRank, a worklist each: what they are, take and are made from.
#include "algorithm/pagerank/async/async.hpp"
#include "algorithm/pagerank/async/push.hpp"
#include "algorithm/pagerank/kinds.hpp"

namespace gossamer::pagerank_detail {

namespace {

using algorithm_detail::memory_layout;

void declare_gpu_push(memory_layout& l, const machine& m, const problem& p, int r,
                      const pagerank_options& o) {
  // A worklist is never what auto takes: the engine is named.
  const auto b =
      gpu_push_bytes_of(m, p.rows, r, o.weighted, p.id_width,
                        algorithm_detail::drive_of("pagerank", o, o.engine, first_window));
  l.own(r, "arcs with weights", b.rows, p.rows.arcs_are);
  declare_list(l, r, b.lists, "ranks, residuals, lists and marks", p.rows.rows_are);
}

void declare_cpu_push(memory_layout& l, const machine& m, const problem& p, int r,
                      const pagerank_options& o) {
  const auto b = async_bytes_on(m, p.rows, r, p.id_width, o.priority);
  l.own(r, "known residuals and worklists", b.work, p.rows.rows_are);
  l.window(r, "inbox", b.windows);
  l.host_window(r, "gathered ranks", b.gathered, p.rows.rows_are);
}

void declare(memory_layout& l, const machine& m, const problem& p, const pagerank_options& o) {
  for (int r = 0; r < m.size(); ++r)
    (m[r].is_cuda() ? declare_gpu_push : declare_cpu_push)(l, m, p, r, o);
  const int rounded = o.precision == 32 ? 4 : 0;  // sums are kept until they are
  l.shared("ranks", p.vertices * (8 + rounded), p.vertices_are);
  l.shared("weights of vertices", p.vertices * 8, p.vertices_are);
  l.shared("jumps", p.vertices * 8, certainty::at_most);
  if (p.rows.moved)
    l.shared("offsets, shares, jumps and ranks by rank", p.rows.ids() * (8 + 8 + 16 + 8),
             p.rows.rows_are);
  if (o.weighted && p.rows.moved) l.shared("weights by rank", p.arcs * 8, certainty::at_most);
}

}  // namespace

const engine_kind& async_kind() {
  static const engine_kind kind{
      .info = {.name = "async",
               .meaning = "no iterations: residuals are pushed by a distributed worklist"},
      .worklist = true,
      .declare = declare,
      .make = [](const preparation& from) {
        return make_async_solver(from.placed, from.of, from.options);
      }};
  return kind;
}

const engine_kind& host_kind() {
  return algorithm_detail::driven_by_host<async_kind>();
}

}  // namespace gossamer::pagerank_detail
