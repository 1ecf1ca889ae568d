// PageRank: prepared once, run for any distribution of jumps, verified.
#include "gossamer/algorithm/pagerank.hpp"

#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::graph;
using gossamer::graph_shape;
using gossamer::pagerank_options;
using gossamer::pagerank_solver;

fields run_pagerank(handle<pagerank_solver>& h, const std::optional<doubles>& personalization,
                    const std::optional<doubles>& start) {
  const auto p = share_optional<double>(personalization), s = share_optional<double>(start);
  const auto r =
      h.runs.run([p, s](pagerank_solver& solver) { return solver.run(p.span(), s.span()); });
  fields out = describe(r, GOSSAMER_NAMED(r.iterations, r.converged, r.change));
  out["_values"] = values_of(r.ranks);
  return out;
}

}  // namespace

void bind_pagerank(nb::module_& m) {
  nb::class_<handle<pagerank_solver>>(m, "PagerankSolver")
      .def("run", &run_pagerank, nb::arg("personalization").none(), nb::arg("start").none());
  bind_maker<pagerank_solver, pagerank_options>(m, "make_pagerank_solver", "pagerank");
  bind_plan<pagerank_solver, pagerank_options, graph>(m, "plan_pagerank");
  bind_plan<pagerank_solver, pagerank_options, graph_shape>(m, "plan_pagerank");
  m.def(
      "verify_pagerank",
      [](const graph& g, const doubles& ranks, double damping, double tolerance, int precision,
         bool weighted, const std::optional<doubles>& personalization,
         std::optional<double> timeout) {
        const auto x = share<double>(ranks), p = share_optional<double>(personalization);
        pagerank_options o;
        o.damping = damping;
        o.tolerance = tolerance;
        o.precision = precision;
        o.weighted = weighted;
        return verdict_within(timeout, [=](const auto& stop) {
          return gossamer::verify_pagerank(g, x.span(), o, p.span(), stop);
        });
      },
      nb::arg("graph"), nb::arg("ranks"), nb::arg("damping"), nb::arg("tolerance"),
      nb::arg("precision"), nb::arg("weighted"), nb::arg("personalization").none(),
      nb::arg("timeout").none(), "(ok, residual, allowed, reason).");
}

}  // namespace gossamer_python
