// Shortest paths, components and PageRank: prepared once, run any number of times, verified.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <chrono>

#include "arrays.hpp"
#include "gossamer/algorithm/connected_components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "machine.hpp"
#include "restartable.hpp"

namespace gossamer_python {

namespace {

using gossamer::components_options;
using gossamer::components_search;
using gossamer::graph;
using gossamer::graph_shape;
using gossamer::pagerank_options;
using gossamer::pagerank_solver;
using gossamer::sssp_options;
using gossamer::sssp_search;

std::optional<std::chrono::nanoseconds> deadline(std::optional<double> timeout) {
  if (!timeout) return {};
  gossamer::require(*timeout > 0, "timeout: not a positive number of seconds");
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(*timeout, 1e9) * 1e9));
}

/// The machine outlives what runs on it whatever Python drops first.
template <class Prepared>
struct on_machine {
  machine_handle machine;
  Prepared prepared;
};
template <class Prepared>
struct handle {
  restartable<on_machine<Prepared>> runs;
};

/// What Python runs again and again: Prepared(machine, graph, options).
template <class Prepared, class Options>
std::unique_ptr<handle<Prepared>> make_handle(const char* name, const machine_handle& machine,
                                              const graph& g, Options options,
                                              std::optional<double> timeout) {
  options.run.deadline = deadline(timeout);
  auto h = std::make_unique<handle<Prepared>>(
      restartable<on_machine<Prepared>>(name, timeout, [=](const gossamer::run_options& run) {
        auto o = options;
        o.run.cancel = run.cancel;
        o.run.overdue = run.overdue;
        return std::make_unique<on_machine<Prepared>>(machine, Prepared(*machine, g, o));
      }));
  h->runs.prepare();
  return h;
}

/// What all results have.
template <class Result>
nb::dict describe(const Result& r) {
  nb::dict out, phases;
  out["engine"] = r.engine;
  out["engine_reason"] = r.engine_reason;
  out["milliseconds"] = r.milliseconds;
  for (const auto& [name, seconds] : r.phases) phases[name.c_str()] = seconds;
  out["phases"] = phases;
  return out;
}

template <class Array>
nb::object view_of(const Array& array) {
  return std::visit([](const auto& a) { return numpy_view(a); }, array);
}

/// An array of one of the types that a variant holds, shared; usage_error for others.
template <class Variant, std::size_t I = 0>
Variant share_any(const nb::object& array, const char* what) {
  if constexpr (I == std::variant_size_v<Variant>) {
    throw gossamer::usage_error(std::string(what) + ": expected a contiguous array of its type");
  } else {
    using type =
        std::remove_reference_t<decltype(*std::variant_alternative_t<I, Variant>().data())>;
    if (holds<type>(array)) return share<type>(array);
    return share_any<Variant, I + 1>(array, what);
  }
}

sssp_options make_sssp_options(const std::string& engine, std::optional<double> delta, bool parents,
                               bool deterministic, std::int64_t memory) {
  sssp_options o;
  o.engine = engine;
  o.delta = delta;
  o.parents = parents;
  o.deterministic = deterministic;
  o.memory = memory;
  return o;
}

nb::object run_sssp(handle<sssp_search>& h, std::int64_t source) {
  const auto r =
      h.runs.run([source](on_machine<sssp_search>& s) { return s.prepared.run(source); });
  nb::dict out = describe(r);
  out["source"] = r.source;
  out["delta"] = r.delta;
  out["reached"] = r.reached;
  out["relaxations"] = r.relaxations;
  out["rounds"] = r.rounds;
  out["distances"] = view_of(r.distances);
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

void bind_sssp(nb::module_& m) {
  nb::class_<handle<sssp_search>>(m, "SsspSearch").def("run", &run_sssp, nb::arg("source"));
  m.def(
      "make_sssp_search",
      [](const machine_handle& machine, const graph& g, const std::string& engine,
         std::optional<double> delta, bool parents, bool deterministic, std::int64_t memory,
         std::optional<double> timeout) {
        return make_handle<sssp_search>(
            "sssp", machine, g, make_sssp_options(engine, delta, parents, deterministic, memory),
            timeout);
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("engine"), nb::arg("delta").none(),
      nb::arg("parents"), nb::arg("deterministic"), nb::arg("memory"), nb::arg("timeout").none());
  m.def(
      "plan_sssp",
      [](const machine_handle& machine, const graph& g, const std::string& engine, bool parents,
         std::int64_t memory) {
        return plan_to_python(
            sssp_search::plan(*machine, g, make_sssp_options(engine, {}, parents, false, memory)));
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("engine"), nb::arg("parents"),
      nb::arg("memory"));
  m.def(
      "plan_sssp_shape",
      [](const machine_handle& machine, const graph_shape& g, int weight_bytes,
         const std::string& engine, bool parents, std::int64_t memory) {
        return plan_to_python(sssp_search::plan(
            *machine, g, weight_bytes, make_sssp_options(engine, {}, parents, false, memory)));
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("weight_bytes"), nb::arg("engine"),
      nb::arg("parents"), nb::arg("memory"));
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

components_options make_components_options(const std::string& engine, bool deterministic,
                                           std::int64_t memory) {
  components_options o;
  o.engine = engine;
  o.deterministic = deterministic;
  o.memory = memory;
  return o;
}

nb::object run_components(handle<components_search>& h) {
  const auto r = h.runs.run([](on_machine<components_search>& s) { return s.prepared.run(); });
  nb::dict out = describe(r);
  out["count"] = r.count;
  out["largest"] = r.largest;
  out["largest_label"] = r.largest_label;
  out["labels"] = view_of(r.labels);
  return out;
}

void bind_components(nb::module_& m) {
  nb::class_<handle<components_search>>(m, "ComponentsSearch").def("run", &run_components);
  m.def(
      "make_components_search",
      [](const machine_handle& machine, const graph& g, const std::string& engine,
         bool deterministic, std::int64_t memory, std::optional<double> timeout) {
        return make_handle<components_search>(
            "components", machine, g, make_components_options(engine, deterministic, memory),
            timeout);
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("engine"), nb::arg("deterministic"),
      nb::arg("memory"), nb::arg("timeout").none());
  const auto plan = [&m]<class Graph>(const Graph*) {
    m.def(
        "plan_components",
        [](const machine_handle& machine, const Graph& g, const std::string& engine,
           std::int64_t memory) {
          return plan_to_python(
              components_search::plan(*machine, g, make_components_options(engine, false, memory)));
        },
        nb::arg("machine"), nb::arg("graph"), nb::arg("engine"), nb::arg("memory"));
  };
  plan(static_cast<const graph*>(nullptr));
  plan(static_cast<const graph_shape*>(nullptr));
  m.def(
      "verify_components",
      [](const graph& g, const nb::object& labels, std::optional<double> timeout) {
        const auto l = share_any<gossamer::label_array>(labels, "verify_components: labels");
        const auto v = run_work(
            [=](work_control& c) { return gossamer::verify_components(g, l, c.stop.get_token()); },
            within(timeout, "the verification"));
        return nb::make_tuple(v.ok, v.reason);
      },
      nb::arg("graph"), nb::arg("labels"), nb::arg("timeout").none(), "(ok, first violation).");
}

pagerank_options make_pagerank_options(const std::string& engine, double damping, double tolerance,
                                       std::int64_t most_iterations, int precision, bool weighted,
                                       bool deterministic, std::int64_t memory) {
  pagerank_options o;
  o.engine = engine;
  o.damping = damping;
  o.tolerance = tolerance;
  o.most_iterations = most_iterations;
  o.precision = precision;
  o.weighted = weighted;
  o.deterministic = deterministic;
  o.memory = memory;
  return o;
}

gossamer::shared_array<double> optional_doubles(const nb::object& array) {
  return array.is_none() ? gossamer::shared_array<double>() : share<double>(array);
}

nb::object run_pagerank(handle<pagerank_solver>& h, const nb::object& personalization,
                        const nb::object& start) {
  const auto p = optional_doubles(personalization), s = optional_doubles(start);
  const auto r = h.runs.run([p, s](on_machine<pagerank_solver>& solver) {
    return solver.prepared.run(p.span(), s.span());
  });
  nb::dict out = describe(r);
  out["iterations"] = r.iterations;
  out["converged"] = r.converged;
  out["change"] = r.change;
  out["ranks"] = view_of(r.ranks);
  return out;
}

void bind_pagerank(nb::module_& m) {
  nb::class_<handle<pagerank_solver>>(m, "PagerankSolver")
      .def("run", &run_pagerank, nb::arg("personalization").none(), nb::arg("start").none());
  m.def(
      "make_pagerank_solver",
      [](const machine_handle& machine, const graph& g, const std::string& engine, double damping,
         double tolerance, std::int64_t most_iterations, int precision, bool weighted,
         bool deterministic, std::int64_t memory, std::optional<double> timeout) {
        return make_handle<pagerank_solver>(
            "pagerank", machine, g,
            make_pagerank_options(engine, damping, tolerance, most_iterations, precision, weighted,
                                  deterministic, memory),
            timeout);
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("engine"), nb::arg("damping"),
      nb::arg("tolerance"), nb::arg("most_iterations"), nb::arg("precision"), nb::arg("weighted"),
      nb::arg("deterministic"), nb::arg("memory"), nb::arg("timeout").none());
  const auto plan = [&m]<class Graph>(const Graph*) {
    m.def(
        "plan_pagerank",
        [](const machine_handle& machine, const Graph& g, const std::string& engine, int precision,
           bool weighted, std::int64_t memory) {
          const pagerank_options usual;
          return plan_to_python(pagerank_solver::plan(
              *machine, g,
              make_pagerank_options(engine, usual.damping, usual.tolerance, usual.most_iterations,
                                    precision, weighted, false, memory)));
        },
        nb::arg("machine"), nb::arg("graph"), nb::arg("engine"), nb::arg("precision"),
        nb::arg("weighted"), nb::arg("memory"));
  };
  plan(static_cast<const graph*>(nullptr));
  plan(static_cast<const graph_shape*>(nullptr));
  m.def(
      "verify_pagerank",
      [](const graph& g, const nb::object& ranks, double damping, double tolerance, int precision,
         bool weighted, const nb::object& personalization, std::optional<double> timeout) {
        const auto x = share<double>(ranks), p = optional_doubles(personalization);
        const pagerank_options usual;
        const auto o = make_pagerank_options(usual.engine, damping, tolerance,
                                             usual.most_iterations, precision, weighted, false, 0);
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

}  // namespace

void bind_algorithms(nb::module_& m) {
  bind_sssp(m);
  bind_components(m);
  bind_pagerank(m);
}

}  // namespace gossamer_python
