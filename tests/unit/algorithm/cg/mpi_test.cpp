// Conjugate gradient with ranks that are MPI processes: this program under `mpirun -n P`. Every
// process has the whole result, and it is, bit for bit, the one of as many ranks that are threads;
// what cannot be solved is the same error in every process.
#include <gtest/gtest.h>

#include <limits>

#include "gossamer/algorithm/cg.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/matrices.hpp"
#include "message_of.hpp"
#include "unit/algorithm/cg/right_sides.hpp"

namespace gossamer {
namespace {

using testing_algorithms::right_side;

machine threads_like(const machine& processes) {
  return machine::open("cpu:" + std::to_string(processes.size()) + "x1");
}

/// What solving says in this process, which goes on whatever it says.
template <class E>
std::string refusal(machine& m, const graph& matrix, const std::vector<double>& b) {
  return message_of<E>([&] { cg_solver(m, matrix, {}).solve(b); });
}

/// Two rows with these entries.
graph two_by_two(double a, double b, double c, double d) {
  edge_chunks<vertex32> input;
  input.vertices = 2;
  shared_array<edge<vertex32>> edges(4);
  shared_array<double> values(4);
  const double entries[] = {a, b, c, d};
  for (std::size_t i = 0; i < 4; ++i) {
    edges[i] = {static_cast<vertex32>(i / 2), static_cast<vertex32>(i % 2)};
    values[i] = entries[i];
  }
  input.edges = {edges};
  input.weights = std::vector{values};
  graph g = build_csr(std::move(input), {});
  g.name = "test";
  return g;
}

TEST(CgOnProcesses, give_every_process_what_threads_find) {
  machine processes = machine::open("mpi:1"), threads = threads_like(processes);
  for (const char* spec : {"poisson:1", "poisson:7x5", "poisson:4x5x3", "band:40:250"}) {
    const graph g = generate_matrix(spec);
    const auto b = right_side(g.vertices());
    for (const auto exchange : {cg_exchange::allgather, cg_exchange::halo})
      for (const char* partition : {"auto", "edges", "hash"})
        for (const bool jacobi : {false, true}) {
          cg_options options;
          options.tolerance = 1e-10;
          options.exchange = exchange;
          options.partition = partition;
          options.jacobi = jacobi;
          options.engine = jacobi ? "published" : "fused";
          cg_solver here(processes, g, options), there(threads, g, options);
          for (const auto& start : {std::vector<double>(), right_side(g.vertices())}) {
            const auto found = here.solve(b, start), wanted = there.solve(b, start);
            EXPECT_TRUE(found.converged) << spec;
            EXPECT_EQ(found.iterations, wanted.iterations) << spec;
            EXPECT_EQ(found.residual, wanted.residual) << spec;
            EXPECT_TRUE(std::equal(found.x.begin(), found.x.end(), wanted.x.begin())) << spec;
            EXPECT_EQ(found.exchange, wanted.exchange);
            EXPECT_EQ(found.exchange_reason, wanted.exchange_reason);
            EXPECT_EQ(found.bytes_per_iteration, wanted.bytes_per_iteration);
            EXPECT_GT(found.milliseconds, 0);
            const auto checked = verify_cg(g, b, found.x.span(), 1e-10, 0, found.iterations);
            EXPECT_TRUE(checked.ok) << checked.reason;
          }
        }
  }
}

TEST(CgOnProcesses, give_the_best_iterate_when_they_do_not_converge) {
  machine processes = machine::open("mpi:1"), threads = threads_like(processes);
  const graph g = generate_matrix("poisson:30x30");
  const auto b = right_side(g.vertices());
  cg_options options;
  options.tolerance = 1e-14;
  options.most_iterations = 7;
  const auto found = cg_solver(processes, g, options).solve(b);
  const auto wanted = cg_solver(threads, g, options).solve(b);
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.iterations, 7);
  EXPECT_EQ(found.residual, wanted.residual);
  EXPECT_TRUE(std::equal(found.x.begin(), found.x.end(), wanted.x.begin()));
}

TEST(CgOnProcesses, refuse_the_same_in_every_process_and_go_on) {
  machine m = machine::open("mpi:1");
  const std::vector<double> b{1, -1};
  // Positive diagonal, eigenvalues 3 and -1: found out by iterating.
  EXPECT_EQ(refusal<input_error>(m, two_by_two(1, 2, 2, 1), b),
            "test: the matrix is not positive definite: p'Ap = -2 in iteration 0");
  EXPECT_EQ(refusal<input_error>(m, two_by_two(1e200, 0, 0, 1e200), {1e200, 1}),
            "test: the residual overflowed in iteration 0 (entries too large, or too small, for "
            "double precision)");
  EXPECT_EQ(refusal<input_error>(m, two_by_two(1, 2, 3, 1), b),
            "test: the matrix is not symmetric: entry (0, 1) is 2, entry (1, 0) is 3");
  EXPECT_EQ(refusal<input_error>(m, two_by_two(1, 0, 0, NAN), b), "test: entry (1, 1) is nan");
  EXPECT_EQ(refusal<input_error>(m, two_by_two(1, 0, 0, 1), {1, NAN}), "cg: b[1] is NaN");
  EXPECT_EQ(refusal<usage_error>(m, two_by_two(1, 0, 0, 1), {1}),
            "cg: b has 1 entries, the matrix has 2 rows");
  EXPECT_EQ(refusal<input_error>(m, two_by_two(1, 0, 0, 1), b), "nothing was thrown");
}

TEST(CgOnProcesses, plan_their_own_rank_alone) {
  machine m = machine::open("mpi:1");
  const graph g = generate_matrix("poisson:20x20");
  const memory_plan plan = cg_solver::plan(m, g, {});
  for (const auto& entry : plan.entries) EXPECT_TRUE(m.here(entry.rank)) << entry.purpose;
  EXPECT_GE(plan.total(), 400 * 8);
  cg_options options;
  options.memory = 1000;
  EXPECT_THROW(cg_solver(m, g, options), capacity_error);
}

}  // namespace
}  // namespace gossamer
