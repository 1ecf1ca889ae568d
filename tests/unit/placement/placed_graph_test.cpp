// placed_graph: slices hold exactly the caller's arcs, wherever they are, and share memory where
// the plan says so.
#include "gossamer/placement/placed_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "message_of.hpp"
#include "placement/placement_state.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

/// Every arc of every slice, back in the caller's numbering, sorted.
template <class Id>
arc_list arcs_of(const placed_graph& g, bool in) {
  arc_list arcs;
  for (int r = 0; r < g.on().size(); ++r) {
    const auto& slice = g.slice<Id>(r);
    const auto* offsets = in ? slice.in_offsets : slice.offsets;
    const auto* columns = in ? slice.in_columns : slice.columns;
    EXPECT_EQ(offsets[0], 0);
    for (std::int64_t i = 0; i < slice.rows; ++i) {
      const std::int64_t v = g.vertex(g.owners().global(r, i));
      if (v < 0) {
        EXPECT_EQ(offsets[i], offsets[i + 1]) << "holes have no arcs";
      }
      EXPECT_TRUE(std::is_sorted(columns + offsets[i], columns + offsets[i + 1]));
      for (edge_offset e = offsets[i]; e < offsets[i + 1]; ++e) {
        const std::int64_t u = g.vertex(columns[e]);
        in ? arcs.emplace_back(u, v) : arcs.emplace_back(v, u);
      }
    }
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

/// The same of a graph that is placed by columns.
template <class Id>
arc_list arcs_by_columns(const placed_graph& g) {
  arc_list arcs;
  for (int r = 0; r < g.on().size(); ++r) {
    const auto& slice = g.column_slice<Id>(r);
    EXPECT_EQ(slice.rows, g.owners().local_size(r));
    EXPECT_EQ(slice.vertices, g.owners().placed());
    EXPECT_EQ(slice.offsets[0], 0);
    EXPECT_EQ(slice.offsets[slice.vertices], slice.arcs);
    for (std::int64_t u = 0; u < slice.vertices; ++u) {
      const auto *begin = slice.ends + slice.offsets[u], *end = slice.ends + slice.offsets[u + 1];
      EXPECT_TRUE(std::is_sorted(begin, end));
      for (const auto* row = begin; row < end; ++row)
        arcs.emplace_back(g.vertex(u), g.vertex(g.owners().global(r, *row)));
    }
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

template <class Id>
arc_list arcs_of(const graph& g) {
  arc_list arcs;
  const auto view = g.view<Id>();
  for (std::int64_t v = 0; v < g.vertices(); ++v) {
    for (auto u : view.row(v)) arcs.emplace_back(v, u);
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

TEST(PlacedGraph, SlicesHoldTheCallersArcs) {
  for (const char* spec : {"cpu:1x1", "cpu:2x1", "cpu:3x1", "cpu:17x1"}) {
    auto m = machine::open(spec);
    for (const graph& g : shapes()) {
      for (const char* partition : {"auto", "ranges", "edges", "hash", "metis"}) {
        // METIS writes warnings to the terminal when parts would be nearly empty.
        if (std::string(partition) == "metis" && g.vertices() < 20 * m.size()) continue;
        for (const char* renumber : {"none", "degree"}) {
          SCOPED_TRACE(std::string(spec) + " " + g.name + " " + partition + " " + renumber);
          place_options options;
          options.partition = partition;
          options.renumber = renumber;
          std::optional<placed_graph> placed;
          try {
            placed.emplace(place(m, g, options));
          } catch (const not_compiled& e) {
            ASSERT_STREQ(partition, "metis") << e.what();
            continue;
          }
          EXPECT_EQ(placed->id_width(), g.id_width());
          for (std::int64_t v = 0; v < g.vertices(); ++v) {
            ASSERT_EQ(placed->vertex(placed->placed_id(v)), v);
          }
          for (bool in : {false, true}) {
            if (g.id_width() == 4) {
              ASSERT_EQ(arcs_of<vertex32>(*placed, in), arcs_of<vertex32>(g));
            } else {
              ASSERT_EQ(arcs_of<vertex64>(*placed, in), arcs_of<vertex64>(g));
            }
          }
          options.by_columns = true;
          const placed_graph columns = place(m, g, options);
          ASSERT_EQ(columns.by_columns(), m.size() > 1);
          if (m.size() == 1) continue;
          if (g.id_width() == 4) {
            ASSERT_EQ(arcs_by_columns<vertex32>(columns), arcs_of<vertex32>(g));
          } else {
            ASSERT_EQ(arcs_by_columns<vertex64>(columns), arcs_of<vertex64>(g));
          }
        }
      }
    }
  }
}

TEST(PlacedGraph, RefusesRanksAndIdsThatAreNotThere) {
  machine m = machine::open("cpu:2x1");
  for (const char* method : {"ranges", "hash"}) {
    place_options options;
    options.partition = method;
    const placed_graph g = place(m, undirected("pair", 200, {{0, 1}}), options);
    EXPECT_THROW(static_cast<void>(g.vertex(-1)), usage_error);
    EXPECT_THROW(static_cast<void>(g.placed_id(200)), usage_error);
    EXPECT_THROW(static_cast<void>(g.slice<vertex32>(2)), usage_error);
    EXPECT_THROW(static_cast<void>(g.owners_at(-1)), usage_error);
    if (!g.identity()) {
      EXPECT_THROW(static_cast<void>(g.vertex(99'999)), usage_error);
    }
  }
}

TEST(PlacedGraph, SharesTheCallersArrays) {
  const graph g = undirected("sparse", 4096 + 17, random_arcs(4096 + 17, 9000, 1));
  const auto view = g.view<vertex32>();
  auto one = machine::open("cpu:1x2");
  const placed_graph alone = place(one, g);
  EXPECT_TRUE(alone.identity());
  EXPECT_EQ(alone.slice<vertex32>(0).offsets, view.offsets.data());
  EXPECT_EQ(alone.slice<vertex32>(0).columns, view.indices.data());
  EXPECT_EQ(alone.plan().total(), 0) << alone.plan().text();
  auto three = machine::open("cpu:3x1");
  const placed_graph split = place(three, g);
  EXPECT_TRUE(split.identity());
  for (int r = 0; r < 3; ++r) {
    const std::int64_t first = split.owners().global(r, 0);
    EXPECT_EQ(first % 64, 0);
    EXPECT_EQ(split.slice<vertex32>(r).columns, view.indices.data() + view.offsets[first]);
    EXPECT_EQ(split.vertex_of_placed<vertex32>(r), nullptr);
  }
}

TEST(PlacedGraph, DegreeOrderInsideEachOwner) {
  auto m = machine::open("cpu:2x1");
  const graph g = undirected("dense", 300, random_arcs(300, 2000, 3));
  place_options options;
  options.renumber = "degree";
  const placed_graph placed = place(m, g, options);
  EXPECT_FALSE(placed.identity());
  for (int r = 0; r < 2; ++r) {
    const auto& slice = placed.slice<vertex32>(r);
    for (std::int64_t i = 1; i < slice.rows; ++i) {
      EXPECT_LE(slice.offsets[i + 1] - slice.offsets[i], slice.offsets[i] - slice.offsets[i - 1]);
    }
    for (std::int64_t i = 0; i < slice.rows; ++i) {
      const std::int64_t v = placed.vertex(placed.owners().global(r, i));
      EXPECT_EQ(placed.vertex_of_placed<vertex32>(r)[placed.owners().global(r, i)], v);
      if (v >= 0) {
        EXPECT_EQ(v >= 150, r == 1) << "ownership follows the caller's ids";
      }
    }
  }
}

TEST(PlacedGraph, EdgeRangesBalanceArcs) {
  arc_list edges;
  for (std::int64_t v = 0; v < 20000; ++v) edges.emplace_back(v, v * v / 20000);
  const graph g = undirected("leaning", 20000, edges);
  auto m = machine::open("cpu:4x1");
  place_options options;
  options.partition = "edges";
  const placed_graph placed = place(m, g, options);
  const std::int64_t fair = (g.arcs() + g.vertices()) / 4;
  for (int r = 0; r < 4; ++r) {
    const auto& slice = placed.slice<vertex32>(r);
    EXPECT_LE(std::abs(slice.arcs + slice.rows - fair), fair / 10);
  }
}

TEST(PlacedGraph, RefusesWithAReason) {
  auto m = machine::open("cpu:2x1");
  const graph g = paper_example();
  place_options options;
  options.partition = "rings";
  EXPECT_NE(
      message_of<usage_error>([&] { place(m, g, options); }).find("unknown partition 'rings'"),
      std::string::npos);
  options.partition = "auto";
  options.renumber = "colour";
  EXPECT_NE(message_of<usage_error>([&] { place(m, g, options); }).find("unknown name 'colour'"),
            std::string::npos);
  options.renumber = "none";
  options.partition = "file";
  EXPECT_NE(message_of<usage_error>([&] {
              place(m, g, options);
            }).find("0 entries, the graph has 8 vertices"),
            std::string::npos);
  options.part_of = {0, 1, 0, 1, 0, 2, 0, 1};
  EXPECT_NE(message_of<usage_error>([&] { place(m, g, options); }).find("vertex 5 is in part 2"),
            std::string::npos);
}

TEST(PlacedGraph, SecondDirectionIsABoundUntilTheGraphIsKnownToBeDirected) {
  auto m = machine::open("cpu:2x1");
  const graph g = from_arcs("directed", 5000, random_arcs(5000, 20000, 4), false);
  const auto sure = [](const memory_plan& plan, const std::string& purpose) {
    for (const auto& e : plan.entries)
      if (e.purpose == purpose) return std::string(certainty_name(e.sure));
    return std::string("absent");
  };
  graph_shape shape{g.vertices(), g.arcs()};
  for (const char* purpose : {"reversed graph", "in-offsets"}) {
    EXPECT_EQ(sure(plan_placement(m, shape), purpose), "at most") << purpose;
    EXPECT_EQ(sure(plan_placement(m, g), purpose), "exact") << purpose;
  }
  shape.symmetric = true;
  EXPECT_EQ(sure(plan_placement(m, shape), "reversed graph"), "absent");
}

TEST(PlacedGraph, MetisIsPlannedOnceAndComparedWithTheWholeLimit) {
  auto m = machine::open("cpu:2x1");
  const graph g = undirected("dense", 5000, random_arcs(5000, 20000, 4));
  place_options options;
  options.partition = "metis";
  const memory_plan plan = plan_placement(m, g, options);
  ASSERT_EQ(plan.entries.back().purpose, "partitioning by METIS");
  EXPECT_EQ(plan.entries.back().sure, certainty::about);
  // Enough for the slices, and not for METIS.
  options.memory = plan.entries.back().bytes;
  try {
    place(m, g, options);
    FAIL() << "METIS was not refused";
  } catch (const capacity_error& e) {
    EXPECT_NE(std::string(e.what()).find("partitioning by METIS takes up to"), std::string::npos)
        << e.what();
  } catch (const not_compiled&) {
    GTEST_SKIP() << "built without METIS";
  }
}

TEST(PlacedGraph, PlanIsExactAndRefusable) {
  auto m = machine::open("cpu:3x1");
  const graph g = undirected("dense", 50000, random_arcs(50000, 200000, 4));
  place_options options;
  options.renumber = "degree";
  const memory_plan plan = plan_placement(m, g, options);
  EXPECT_EQ(place(m, g, options).plan().total(), plan.total());
  // Columns and offsets of all ranks, and the permutation both ways.
  const std::int64_t placed = plan_ownership(m, g, options).placed();
  EXPECT_EQ(plan.total(), g.arcs() * 4 + (placed + 3) * 8 + (g.vertices() + placed) * 4);
  options.memory = plan.of(0) - 1;  // three ranks share it
  try {
    place(m, g, options);
    FAIL() << "a plan over the limit was accepted";
  } catch (const capacity_error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("the memory plan of rank 0 does not fit: "), std::string::npos) << text;
    EXPECT_NE(text.find("columns"), std::string::npos) << text;
  }
}

std::string refusal_of(const memory_plan& plan) {
  return message_of<capacity_error>([&] { plan.check(); });
}

TEST(PlacedGraph, RefusedPlansAreOneLine) {
  memory_plan plan;
  plan.limit = {1 << 20, 1 << 20};
  for (const int rank : {0, 1}) {
    plan.add(rank, memory_kind::host, "offsets", 1 << 19);
    plan.add(rank, memory_kind::host, "columns", (1 << 19) + rank);
  }
  EXPECT_EQ(refusal_of(plan),
            "the memory plan of rank 1 does not fit: offsets 512.0 KiB + columns 512.0 KiB = 1.0 "
            "MiB; the limit is 1.0 MiB");
  // Ranks share the host, and their entries for one purpose are one.
  plan.limit = {1 << 22, 1 << 22};
  plan.host_limit = 1 << 20;
  EXPECT_EQ(refusal_of(plan),
            "the memory plan of all ranks in host memory does not fit: offsets 1.0 MiB + columns "
            "1.0 MiB = 2.0 MiB; the limit is 1.0 MiB");
  // A rank with a device keeps its slice there: what it has on the host is the host's business.
  plan.host_limit = 0;
  plan.add(0, memory_kind::device, "columns", 3 << 20);
  plan.limit = {1 << 21, 1 << 21};
  EXPECT_EQ(refusal_of(plan),
            "the memory plan of rank 0 does not fit: columns 3.0 MiB = 3.0 MiB; the limit is 2.0 "
            "MiB");
  plan.limit = {3 << 20, 1 << 21};
  EXPECT_EQ(refusal_of(plan), "nothing was thrown");
}

constexpr auto page = static_cast<std::int64_t>(spread_pages::bytes);

/// A rank with 10 pages of columns, 5 of arcs with weights, and one of offsets, which stay.
memory_plan plan_with_rows() {
  memory_plan plan;
  plan.add(0, memory_kind::device, "offsets", page);
  plan.entries.push_back({0, memory_kind::device, "columns", 10 * page, certainty::exact, true});
  plan.entries.push_back({0, memory_kind::device, "arcs", 5 * page, certainty::exact, true});
  plan.limit = {16 * page};
  return plan;
}

TEST(PlacedGraph, RowsSpillAsFarAsTheyMust) {
  memory_plan plan = plan_with_rows();
  plan.spill();
  EXPECT_EQ(plan.spilled(), 0) << "they fit";
  EXPECT_EQ(plan.columns_on_gpu(), -1);
  EXPECT_FALSE(plan.pages_on_device(0, "columns"));
  EXPECT_EQ(plan.spilled_text(), "");
  plan.spill(3 * page);
  EXPECT_EQ(plan.of(0), 13 * page) << "and no further";
  EXPECT_EQ(plan.spilled(), 3 * page);
  EXPECT_EQ(plan.pages_on_device(0, "columns"), plan.columns_on_gpu() / page);
  EXPECT_FALSE(plan.pages_on_device(0, "arcs")) << "columns go first";
  EXPECT_NE(plan.spilled_text().find(" of rows stay in host memory"), std::string::npos);

  memory_plan little = plan_with_rows();
  little.limit = {4 * page};
  little.spill();
  EXPECT_LE(little.of(0), 4 * page);
  EXPECT_EQ(little.columns_on_gpu(), 0);
  EXPECT_GT(little.pages_on_device(0, "arcs").value(), 0);
  little.check();

  memory_plan nothing = plan_with_rows();
  nothing.limit = {page / 2};
  nothing.spill();
  EXPECT_THROW(nothing.check(), capacity_error) << "what stays does not fit";

  memory_plan asked = plan_with_rows();
  asked.keep_on_gpus(4 * page);
  EXPECT_EQ(asked.columns_on_gpu(), 4 * page) << "what a plan says, a placement keeps";
}

TEST(PlacedGraph, RowsSpillUnlessALimitWasSet) {
  EXPECT_TRUE(may_spill(spilling::automatic, 0));
  EXPECT_FALSE(may_spill(spilling::automatic, 1 << 30));
  EXPECT_FALSE(may_spill(spilling::automatic, -(1 << 30)));
  EXPECT_TRUE(may_spill(spilling::host, 1 << 30));
  EXPECT_FALSE(may_spill(spilling::none, 0));
}

TEST(PlacedGraph, LimitsOfGpusLeaveTheHostAlone) {
  const auto m = machine::open("cpu:2");
  memory_plan free, limited;
  free.limit_to(m, 0);
  limited.limit_to(m, -4096);
  EXPECT_NEAR(static_cast<double>(limited.limit[0]), static_cast<double>(free.limit[0]),
              static_cast<double>(free.limit[0]) / 2);
}

TEST(PlacedGraph, PagesWhereMostRowsBeginStayOnTheGpu) {
  // Two pages of one row each, one of rows of four, one of rows of two.
  constexpr std::int64_t a_page = page / 4;
  std::vector<std::int64_t> begins{0, a_page};
  for (const std::int64_t length : {4, 2})
    for (std::int64_t end = begins.back() + a_page; begins.back() < end;)
      begins.push_back(begins.back() + length);
  begins.push_back(begins.back() + a_page);
  const auto pages_of = [&](std::int64_t on_device) {
    return placement_detail::hottest_pages(
               static_cast<std::int64_t>(begins.size()) - 1, 4, on_device,
               [&](std::int64_t row) { return begins[static_cast<std::size_t>(row)]; })
        .on_device;
  };
  EXPECT_EQ(pages_of(0), std::vector<bool>(4));
  EXPECT_EQ(pages_of(1), (std::vector<bool>{false, false, true, false}));
  EXPECT_EQ(pages_of(2), (std::vector<bool>{false, true, true, false}));
  EXPECT_EQ(pages_of(9), (std::vector<bool>{true, true, true, true}));
}

}  // namespace
}  // namespace gossamer
