// Conjugate gradient with ranks that are GPUs of MPI processes: this program under `mpirun -n P`.
// Every process has the whole solution, and the verifier, which shares no code, accepts it.
#include <gtest/gtest.h>

#include "gossamer/algorithm/cg.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/matrices.hpp"
#include "unit/algorithm/cg/right_sides.hpp"

namespace gossamer {
namespace {

using testing_algorithms::right_side;

TEST(CgOnGpuProcesses, give_every_process_a_verified_solution) {
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  machine m = machine::open("mpi:cuda");
  for (const char* spec : {"poisson:7x5", "poisson:40x50x3", "band:400:2500"}) {
    const graph g = generate_matrix(spec);
    const auto b = right_side(g.vertices());
    for (const auto exchange : {cg_exchange::allgather, cg_exchange::halo})
      for (const char* engine : {"auto", "published"})
        for (const bool jacobi : {false, true}) {
          cg_options options;
          options.tolerance = 1e-10;
          options.exchange = exchange;
          options.engine = engine;
          options.jacobi = jacobi;
          cg_solver solver(m, g, options);
          for (const auto& start : {std::vector<double>(), right_side(g.vertices())}) {
            const auto found = solver.solve(b, start);
            EXPECT_TRUE(found.converged) << spec;
            EXPECT_NE(found.engine, "single_kernel");
            const auto checked = verify_cg(g, b, found.x.span(), 1e-10, 0, found.iterations);
            EXPECT_TRUE(checked.ok) << spec << ": " << checked.reason;
          }
        }
  }
}

TEST(CgOnGpuProcesses, refuse_the_single_kernel_and_plan_their_own_rank) {
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  machine m = machine::open("mpi:cuda");
  const graph g = generate_matrix("poisson:20x20");
  cg_options options;
  options.engine = "single_kernel";
  EXPECT_THROW(cg_solver(m, g, options), usage_error);
  for (const auto& entry : cg_solver::plan(m, g, {}).entries)
    EXPECT_TRUE(m.here(entry.rank)) << entry.purpose;
}

}  // namespace
}  // namespace gossamer
