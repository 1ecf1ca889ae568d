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

fields solve(handle<cg_solver>& h, const doubles& b, const std::optional<doubles>& x0) {
  const auto right = share<double>(b), start = share_optional<double>(x0);
  const cg_result r =
      h.runs.run([right, start](cg_solver& s) { return s.solve(right.span(), start.span()); });
  fields out = GOSSAMER_NAMED(r.iterations, r.converged, r.residual, r.right_side_norm,
                              r.milliseconds, r.exchange, r.exchange_reason, r.bytes_per_iteration,
                              r.engine, r.ranks_used, r.ranks_reason);
  out["x"] = numpy_view(r.x);
  out["phases"] = numbers_by_name(r.phases);
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
  bind_maker<cg_solver, cg_options>(m, "make_cg_solver", "cg");
  bind_plan<cg_solver, cg_options, graph>(m, "plan_cg");
  m.def(
      "verify_cg",
      [](const graph& matrix, const doubles& b, const doubles& x, double tolerance, double absolute,
         std::int64_t iterations, int threads, std::optional<double> timeout) {
        const auto right = share<double>(b), solution = share<double>(x);
        return verdict_within(timeout, [=](const auto& stop) {
          return gossamer::verify_cg(matrix, right.span(), solution.span(), tolerance, absolute,
                                     iterations, threads, stop);
        });
      },
      nb::arg("matrix"), nb::arg("b"), nb::arg("x"), nb::arg("tolerance"), nb::arg("absolute"),
      nb::arg("iterations"), nb::arg("threads"), nb::arg("timeout").none(),
      "(ok, residual, allowed, reason).");
}

}  // namespace gossamer_python
