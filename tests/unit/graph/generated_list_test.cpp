// The edge list apart from its graph: the same graph, and counts of the list itself.
#include "gossamer/graph/generated_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace gossamer {
namespace {

TEST(GeneratedList, BecomesTheGraphThatGenerateMakes) {
  for (const char* text :
       {"kron:9:8:3", "uniform:8:4", "grid:7x5", "road:30", "cliques:7x6", "preferential:90:4"}) {
    const generator_spec spec = parse_generator(text);
    for (const int threads : {1, 3}) {
      generate_options options;
      options.threads = threads;
      const graph whole = generate(spec, options);
      const graph built = build_list(generated_list(spec, options), options);
      EXPECT_EQ(built.name, whole.name);
      EXPECT_EQ(built.steps, whole.steps);
      EXPECT_EQ(built.symmetric, whole.symmetric);
      EXPECT_EQ(built.weight_source, whole.weight_source);
      EXPECT_TRUE(std::ranges::equal(built.offsets, whole.offsets));
      EXPECT_TRUE(std::ranges::equal(std::get<0>(built.indices), std::get<0>(whole.indices)));
    }
  }
}

TEST(GeneratedList, CountsEveryEntryAtItsFirstEnd) {
  const generator_spec spec = parse_generator("kron:7:9:5");
  const auto edges = generate_edges(spec, 0, spec.candidates());
  std::vector<std::int64_t> expected(spec.vertices());
  std::int64_t loops = 0;
  for (const auto& e : edges) {
    ++expected[e.source];
    loops += e.source == e.target;
  }
  EXPECT_GT(loops, 0);  // else the graph says nothing about them
  const generated_list list(spec, {});
  for (const int threads : {1, 3})
    EXPECT_TRUE(std::ranges::equal(list.count_by_source(threads), expected));
  EXPECT_EQ(list.edges(), spec.candidates());
}

TEST(GeneratedList, LeavesOutWhatDoesNotExist) {
  const generator_spec spec = parse_generator("road:20:0.5");
  const generated_list list(spec, {});
  const auto counts = list.count_by_source();
  EXPECT_LT(list.edges(), spec.candidates());
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), list.edges());
  EXPECT_EQ(list.edges(), generate(spec).arcs() / 2);
}

TEST(GeneratedList, RefusesBeforeItAllocates) {
  generate_options options;
  options.memory = 1 << 20;
  EXPECT_THROW(generated_list(parse_generator("kron:40"), options), capacity_error);
  EXPECT_THROW(generated_list(parse_generator("poisson:4x4"), {}), usage_error);
  std::stop_source stop;
  stop.request_stop();
  options = {};
  options.stop = stop.get_token();
  EXPECT_THROW(generated_list(parse_generator("kron:6"), options), cancelled_error);
  const generated_list list(parse_generator("kron:16"), {});
  EXPECT_THROW(static_cast<void>(list.count_by_source(1, stop.get_token())), cancelled_error);
}

}  // namespace
}  // namespace gossamer
