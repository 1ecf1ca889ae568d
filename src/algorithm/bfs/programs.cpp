// The list of programs. Each entry is defined beside its program.
#include <array>

#include "algorithm/bfs/async/program.hpp"
#include "algorithm/bfs/program.hpp"
#include "algorithm/bfs/published/published.hpp"
#include "algorithm/bfs/tasks/program.hpp"
#include "algorithm/bfs/vector_queue/program.hpp"
#include "algorithm/driver/one_kernel.hpp"

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

algorithm_detail::engine_choice engine_on(const machine& m, const std::string& asked) {
  if (asked != "auto") return {asked, "asked for"};
  const std::string lacks = lacks_for_one_kernel(m);
  if (lacks.empty()) return {"single_kernel", "chosen, no host between levels"};
  return {"sync", "chosen, single_kernel needs " + lacks};
}

std::string program_names() {
  std::string names;
  for (const program_kind* p : all_programs()) {
    if (!names.empty()) names += ", ";
    names += p->name;
  }
  return names;
}

}  // namespace gossamer::bfs_detail
