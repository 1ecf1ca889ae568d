// Triangles: prepared once, counted any number of times, verified.
#include "gossamer/algorithm/triangles.hpp"
#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::graph;
using gossamer::graph_shape;
using gossamer::triangles_options;
using gossamer::triangles_search;

fields run_triangles(handle<triangles_search>& h) {
  const auto r = h.runs.run([](triangles_search& s) { return s.run(); });
  fields out = describe(r, GOSSAMER_NAMED(r.total, r.transitivity, r.average_clustering));
  out["pairs"] = numpy_view(r.pairs);
  out["_values"] = values_of(r.counts);
  return out;
}

}  // namespace

void bind_triangles(nb::module_& m) {
  nb::class_<handle<triangles_search>>(m, "TrianglesSearch").def("run", &run_triangles);
  bind_maker<triangles_search, triangles_options>(m, "make_triangles_search", "triangles");
  bind_plan<triangles_search, triangles_options, graph>(m, "plan_triangles");
  bind_plan<triangles_search, triangles_options, graph_shape>(m, "plan_triangles");
  m.def(
      "verify_triangles",
      [](const graph& g, const numbers& counts, bool weighted, std::optional<double> timeout) {
        const auto given = share_any<gossamer::triangle_counts>(counts, "verify_triangles: counts");
        return verdict_within(timeout, [=](const auto& stop) {
          return gossamer::verify_triangles(g, given, weighted, stop);
        });
      },
      nb::arg("graph"), nb::arg("counts"), nb::arg("weighted"), nb::arg("timeout").none(),
      "(ok, first violation).");
}

}  // namespace gossamer_python
