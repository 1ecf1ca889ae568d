// Checks that the machine can run a compiled program, then plans its rows, worklists and arenas.
#include "algorithm/vertex_program/planning.hpp"

#include "algorithm/driver/one_kernel.hpp"
#include "algorithm/vertex_program/builtin.hpp"
#include "algorithm/vertex_program/engine.hpp"
#include "algorithm/vertex_program/order_key.hpp"
#include "algorithm/vertex_program/weights.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::program_detail {

namespace {

/// Of each of a rank's arenas: agreement on the end, signals and what alignment takes.
std::int64_t agreement_bytes(const machine& m) {
  return 65536 + m.size() * 64;
}

std::int64_t gathered_bytes(const machine& m, const planned_rows& rows,
                            const vertex_program& program) {
  return value_bytes(program.type) == 4 ? placed_values<std::uint32_t>::bytes(m, rows.ids())
                                        : placed_values<std::uint64_t>::bytes(m, rows.ids());
}

}  // namespace

algorithm_detail::engine_choice choose_engine(const machine& m, const vertex_program& program) {
  int gpus = 0;
  bool processes = false;
  for (int r = 0; r < m.size(); ++r) {
    gpus += m[r].is_cuda();
    processes = processes || m[r].process >= 0;
  }
  if (gpus == 0) {
    if (program.row == nullptr)
      throw not_compiled("this vertex program for CPU ranks", "it came with no row function");
    return {"worklist", "what CPU ranks have"};
  }
  const char* const instead = "give the machine cuda, or cpu";
  if (gpus < m.size()) throw not_compiled("vertex programs on CPUs and GPUs together", instead);
  if (processes) throw not_compiled("vertex programs on GPUs of MPI processes", instead);
  if (!reach_each_other(m))
    throw not_compiled("vertex programs on GPUs without atomics on each other's memory",
                       "give the machine one GPU, or cpu");
  if (builtin_form(program.text)) return {"worklist", "one kernel a GPU"};
  for (const int architecture : program_architectures(m))
    if (!program.images.contains(architecture))
      throw not_compiled("this vertex program for sm_" + std::to_string(architecture),
                         "it came with no image for it");
  return {"worklist", "one kernel a GPU"};
}

place_options placement_of(const program_options& options) {
  place_options how;
  how.partition = "edges";
  how.both_directions = false;
  how.memory = options.memory;
  how.stop = options.run.cancel;
  return how;
}

algorithm_detail::memory_layout layout_of(const machine& m, const graph& g,
                                          const planned_rows& rows, const vertex_program& program,
                                          const program_options& options) {
  algorithm_detail::memory_layout l(m, agreement_bytes(m));
  l.include(plan_placement(m, g, placement_of(options)));
  const int width = value_bytes(program.type);
  for (int r = 0; r < m.size(); ++r) {
    if (m[r].is_cuda())
      declare_gpu_worklist(l, m, rows, r, g.id_width(), program);
    else
      declare_worklist(l, m, rows, r, g.id_width(), program);
    l.host_window(r, "gathered results", gathered_bytes(m, rows, program));
  }
  l.shared("values before and after", (g.vertices() + 2 * rows.ids()) * width);
  if (rows.moved && program.weighted) l.shared("weights by rank", g.arcs() * width);
  if (program.weighted) l.shared("weights converted", converted_bytes(g, program.type));
  return l;
}

}  // namespace gossamer::program_detail
