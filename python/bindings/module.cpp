// The module gossamer._gossamer. Importing it starts nothing: no CUDA, no threads, no files.
#include "bindings.hpp"

#include "gossamer/base/throwing.hpp"

// What NB_MODULE defines; the function of that name is at the end.
#define PyInit__gossamer made_by_nanobind

namespace gossamer_python {

// A function a file.
using binder = void(nb::module_& m);
binder bind_errors, bind_work, bind_files, bind_build_info, bind_arrays, bind_graph,
    bind_graph_input, bind_gpu_graph, bind_graph_files, bind_graph_generate, bind_graph_analysis,
    bind_machine, bind_trace, bind_collective, bind_placement, bind_algorithms, bind_bfs, bind_sssp,
    bind_components, bind_pagerank, bind_triangles, bind_core_numbers, bind_spanning_forest,
    bind_strong_components, bind_betweenness, bind_distances, bind_communities, bind_random_walks,
    bind_cg, bind_vertex_program, bind_vertex_steps, bind_filter, bind_dataflow, bind_pointer_chase,
    bind_simulate;

}  // namespace gossamer_python

NB_MODULE(_gossamer, m) {  // NOLINT(cppcoreguidelines-pro-type-cstyle-cast): nanobind's
  using namespace gossamer_python;
  m.doc() = "Bindings of Gossamer's C++ layers; the package gossamer wraps them.";
  // Objects may outlive the module at interpreter exit (abandoned work); that is no leak of ours.
  nb::set_leak_warnings(false);
  static_cast<void>(gossamer::ready_to_throw());  // where memory is short, nothing can be thrown
  // Classes before those who take them.
  bind_errors(m);
  bind_work(m);
  bind_files(m);
  bind_build_info(m);
  bind_arrays(m);
  bind_graph(m);
  bind_graph_input(m);
  bind_gpu_graph(m);
  bind_graph_files(m);
  bind_graph_generate(m);
  bind_graph_analysis(m);
  bind_machine(m);
  bind_trace(m);
  bind_collective(m);
  bind_placement(m);
  bind_algorithms(m);
  bind_bfs(m);
  bind_sssp(m);
  bind_components(m);
  bind_pagerank(m);
  bind_triangles(m);
  bind_core_numbers(m);
  bind_spanning_forest(m);
  bind_strong_components(m);
  bind_betweenness(m);
  bind_distances(m);
  bind_communities(m);
  bind_random_walks(m);
  bind_cg(m);
  bind_vertex_program(m);
  bind_vertex_steps(m);
  bind_filter(m);
  bind_dataflow(m);
  bind_pointer_chase(m);
  bind_simulate(m);
}

#undef PyInit__gossamer

// Another interpreter of the process would get the first one's types and callbacks, and break both:
// it is refused before anything of them is touched.
// Python asks for this name.
// NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" NB_EXPORT PyObject* PyInit__gossamer() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError,
                    "gossamer serves one interpreter of a process, the main one, and not its "
                    "subinterpreters: use threads, or another process");
    return nullptr;
  }
  return made_by_nanobind();
}
