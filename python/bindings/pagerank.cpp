// PageRank: prepared once, run for any distribution of jumps, verified.
#include "gossamer/algorithm/pagerank.hpp"

#include "prepared.hpp"
#include "worklist.hpp"

namespace gossamer_python {

namespace {

using gossamer::graph;
using gossamer::graph_shape;
using gossamer::pagerank_options;
using gossamer::pagerank_solver;

gossamer::shared_array<double> optional_doubles(const nb::object& array) {
  return array.is_none() ? gossamer::shared_array<double>() : share<double>(array);
}

nb::object run_pagerank(handle<pagerank_solver>& h, const nb::object& personalization,
                        const nb::object& start) {
  const auto p = optional_doubles(personalization), s = optional_doubles(start);
  const auto r =
      h.runs.run([p, s](pagerank_solver& solver) { return solver.run(p.span(), s.span()); });
  nb::dict out = describe(r);
  out["iterations"] = r.iterations;
  out["converged"] = r.converged;
  out["change"] = r.change;
  out["work"] = worklist_to_python(r.work);
  out["_values"] = values_of(r.ranks);
  return out;
}

}  // namespace

void bind_pagerank(nb::module_& m) {
  nb::class_<handle<pagerank_solver>>(m, "PagerankSolver")
      .def("run", &run_pagerank, nb::arg("personalization").none(), nb::arg("start").none());
  m.def(
      "make_pagerank_solver",
      [](const machine_handle& machine, const graph& g, const nb::object& part_of,
         std::optional<double> timeout, const nb::kwargs& options) {
        return make_handle<pagerank_solver>(
            "pagerank", machine, options_of<pagerank_options>(options, part_of), timeout, g);
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("part_of").none(), nb::arg("timeout").none(),
      nb::arg("options"));
  const auto plan = [&m]<class Graph>(const Graph*) {
    m.def(
        "plan_pagerank",
        [](const machine_handle& machine, const Graph& g, const nb::object& part_of,
           const nb::kwargs& options) {
          const auto o = options_of<pagerank_options>(options, part_of);
          return plan_to_python(
              run_work([=](work_control&) { return pagerank_solver::plan(*machine, g, o); }));
        },
        nb::arg("machine"), nb::arg("graph"), nb::arg("part_of").none(), nb::arg("options"));
  };
  plan(static_cast<const graph*>(nullptr));
  plan(static_cast<const graph_shape*>(nullptr));
  m.def(
      "verify_pagerank",
      [](const graph& g, const nb::object& ranks, double damping, double tolerance, int precision,
         bool weighted, const nb::object& personalization, std::optional<double> timeout) {
        const auto x = share<double>(ranks), p = optional_doubles(personalization);
        pagerank_options o;
        o.damping = damping;
        o.tolerance = tolerance;
        o.precision = precision;
        o.weighted = weighted;
        const auto v = run_work(
            [=](work_control& c) {
              return gossamer::verify_pagerank(g, x.span(), o, p.span(), c.stop.get_token());
            },
            within(timeout, "the verification"));
        return nb::make_tuple(v.ok, v.residual, v.allowed, v.reason);
      },
      nb::arg("graph"), nb::arg("ranks"), nb::arg("damping"), nb::arg("tolerance"),
      nb::arg("precision"), nb::arg("weighted"), nb::arg("personalization").none(),
      nb::arg("timeout").none(), "(ok, residual, allowed, reason).");
}

}  // namespace gossamer_python
