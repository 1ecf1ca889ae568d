// Components: prepared once, run any number of times, verified.
#include <nanobind/stl/vector.h>

#include "gossamer/algorithm/components.hpp"
#include "prepared.hpp"
#include "worklist.hpp"

namespace gossamer_python {

namespace {

using gossamer::components_options;
using gossamer::components_search;
using gossamer::graph;
using gossamer::graph_shape;

nb::object run_components(handle<components_search>& h) {
  const auto r = h.runs.run([](components_search& s) { return s.run(); });
  nb::dict out = describe(r);
  out["count"] = r.count;
  out["work"] = worklist_to_python(r.work);
  out["largest"] = r.largest;
  out["largest_label"] = r.largest_label;
  out["edges_of_ranks"] = r.edges_of_ranks;
  out["_values"] = values_of(r.labels);
  return out;
}

}  // namespace

void bind_components(nb::module_& m) {
  nb::class_<handle<components_search>>(m, "ComponentsSearch").def("run", &run_components);
  m.def(
      "make_components_search",
      [](const machine_handle& machine, const graph& g, const nb::object& part_of,
         std::optional<double> timeout, const nb::kwargs& options) {
        return make_handle<components_search>(
            "components", machine, options_of<components_options>(options, part_of), timeout, g);
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("part_of").none(), nb::arg("timeout").none(),
      nb::arg("options"));
  const auto plan = [&m]<class Graph>(const Graph*) {
    m.def(
        "plan_components",
        [](const machine_handle& machine, const Graph& g, const nb::object& part_of,
           const nb::kwargs& options) {
          const auto o = options_of<components_options>(options, part_of);
          return plan_to_python(
              run_work([=](work_control&) { return components_search::plan(*machine, g, o); }));
        },
        nb::arg("machine"), nb::arg("graph"), nb::arg("part_of").none(), nb::arg("options"));
  };
  plan(static_cast<const graph*>(nullptr));
  plan(static_cast<const graph_shape*>(nullptr));
  m.def(
      "verify_components",
      [](const graph& g, const nb::object& labels, std::optional<double> timeout) {
        const auto l = share_any<gossamer::label_array>(labels, "verify_components: labels");
        const auto v = run_work(
            [=](work_control& c) { return gossamer::verify_components(g, l, c.stop.get_token()); },
            within(timeout, "the verification"));
        return nb::make_tuple(v.ok, v.reason);
      },
      nb::arg("graph"), nb::arg("labels"), nb::arg("timeout").none(), "(ok, first violation).");
}

}  // namespace gossamer_python
