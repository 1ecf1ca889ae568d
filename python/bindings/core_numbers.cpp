// Core numbers: prepared once, found any number of times, verified.
#include "gossamer/algorithm/core_numbers.hpp"
#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::core_numbers_options;
using gossamer::core_numbers_search;
using gossamer::graph;
using gossamer::graph_shape;

fields run_core_numbers(handle<core_numbers_search>& h) {
  const auto r = h.runs.run([](core_numbers_search& s) { return s.run(); });
  fields out = describe(r, GOSSAMER_NAMED(r.degeneracy, r.rounds));
  out["_values"] = values_of(r.numbers);
  return out;
}

}  // namespace

void bind_core_numbers(nb::module_& m) {
  nb::class_<handle<core_numbers_search>>(m, "CoreNumbersSearch").def("run", &run_core_numbers);
  bind_maker<core_numbers_search, core_numbers_options>(m, "make_core_numbers_search",
                                                        "core_numbers");
  bind_plan<core_numbers_search, core_numbers_options, graph>(m, "plan_core_numbers");
  bind_plan<core_numbers_search, core_numbers_options, graph_shape>(m, "plan_core_numbers");
  m.def(
      "verify_core_numbers",
      [](const graph& g, const numbers& given, std::optional<double> timeout) {
        const auto n =
            share_any<gossamer::core_number_array>(given, "verify_core_numbers: numbers");
        return verdict_within(
            timeout, [=](const auto& stop) { return gossamer::verify_core_numbers(g, n, stop); });
      },
      nb::arg("graph"), nb::arg("numbers"), nb::arg("timeout").none(), "(ok, first violation).");
}

}  // namespace gossamer_python
