// Spanning forests: prepared once, found any number of times, verified.
#include "gossamer/algorithm/spanning_forest.hpp"

#include <nanobind/stl/variant.h>

#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::graph;
using gossamer::graph_shape;
using gossamer::spanning_forest_options;
using gossamer::spanning_forest_search;

fields run_spanning_forest(handle<spanning_forest_search>& h) {
  const auto r = h.runs.run([](spanning_forest_search& s) { return s.run(); });
  fields out = describe(r, GOSSAMER_NAMED(r.trees, r.weight, r.rounds));
  out["arcs"] = numpy_view(r.arcs);
  return out;
}

}  // namespace

void bind_spanning_forest(nb::module_& m) {
  nb::class_<handle<spanning_forest_search>>(m, "SpanningForestSearch")
      .def("run", &run_spanning_forest);
  bind_maker<spanning_forest_search, spanning_forest_options>(m, "make_spanning_forest_search",
                                                              "spanning_forest");
  bind_plan<spanning_forest_search, spanning_forest_options, graph>(m, "plan_spanning_forest");
  bind_plan<spanning_forest_search, spanning_forest_options, graph_shape>(m,
                                                                          "plan_spanning_forest");
  m.def(
      "verify_spanning_forest",
      [](const graph& g, const int64s& arcs, bool any_of_equals, std::optional<double> timeout) {
        const auto list = share<std::int64_t>(arcs);
        return verdict_within(timeout, [=](const auto& stop) {
          return gossamer::verify_spanning_forest(g, list, any_of_equals, stop);
        });
      },
      nb::arg("graph"), nb::arg("arcs"), nb::arg("any_of_equals"), nb::arg("timeout").none(),
      "(ok, first violation).");
  m.def(
      "ends_of_arcs",
      [](const graph& g, const int64s& arcs) {
        const auto list = share<std::int64_t>(arcs);
        auto tails = gossamer::make_array<std::int64_t>(list.size());
        auto heads = gossamer::make_array<std::int64_t>(list.size());
        run_work([=](work_control&) {
          g.visit([&](const auto& rows) {
            std::int64_t u = 0;
            for (std::size_t i = 0; i < list.size(); ++i) {
              while (rows.offsets[u + 1] <= list[i]) ++u;
              tails[i] = u;
              heads[i] = static_cast<std::int64_t>(rows.indices[list[i]]);
            }
          });
        });
        return std::make_tuple(numpy_view(tails), numpy_view(heads));
      },
      nb::arg("graph"), nb::arg("arcs"), "Of arcs in ascending order: (tails, heads).");
}

}  // namespace gossamer_python
