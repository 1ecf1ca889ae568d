// What the files of the Python module share: one function a layer, and the classes they exchange.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

namespace gossamer_python {

namespace nb = nanobind;

void bind_errors(nb::module_& m);
void bind_work(nb::module_& m);
void bind_files(nb::module_& m);
void bind_build_info(nb::module_& m);
void bind_arrays(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_graph_input(nb::module_& m);
void bind_gpu_graph(nb::module_& m);
void bind_graph_files(nb::module_& m);
void bind_graph_generate(nb::module_& m);
void bind_graph_analysis(nb::module_& m);
void bind_machine(nb::module_& m);
void bind_collective(nb::module_& m);
void bind_placement(nb::module_& m);
void bind_algorithms(nb::module_& m);
void bind_bfs(nb::module_& m);
void bind_sssp(nb::module_& m);
void bind_components(nb::module_& m);
void bind_pagerank(nb::module_& m);
void bind_cg(nb::module_& m);
void bind_vertex_program(nb::module_& m);
void bind_vertex_steps(nb::module_& m);
void bind_filter(nb::module_& m);
void bind_dataflow(nb::module_& m);
void bind_pointer_chase(nb::module_& m);
void bind_simulate(nb::module_& m);
void bind_trace(nb::module_& m);

}  // namespace gossamer_python
