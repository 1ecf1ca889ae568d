// Shortest paths: prepared once, run any number of times, verified.
#include <nanobind/stl/vector.h>

#include "gossamer/algorithm/sssp.hpp"
#include "prepared.hpp"
#include "worklist.hpp"

namespace gossamer_python {

namespace {

using gossamer::graph;
using gossamer::graph_shape;
using gossamer::sssp_options;
using gossamer::sssp_search;

nb::object run_sssp(handle<sssp_search>& h, std::int64_t source) {
  const auto r = h.runs.run([source](sssp_search& s) { return s.run(source); });
  nb::dict out = describe(r);
  out["source"] = r.source;
  out["delta"] = r.delta;
  out["delta_reason"] = r.delta_reason;
  out["reached"] = r.reached;
  out["relaxations"] = r.relaxations;
  out["rounds"] = r.rounds;
  out["work"] = worklist_to_python(r.work);
  out["_values"] = values_of(r.distances);
  out["parents"] = r.parents.empty() ? nb::none() : numpy_view(r.parents);
  return out;
}

nb::object verify_sssp(const graph& g, std::int64_t source, const nb::object& distances,
                       const nb::object& parents, int threads, std::optional<double> timeout) {
  const auto d = share_any<gossamer::distance_array>(distances, "verify_sssp: distances");
  const auto p =
      parents.is_none() ? gossamer::shared_array<std::int64_t>() : share<std::int64_t>(parents);
  const auto v = run_work(
      [=](work_control& c) {
        return gossamer::verify_sssp(g, source, d, p.span(), threads, c.stop.get_token());
      },
      within(timeout, "the verification"));
  return nb::make_tuple(v.ok, v.reason);
}

}  // namespace

void bind_sssp(nb::module_& m) {
  nb::class_<values_handle>(m, "ResultValues", "Values by vertex where a run left them.")
      .def_prop_ro("ordinal", [](const values_handle& v) { return v.there.ordinal; })
      .def("numpy", [](const values_handle& v) { return v.numpy(); })
      .def("view", [](const values_handle& v) { return v.view(); });
  nb::class_<handle<sssp_search>>(m, "SsspSearch").def("run", &run_sssp, nb::arg("source"));
  m.def(
      "make_sssp_search",
      [](const machine_handle& machine, const graph& g, const nb::object& part_of,
         std::optional<double> timeout, const nb::kwargs& options) {
        return make_handle<sssp_search>("sssp", machine, options_of<sssp_options>(options, part_of),
                                        timeout, g);
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("part_of").none(), nb::arg("timeout").none(),
      nb::arg("options"));
  m.def(
      "plan_sssp",
      [](const machine_handle& machine, const graph& g, const nb::object& part_of,
         const nb::kwargs& options) {
        const auto o = options_of<sssp_options>(options, part_of);
        return plan_to_python(
            run_work([=](work_control&) { return sssp_search::plan(*machine, g, o); }));
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("part_of").none(), nb::arg("options"));
  m.def(
      "plan_sssp_shape",
      [](const machine_handle& machine, const graph_shape& g, int weight_bytes,
         const nb::object& part_of, const nb::kwargs& options) {
        const auto o = options_of<sssp_options>(options, part_of);
        return plan_to_python(run_work(
            [=](work_control&) { return sssp_search::plan(*machine, g, weight_bytes, o); }));
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("weight_bytes"), nb::arg("part_of").none(),
      nb::arg("options"));
  m.def("verify_sssp", &verify_sssp, nb::arg("graph"), nb::arg("source"), nb::arg("distances"),
        nb::arg("parents").none(), nb::arg("threads"), nb::arg("timeout").none(),
        "(ok, first violation).");
  m.def(
      "compare_distances",
      [](const graph& g, const nb::object& distances, const nb::object& expected,
         double tolerance) {
        const auto d = share_any<gossamer::distance_array>(distances, "distances");
        const auto v = gossamer::compare_distances(g, d, share<double>(expected).span(), tolerance);
        return nb::make_tuple(v.ok, v.reason);
      },
      nb::arg("graph"), nb::arg("distances"), nb::arg("expected"), nb::arg("tolerance"),
      "(ok, first difference).");
}

}  // namespace gossamer_python
