// BFS: a search prepared once and run from any source, its result, the verifier.
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/bfs_ranks.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "arrays.hpp"
#include "machine.hpp"
#include "prepared.hpp"
#include "text.hpp"
#include "trace.hpp"

namespace gossamer_python {

namespace {

using gossamer::bfs_options;
using gossamer::bfs_result;
using gossamer::bfs_search;
using gossamer::graph;

struct search_handle {
  placed_handle on;
  restartable<bfs_search> search;
};

struct result_handle {
  placed_handle on;
  bfs_result result;
};

result_handle run(search_handle& h, std::int64_t source) {
  return h.search.run([on = h.on, source](bfs_search& search) {
    return result_handle{on, search.run(source)};
  });
}

/// (DLPack view, address, length, bytes an item, CUDA ordinal or -1)
using viewed_part = std::tuple<anything, std::uintptr_t, std::int64_t, int, int>;

viewed_part part_view(const bfs_result::part& p, bool parents, std::int64_t length) {
  namespace dl = nb::dlpack;
  const auto bits = static_cast<std::uint8_t>(parents ? 8 * p.id_width : 32);
  const dl::dtype type{static_cast<std::uint8_t>(dl::dtype_code::Int), bits, 1};
  void* data = parents ? p.parents : static_cast<void*>(p.depths);
  const std::int64_t rows = length < 0 ? p.rows : std::min(p.rows, length);
  return {dlpack_view(data, static_cast<std::size_t>(rows), type, p.ordinal, p.owner),
          reinterpret_cast<std::uintptr_t>(data), rows, bits / 8, p.ordinal};
}

template <class Graph>
void bind_draw(nb::module_& m) {
  m.def(
      "draw_sources",
      [](const Graph& g, std::int64_t count, std::uint64_t seed) {
        return run_work([=](work_control&) {
          if constexpr (std::is_same_v<Graph, graph>)
            return gossamer::draw_sources(g, count, seed);
          else
            return gossamer::draw_sources(*g.placed, count, seed);
        });
      },
      nb::arg("graph"), nb::arg("count"), nb::arg("seed"));
}

template <class Graph>
void bind_choice(nb::module_& m) {
  m.def(
      "choose_bfs_ranks",
      [](const machine_handle& machine, const Graph& g, const std::string& renumber,
         std::int64_t memory, const std::string& spill, const nb::kwargs& options) {
        const auto place = make_place_options("auto", {}, renumber, true, false, memory, spill);
        const auto o = options_of<bfs_options>(options);
        const auto chosen = run_work(
            [=](work_control&) { return gossamer::choose_bfs_ranks(*machine, g, place, o); });
        return std::make_tuple(chosen.spec, chosen.reason, chosen.provided);
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("renumber"), nb::arg("memory"),
      nb::arg("spill"), nb::arg("options"),
      "(spec, why so many ranks, what that takes for granted).");
}

template <class Graph>
void bind_bfs_plan(nb::module_& m) {
  m.def(
      "plan_bfs",
      [](const machine_handle& machine, const Graph& g, const std::string& partition,
         const std::optional<int32s>& part_of, const std::string& renumber, bool both_directions,
         bool by_columns, std::int64_t memory, const std::string& spill,
         const nb::kwargs& options) {
        auto place = make_place_options(partition, part_of, renumber, both_directions, by_columns,
                                        memory, spill);
        const auto o = options_of<bfs_options>(options);
        return plan_to_python(run_work([=](work_control& c) mutable {
          place.stop = c.stop.get_token();
          return bfs_search::plan(*machine, g, place, o);
        }));
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("partition"), nb::arg("part_of").none(),
      nb::arg("renumber"), nb::arg("both_directions"), nb::arg("by_columns"), nb::arg("memory"),
      nb::arg("spill"), nb::arg("options"), "What placement and search take.");
}

}  // namespace

void bind_bfs(nb::module_& m) {
  nb::class_<result_handle>(m, "BfsResult")
      .def_prop_ro("source", [](const result_handle& r) { return r.result.source; })
      .def_prop_ro("levels", [](const result_handle& r) { return r.result.levels; })
      .def_prop_ro("engine", [](const result_handle& r) { return r.result.engine; })
      .def_prop_ro("engine_reason", [](const result_handle& r) { return r.result.engine_reason; })
      .def_prop_ro("ranks_used", [](const result_handle& r) { return r.result.ranks_used; })
      .def_prop_ro("reached", [](const result_handle& r) { return r.result.reached; })
      .def_prop_ro("arcs_of_reached",
                   [](const result_handle& r) { return r.result.arcs_of_reached; })
      .def_prop_ro("milliseconds", [](const result_handle& r) { return r.result.milliseconds; })
      .def_prop_ro("teps", [](const result_handle& r) { return r.result.teps; })
      .def("per_level",
           [](const result_handle& r) {
             return list_of(r.result.per_level, [](const auto& l) {
               return std::make_tuple(l.frontier, l.bottom_up, l.milliseconds, l.levels);
             });
           })
      .def("phases", [](const result_handle& r) { return numbers_by_name(r.result.phases); })
      .def("messages",
           [](const result_handle& r) {
             return list_of(r.result.messages, [](const auto& of) {
               return std::make_tuple(of.kind, of.rounds, of.messages, of.bytes, of.seconds);
             });
           })
      .def("overlap",
           [](const result_handle& r) {
             return list_of(r.result.overlap, [](const auto& l) {
               return std::make_tuple(l.bytes_per_stage, l.copy_seconds, l.idle_seconds,
                                      l.throughput, l.hidden());
             });
           })
      .def("work", [](const result_handle& r) { return worklist_to_python(r.result.work); })
      .def_prop_ro("link_limit", [](const result_handle& r) { return r.result.link_limit; })
      .def_prop_ro("hidden", [](const result_handle& r) { return r.result.hidden(); })
      .def("parents",
           [](const result_handle& r) -> int64s {
             return numpy_view(
                 run_work([result = r](work_control&) { return result.result.parents(); }));
           })
      .def("depths",
           [](const result_handle& r) -> int32s {
             return numpy_view(
                 run_work([result = r](work_control&) { return result.result.depths(); }));
           })
      .def_prop_ro("part_count", [](const result_handle& r) { return r.result.parts().size(); })
      .def(
          "part",
          [](const result_handle& r, std::size_t i, bool parents, std::int64_t length) {
            return part_view(r.result.parts().at(i), parents, length);
          },
          nb::arg("index"), nb::arg("parents"), nb::arg("length") = -1)
      .def_prop_ro("placed", [](const result_handle& r) { return r.on; });

  nb::class_<search_handle>(m, "BfsSearch")
      .def("run", &run, nb::arg("source"))
      .def_prop_ro("placed", [](const search_handle& h) { return h.on; });

  m.def(
      "make_bfs_search",
      [](const placed_handle& placed, std::optional<double> timeout, const trace_handle& trace,
         const nb::kwargs& named) {
        auto options = options_of<bfs_options>(named);
        options.run.deadline = deadline_of(timeout);
        options.run.trace = trace;
        return std::make_unique<search_handle>(
            placed, restartable<bfs_search>("bfs", timeout, placed.machine, options.run,
                                            [placed, options](const gossamer::run_options& run) {
                                              auto o = options;
                                              o.run.follow(run);
                                              return bfs_search::prepare(placed.placed, o);
                                            }));
      },
      nb::arg("placed"), nb::arg("timeout").none(), nb::arg("trace").none(), nb::arg("options"));
  bind_choice<graph>(m);
  bind_choice<gossamer::graph_shape>(m);
  bind_bfs_plan<graph>(m);
  bind_bfs_plan<gossamer::graph_shape>(m);
  m.def(
      "verify_bfs",
      [](const graph& g, std::int64_t source, const int64s& parents, const int32s& depths,
         int threads, bool smallest, std::optional<double> timeout) {
        const auto rule = smallest ? gossamer::parent_rule::smallest : gossamer::parent_rule::any;
        const auto p = share<std::int64_t>(parents);
        const auto d = share<std::int32_t>(depths);
        return verdict_within(timeout, [=](const auto& stop) {
          return gossamer::verify_bfs(g, source, p.span(), d.span(), threads, stop, rule);
        });
      },
      nb::arg("graph"), nb::arg("source"), nb::arg("parents"), nb::arg("depths"),
      nb::arg("threads"), nb::arg("smallest_parents"), nb::arg("timeout").none(),
      "(ok, first violation).");
  m.def(
      "verify_parts",
      [](const result_handle& h, std::optional<double> timeout) {
        return verdict_within(timeout, [h](const auto& stop) {
          gossamer::run_options run;
          run.cancel = stop;
          return gossamer::verify_parts(h.result, std::move(run));
        });
      },
      nb::arg("result"), nb::arg("timeout").none(),
      "(ok, first violation): checked by the ranks, where the result lies.");
  m.def(
      "entries_of_reached",
      [](const result_handle& h) {
        return run_work([h](work_control&) { return gossamer::entries_of_reached(h.result); });
      },
      nb::arg("result"), "Entries of the generated edge list inside the tree's component.");
  bind_draw<graph>(m);
  bind_draw<placed_handle>(m);
}

}  // namespace gossamer_python
