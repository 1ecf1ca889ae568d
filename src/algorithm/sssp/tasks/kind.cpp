// Engine tasks of shortest paths: what it is, takes and is made from.
#include "algorithm/sssp/kinds.hpp"
#include "algorithm/sssp/tasks/tasks.hpp"
#include "algorithm/sssp/typed_engine.hpp"

namespace gossamer::sssp_detail {

namespace {

void declare_tasks(memory_layout& l, const machine& m, const problem& p, int r) {
  const std::int64_t n = p.rows.ids();
  const auto takes = p.weight_bytes == 8 ? task_search<vertex64, double>::bytes(n, m.size())
                                         : task_search<vertex32, float>::bytes(n, m.size());
  l.own(r, "neighbours found", takes.own, p.vertices_are);
  l.window(r, "known distances and messages", takes.window, p.vertices_are);
  l.own(r, "buckets", bucket_bytes(p, p.rows.ids(r)), certainty::about);
}

void declare(memory_layout& l, const machine& m, const problem& p, const sssp_options& options) {
  declare_slices(l, m, p, options, [&](int r) { declare_tasks(l, m, p, r); });
}

std::unique_ptr<engine> make(const preparation& from) {
  return of_types(from, [&]<class Id, class Distance>() {
    const bucket_width width(*from.options.delta, from.facts.largest);
    return std::make_unique<placed_engine<Distance>>(from, [&](int r, auto& weights) {
      return std::make_unique<task_search<Id, Distance>>(
          rows_of_rank<Id, Distance>(from, r, weights), *from.placed, r, width);
    });
  });
}

}  // namespace

const engine_kind& tasks_kind() {
  static const engine_kind kind{
      .info = {.name = "tasks",
               .meaning =
                   "delta-stepping by tasks that wait for memory and messages, one thread a rank",
               .gpus = false},
      .declare = declare,
      .make = make};
  return kind;
}

}  // namespace gossamer::sssp_detail
