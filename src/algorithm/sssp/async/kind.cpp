// Engines async and host of shortest paths, a worklist each: what they are, take and are made from.
#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/sssp/async/async.hpp"
#include "algorithm/sssp/async/host.hpp"
#include "algorithm/sssp/kinds.hpp"
#include "algorithm/sssp/typed_engine.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"

namespace gossamer::sssp_detail {

namespace {

template <class Id>
std::int64_t async_bytes(const planned_rows& rows, int rank, int distance_bytes,
                         const worklist_options& how) {
  return distance_bytes == 8 ? async_search<Id, double>::work_bytes(rows, rank, how)
                             : async_search<Id, float>::work_bytes(rows, rank, how);
}

void declare_cpu(memory_layout& l, const machine& m, const problem& p, int r,
                 const sssp_options& options) {
  const worklist_options how = algorithm_detail::worklist_of(m, "sssp", 1, options);
  l.own(r, "known distances and worklists",
        p.id_width == 8 ? async_bytes<vertex64>(p.rows, r, p.weight_bytes, how)
                        : async_bytes<vertex32>(p.rows, r, p.weight_bytes, how),
        p.rows.rows_are);
  l.window(r, "inbox", async_search<vertex32, float>::arena_bytes(m.size(), how), p.rows.rows_are);
}

void declare(memory_layout& l, const machine& m, const problem& p, const sssp_options& options) {
  if (!algorithm_detail::has_gpus(m))
    return declare_slices(l, m, p, options, [&](int r) { declare_cpu(l, m, p, r, options); });
  const auto how = algorithm_detail::drive_of("sssp", options, options.engine, 1);
  for (int r = 0; r < m.size(); ++r) {
    if (m[r].is_cuda()) {
      declare_gpu_worklist(l, m, p, r, how);
    } else {
      declare_weights(l, p, r);
      declare_cpu_list(l, m, p, r, how);
    }
    declare_gathered(l, m, p, r, options);
  }
}

/// Engine host may have CPU ranks beside GPUs.
template <class Id, class Distance>
std::unique_ptr<engine> make_gpus(const preparation& from) {
  const bool short_rows = dataflow::has_short_rows(from.of.vertices(), from.of.arcs(),
                                                   algorithm_detail::degrees_of(from.of).longest);
  const place_options placing = placement_of(from.options);
  const weighted_placement on{from.of, *from.placed, placing, from.needs};
  const auto how =
      algorithm_detail::drive_of("sssp", from.options, from.options.engine, *from.options.delta);
  return std::make_unique<placed_engine<Distance>>(
      from, [&](int r, auto& weights) -> std::unique_ptr<rank_search<Distance>> {
        if (from.on[r].is_cuda()) return make_gpu_worklist<Distance>(on, r, how, short_rows);
        return make_cpu_list<Id, Distance>(rows_of_rank<Id, Distance>(from, r, weights),
                                           *from.placed, r, how);
      });
}

std::unique_ptr<engine> make(const preparation& from) {
  return of_types(from, [&]<class Id, class Distance>() -> std::unique_ptr<engine> {
    if (algorithm_detail::has_gpus(from.on)) return make_gpus<Id, Distance>(from);
    return std::make_unique<placed_engine<Distance>>(from, [&](int r, auto& weights) {
      return std::make_unique<async_search<Id, Distance>>(
          rows_of_rank<Id, Distance>(from, r, weights), *from.placed, r,
          algorithm_detail::worklist_of(from.on, "sssp", *from.options.delta, from.options));
    });
  });
}

}  // namespace

const engine_kind& async_kind() {
  static const engine_kind kind{
      .info =
          {.name = "async",
           .meaning = "no buckets: a distributed worklist in the rough order of distances",
           .chosen =
               "where all of several GPUs are asked for or gain, and their kernels run together"},
      .worklist = true,
      .declare = declare,
      .make = make};
  return kind;
}

const engine_kind& host_kind() {
  return algorithm_detail::driven_by_host<async_kind>(
      "where all of several GPUs are asked for, and their kernels take turns; "
      "with CPU ranks beside GPUs",
      true);
}

}  // namespace gossamer::sssp_detail
