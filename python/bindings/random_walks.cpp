// Random walks: prepared once, walked any number of times from any sources, verified.
#include "gossamer/algorithm/random_walks.hpp"

#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::graph;
using gossamer::graph_shape;
using gossamer::random_walks_options;
using gossamer::random_walks_search;

/// A plan with walks from so many sources; below zero: from all vertices.
struct counted_walks {
  template <class Graph>
  static gossamer::memory_plan plan(const gossamer::machine& m, const Graph& g,
                                    std::int64_t sources, const random_walks_options& o) {
    if (sources < 0) return random_walks_search::plan(m, g, o);
    return random_walks_search::plan(m, g, o, sources);
  }
};

fields run_random_walks(handle<random_walks_search>& h, const std::optional<int64s>& sources) {
  const auto from =
      sources ? share<std::int64_t>(*sources) : gossamer::shared_array<std::int64_t>();
  const bool some = sources.has_value();
  const auto r =
      h.runs.run([=](random_walks_search& s) { return some ? s.run(from.span()) : s.run(); });
  fields out = describe(r, GOSSAMER_NAMED(r.count, r.length, r.steps, r.ended));
  out["_walks"] = view_of(r.walks);
  return out;
}

}  // namespace

void bind_random_walks(nb::module_& m) {
  nb::class_<handle<random_walks_search>>(m, "RandomWalksSearch")
      .def("run", &run_random_walks, nb::arg("sources").none());
  bind_maker<random_walks_search, random_walks_options>(m, "make_random_walks_search",
                                                        "random_walks");
  bind_plan<counted_walks, random_walks_options, graph, std::int64_t>(m, "plan_random_walks",
                                                                      nb::arg("sources"));
  bind_plan<counted_walks, random_walks_options, graph_shape, std::int64_t>(m, "plan_random_walks",
                                                                            nb::arg("sources"));
  m.def(
      "verify_random_walks",
      [](const graph& g, const numbers& given, const std::optional<int64s>& sources,
         std::int64_t length, std::int64_t walks, std::int64_t seed, bool weighted, double p,
         double q, std::optional<double> timeout) {
        const auto all = share_any<gossamer::label_array>(given, "verify_random_walks: walks");
        const auto from =
            sources ? share<std::int64_t>(*sources) : gossamer::shared_array<std::int64_t>();
        const bool some = sources.has_value();
        random_walks_options o;
        o.length = length;
        o.walks = walks;
        o.seed = seed;
        o.weighted = weighted;
        o.p = p;
        o.q = q;
        return verdict_within(timeout, [=](const auto& stop) {
          std::optional<std::span<const std::int64_t>> of;
          if (some) of = from.span();
          return gossamer::verify_random_walks(g, all, of, o, stop);
        });
      },
      nb::arg("graph"), nb::arg("walks"), nb::arg("sources").none(), nb::arg("length"),
      nb::arg("of_each"), nb::arg("seed"), nb::arg("weighted"), nb::arg("p"), nb::arg("q"),
      nb::arg("timeout").none(), "(ok, first violation).");
}

}  // namespace gossamer_python
