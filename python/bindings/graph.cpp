// Class Graph: a graph's arrays as read-only NumPy views, and its facts.
#include "gossamer/graph/csr.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "arrays.hpp"
#include "gossamer/graph/mapped_file.hpp"
#include "reading.hpp"
#include "text.hpp"

namespace gossamer_python {

using gossamer::graph;

void bind_graph(nb::module_& m) {
  nb::class_<graph>(m, "Graph", "An immutable graph in CSR form; copies share memory.")
      .def("check_file", [](const graph& g) { gossamer::graph_file(g).check(); })
      .def_ro("name", &graph::name)
      .def_ro("format", &graph::format)
      .def_ro("symmetric", &graph::symmetric)
      .def_ro("sorted", &graph::sorted)
      .def_ro("weight_source", &graph::weight_source)
      .def_ro("steps", &graph::steps)
      .def_prop_ro("vertices", &graph::vertices)
      .def_prop_ro("arcs", &graph::arcs)
      .def_prop_ro("id_width", &graph::id_width)
      .def_prop_ro("gpu", [](const graph& g) { return g.gpu; })
      .def_prop_ro("weighted", &graph::weighted)
      .def_prop_ro("name_base", [](const graph& g) { return g.names.base; })
      .def("name_map",
           [](const graph& g) -> std::optional<int64s> {
             if (g.names.map.empty()) return {};
             return numpy_constant_view(g.names.map);
           })
      .def(
          "named",
          [](graph g, std::int64_t base, const std::optional<int64s>& map) {
            g.names.base = base;
            g.names.map = map ? share<std::int64_t>(*map) : gossamer::shared_array<std::int64_t>();
            return g;
          },
          nb::arg("base"), nb::arg("map").none(), "The graph with other names; map is shared.")
      .def(
          "take_texts",
          [](graph& g) {
            const auto texts = std::exchange(g.names.texts, nullptr);
            const auto same = [](const std::string& text) { return text; };
            return list_of(texts == nullptr ? std::vector<std::string>() : *texts, same);
          },
          "Names that are texts, by the integers that the library knows them by; once.")
      .def(
          "described",
          [](graph g, std::string format, std::string weight_source,
             std::vector<std::string> steps) {
            g.format = std::move(format);
            g.weight_source = std::move(weight_source);
            g.steps = std::move(steps);
            return g;
          },
          nb::arg("format"), nb::arg("weight_source"), nb::arg("steps"),
          "The graph with the origin of another, of which it is a copy.")
      .def("indptr", [](const graph& g) -> int64s { return numpy_constant_view(g.offsets); })
      .def("indices",
           [](const graph& g) -> ids {
             return std::visit([](const auto& a) { return numpy_constant_view(a); }, g.indices);
           })
      .def("weights",
           [](const graph& g) -> std::optional<numbers> {
             return std::visit(
                 [](const auto& a) -> std::optional<numbers> {
                   if constexpr (std::is_same_v<std::decay_t<decltype(a)>, std::monostate>)
                     return {};
                   else
                     return numpy_constant_view(a);
                 },
                 g.weights);
           })
      .def("validate",
           [](const graph& g) {
             run_work([g](work_control& c) { g.validate(c.stop.get_token()); });
           })
      .def("transposed", [](const graph& g) {
        return run_reading(g, [g](work_control& c) { return g.transposed(c.stop.get_token()); });
      });
}

}  // namespace gossamer_python
