// Vertex programs of the user's own: their text, and prepared runs of what was compiled of it.
#include "gossamer/algorithm/vertex_program.hpp"

#include <cstring>

#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::graph;
using gossamer::program_options;
using gossamer::program_search;
using gossamer::program_target;
using gossamer::program_type;
using gossamer::program_update;
using gossamer::program_values;
using gossamer::vertex_program;

/// `type` is an index into program_values' alternatives; Python has checked it.
program_type type_of(int type) {
  return static_cast<program_type>(type);
}

/// The same, of program_update's values.
program_update update_of(int update) {
  return static_cast<program_update>(update);
}

/// `row`: address of a function in a library that is never closed; 0: the built-in one, if any.
vertex_program make_program(int type, int update, double threshold, bool weighted,
                            bool label_setting, const std::string& expression, std::uintptr_t row,
                            const program_images& images) {
  vertex_program p;
  p.type = type_of(type);
  p.update = update_of(update);
  p.threshold = threshold;
  p.weighted = weighted;
  p.label_setting = label_setting;
  p.text = expression;
  p.row = row == 0 ? gossamer::builtin_row(p.type, p.update, expression)
                   : reinterpret_cast<gossamer::row_function>(row);
  p.images = images_of(images);
  return p;
}

fields run_search(handle<program_search>& h, const numbers& initial, const int64s& active) {
  const auto values = share_any<program_values>(initial, "vertex program: initial values");
  const auto begins = share<std::int64_t>(active);
  const auto r =
      h.runs.run([values, begins](program_search& s) { return s.run(values, begins.span()); });
  fields out = describe(r, GOSSAMER_NAMED(r.ranks_used, r.arcs, r.rounds, r.left));
  out["values"] = view_of(r.values);
  return out;
}

}  // namespace

void bind_vertex_program(nb::module_& m) {
  m.def(
      "program_text",
      [](int type, int update, const std::string& expression, int gpus) {
        return gossamer::program_text(type_of(type), update_of(update), expression,
                                      gpus == 0   ? program_target::cpu
                                      : gpus == 1 ? program_target::one_gpu
                                                  : program_target::gpus);
      },
      nb::arg("type"), nb::arg("update"), nb::arg("expression"), nb::arg("gpus"),
      "Source for the CPU's compiler (0 GPUs) or NVRTC.");
  m.def("builtin_expressions", &gossamer::builtin_expressions);
  m.def(
      "program_architectures",
      [](const machine_handle& machine) { return gossamer::program_architectures(*machine); },
      nb::arg("machine"));
  nb::class_<handle<program_search>>(m, "ProgramSearch")
      .def("run", &run_search, nb::arg("initial"), nb::arg("active"));
  m.def(
      "make_program_search",
      [](const machine_handle& machine, const graph& g, int type, int update, double threshold,
         bool weighted, bool label_setting, const std::string& expression, std::uintptr_t row,
         const program_images& images, std::optional<double> delta, std::int64_t memory,
         std::optional<double> timeout) {
        program_options options;
        options.delta = delta;
        options.memory = memory;
        return make_handle<program_search>("vertex program", machine, options, timeout, g,
                                           make_program(type, update, threshold, weighted,
                                                        label_setting, expression, row, images));
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("type"), nb::arg("update"),
      nb::arg("threshold"), nb::arg("weighted"), nb::arg("label_setting"), nb::arg("expression"),
      nb::arg("row"), nb::arg("images"), nb::arg("delta").none(), nb::arg("memory"),
      nb::arg("timeout").none());
}

}  // namespace gossamer_python
