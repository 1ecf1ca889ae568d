// Engines async and host of PageRank, a worklist each: what they are, take and are made from.
#include "algorithm/pagerank/async/async.hpp"
#include "algorithm/pagerank/async/cpu_push.hpp"
#include "algorithm/pagerank/async/push.hpp"
#include "algorithm/pagerank/kinds.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::pagerank_detail {

namespace {

template <class Id>
void declare_cpu_push(memory_layout& l, const machine& m, const problem& p, int r,
                      const pagerank_options& o) {
  using worklist = residual_worklist<Id, no_weight>;
  const auto how = algorithm_detail::worklist_of(m, "pagerank", 1, o);
  l.own(r, "known residuals and worklists",
        worklist::bytes(r, algorithm_detail::capacities(p.rows.bounds), p.rows.ids(), how),
        p.rows.rows_are);
  l.window(r, "inbox", worklist::window_bytes(m.size(), how));
}

void declare(memory_layout& l, const machine& m, const problem& p, const pagerank_options& o) {
  const auto cpu = p.id_width == 4 ? declare_cpu_push<vertex32> : declare_cpu_push<vertex64>;
  // A worklist is never what auto takes: the engine is named.
  for (int r = 0; r < m.size(); ++r) {
    (m[r].is_cuda() ? declare_gpu_push : cpu)(l, m, p, r, o);
    l.host_window(r, "gathered ranks", placed_values<double>::bytes(m, p.rows.ids()),
                  p.rows.rows_are);
  }
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
