// Shortest paths: prepared once, run any number of times, verified.
#include "gossamer/algorithm/sssp.hpp"
#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::graph;
using gossamer::graph_shape;
using gossamer::sssp_options;
using gossamer::sssp_search;

fields run_sssp(handle<sssp_search>& h, std::int64_t source) {
  const auto r = h.runs.run([source](sssp_search& s) { return s.run(source); });
  fields out = describe(
      r, GOSSAMER_NAMED(r.source, r.delta, r.delta_reason, r.reached, r.relaxations, r.rounds));
  out["_values"] = values_of(r.distances);
  out["parents"] = r.parents.empty() ? nb::none() : numpy_view(r.parents);
  return out;
}

}  // namespace

void bind_sssp(nb::module_& m) {
  nb::class_<values_handle>(m, "ResultValues", "Values by vertex where a run left them.")
      .def_prop_ro("ordinal", [](const values_handle& v) { return v.there.ordinal; })
      .def_ro("floating", &values_handle::floating)
      .def("numpy", [](const values_handle& v) { return v.numpy(); })
      .def("view", [](const values_handle& v) { return v.view(); });
  nb::class_<handle<sssp_search>>(m, "SsspSearch").def("run", &run_sssp, nb::arg("source"));
  bind_maker<sssp_search, sssp_options>(m, "make_sssp_search", "sssp");
  bind_plan<sssp_search, sssp_options, graph>(m, "plan_sssp");
  bind_plan<sssp_search, sssp_options, graph_shape, int>(m, "plan_sssp", nb::arg("weight_bytes"));
  m.def(
      "verify_sssp",
      [](const graph& g, std::int64_t source, const numbers& distances,
         const std::optional<int64s>& parents, int threads, bool smallest,
         std::optional<double> timeout) {
        const auto rule = smallest ? gossamer::parent_rule::smallest : gossamer::parent_rule::any;
        const auto d = share_any<gossamer::distance_array>(distances, "verify_sssp: distances");
        const auto p = share_optional<std::int64_t>(parents);
        return verdict_within(timeout, [=](const auto& stop) {
          return gossamer::verify_sssp(g, source, d, p.span(), threads, stop, rule);
        });
      },
      nb::arg("graph"), nb::arg("source"), nb::arg("distances"), nb::arg("parents").none(),
      nb::arg("threads"), nb::arg("smallest_parents"), nb::arg("timeout").none(),
      "(ok, first violation).");
  m.def(
      "compare_distances",
      [](const graph& g, const numbers& distances, const doubles& expected, double tolerance) {
        const auto d = share_any<gossamer::distance_array>(distances, "distances");
        const auto v = gossamer::compare_distances(g, d, share<double>(expected).span(), tolerance);
        return std::make_tuple(v.ok, v.reason);
      },
      nb::arg("graph"), nb::arg("distances"), nb::arg("expected"), nb::arg("tolerance"),
      "(ok, first difference).");
}

}  // namespace gossamer_python
