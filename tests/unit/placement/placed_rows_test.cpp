// What algorithms that work on slices ask of a placement: what is planned of rows is what slices
// have, weights lie beside their columns, and values come back in the caller's order.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "gossamer/placement/slice_weights.hpp"
#include "gossamer/placement/vertex_values.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

/// Calls check(machine, graph, options) for partitions of all kinds on few and many ranks.
template <class Check>
void on_placements(const Check& check) {
  for (const char* spec : {"cpu:1x1", "cpu:2x1", "cpu:5x1"}) {
    auto m = machine::open(spec);
    for (int number = 0; number < 120; number += 7) {
      graph g = many_graphs(number);
      set_weights<float>(g, number);
      for (const char* partition : {"auto", "edges", "hash", "file"}) {
        SCOPED_TRACE(g.name + " on " + spec + " by " + partition);
        place_options how;
        how.partition = partition;
        if (how.partition == "file") how.part_of = drawn_parts(g, m.size(), number);
        ASSERT_NO_FATAL_FAILURE(check(m, g, how));
      }
    }
  }
}

TEST(PlacedRows, AreWhatWasPlanned) {
  on_placements([](machine& m, const graph& g, const place_options& how) {
    const planned_rows planned = plan_rows(m, g, how);
    const placed_graph placed = place(m, g, how);
    const planned_rows made = rows_of(placed);
    ASSERT_EQ(planned.bounds, placed.bounds());
    ASSERT_EQ(made.bounds, placed.bounds());
    ASSERT_EQ(planned.arcs, made.arcs);
    ASSERT_EQ(planned.moved, !placed.identity());
    ASSERT_EQ(planned.ids(), placed.identity() ? g.vertices() : placed.owners().placed());
    for (int r = 0; r < m.size(); ++r)
      for (std::int64_t id = placed.bounds()[static_cast<std::size_t>(r)];
           id < placed.bounds()[static_cast<std::size_t>(r) + 1]; ++id)
        ASSERT_EQ(placed.owners().owner(id), r);
  });
}

using weighted_arc = std::tuple<std::int64_t, std::int64_t, float>;

template <class Id>
std::vector<weighted_arc> arcs_of(const placed_graph& g, const shared_array<float>& weights) {
  std::vector<weighted_arc> arcs;
  for (int r = 0; r < g.on().size(); ++r) {
    const graph_slice<Id>& slice = g.slice<Id>(r);
    const auto beside = slice_weights<Id>(g, r, weights);
    EXPECT_EQ(static_cast<std::int64_t>(beside.size()), slice.arcs);
    const std::int64_t first = g.bounds()[static_cast<std::size_t>(r)],
                       last = g.bounds()[static_cast<std::size_t>(r) + 1];
    for (std::int64_t i = 0; i < last - first; ++i)
      for (edge_offset k = slice.offsets[i]; k < slice.offsets[i + 1]; ++k)
        arcs.emplace_back(g.vertex(first + i), g.vertex(slice.columns[k]),
                          beside[static_cast<std::size_t>(k)]);
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

template <class Id>
std::vector<weighted_arc> arcs_of(const graph& g, const shared_array<float>& weights) {
  std::vector<weighted_arc> arcs;
  const auto rows = g.view<Id>();
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    for (edge_offset k = g.offsets[static_cast<std::size_t>(v)];
         k < g.offsets[static_cast<std::size_t>(v) + 1]; ++k)
      arcs.emplace_back(v, rows.indices[static_cast<std::size_t>(k)],
                        weights[static_cast<std::size_t>(k)]);
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

TEST(PlacedRows, WeightsLieBesideTheirColumns) {
  on_placements([](machine& m, const graph& g, const place_options& how) {
    const auto& weights = std::get<shared_array<float>>(g.weights);
    const placed_graph placed = place(m, g, how);
    const auto made = placed.id_width() == 4 ? arcs_of<vertex32>(placed, weights)
                                             : arcs_of<vertex64>(placed, weights);
    const auto given =
        g.id_width() == 4 ? arcs_of<vertex32>(g, weights) : arcs_of<vertex64>(g, weights);
    ASSERT_EQ(made, given);
  });
}

TEST(PlacedRows, ValuesComeBackByVertex) {
  on_placements([](machine& m, const graph& g, const place_options& how) {
    const placed_graph placed = place(m, g, how);
    const vertex_values<std::int64_t> values(placed);
    m.run([&](rank& r) {
      const auto me = static_cast<std::size_t>(r.id());
      const auto all = values.open(r);
      for (std::int64_t id = placed.bounds()[me]; id < placed.bounds()[me + 1]; ++id)
        values.by_id()[static_cast<std::size_t>(id)] = 3 * placed.vertex(id);
      values.close(r, all);
    });
    ASSERT_EQ(static_cast<std::int64_t>(values.by_vertex().size()), g.vertices());
    for (std::int64_t v = 0; v < g.vertices(); ++v)
      ASSERT_EQ(values.by_vertex()[static_cast<std::size_t>(v)], 3 * v);
  });
}

}  // namespace
}  // namespace gossamer
