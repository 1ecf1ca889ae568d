// Conjugate gradient: a system placed once and solved for any number of right-hand sides.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <chrono>

#include "arrays.hpp"
#include "gossamer/algorithm/cg.hpp"
#include "gossamer/graph/matrices.hpp"
#include "machine.hpp"
#include "prepared.hpp"
#include "text.hpp"
#include "trace.hpp"

namespace gossamer_python {

namespace {

using gossamer::cg_options;
using gossamer::cg_result;
using gossamer::cg_solver;
using gossamer::graph;

nb::object solve(handle<cg_solver>& h, const nb::object& b, const nb::object& x0) {
  const auto right = share<double>(b);
  const auto start = x0.is_none() ? gossamer::shared_array<double>() : share<double>(x0);
  const cg_result r =
      h.runs.run([right, start](cg_solver& s) { return s.solve(right.span(), start.span()); });
  nb::dict out;
  out["x"] = numpy_view(r.x);
  out["iterations"] = r.iterations;
  out["converged"] = r.converged;
  out["residual"] = r.residual;
  out["right_side_norm"] = r.right_side_norm;
  out["milliseconds"] = r.milliseconds;
  out["exchange"] = r.exchange;
  out["exchange_reason"] = r.exchange_reason;
  out["bytes_per_iteration"] = r.bytes_per_iteration;
  out["engine"] = r.engine;
  out["ranks"] = r.ranks;
  out["ranks_reason"] = r.ranks_reason;
  nb::dict phases;
  for (const auto& [name, seconds] : r.phases) phases[name.c_str()] = seconds;
  out["phases"] = phases;
  return out;
}

}  // namespace

void bind_cg(nb::module_& m) {
  m.def(
      "generate_matrix",
      [](const std::string& spec, int threads, std::int64_t memory) {
        return run_work([=](work_control& c) {
          gossamer::generate_options o;
          o.threads = threads;
          o.memory = memory;
          o.stop = c.stop.get_token();
          return gossamer::generate_matrix(spec, o);
        });
      },
      nb::arg("spec"), nb::arg("threads"), nb::arg("memory"));
  m.def(
      "with_values",
      [](const graph& pattern, std::uint64_t seed, int threads) {
        return run_work([=](work_control& c) {
          return gossamer::with_values(pattern, seed, threads, c.stop.get_token());
        });
      },
      nb::arg("pattern"), nb::arg("seed"), nb::arg("threads"));

  nb::class_<handle<cg_solver>>(m, "CgSolver")
      .def("solve", &solve, nb::arg("b"), nb::arg("x0").none());
  m.def(
      "make_cg_solver",
      [](const machine_handle& machine, const graph& matrix, const nb::object& part_of,
         std::optional<double> timeout, const trace_handle& trace, const nb::kwargs& options) {
        auto o = options_of<cg_options>(options, part_of);
        o.run.trace = trace;
        return make_handle<cg_solver>("cg", machine, o, timeout, matrix);
      },
      nb::arg("machine"), nb::arg("matrix"), nb::arg("part_of").none(), nb::arg("timeout").none(),
      nb::arg("trace").none(), nb::arg("options"));
  m.def(
      "plan_cg",
      [](const machine_handle& machine, const graph& matrix, const nb::object& part_of,
         const nb::kwargs& options) {
        const auto o = options_of<cg_options>(options, part_of);
        return plan_to_python(
            run_work([=](work_control&) { return cg_solver::plan(*machine, matrix, o); }));
      },
      nb::arg("machine"), nb::arg("matrix"), nb::arg("part_of").none(), nb::arg("options"));
  m.def(
      "verify_cg",
      [](const graph& matrix, const nb::object& b, const nb::object& x, double tolerance,
         double absolute, std::int64_t iterations, int threads, std::optional<double> timeout) {
        const auto right = share<double>(b);
        const auto solution = share<double>(x);
        const auto v = run_work(
            [=](work_control& control) {
              return gossamer::verify_cg(matrix, right.span(), solution.span(), tolerance, absolute,
                                         iterations, threads, control.stop.get_token());
            },
            within(timeout, "the verification"));
        return nb::make_tuple(v.ok, v.residual, v.allowed, v.reason);
      },
      nb::arg("matrix"), nb::arg("b"), nb::arg("x"), nb::arg("tolerance"), nb::arg("absolute"),
      nb::arg("iterations"), nb::arg("threads"), nb::arg("timeout").none(),
      "(ok, residual, allowed, reason).");
}

}  // namespace gossamer_python
