// Generated matrices: the entries asked for, symmetric, positive definite by dominance.
#include <gtest/gtest.h>

#include <cmath>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/matrices.hpp"

namespace gossamer {
namespace {

void expect_sound(const graph& g) {
  g.validate();
  EXPECT_TRUE(is_symmetric(g));
  const auto rows = g.view<vertex32>();
  const auto& values = std::get<shared_array<double>>(g.weights);
  for (std::int64_t i = 0; i < g.vertices(); ++i) {
    double diagonal = 0, others = 0;
    for (edge_offset k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      const double value = values[static_cast<std::size_t>(k)];
      (rows.indices[k] == i ? diagonal : others) += std::abs(value);
    }
    EXPECT_GE(diagonal, others) << "row " << i;
  }
}

TEST(Matrices, poisson) {
  const graph g = generate_matrix("poisson:4x3x2");
  EXPECT_EQ(g.vertices(), 24);
  // 7-point stencil less what a boundary cuts off: 2 (nx-1)ny nz + …
  EXPECT_EQ(g.arcs(), 24 + 2 * (3 * 3 * 2 + 4 * 2 * 2 + 4 * 3 * 1));
  expect_sound(g);
  EXPECT_EQ(generate_matrix("poisson:5").arcs(), 13);
  EXPECT_EQ(generate_matrix("poisson:1").arcs(), 1);
  expect_sound(generate_matrix("poisson:6x7"));
}

TEST(Matrices, band_has_exactly_the_entries_asked_for) {
  for (const std::int64_t n : {1, 2, 5, 17, 100})
    for (std::int64_t entries = n; entries <= n * n && entries < n + 400; entries += 2) {
      const graph g = generate_matrix("band:" + std::to_string(n) + ":" + std::to_string(entries));
      ASSERT_EQ(g.vertices(), n);
      ASSERT_EQ(g.arcs(), entries);
      expect_sound(g);
    }
  EXPECT_EQ(generate_matrix("band:10:11").arcs(), 12);  // pairs come in twos
}

TEST(Matrices, values_for_a_pattern) {
  graph pattern = generate_matrix("poisson:5x5");
  pattern.weights = std::monostate();
  const graph g = with_values(pattern);
  expect_sound(g);
  EXPECT_EQ(g.arcs(), pattern.arcs());
  edge_chunks<vertex32> input;
  input.vertices = 2;
  shared_array<edge<vertex32>> edges(1);
  edges[0] = {0, 1};
  input.edges = {edges};
  graph open = build_csr(std::move(input), {});
  open.name = "open";
  try {
    with_values(open);
    FAIL();
  } catch (const input_error& e) {
    EXPECT_STREQ(e.what(), "open: the pattern is not symmetric");
  }
}

TEST(Matrices, bad_specs) {
  const auto message = [](const char* spec, std::int64_t memory = 0) -> std::string {
    try {
      generate_matrix(spec, memory);
    } catch (const error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message("poisson:4x"),
            "matrix 'poisson:4x': '' is not a number (poisson:NX[xNY[xNZ]], for example "
            "poisson:64x64x64, or band:ROWS:NON_ZEROS[:SEED], for example band:9000:3279690)");
  EXPECT_NE(message("poisson:0").find("a side is 0"), std::string::npos);
  EXPECT_NE(message("poisson:1x1x1x1").find("wrong number of fields"), std::string::npos);
  EXPECT_NE(message("poisson:70000x70000").find("more than 2147483647 rows"), std::string::npos);
  EXPECT_NE(message("band:5:26").find("between ROWS and"), std::string::npos);
  EXPECT_NE(message("band:5:4").find("between ROWS and"), std::string::npos);
  EXPECT_NE(message("poisson:100x100", 1000).find("the limit is"), std::string::npos);
}

}  // namespace
}  // namespace gossamer
