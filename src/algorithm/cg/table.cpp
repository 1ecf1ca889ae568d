// Engines and options of cg.
#include "algorithm/cg/planning.hpp"
#include "algorithm/driver/option_table.hpp"
#include "gossamer/algorithm/cg.hpp"

namespace gossamer {

namespace cg_detail {

namespace {

const std::vector<engine_kind>& kinds() {
  static const std::vector<engine_kind> all = {
      {{.name = "fused",
        .meaning = "three passes over the vectors, two agreements an iteration",
        .chosen = "where single_kernel does not run",
        .mixed = true,
        .gpus_of_processes = true},
       method::fused},
      {{.name = "published",
        .meaning = "paper E's operations one by one: three dot products, three updates",
        .mixed = true,
        .gpus_of_processes = true},
       method::published},
      {{.name = "library",
        .meaning = "the same by cuSPARSE and cuBLAS",
        .cpus = false,
        .gpus_of_processes = true},
       method::published,
       true},
      {{.name = "single_kernel",
        .meaning = "the loop as one kernel a rank, no host in it",
        .chosen = "on GPUs that address each other and run their kernels together",
        .cpus = false},
       method::single_kernel}};
  return all;
}

}  // namespace

const engine_kind& kind_of(const cg_options& options) {
  for (const engine_kind& kind : kinds())
    if (kind.info.name == options.engine) return kind;
  throw usage_error("cg: unknown engine '" + options.engine + "'");
}

}  // namespace cg_detail

template <>
algorithm_detail::option_table<cg_options> algorithm_detail::make_table() {
  option_table<cg_options> table{
      "cg",
      {},
      {option_of<&cg_options::tolerance>(
           {.name = "rtol",
            .least = 0,
            .meaning = "stop at this residual, relative to the right side's"}),
       option_of<&cg_options::absolute>(
           {.name = "atol",
            .least = 0,
            .meaning = "stop at this residual, whatever the right side"}),
       option_of<&cg_options::most_iterations>(
           {.name = "maxiter", .least = 0, .meaning = "stop after so many; without it 10 n"}),
       option_of<&cg_options::exactly>({.name = "iterations",
                                        .least = 0,
                                        .meaning = "so many iterations, whatever the residual"}),
       option_of<&cg_options::jacobi>(
           {.name = "jacobi", .meaning = "precondition with the inverse of the diagonal"}),
       option_of<&cg_options::exchange>(
           {.name = "exchange",
            .choices = {"auto", "allgather", "halo"},
            .meaning = "how the direction vector gets to the ranks that need it"})}};
  for (const auto& kind : cg_detail::kinds()) table.engines.push_back(kind.info);
  append(table.options, placement_options<cg_options>());
  return table;
}

}  // namespace gossamer
