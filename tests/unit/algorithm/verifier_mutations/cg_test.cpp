// Solutions of linear systems, altered; and residuals that lie on the bound.
#include <cmath>

#include "gossamer/algorithm/cg.hpp"
#include "gossamer/graph/matrices.hpp"
#include "trials.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* solution_kinds[] = {
    "an entry changed",      "two entries swapped", "an entry of another", "an entry that is none",
    "an entry out of range", "an entry's sign",     "all entries scaled"};
constexpr const char* matrices[] = {"poisson:30",  "poisson:6x7",  "poisson:3x4x5",
                                    "band:40:200", "band:25:75:2", "poisson:1"};

/// A x = b, entry by entry.
class linear_system {
 public:
  linear_system(const graph& matrix, random_numbers& random)
      : n(static_cast<std::size_t>(matrix.vertices())), b(n), rows_(n) {
    std::visit(
        [&](const auto& w) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(w)>, std::monostate>) {
            const arc_set entries(matrix);
            for (std::size_t k = 0; k < entries.arcs.size(); ++k)
              rows_[static_cast<std::size_t>(entries.arcs[k].first)].emplace_back(
                  static_cast<std::size_t>(entries.arcs[k].second), w[k]);
          }
        },
        matrix.weights);
    for (double& value : b) value = 2 * random.unit() - 1;
  }

  struct norms {
    long double residual = 0, size = 0, right = 0;
  };
  [[nodiscard]] norms of(const std::vector<double>& x) const {
    norms found;
    for (std::size_t i = 0; i < n; ++i) {
      long double rest = b[i], size = std::abs(b[i]);
      for (const auto& [j, a] : rows_[i]) {
        rest -= a * static_cast<long double>(x[j]);
        size += std::abs(a * static_cast<long double>(x[j]));
      }
      found.residual += rest * rest;
      found.size += size * size;
      found.right += static_cast<long double>(b[i]) * b[i];
    }
    return {std::sqrt(found.residual), std::sqrt(found.size), std::sqrt(found.right)};
  }

  /// By Gauss's elimination of the whole matrix.
  [[nodiscard]] std::vector<double> solution() const {
    std::vector<std::vector<long double>> a(n, std::vector<long double>(n + 1, 0));
    for (std::size_t i = 0; i < n; ++i) {
      for (const auto& [j, value] : rows_[i]) a[i][j] += value;
      a[i][n] = b[i];
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = i + 1; k < n; ++k) {
        const long double by = a[k][i] / a[i][i];
        for (std::size_t j = i; by != 0 && j <= n; ++j) a[k][j] -= by * a[i][j];
      }
    std::vector<double> x(n);
    for (std::size_t i = n; i-- > 0;) {
      long double rest = a[i][n];
      for (std::size_t j = i + 1; j < n; ++j) rest -= a[i][j] * x[j];
      x[i] = static_cast<double>(rest / a[i][i]);
    }
    return x;
  }

  std::size_t n;
  std::vector<double> b;

 private:
  std::vector<std::vector<std::pair<std::size_t, long double>>> rows_;
};

void alter_solution(int kind, std::vector<double>& x, double allowed, random_numbers& random) {
  const auto n = static_cast<std::int64_t>(x.size());
  const auto v = static_cast<std::size_t>(random.below(n)),
             w = static_cast<std::size_t>(random.below(n));
  const double much = allowed * std::pow(10.0, 8 * random.unit() - 2);
  switch (kind) {
    case 0:
      x[v] += random.below(2) == 0 ? much : -much;
      break;
    case 1:
      std::swap(x[v], x[w]);
      break;
    case 2:
      x[v] = x[w];
      break;
    case 3:
      x[v] = random.below(2) == 0 ? std::numeric_limits<double>::infinity()
                                  : std::numeric_limits<double>::quiet_NaN();
      break;
    case 4:
      x[v] = (random.below(2) == 0 ? 1 : -1) * std::pow(10.0, 100 + 200 * random.unit());
      break;
    case 5:
      x[v] = -x[v];
      break;
    default:
      for (double& value : x) value *= 1 + much;
  }
}

TEST(VerifierMutations, OfSolutions) {
  tally counted("verify_cg");
  for (const char* kind : solution_kinds) counted.expect_kind(kind);
  for (std::uint64_t round = 0; !counted.done(); ++round)
    for (const char* spec : matrices) {
      const graph matrix = generate_matrix(spec);
      random_numbers random(round);
      const linear_system s(matrix, random);
      const auto want = s.solution();
      const double tolerance = std::pow(10.0, -3 - 9 * random.unit());
      const std::int64_t iterations = random.below(300);
      const double about = verify_cg(matrix, s.b, want, tolerance, 0, iterations, 1).allowed;
      for (int i = 0; i < 100; ++i) {
        const int kind = static_cast<int>(random.below(std::size(solution_kinds)));
        auto x = want;
        alter_solution(kind, x, about, random);
        const auto norms = s.of(x);
        const long double allowed =
            tolerance * norms.right + (iterations + 10) * 0x1p-52L * norms.size;
        std::optional<bool> wrong;
        if (!(norms.residual <= allowed * (1 + 1e-9L)))
          wrong = true;
        else if (norms.residual < allowed * (1 - 1e-9L))
          wrong = false;
        const auto found = verify_cg(matrix, s.b, x, tolerance, 0, iterations, 1);
        counted.count(solution_kinds[kind], spec, wrong, {found.ok, found.reason});
      }
    }
}

TEST(VerifierMutations, OfSolutionsAtTheBound) {
  tally counted("verify_cg, an ulp beyond the bound");
  for (std::uint64_t round = 0; !counted.done(); ++round)
    for (const char* spec : matrices) {
      const graph matrix = generate_matrix(spec);
      random_numbers random(round);
      const linear_system s(matrix, random);
      const auto want = s.solution();
      for (int i = 0; i < 40; ++i) {
        auto x = want;
        x[static_cast<std::size_t>(random.below(matrix.vertices()))] += random.unit() + 0.1;
        // `absolute` is what is allowed, but for rounding.
        const auto passes = [&](double absolute) {
          const auto found = verify_cg(matrix, s.b, x, 0, absolute, 0, 1);
          return std::pair(found, verification{found.ok, found.reason});
        };
        const double residual = passes(0).first.residual;
        EXPECT_NEAR(residual, static_cast<double>(s.of(x).residual), 1e-13 * residual);
        double a = residual - passes(0).first.allowed;
        while (passes(a).first.allowed < residual) a = std::nextafter(a, 1e9);
        while (passes(std::nextafter(a, 0.0)).first.allowed >= residual) a = std::nextafter(a, 0.0);
        counted.count("an ulp inside", spec, false, passes(a).second);
        counted.count("an ulp beyond", spec, true, passes(std::nextafter(a, 0.0)).second);
      }
    }
}

}  // namespace
}  // namespace gossamer
