// Strong components: prepared once, found any number of times, verified.
#include "gossamer/algorithm/strong_components.hpp"
#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::graph;
using gossamer::graph_shape;
using gossamer::strong_components_options;
using gossamer::strong_components_search;

fields run_strong_components(handle<strong_components_search>& h) {
  const auto r = h.runs.run([](strong_components_search& s) { return s.run(); });
  fields out = describe(r, GOSSAMER_NAMED(r.count, r.largest, r.largest_label, r.trimmed));
  out["_values"] = values_of(r.labels);
  return out;
}

}  // namespace

void bind_strong_components(nb::module_& m) {
  nb::class_<handle<strong_components_search>>(m, "StrongComponentsSearch")
      .def("run", &run_strong_components);
  bind_maker<strong_components_search, strong_components_options>(
      m, "make_strong_components_search", "strong_components");
  bind_plan<strong_components_search, strong_components_options, graph>(m,
                                                                        "plan_strong_components");
  bind_plan<strong_components_search, strong_components_options, graph_shape>(
      m, "plan_strong_components");
  m.def(
      "verify_strong_components",
      [](const graph& g, const numbers& given, std::optional<double> timeout) {
        const auto n = share_any<gossamer::label_array>(given, "verify_strong_components: labels");
        return verdict_within(timeout, [=](const auto& stop) {
          return gossamer::verify_strong_components(g, n, stop);
        });
      },
      nb::arg("graph"), nb::arg("labels"), nb::arg("timeout").none(), "(ok, first violation).");
}

}  // namespace gossamer_python
