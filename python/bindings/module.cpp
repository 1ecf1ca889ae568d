// The module gossamer._gossamer. Importing it starts nothing: no CUDA, no threads, no files.
#include "bindings.hpp"

NB_MODULE(_gossamer, m) {
  using namespace gossamer_python;
  m.doc() = "Bindings of Gossamer's C++ layers; the package gossamer wraps them.";
  // Objects may outlive the module at interpreter exit (abandoned work); that is no leak of ours.
  nb::set_leak_warnings(false);
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
  bind_cg(m);
  bind_vertex_program(m);
  bind_vertex_steps(m);
  bind_filter(m);
  bind_dataflow(m);
  bind_pointer_chase(m);
  bind_simulate(m);
}
