// A user's own operator on CPU ranks, laid over a placed graph: the nearest of several sites and
// how far it is, against Dijkstra's algorithm; and what is refused.
#include "gossamer/algorithm/vertex_worklist.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <limits>

#include "message_of.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

struct nearest_site {
  struct value {
    float distance;
    std::int32_t site;
    auto operator<=>(const value&) const = default;
  };
  static bool update(value& at, const value& incoming) {
    if (!(incoming < at)) return false;
    at = incoming;
    return true;
  }
  template <class Arc>
  static value propagate(const value& from, const Arc& along) {
    return {from.distance + along.weight, from.site};
  }
  static double priority(const value& at) { return at.distance; }
};
constexpr nearest_site::value far = {std::numeric_limits<float>::infinity(), -1};

template <class Id>
std::vector<nearest_site::value> nearest(machine& m, const placed_graph& placed,
                                         const std::vector<std::int64_t>& sites) {
  using list = vertex_worklist<nearest_site, Id, float>;
  const vertex_values<nearest_site::value> found(placed);
  run_options how;
  how.arenas = {list::arena(placed)};
  m.run(
      [&](rank& r) {
        const auto all = found.open(r);
        list mine(placed, r.id());
        mine.begin(r, far);
        for (const std::int64_t site : sites) {
          const std::int64_t at = placed.placed_id(site);
          if (mine.owns(at)) mine.start(static_cast<Id>(at), {0, static_cast<std::int32_t>(site)});
        }
        mine.run();
        for (std::int64_t v = mine.first(); v < mine.first() + mine.size(); ++v)
          found.by_id()[static_cast<std::size_t>(v)] = mine[v];
        found.close(r, all);
      },
      how);
  const auto& by_vertex = found.by_vertex();
  return {by_vertex.begin(), by_vertex.end()};
}

TEST(VertexWorklist, FindsTheNearestSite) {
  for (const char* spec : {"cpu:1x1", "cpu:3x1", "sim:peach2,ranks=4"}) {
    machine m = machine::open(spec);
    for (int number = 0; number < 40; number += 3) {
      graph g = many_graphs(number);
      set_weights<float>(g, 9);
      const std::vector<std::int64_t> sites = {0, g.vertices() / 2, g.vertices() - 1};
      std::vector<nearest_site::value> expected(static_cast<std::size_t>(g.vertices()), far);
      for (const std::int64_t site : sites) {
        const auto distances = serial_distances<float>(g, site);
        for (std::size_t v = 0; v < distances.size(); ++v)
          if (distances[v] < far.distance)
            expected[v] = std::min(expected[v], {distances[v], static_cast<std::int32_t>(site)});
      }
      for (const char* partition : {"auto", "hash", "file"}) {
        SCOPED_TRACE(g.name + " on " + spec + " by " + partition);
        place_options how;
        how.partition = partition;
        if (how.partition == "file") how.part_of = drawn_parts(g, m.size(), number);
        const placed_graph placed = place(m, g, how);
        const auto found = placed.id_width() == 4 ? nearest<vertex32>(m, placed, sites)
                                                  : nearest<vertex64>(m, placed, sites);
        ASSERT_EQ(found, expected);
      }
    }
  }
}

TEST(VertexWorklist, SaysWhatDoesNotFit) {
  machine m = machine::open("cpu:2x1");
  graph g = undirected("pair", 2, {{0, 1}});
  const auto refusal = [&](auto id, auto weight, int rank) {
    const placed_graph placed = place(m, g);
    return message_of<usage_error>(
        [&] { vertex_worklist<nearest_site, decltype(id), decltype(weight)> made(placed, rank); });
  };
  EXPECT_EQ(refusal(vertex32{}, float{}, 0),
            "pair has no weights, and the program takes weights of float");
  set_weights<std::int32_t>(g, 9);
  EXPECT_EQ(refusal(vertex32{}, float{}, 0),
            "pair has weights of int32, and the program takes weights of float");
  EXPECT_EQ(refusal(vertex64{}, std::int32_t{}, 0),
            "worklist: the ids of pair have 32 bits, the program's 64");
  EXPECT_EQ(refusal(vertex32{}, std::int32_t{}, 2), "worklist: rank 2 is not one of this process");
}

}  // namespace
}  // namespace gossamer
