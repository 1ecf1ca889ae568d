// Generators: specs, plans, thread-count independence, and each family's own properties.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gossamer/graph/generators.hpp"
#include "message_of.hpp"
#include "unit/graph/sample_graphs.hpp"

namespace gossamer {
namespace {

graph make(const char* spec, generate_options o = {}) {
  return generate(parse_generator(spec), o);
}

TEST(GeneratorSpec, ReadsEveryField) {
  const auto k = parse_generator("kron:20:8:42");
  EXPECT_EQ(k.scale, 20);
  EXPECT_EQ(k.edge_factor, 8);
  EXPECT_EQ(k.seed, 42u);
  EXPECT_EQ(k.vertices(), 1 << 20);
  EXPECT_EQ(k.candidates(), 8 << 20);
  const auto g = parse_generator("grid:5x3");
  EXPECT_EQ(g.vertices(), 15);
  EXPECT_EQ(g.candidates(), 22);
  EXPECT_EQ(parse_generator("road:10").keep, 2662879723u);  // floor(0.62 * 2^32)
  EXPECT_EQ(parse_generator("road:10:1").keep, std::uint64_t{1} << 32);
  EXPECT_EQ(parse_generator("road:10:0.5").keep, std::uint64_t{1} << 31);
}

TEST(GeneratorSpec, RecognisesGenerators) {
  EXPECT_TRUE(is_generator("kron:20"));
  EXPECT_TRUE(is_generator("grid:junk"));
  EXPECT_TRUE(is_generator("poisson:4x4"));
  EXPECT_TRUE(is_generator("band:"));
  EXPECT_FALSE(is_generator("kron"));
  EXPECT_FALSE(is_generator("kron20.mtx"));
  EXPECT_FALSE(is_generator(""));
}

TEST(GeneratorSpec, RefusesWithAnExample) {
  EXPECT_EQ(message_of<usage_error>([] { parse_generator("kron:x"); }),
            "generator 'kron:x': SCALE 'x' is not a whole number (form: "
            "kron:SCALE[:EDGEFACTOR[:SEED]], for example kron:20)");
  for (const char* bad : {"",
                          "kron",
                          "kron:",
                          "kron:41",
                          "kron:-1",
                          "kron:10:",
                          "kron:10:16:1:1",
                          "kron:10:16:-1",
                          "kron:1e3",
                          "uniform:99",
                          "grid:5",
                          "grid:0x5",
                          "grid:5x",
                          "grid:5x5:1",
                          "road:0",
                          "road:10:1.1",
                          "road:10:x",
                          "road:10:.",
                          "road:10:-0.5",
                          "road:10:0.5:x",
                          "poisson:",
                          "poisson:4x0",
                          "poisson:4x4x4x4",
                          "poisson:4:1",
                          "band:4",
                          "band:0:0",
                          "band:4:17",
                          "band:4:8:-1",
                          "band:4:8:1:1",
                          "tree:5",
                          "kron:99999999999999999999"})
    EXPECT_NE(message_of<usage_error>([&] { parse_generator(bad); }).find("for example"),
              std::string::npos)
        << bad;
}

TEST(Generate, DoesNotDependOnThreads) {
  for (const char* spec : {"kron:15", "kron:12:5:3", "uniform:14:4", "grid:100x37", "road:150"})
    for (const bool keep : {false, true}) {
      generate_options o;
      o.weights = true;
      o.keep_duplicates = keep;
      o.threads = 1;
      const graph one = make(spec, o);
      ASSERT_NO_THROW(one.validate()) << spec;
      for (const int threads : {2, 3}) {
        o.threads = threads;
        EXPECT_EQ(test::bytes_of(make(spec, o)), test::bytes_of(one)) << spec;
      }
    }
}

TEST(Generate, SeedsDiffer) {
  EXPECT_NE(test::bytes_of(make("kron:8:16:1")), test::bytes_of(make("kron:8:16:2")));
  EXPECT_EQ(test::bytes_of(make("kron:8")), test::bytes_of(make("kron:8:16:1")));
}

TEST(Generate, SmallestSpecs) {
  EXPECT_EQ(make("kron:0").vertices(), 1);
  EXPECT_EQ(make("kron:0").arcs(), 0);
  EXPECT_EQ(make("kron:4:0").arcs(), 0);
  EXPECT_EQ(make("uniform:0").arcs(), 0);
  EXPECT_EQ(make("grid:1x1").arcs(), 0);
  EXPECT_EQ(make("road:1").arcs(), 0);
}

TEST(Generate, CountsWhatItDropped) {
  generate_options keep;
  keep.keep_duplicates = true;
  const graph all = make("kron:10", keep), simple = make("kron:10");
  std::int64_t loops = 0;
  for (const auto& [u, v, w] : test::stored_arcs(all)) loops += u == v;
  EXPECT_EQ(all.arcs() + loops, 2 * 16 * 1024);
  EXPECT_EQ(simple.steps[1], "removed " + std::to_string(loops) + " self-loops");
  EXPECT_EQ(simple.steps[2],
            "removed " + std::to_string(all.arcs() - loops - simple.arcs()) + " duplicate arcs");
}

// The quadrants as Graph500 states them, measured before vertices are permuted.
TEST(Kronecker, QuadrantsFollowTheSpecification) {
  const auto spec = parse_generator("kron:2:1:7");
  edge_maker maker = make_edge_maker(spec);
  std::array<std::uint64_t, 4> back{};
  for (std::uint64_t x = 0; x < 4; ++x) back[maker.relabel(x)] = x;
  constexpr int edges = 200000;
  std::array<std::array<int, 4>, 2> seen{};
  for (int k = 0; k < edges; ++k) {
    const generated e = generated_edge(maker, k);
    const auto u = back[e.source], v = back[e.target];
    for (int level = 0; level < 2; ++level) ++seen[level][2 * (u >> level & 1) + (v >> level & 1)];
  }
  constexpr std::array<double, 4> expected = {0.57, 0.19, 0.19, 0.05};
  for (int level = 0; level < 2; ++level)
    for (int q = 0; q < 4; ++q)
      EXPECT_NEAR(seen[level][q], edges * expected[q],
                  6 * std::sqrt(edges * expected[q] * (1 - expected[q])))
          << level << q;
}

TEST(Uniform, EndsAreUniform) {
  generate_options keep;
  keep.keep_duplicates = true;
  const graph g = make("uniform:10:64", keep);
  // Degrees are Poisson with mean 128.
  for (std::int64_t v = 0; v < g.vertices(); ++v) EXPECT_NEAR(g.degree(v), 128, 7 * 11.4);
}

TEST(Grid, IsAGrid) {
  const graph g = make("grid:7x4");
  std::int64_t arcs = 0;
  for (const auto& [u, v, w] : test::stored_arcs(g)) {
    ++arcs;
    EXPECT_EQ(std::abs(u % 7 - v % 7) + std::abs(u / 7 - v / 7), 1);
  }
  EXPECT_EQ(arcs, 2 * (6 * 4 + 7 * 3));
  EXPECT_FALSE(g.weighted());
}

TEST(Road, KeepsTheShareOfAGrid) {
  const graph g = make("road:200");
  const double candidates = 2.0 * 200 * 199;
  EXPECT_NEAR(g.arcs() / 2.0, 0.62 * candidates, 6 * std::sqrt(candidates * 0.62 * 0.38));
  EXPECT_TRUE(g.weighted());
  EXPECT_EQ(g.weight_source.rfind("generated: ", 0), 0u);
  for (const auto& [u, v, w] : test::stored_arcs(g)) ASSERT_EQ(w, symmetric_weight(u, v, 1));
  EXPECT_EQ(make("road:20:0").arcs(), 0);
  EXPECT_EQ(make("road:20:1").arcs(), make("grid:20x20").arcs());
}

TEST(Road, NamesWhatIsNoShare) {
  const auto complaint = [](const char* spec) {
    const auto text = message_of<usage_error>([&] { parse_generator(spec); });
    return text.substr(0, text.find(" (form"));
  };
  EXPECT_EQ(complaint("road:20:1.5"), "generator 'road:20:1.5': KEEP must be 0 to 1, not 1.5");
  EXPECT_EQ(complaint("road:20:2"), "generator 'road:20:2': KEEP must be 0 to 1, not 2");
  EXPECT_EQ(complaint("road:20:x"),
            "generator 'road:20:x': KEEP 'x' is not a number of at most 9 decimals");
  EXPECT_EQ(complaint("road:20:."), "generator 'road:20:.': KEEP '.' is not a number");
}

TEST(GenerateEdges, PartsMakeTheWhole) {
  const auto spec = parse_generator("road:30");
  std::vector<std::pair<std::int64_t, std::int64_t>> whole, parts;
  const auto add = [](auto& to, const auto& edges) {
    for (const auto& e : edges) to.emplace_back(e.source, e.target);
  };
  add(whole, generate_edges(spec, 0, spec.candidates()));
  for (std::int64_t at = 0; at < spec.candidates(); at += 77)
    add(parts, generate_edges(spec, at, std::min(at + 77, spec.candidates())));
  EXPECT_EQ(parts, whole);
  EXPECT_EQ(2 * static_cast<std::int64_t>(whole.size()), make("road:30").arcs());
  EXPECT_THROW(generate_edges(spec, 5, spec.candidates() + 1), usage_error);
}

TEST(Plan, BoundsWhatIsMade) {
  for (const char* spec : {"kron:12", "uniform:12", "grid:50x60", "road:100"}) {
    const auto parsed = parse_generator(spec);
    generate_options o;
    o.keep_duplicates = true;
    EXPECT_LE(generate(parsed, o).arcs(), plan_generate(parsed, o).arcs_bound) << spec;
  }
}

TEST(Plan, RefusesBeforeAllocating) {
  generate_options o;
  o.memory = 1 << 30;
  const auto text = message_of<capacity_error>([&] { make("kron:30", o); });
  EXPECT_NE(text.find("kron:30 does not fit: 1073741824 vertices, 17179869184 generated edges"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("the limit is 1.0 GiB"), std::string::npos) << text;
}

TEST(Generate, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  generate_options o;
  o.stop = source.get_token();
  EXPECT_THROW(make("kron:16", o), cancelled_error);
}

}  // namespace
}  // namespace gossamer
