// Conjugate gradient against a serial one written here, on every kind of machine, exchange, row
// split and engine; its errors; its verifier.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "gossamer/algorithm/cg.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/matrices.hpp"
#include "gossamer/machine/topology.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/cg/right_sides.hpp"

namespace gossamer {
namespace {

using testing_algorithms::right_side, testing_machines::OnMachine, testing_machines::machine_specs;

/// A dense row-major copy: the reference knows nothing of the formats.
struct dense {
  std::int64_t n;
  std::vector<double> a;
  explicit dense(const graph& g) : n(g.vertices()), a(static_cast<std::size_t>(n * n)) {
    const auto rows = g.view<vertex32>();
    const auto& values = std::get<shared_array<double>>(g.weights);
    for (std::int64_t i = 0; i < n; ++i)
      for (edge_offset k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k)
        a[static_cast<std::size_t>(i * n + rows.indices[k])] += values[static_cast<std::size_t>(k)];
  }
  [[nodiscard]] std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        y[static_cast<std::size_t>(i)] +=
            a[static_cast<std::size_t>(i * n + j)] * x[static_cast<std::size_t>(j)];
    return y;
  }
};

double norm(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

double residual(const dense& a, std::span<const double> x, const std::vector<double>& b) {
  auto r = a.times({x.begin(), x.end()});
  for (std::size_t i = 0; i < r.size(); ++i) r[i] -= b[i];
  return norm(r);
}

/// A graph from (row, column, value) triples, as given.
graph matrix_of(std::int64_t n, const std::vector<std::array<double, 3>>& entries) {
  edge_chunks<vertex32> input;
  input.vertices = n;
  shared_array<edge<vertex32>> edges(entries.size());
  shared_array<double> values(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    edges[i] = {static_cast<vertex32>(entries[i][0]), static_cast<vertex32>(entries[i][1])};
    values[i] = entries[i][2];
  }
  input.edges = {edges};
  input.weights = std::vector{values};
  graph g = build_csr(std::move(input), {});
  g.name = "test";
  return g;
}

class CgOn : public OnMachine {};

/// Every rank works, however small the matrix.
cg_options with_all_ranks() {
  cg_options options;
  options.use = rank_use::all;
  return options;
}

std::vector<const char*> engines_of(const machine& m) {
  std::vector<const char*> engines{"fused", "published"};
  bool gpus = true, together = m.all_direct();
  for (int r = 0; r < m.size(); ++r) {
    gpus = gpus && m[r].is_cuda();
    together = together && gpus && shared_kernels(m[r]) != sharing::in_turn;
  }
#ifdef GOSSAMER_TEST_CUSPARSE
  if (gpus) engines.push_back("library");
#endif
  if (together) engines.push_back("single_kernel");
  return engines;
}

TEST_P(CgOn, solves_with_every_exchange_split_and_engine) {
  for (const char* spec :
       {"poisson:1", "poisson:4", "poisson:7x5", "poisson:4x5x3", "band:40:250"}) {
    const graph g = generate_matrix(spec);
    const dense a(g);
    const auto b = right_side(a.n);
    for (const auto exchange : {cg_exchange::allgather, cg_exchange::halo, cg_exchange::automatic})
      for (const char* partition : {"auto", "edges", "hash"})
        for (const char* engine : engines_of(*machine_))
          for (const bool jacobi : {false, true}) {
            cg_options options = with_all_ranks();
            options.tolerance = 1e-10;
            options.exchange = exchange;
            options.partition = partition;
            options.engine = engine;
            options.jacobi = jacobi;
            cg_solver solver(*machine_, g, options);
            const auto x = solver.solve(b);
            ASSERT_TRUE(x.converged) << spec << " " << engine;
            ASSERT_LE(residual(a, x.x.span(), b), 2e-10 * norm(b)) << spec << " " << engine;
            const auto found = verify_cg(g, b, x.x.span(), 1e-10, 0, x.iterations);
            ASSERT_TRUE(found.ok) << found.reason;
            // From a start that is nearly right it takes fewer iterations, and from the solution
            // itself none.
            const auto again = solver.solve(b, x.x.span());
            ASSERT_LE(again.iterations, 1) << spec;
            ASSERT_LE(residual(a, again.x.span(), b), 2e-10 * norm(b));
          }
  }
}

TEST_P(CgOn, takes_the_ranks_that_pay) {
  const graph g = generate_matrix("poisson:8x8");
  const auto b = right_side(g.vertices());
  const bool gpus = std::string_view(engines_of(*machine_).back()) == "single_kernel";
  cg_solver solver(*machine_, g, {});
  const auto x = solver.solve(b);
  EXPECT_TRUE(x.converged);
  EXPECT_EQ(x.ranks_used, gpus ? 1 : machine_->size());
  EXPECT_EQ(x.ranks_reason.empty(), x.ranks_used == machine_->size()) << x.ranks_reason;
  EXPECT_EQ(cg_solver(*machine_, g, with_all_ranks()).solve(b).ranks_used, machine_->size());
}

TEST_P(CgOn, repeats_bit_for_bit) {
  const graph g = generate_matrix("band:300:4001");
  const auto b = right_side(g.vertices());
  for (const char* engine : engines_of(*machine_)) {
    cg_options options = with_all_ranks();
    options.engine = engine;
    cg_solver solver(*machine_, g, options);
    const auto one = solver.solve(b), two = solver.solve(b);
    EXPECT_EQ(one.iterations, two.iterations);
    EXPECT_TRUE(std::equal(one.x.begin(), one.x.end(), two.x.begin())) << engine;
  }
}

TEST_P(CgOn, needs_at_most_n_iterations_on_small_systems) {
  // In exact arithmetic as many as there are distinct eigenvalues: 3 for a path of 3.
  const graph g = generate_matrix("poisson:3");
  cg_options options = with_all_ranks();
  options.tolerance = 1e-12;
  cg_solver solver(*machine_, g, options);
  const std::vector<double> b{1, 2, 3};
  const auto x = solver.solve(b);
  EXPECT_LE(x.iterations, 3);
  EXPECT_NEAR(x.x[0], 2.5, 1e-12);
  EXPECT_NEAR(x.x[1], 4, 1e-12);
  EXPECT_NEAR(x.x[2], 3.5, 1e-12);
}

TEST_P(CgOn, gives_the_best_iterate_when_it_does_not_converge) {
  // Condition 1e8: the residual goes up and down on its way.
  std::vector<std::array<double, 3>> entries;
  const std::int64_t n = 40;
  for (int i = 0; i < n; ++i) entries.push_back({double(i), double(i), std::pow(10.0, i / 5.0)});
  for (int i = 0; i + 1 < n; ++i) {
    entries.push_back({double(i), double(i + 1), 0.1});
    entries.push_back({double(i + 1), double(i), 0.1});
  }
  graph g = matrix_of(n, entries);
  const dense a(g);
  const auto b = right_side(n);
  for (const char* engine : engines_of(*machine_))
    for (int most = 0; most < 30; ++most) {
      cg_options options = with_all_ranks();
      options.engine = engine;
      options.tolerance = 1e-14;
      options.most_iterations = most;
      cg_solver solver(*machine_, g, options);
      const auto x = solver.solve(b);
      ASSERT_FALSE(x.converged);
      ASSERT_EQ(x.iterations, most);
      // What it says of the iterate it returns is true, and no earlier one was better.
      ASSERT_NEAR(residual(a, x.x.span(), b), x.residual, 1e-6 * x.residual + 1e-9);
      if (most > 0) {
        options.most_iterations = most - 1;
        cg_solver shorter(*machine_, g, options);
        ASSERT_LE(x.residual, shorter.solve(b).residual * (1 + 1e-12));
      }
    }
}

TEST_P(CgOn, runs_exactly_as_often_as_asked) {
  const graph g = generate_matrix("poisson:4x4");
  const auto b = right_side(16);
  for (const char* engine : engines_of(*machine_)) {
    cg_options options = with_all_ranks();
    options.exactly = 60;  // far past convergence
    options.engine = engine;
    cg_solver solver(*machine_, g, options);
    const auto x = solver.solve(b);
    EXPECT_EQ(x.iterations, 60);
    EXPECT_FALSE(x.converged);
    EXPECT_LE(residual(dense(g), x.x.span(), b), 1e-12);
  }
}

TEST_P(CgOn, zero_right_side_gives_zero) {
  const graph g = generate_matrix("poisson:5");
  cg_solver solver(*machine_, g, {});
  const auto x = solver.solve(std::vector<double>(5), std::vector<double>(5, 1));
  EXPECT_TRUE(x.converged);
  for (const double value : x.x) EXPECT_EQ(value, 0);
}

TEST_P(CgOn, squares_that_underflow_are_refused) {
  const graph g = generate_matrix("poisson:5");
  cg_solver solver(*machine_, g, with_all_ranks());
  std::vector<double> b(5, 1e-300);
  EXPECT_EQ(message_of<input_error>([&] { solver.solve(b); }),
            g.name +
                ": the square of the right-hand side's norm underflowed (entries too small for "
                "double precision)");
  const auto found = verify_cg(g, b, std::vector<double>(5), 1e-8, 0, 0);
  EXPECT_FALSE(found.ok);
  EXPECT_EQ(found.reason,
            "the square of ||b|| underflows: its entries are too small for double precision");
  cg_options told = with_all_ranks();
  told.absolute = 1e-8;  // which does not underflow: x = 0 is within it
  EXPECT_TRUE(cg_solver(*machine_, g, told).solve(b).converged);
  EXPECT_TRUE(verify_cg(g, b, std::vector<double>(5), 1e-8, 1e-8, 0).ok);
  b.assign(5, 0);
  EXPECT_TRUE(verify_cg(g, b, b, 1e-8, 0, 0).ok);
  b.assign(5, 1e-150);
  EXPECT_TRUE(solver.solve(b).converged);
}

TEST_P(CgOn, negative_curvature_is_an_error_that_names_the_iteration) {
  // Positive diagonal, eigenvalues 3 and -1.
  const graph g = matrix_of(2, {{0, 0, 1}, {0, 1, 2}, {1, 0, 2}, {1, 1, 1}});
  const std::vector<double> b{1, -1};
  for (const char* engine : engines_of(*machine_)) {
    cg_options options = with_all_ranks();
    options.engine = engine;
    cg_solver solver(*machine_, g, options);
    EXPECT_EQ(message_of<input_error>([&] { solver.solve(b); }),
              "test: the matrix is not positive definite: p'Ap = -2 in iteration 0");
  }
}

INSTANTIATE_TEST_SUITE_P(machines, CgOn, ::testing::ValuesIn(machine_specs()),
                         testing_machines::spec_name<std::string>);

#ifndef GOSSAMER_TEST_GPU
TEST(Cg, refuses_what_it_cannot_solve) {
  auto m = machine::open("cpu:2x1");
  const auto refuse = [&](const graph& g) {
    return message_of<input_error>([&] { cg_solver(m, g, {}); });
  };
  EXPECT_EQ(refuse(matrix_of(2, {{0, 0, 1}, {0, 1, 2}, {1, 0, 3}, {1, 1, 1}})),
            "test: the matrix is not symmetric: entry (0, 1) is 2, entry (1, 0) is 3");
  EXPECT_EQ(refuse(matrix_of(2, {{0, 0, 1}, {1, 0, 3}, {1, 1, 1}})),
            "test: the matrix is not symmetric: entry (1, 0) is 3, entry (0, 1) is 0");
  EXPECT_EQ(refuse(matrix_of(2, {{0, 0, 1}, {1, 1, -1}})),
            "test: the matrix is not positive definite: entry (1, 1) is -1");
  EXPECT_EQ(refuse(matrix_of(2, {{0, 0, 1}})),
            "test: the matrix is not positive definite: entry (1, 1) is 0");
  EXPECT_EQ(refuse(matrix_of(1, {{0, 0, std::numeric_limits<double>::quiet_NaN()}})),
            "test: entry (0, 0) is nan");
  graph pattern = generate_matrix("poisson:3");
  pattern.weights = std::monostate();
  EXPECT_EQ(message_of<usage_error>([&] { cg_solver(m, pattern, {}); }),
            "poisson:3: has no values; conjugate gradient needs a matrix, not only its pattern");
  const graph g = generate_matrix("poisson:3");
  cg_solver solver(m, g, {});
  EXPECT_EQ(message_of<usage_error>([&] { solver.solve(std::vector<double>(2)); }),
            "cg: b has 2 entries, the matrix has 3 rows");
  EXPECT_EQ(message_of<input_error>([&] {
              solver.solve(std::vector<double>{1, NAN, 0});
            }),
            "cg: b[1] is NaN");
  EXPECT_EQ(message_of<input_error>([&] {
              solver.solve(std::vector<double>(3), std::vector<double>{1, 0, INFINITY});
            }),
            "cg: x0[2] is infinite");
  cg_options options = with_all_ranks();
  options.engine = "quick";
  EXPECT_EQ(message_of<usage_error>([&] { cg_solver(m, g, options); }),
            "cg: unknown engine 'quick' (there are auto, fused, published, library, "
            "single_kernel)");
  options = {};
  options.memory = 100;
  EXPECT_NE(message_of<capacity_error>([&] { cg_solver(m, g, options); }).find("direction vector"),
            std::string::npos);
}

TEST(Cg, engines_for_gpus_say_so) {
  const graph g = generate_matrix("poisson:4");
  auto m = machine::open("cpu:2x1");
  for (const std::string engine : {"single_kernel", "library"}) {
    cg_options options = with_all_ranks();
    options.engine = engine;
    const auto text = message_of<error>([&] { cg_solver(m, g, options); });
    EXPECT_EQ(text.find("engine '" + engine + "' of cg on CPU ranks: it runs on GPUs"), 0) << text;
  }
}

TEST(Cg, parallel_entries_add_up) {
  auto m = machine::open("cpu:2x1");
  const graph g = matrix_of(2, {{0, 0, 1}, {0, 0, 1}, {1, 1, 1.5}, {1, 1, 0.5}});
  cg_options options = with_all_ranks();
  options.jacobi = true;
  cg_solver solver(m, g, options);
  const auto x = solver.solve(std::vector<double>{2, 4});
  EXPECT_NEAR(x.x[0], 1, 1e-12);
  EXPECT_NEAR(x.x[1], 2, 1e-12);
}

TEST(Cg, verifier_finds_wrong_solutions) {
  const graph g = generate_matrix("poisson:10x10");
  auto m = machine::open("cpu:1x1");
  cg_options options = with_all_ranks();
  options.tolerance = 1e-8;
  const auto b = right_side(100);
  const auto x = cg_solver(m, g, options).solve(b);
  std::vector<double> wrong(x.x.begin(), x.x.end());
  EXPECT_TRUE(verify_cg(g, b, wrong, 1e-8, 0, x.iterations).ok);
  wrong[37] += 1e-6;
  EXPECT_FALSE(verify_cg(g, b, wrong, 1e-8, 0, x.iterations).ok);
  wrong[37] = NAN;
  EXPECT_FALSE(verify_cg(g, b, wrong, 1e-8, 0, x.iterations).ok);
  for (const double beyond : {1e200, static_cast<double>(INFINITY)}) {  // of a square
    wrong[37] = beyond;
    EXPECT_EQ(verify_cg(g, b, wrong, 1e-8, 0, x.iterations).reason,
              "||b - A x|| or its square is not finite");
  }
}

TEST(Cg, verifier_looks_at_a_stop) {
  const graph g = generate_matrix("poisson:10x10");
  const std::vector<double> b(100, 1);
  std::stop_source stop;
  EXPECT_FALSE(verify_cg(g, b, b, 0, 0, 0, 2, stop.get_token()).ok);
  stop.request_stop();
  EXPECT_EQ(message_of<cancelled_error>([&] { verify_cg(g, b, b, 0, 0, 0, 2, stop.get_token()); }),
            "verify_cg: stopped");
}

TEST(Cg, halo_is_chosen_where_it_moves_less) {
  auto m = machine::open("cpu:4x1");
  const graph mesh = generate_matrix("poisson:20x20"), full = generate_matrix("band:20:400");
  const auto solve = [&](const graph& g) {
    return cg_solver(m, g, {}).solve(right_side(g.vertices()));
  };
  const auto near = solve(mesh), far = solve(full);
  EXPECT_EQ(near.exchange, "halo");
  // Three cuts, each crossed by one grid line of 20 in both directions.
  EXPECT_EQ(near.bytes_per_iteration, 3 * 2 * 20 * 8);
  EXPECT_EQ(near.exchange_reason, "halo moves 960 bytes an iteration, allgather 9600");
  EXPECT_EQ(far.exchange, "allgather");
  EXPECT_EQ(far.bytes_per_iteration, 3 * 20 * 8);
}
#endif

}  // namespace
}  // namespace gossamer
