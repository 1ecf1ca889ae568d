// The list of programs. Each entry is defined beside its program.
#include <array>

#include "algorithm/bfs/async/program.hpp"
#include "algorithm/bfs/program.hpp"
#include "algorithm/bfs/published/published.hpp"
#include "algorithm/bfs/tasks/program.hpp"
#include "algorithm/bfs/vector_queue/program.hpp"
#include "algorithm/driver/one_kernel.hpp"
#include "algorithm/driver/tables.hpp"

namespace gossamer::bfs_detail {

namespace {
const std::array<const program_kind*, 6>& all_programs() {
  static const std::array<const program_kind*, 6> all = {&async_program,     &host_program,
                                                         &published_program, &single_kernel_program,
                                                         &tasks_program,     &vector_queue_program};
  return all;
}
}  // namespace

const program_kind* find_program(std::string_view name) {
  for (const program_kind* p : all_programs())
    if (p->name == name) return p;
  return nullptr;
}

algorithm_detail::settled<bfs_options> settle(const machine& m, const bfs_options& asked) {
  return algorithm_detail::settle(algorithm_detail::bfs_table(), asked, m,
                                  [&](const bfs_options&) -> algorithm_detail::engine_choice {
                                    const std::string lacks = lacks_for_one_kernel(m);
                                    if (lacks.empty())
                                      return {"single_kernel", "chosen, no host between levels"};
                                    return {"sync", "chosen, single_kernel needs " + lacks};
                                  });
}

}  // namespace gossamer::bfs_detail
