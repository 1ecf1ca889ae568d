// Checks that the machine can run a compiled program, then plans its rows, worklists and arenas.
#include "algorithm/vertex_program/planning.hpp"

#include "algorithm/driver/one_kernel.hpp"
#include "algorithm/vertex_program/builtin.hpp"
#include "algorithm/vertex_program/engine.hpp"
#include "algorithm/vertex_program/order_key.hpp"
#include "algorithm/vertex_program/weights.hpp"
#include "gossamer/fabric/arena.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::program_detail {

namespace {

program_bytes bytes_on(const machine& m, const graph& g, const planned_rows& rows,
                       const vertex_program& program, int r) {
  if (!m[r].is_cuda()) return worklist_bytes(rows, r, g.id_width(), program);
  return gpu_worklist_bytes(rows, r, g.id_width(), program);
}

/// Whether a rank's inbox lies in host memory though it is a GPU: as worklists there take it
/// (gossamer/dataflow/worklist/cuda/engine.hpp).
bool inbox_on_host(const machine& m, int r) {
  return m[r].is_cuda() && !m.all_direct();
}

/// Of each of a rank's arenas: agreement on the end, signals and what alignment takes.
std::size_t agreement_bytes(const machine& m) {
  return (std::size_t{1} << 16) + static_cast<std::size_t>(m.size()) * 64;
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

memory_plan make_plan(const machine& m, const graph& g, const planned_rows& rows,
                      const vertex_program& program, const program_options& options) {
  memory_plan plan = plan_placement(m, g, placement_of(options));
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()) + agreement_bytes(m));
  int first_here = -1;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    if (first_here < 0) first_here = r;
    const auto b = bytes_on(m, g, rows, program, r);
    const memory_kind native = native_memory(m[r]);
    plan.add(r, native, "arcs with weights", b.rows);
    plan.add(r, native, "known values and worklists", b.work);
    plan.add(r, inbox_on_host(m, r) ? memory_kind::host : native, "inbox", b.windows);
    plan.add(r, native, "agreement and tables of windows", overhead);
    plan.add(r, memory_kind::host, "agreement and tables on the host", overhead);
    plan.add(r, memory_kind::host, "gathered results", gathered_bytes(m, rows, program));
  }
  plan.add(first_here, memory_kind::host, "values before and after",
           (g.vertices() + 2 * rows.ids()) * value_bytes(program.type));
  if (rows.moved && program.weighted)
    plan.add(first_here, memory_kind::host, "weights by rank",
             g.arcs() * value_bytes(program.type));
  if (program.weighted)
    plan.add(first_here, memory_kind::host, "weights converted", converted_bytes(g, program.type));
  plan.limit_to(m, options.memory);
  return plan;
}

std::vector<arena_plan> make_arenas(const machine& m, const graph& g, const planned_rows& rows,
                                    const vertex_program& program) {
  std::vector<arena_plan> arenas;
  for (int r = 0; r < m.size(); ++r) {
    arena_plan plan;
    plan.native = agreement_bytes(m);
    plan.host = static_cast<std::size_t>(gathered_bytes(m, rows, program)) + agreement_bytes(m);
    (inbox_on_host(m, r) ? plan.host : plan.native) +=
        static_cast<std::size_t>(bytes_on(m, g, rows, program, r).windows);
    arenas.push_back(plan);
  }
  return arenas;
}

}  // namespace gossamer::program_detail
