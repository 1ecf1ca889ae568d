// Components: prepared once, run any number of times, verified.
#include "gossamer/algorithm/components.hpp"
#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::components_options;
using gossamer::components_search;
using gossamer::graph;
using gossamer::graph_shape;

fields run_components(handle<components_search>& h) {
  const auto r = h.runs.run([](components_search& s) { return s.run(); });
  fields out = describe(r, GOSSAMER_NAMED(r.count, r.largest, r.largest_label, r.edges_of_ranks));
  out["_values"] = values_of(r.labels);
  return out;
}

}  // namespace

void bind_components(nb::module_& m) {
  nb::class_<handle<components_search>>(m, "ComponentsSearch").def("run", &run_components);
  bind_maker<components_search, components_options>(m, "make_components_search", "components");
  bind_plan<components_search, components_options, graph>(m, "plan_components");
  bind_plan<components_search, components_options, graph_shape>(m, "plan_components");
  m.def(
      "verify_components",
      [](const graph& g, const numbers& labels, std::optional<double> timeout) {
        const auto l = share_any<gossamer::label_array>(labels, "verify_components: labels");
        return verdict_within(
            timeout, [=](const auto& stop) { return gossamer::verify_components(g, l, stop); });
      },
      nb::arg("graph"), nb::arg("labels"), nb::arg("timeout").none(), "(ok, first violation).");
}

}  // namespace gossamer_python
