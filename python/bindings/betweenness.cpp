// Betweenness: prepared once, found any number of times, from sources of each run, verified.
#include "gossamer/algorithm/betweenness.hpp"

#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::betweenness_options;
using gossamer::betweenness_search;
using gossamer::graph;
using gossamer::graph_shape;

/// With the number of sources that are given, 0 where they are drawn.
struct counted_search {
  template <class Graph>
  static gossamer::memory_plan plan(const gossamer::machine& m, const Graph& g,
                                    std::int64_t sources, betweenness_options o) {
    o.sources = sources;
    return betweenness_search::plan(m, g, o);
  }
};

fields run_betweenness(handle<betweenness_search>& h, const std::optional<int64s>& sources) {
  const auto given = share_optional<std::int64_t>(sources);
  const bool any = sources.has_value();
  auto r = h.runs.run(
      [given, any](betweenness_search& s) { return any ? s.run(given.span()) : s.run(); });
  fields out = describe(r, GOSSAMER_NAMED(r.searches, r.rescaled));
  auto drawn = gossamer::make_array<std::int64_t>(r.sources.size());
  std::copy(r.sources.begin(), r.sources.end(), drawn.begin());
  out["sources"] = numpy_view(drawn);
  out["_values"] = values_of(r.scores);
  return out;
}

}  // namespace

void bind_betweenness(nb::module_& m) {
  nb::class_<handle<betweenness_search>>(m, "BetweennessSearch")
      .def("run", &run_betweenness, nb::arg("sources").none());
  m.def(
      "make_betweenness_search",
      [](const machine_handle& machine, const graph& g, std::int64_t sources,
         const std::optional<int32s>& part_of, std::optional<double> timeout,
         const trace_handle& trace, const nb::kwargs& options) {
        auto o = options_of<betweenness_options>(options, part_of);
        o.sources = sources;
        o.run.trace = trace;
        return make_handle<betweenness_search>("betweenness", machine, o, timeout, g);
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("sources"), nb::arg("part_of").none(),
      nb::arg("timeout").none(), nb::arg("trace").none(), nb::arg("options"));
  bind_plan<counted_search, betweenness_options, graph, std::int64_t>(m, "plan_betweenness",
                                                                      nb::arg("sources"));
  bind_plan<counted_search, betweenness_options, graph_shape, std::int64_t>(m, "plan_betweenness",
                                                                            nb::arg("sources"));
  m.def(
      "verify_betweenness",
      [](const graph& g, const doubles& scores, const std::optional<int64s>& sources, bool edges,
         bool normalized, bool endpoints, std::optional<double> timeout) {
        const gossamer::betweenness_array given = share<double>(scores);
        const auto from = share_optional<std::int64_t>(sources);
        betweenness_options o;
        o.edges = edges;
        o.normalized = normalized;
        o.endpoints = endpoints;
        return verdict_within(timeout, [=](const auto& stop) {
          return gossamer::verify_betweenness(g, given, from.span(), o, stop);
        });
      },
      nb::arg("graph"), nb::arg("scores"), nb::arg("sources").none(), nb::arg("edges"),
      nb::arg("normalized"), nb::arg("endpoints"), nb::arg("timeout").none(),
      "(ok, first violation).");
}

}  // namespace gossamer_python
