// Generated matrices: the entries asked for, symmetric, positive definite by dominance.
#include <gtest/gtest.h>

#include <cmath>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/matrices.hpp"
#include "message_of.hpp"
#include "unit/graph/sample_graphs.hpp"

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

TEST(Matrices, do_not_depend_on_threads) {
  for (const char* spec : {"poisson:70x60x50", "band:3000:400001:7"}) {
    generate_options options;
    options.threads = 1;
    const graph one = generate_matrix(spec, options);
    one.validate();
    EXPECT_EQ(test::bytes_of(generate(parse_generator(spec), options)), test::bytes_of(one));
    const graph values = with_values(one, 3, 1);
    for (const int threads : {2, 3}) {
      options.threads = threads;
      EXPECT_EQ(test::bytes_of(generate_matrix(spec, options)), test::bytes_of(one)) << spec;
      EXPECT_EQ(test::bytes_of(with_values(one, 3, threads)), test::bytes_of(values)) << spec;
    }
  }
}

TEST(Matrices, are_planned_exactly) {
  for (const char* text : {"poisson:1", "poisson:9", "poisson:4x3x2", "band:50:777", "band:3:9"}) {
    const generator_spec spec = parse_generator(text);
    const generator_plan plan = plan_generate(spec, {});
    const graph g = generate(spec);
    EXPECT_TRUE(plan.exact);
    EXPECT_EQ(plan.vertices, g.vertices());
    EXPECT_EQ(plan.arcs_bound, g.arcs()) << text;
    EXPECT_EQ(plan.host_bytes, 8 * (g.vertices() + 1) + 12 * g.arcs());
  }
  EXPECT_EQ(plan_generate(parse_generator("poisson:4x3x2"), {}).text(),
            "24 vertices, 116 arcs; host 1.6 KiB");
}

TEST(Matrices, keep_their_values_whatever_weights_are_asked_for) {
  generate_options options;
  options.weights = true;
  options.keep_duplicates = true;
  options.device = 99;  // matrices are made on the CPU
  const graph g = generate(parse_generator("poisson:6x5"), options);
  EXPECT_EQ(test::bytes_of(g), test::bytes_of(generate_matrix("poisson:6x5")));
  EXPECT_EQ(g.weight_source, "generated: Laplacian");
  EXPECT_EQ(generate_matrix("band:9:21:5").weight_source, "generated: diagonally dominant, seed 5");
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
  const auto message = [](const char* spec) {
    return message_of<usage_error>([&] { generate_matrix(spec); });
  };
  EXPECT_EQ(message("poisson:4x"),
            "generator 'poisson:4x': NY '' is not a whole number (form: poisson:NX[xNY[xNZ]], for "
            "example poisson:64x64x64)");
  EXPECT_NE(message("poisson:0").find("NX must be 1 to"), std::string::npos);
  EXPECT_NE(message("poisson:1x1x1x1").find("more than three sides"), std::string::npos);
  EXPECT_NE(message("poisson:70000x70000").find("more than 2147483647 rows"), std::string::npos);
  EXPECT_NE(message("poisson:4:1").find("too many fields"), std::string::npos);
  EXPECT_NE(message("band:5").find("NON_ZEROS is missing"), std::string::npos);
  EXPECT_NE(message("band:5:26").find("NON_ZEROS must be 5 to 25, not 26"), std::string::npos);
  EXPECT_NE(message("band:5:4").find("NON_ZEROS must be 5 to 25, not 4"), std::string::npos);
  EXPECT_EQ(message("kron:4"),
            "generator 'kron:4' makes no matrix (poisson: and band: do, for example "
            "poisson:64x64x64)");
  generate_options options;
  options.memory = 1000;
  EXPECT_EQ(message_of<capacity_error>([&] { generate_matrix("poisson:100x100", options); }),
            "poisson:100x100 does not fit: 10000 vertices, 49600 arcs; host 659.4 KiB; the limit "
            "is 1000 B (--memory)");
}

TEST(Matrices, have_no_list_of_edges) {
  const generator_spec spec = parse_generator("poisson:3");
  const std::string text = "poisson:3 is a matrix: it has no list of edges";
  EXPECT_EQ(message_of<usage_error>([&] { make_edge_maker(spec); }), text);
  EXPECT_EQ(message_of<usage_error>([&] { generate_edges(spec, 0, 1); }), text);
}

}  // namespace
}  // namespace gossamer
