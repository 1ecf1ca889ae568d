// Communities: prepared once, found any number of times, verified; modularity of any labels.
#include "gossamer/algorithm/communities.hpp"

#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::communities_options;
using gossamer::communities_search;
using gossamer::graph;
using gossamer::graph_shape;

fields run_communities(handle<communities_search>& h) {
  const auto r = h.runs.run([](communities_search& s) { return s.run(); });
  fields out = describe(
      r, GOSSAMER_NAMED(r.count, r.largest, r.largest_label, r.modularity, r.levels, r.rounds));
  out["_values"] = values_of(r.labels);
  return out;
}

}  // namespace

void bind_communities(nb::module_& m) {
  nb::class_<handle<communities_search>>(m, "CommunitiesSearch").def("run", &run_communities);
  bind_maker<communities_search, communities_options>(m, "make_communities_search", "communities");
  bind_plan<communities_search, communities_options, graph>(m, "plan_communities");
  bind_plan<communities_search, communities_options, graph_shape>(m, "plan_communities");
  m.def(
      "modularity",
      [](const graph& g, const numbers& given, double resolution) {
        const auto labels = share_any<gossamer::label_array>(given, "modularity: labels");
        return run_work([=](work_control& c) {
          return gossamer::modularity(g, labels, resolution, 0, c.stop.get_token());
        });
      },
      nb::arg("graph"), nb::arg("labels"), nb::arg("resolution"));
  m.def(
      "verify_communities",
      [](const graph& g, const numbers& given, double modularity, double resolution, bool connected,
         std::optional<double> timeout) {
        const auto labels = share_any<gossamer::label_array>(given, "verify_communities: labels");
        return verdict_within(timeout, [=](const auto& stop) {
          return gossamer::verify_communities(g, labels, {modularity, resolution, connected}, stop);
        });
      },
      nb::arg("graph"), nb::arg("labels"), nb::arg("modularity"), nb::arg("resolution"),
      nb::arg("connected"), nb::arg("timeout").none(), "(ok, first violation).");
}

}  // namespace gossamer_python
