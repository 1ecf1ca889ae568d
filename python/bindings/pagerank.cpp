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

pagerank_options make_pagerank_options(const std::string& engine, const std::string& balance,
                                       const std::string& priority, const std::string& partition,
                                       const nb::object& part_of, const std::string& route,
                                       std::int64_t packet, double damping, double tolerance,
                                       std::int64_t most_iterations, int precision, bool weighted,
                                       bool deterministic, const std::string& use,
                                       std::int64_t memory) {
  pagerank_options o;
  take_partition(o, partition, part_of);
  o.engine = engine;
  o.balance = balance;
  o.priority = priority;
  o.route = route;
  o.packet = packet;
  o.damping = damping;
  o.tolerance = tolerance;
  o.most_iterations = most_iterations;
  o.precision = precision;
  o.weighted = weighted;
  o.deterministic = deterministic;
  o.use = use_of(use);
  o.memory = memory;
  return o;
}

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
      [](const machine_handle& machine, const graph& g, const std::string& engine,
         const std::string& balance, const std::string& priority, const std::string& partition,
         const nb::object& part_of, const std::string& route, std::int64_t packet, double damping,
         double tolerance, std::int64_t most_iterations, int precision, bool weighted,
         bool deterministic, const std::string& use, std::int64_t memory,
         std::optional<double> timeout) {
        return make_handle<pagerank_solver>(
            "pagerank", machine,
            make_pagerank_options(engine, balance, priority, partition, part_of, route, packet,
                                  damping, tolerance, most_iterations, precision, weighted,
                                  deterministic, use, memory),
            timeout, g);
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("engine"), nb::arg("balance"),
      nb::arg("priority"), nb::arg("partition"), nb::arg("part_of").none(), nb::arg("route"),
      nb::arg("packet"), nb::arg("damping"), nb::arg("tolerance"), nb::arg("most_iterations"),
      nb::arg("precision"), nb::arg("weighted"), nb::arg("deterministic"), nb::arg("use"),
      nb::arg("memory"), nb::arg("timeout").none());
  const auto plan = [&m]<class Graph>(const Graph*) {
    m.def(
        "plan_pagerank",
        [](const machine_handle& machine, const Graph& g, const std::string& engine,
           const std::string& balance, const std::string& priority, const std::string& partition,
           const nb::object& part_of, const std::string& route, std::int64_t packet, int precision,
           bool weighted, const std::string& use, std::int64_t memory) {
          const pagerank_options usual;
          const auto o = make_pagerank_options(
              engine, balance, priority, partition, part_of, route, packet, usual.damping,
              usual.tolerance, usual.most_iterations, precision, weighted, false, use, memory);
          return plan_to_python(
              run_work([=](work_control&) { return pagerank_solver::plan(*machine, g, o); }));
        },
        nb::arg("machine"), nb::arg("graph"), nb::arg("engine"), nb::arg("balance"),
        nb::arg("priority"), nb::arg("partition"), nb::arg("part_of").none(), nb::arg("route"),
        nb::arg("packet"), nb::arg("precision"), nb::arg("weighted"), nb::arg("use"),
        nb::arg("memory"));
  };
  plan(static_cast<const graph*>(nullptr));
  plan(static_cast<const graph_shape*>(nullptr));
  m.def(
      "verify_pagerank",
      [](const graph& g, const nb::object& ranks, double damping, double tolerance, int precision,
         bool weighted, const nb::object& personalization, std::optional<double> timeout) {
        const auto x = share<double>(ranks), p = optional_doubles(personalization);
        const pagerank_options usual;
        const auto o =
            make_pagerank_options(usual.engine, usual.balance, usual.priority, usual.partition,
                                  nb::none(), usual.route, usual.packet, damping, tolerance,
                                  usual.most_iterations, precision, weighted, false, "auto", 0);
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
