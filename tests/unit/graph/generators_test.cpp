// Generators: specs, plans, thread-count independence, and each family's own properties.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "gossamer/base/shown.hpp"
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
            "kron:SCALE[:EDGEFACTOR[:SEED[:degree]]], for example kron:20)");
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
                          "bush:5",
                          "kron:99999999999999999999"})
    EXPECT_NE(message_of<usage_error>([&] { parse_generator(bad); }).find("for example"),
              std::string::npos)
        << bad;
}

TEST(Generate, DoesNotDependOnThreads) {
  for (const char* spec :
       {"kron:15", "kron:12:5:3", "uniform:14:4", "grid:100x37", "road:150", "star:5000",
        "path:5000", "tree:7:3", "cliques:50x21", "lollipop:90x3000", "bipartite:60x2000:9:3",
        "small-world:3000:8:50:2", "mesh:17x9x12", "preferential:3000:5:4", "geometric:5000:9:2",
        "web:5000:9:3"})
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
  for (const char* spec : {"star:1", "path:1", "tree:0", "cliques:1x1", "mesh:1x1x1",
                           "small-world:1:0:500", "preferential:1:1"}) {
    EXPECT_EQ(make(spec).vertices(), 1) << spec;
    EXPECT_EQ(make(spec).arcs(), 0) << spec;
  }
  EXPECT_EQ(make("lollipop:1x1").arcs(), 2);
  EXPECT_EQ(make("bipartite:1x1:0").arcs(), 0);
}

TEST(Generate, PlansForGpusGraphsWithoutEdges) {
  generate_options there;
  there.device = 0;
  for (const char* spec : {"cliques:1x1", "path:1", "kron:4"})
    for (const std::int64_t free : {std::int64_t{0}, std::int64_t{1} << 40})
      EXPECT_EQ(plan_generate(parse_generator(spec), there, free).device_passes, 1) << spec;
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
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    EXPECT_NEAR(static_cast<double>(g.degree(v)), 128, 7 * 11.4);
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
  EXPECT_NEAR(static_cast<double>(g.arcs()) / 2, 0.62 * candidates,
              6 * std::sqrt(candidates * 0.62 * 0.38));
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

/// How many vertices have so many arcs.
std::map<std::int64_t, std::int64_t> degrees(const graph& g) {
  std::map<std::int64_t, std::int64_t> count;
  for (std::int64_t v = 0; v < g.vertices(); ++v) ++count[g.degree(v)];
  return count;
}
using counts = std::map<std::int64_t, std::int64_t>;

TEST(Families, StarsPathsAndTrees) {
  EXPECT_EQ(degrees(make("star:100")), (counts{{1, 99}, {99, 1}}));
  EXPECT_EQ(degrees(make("path:100")), (counts{{1, 2}, {2, 98}}));
  const graph tree = make("tree:3:3");
  EXPECT_EQ(tree.vertices(), 1 + 3 + 9 + 27);
  EXPECT_EQ(degrees(tree), (counts{{3, 1}, {4, 12}, {1, 27}}));
  for (const auto& [u, v, w] : test::stored_arcs(tree))
    EXPECT_EQ(std::min(u, v), (std::max(u, v) - 1) / 3);
  EXPECT_EQ(make("tree:5").vertices(), 63);
}

TEST(Families, Cliques) {
  for (const std::int64_t size : {2, 5, 6}) {  // rings of odd and even length
    const graph g = make(("cliques:4x" + std::to_string(size)).c_str());
    EXPECT_EQ(g.vertices(), 4 * size);
    EXPECT_EQ(g.arcs(), 4 * size * (size - 1) + 2 * 3);
    for (const auto& [u, v, w] : test::stored_arcs(g)) {
      const bool inside = u / size == v / size;
      const auto low = std::min(u, v), high = std::max(u, v);
      EXPECT_TRUE(inside || (high == low + 1 && high % size == 0));
    }
  }
  const graph lollipop = make("lollipop:7x20");
  EXPECT_EQ(lollipop.vertices(), 27);
  EXPECT_EQ(degrees(lollipop), (counts{{6, 6}, {7, 1}, {2, 19}, {1, 1}}));
}

TEST(Families, Bipartite) {
  const graph g = make("bipartite:100x3000:40");
  EXPECT_EQ(g.arcs(), 2 * 3000 * 40);  // a leaf's hubs differ
  for (std::int64_t v = 100; v < g.vertices(); ++v) EXPECT_EQ(g.degree(v), 40);
  // A hub has 1,200 leaves in the mean, binomially.
  for (std::int64_t v = 0; v < 100; ++v)
    EXPECT_NEAR(static_cast<double>(g.degree(v)), 1200, 6 * 26.9);
  for (const auto& [u, v, w] : test::stored_arcs(g)) EXPECT_NE(u < 100, v < 100);
}

TEST(Families, SmallWorld) {
  EXPECT_EQ(degrees(make("small-world:100:6:0")), (counts{{6, 100}}));
  const graph g = make("small-world:20000:10:100");
  std::int64_t far = 0;
  for (const auto& [u, v, w] : test::stored_arcs(g)) {
    const std::int64_t along = std::abs(u - v);
    far += std::min(along, 20000 - along) > 5;
  }
  // A tenth of 100,000 edges, less the few that lead to near ones.
  EXPECT_NEAR(static_cast<double>(far) / 2, 10000, 6 * std::sqrt(9000.0));
  EXPECT_NEAR(static_cast<double>(g.arcs()) / 2, 100000, 60);
}

TEST(Families, Mesh) {
  const graph g = make("mesh:5x4x3");
  EXPECT_EQ(g.vertices(), 60);
  EXPECT_EQ(g.arcs(), 2 * (4 * 4 * 3 + 5 * 3 * 3 + 5 * 4 * 2));
  for (const auto& [u, v, w] : test::stored_arcs(g)) {
    const auto away = [](std::int64_t a, std::int64_t b) { return std::abs(a - b); };
    EXPECT_EQ(away(u % 5, v % 5) + away(u / 5 % 4, v / 5 % 4) + away(u / 20, v / 20), 1);
  }
}

TEST(Families, Preferential) {
  const graph g = make("preferential:20000:4");
  for (const auto& [u, v, w] : test::stored_arcs(g)) EXPECT_NE(u, v);
  // Degrees fall with age: the oldest have some M * sqrt(n / age).
  std::int64_t oldest = 0, middle = 0;
  for (std::int64_t v = 0; v < 20; ++v) oldest += g.degree(v);
  for (std::int64_t v = 10000; v < 10020; ++v) middle += g.degree(v);
  EXPECT_GT(oldest, 10 * middle);
  EXPECT_GT(g.arcs(), 2 * 4 * 20000 * 95 / 100);
}

TEST(Families, Geometric) {
  const graph g = make("geometric:40000:12");
  const generator_spec spec = parse_generator("geometric:40000:12");
  EXPECT_EQ(g.vertices(), 40000);
  // Twelve in the mean but for the borders, which some three in a hundred points are near to.
  EXPECT_NEAR(static_cast<double>(g.arcs()) / 40000, 12 * 0.98, 0.3);
  EXPECT_LE(g.arcs(), plan_generate(spec, {}).arcs_bound);
  // Neighbours lie in the same cell or in one that touches it.
  for (const auto& [u, v, w] : test::stored_arcs(g)) {
    const std::int64_t a = u / 5, b = v / 5;
    EXPECT_LE(std::abs(a % 90 - b % 90), 1);
    EXPECT_LE(std::abs(a / 90 - b / 90), 1);
  }
  EXPECT_EQ(make("geometric:50:0").arcs(), 0);
  EXPECT_EQ(make("geometric:1:9").arcs(), 0);
}

TEST(Families, Web) {
  const graph g = make("web:100000:10");
  EXPECT_EQ(g.vertices(), 100000);
  std::int64_t longest = 0, near = 0, uneven = 0;
  for (std::int64_t v = 0; v < g.vertices(); ++v) {
    longest = std::max(longest, g.degree(v));
    const std::int64_t next = v + 1 < g.vertices() ? g.degree(v + 1) : g.degree(v);
    uneven += g.degree(v) >= 4 * next || next >= 4 * g.degree(v);
  }
  for (const auto& [u, v, w] : test::stored_arcs(g)) near += std::abs(u - v) <= 64 * 9;
  // Hubs, rows of very different length side by side, and mostly near neighbours.
  EXPECT_GT(longest, 1000);
  EXPECT_GT(uneven, 100000 / 20);
  EXPECT_GT(near, g.arcs() * 8 / 10);
  EXPECT_LT(near, g.arcs() * 99 / 100);
  EXPECT_EQ(make("web:1:9").arcs(), 0);
}

TEST(Generate, OrdersByDegree) {
  generate_options o;
  o.weights = true;
  const graph g = generate(parse_generator("kron:10:8:3:degree"), o);
  const graph plain = generate(parse_generator("kron:10:8:3"), o);
  EXPECT_EQ(g.name, "kron:10:8:3:degree");
  EXPECT_EQ(g.names.name(5), 5);
  EXPECT_TRUE(g.symmetric);
  std::vector<std::int64_t> degrees(1024), sorted(1024);
  for (std::int64_t v = 0; v < 1024; ++v) {
    degrees[v] = g.degree(v);
    sorted[v] = plain.degree(v);
  }
  std::ranges::stable_sort(sorted, std::ranges::greater{});
  EXPECT_EQ(degrees, sorted);
  for (const auto& [u, v, w] : test::stored_arcs(g))
    ASSERT_EQ(w, static_cast<double>(symmetric_weight(u, v, 3)));
  const auto spec = parse_generator("kron:10:8:3:degree");
  EXPECT_EQ(message_of<usage_error>([&] { generate_edges(spec, 0, 9); }),
            "kron:10:8:3:degree is in degree order: it has no list of edges");
  EXPECT_EQ(message_of<usage_error>([] { parse_generator("kron:10:8:3:size"); }),
            "generator 'kron:10:8:3:size': behind SEED stands degree or nothing (form: "
            "kron:SCALE[:EDGEFACTOR[:SEED[:degree]]], for example kron:20)");
}

TEST(GeneratorSpec, IsShownOnOneLine) {
  for (const std::string start :
       {"", "kron:", "kron:4:", "road:4:", "grid:", "small-world:9:3", "kron:4:4:4:"}) {
    const auto text = message_of<usage_error>(
        [&] { parse_generator(start + "\n\x1b" + std::string(10000, 'x')); });
    EXPECT_LT(text.size(), 1200u) << start;
    EXPECT_TRUE(prints(text)) << text;
  }
}

TEST(Families, SayWhatIsWrong) {
  const auto complaint = [](const char* spec) {
    const auto text = message_of<usage_error>([&] { parse_generator(spec); });
    return text.substr(0, text.find(" (form"));
  };
  EXPECT_EQ(complaint("star:0"), "generator 'star:0': N must be 1 to 1099511627776, not 0");
  EXPECT_EQ(complaint("star:5:1"), "generator 'star:5:1': too many fields");
  EXPECT_EQ(complaint("tree:40:9"), "generator 'tree:40:9': more than 1099511627776 vertices");
  EXPECT_EQ(complaint("cliques:5"), "generator 'cliques:5': no x behind COUNT");
  EXPECT_EQ(complaint("cliques:5x6x7"), "generator 'cliques:5x6x7': too many numbers behind SIZE");
  EXPECT_EQ(complaint("cliques:0x5"),
            "generator 'cliques:0x5': COUNT must be 1 to 1073741824, not 0");
  EXPECT_EQ(complaint("cliques:1000000x1000000"),
            "generator 'cliques:1000000x1000000': more than 281474976710656 edges");
  EXPECT_EQ(complaint("mesh:4x4"), "generator 'mesh:4x4': no x behind Y");
  EXPECT_EQ(complaint("mesh:99999999x99999999x9"),
            "generator 'mesh:99999999x99999999x9': more than 1099511627776 vertices");
  EXPECT_EQ(complaint("grid:1073741824x1025"),
            "generator 'grid:1073741824x1025': more than 1099511627776 vertices");
  EXPECT_EQ(complaint("road:1048577"),
            "generator 'road:1048577': more than 1099511627776 vertices");
  EXPECT_EQ(complaint("bipartite:10x10"), "generator 'bipartite:10x10': DEGREE is missing");
  EXPECT_EQ(complaint("bipartite:10x10:11"),
            "generator 'bipartite:10x10:11': DEGREE must be 0 to 10, not 11");
  EXPECT_EQ(complaint("small-world:10"), "generator 'small-world:10': K and PER_MILLE are needed");
  EXPECT_EQ(complaint("small-world:10:3:5"),
            "generator 'small-world:10:3:5': K must be even, not 3");
  EXPECT_EQ(complaint("small-world:10:10:5"),
            "generator 'small-world:10:10:5': K must be less than N");
  EXPECT_EQ(complaint("small-world:10:4:1001"),
            "generator 'small-world:10:4:1001': PER_MILLE must be 0 to 1000, not 1001");
  EXPECT_EQ(complaint("preferential:10"), "generator 'preferential:10': M is missing");
  EXPECT_EQ(complaint("web:0:5"), "generator 'web:0:5': N must be 1 to 1099511627776, not 0");
  EXPECT_EQ(complaint("geometric:10"), "generator 'geometric:10': DEGREE is missing");
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
