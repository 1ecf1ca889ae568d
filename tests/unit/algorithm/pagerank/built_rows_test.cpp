// Rows that a GPU builds from a graph in its memory: the bits of those that the host lays out.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <string>

#include "algorithm/pagerank/planning.hpp"
#include "algorithm/pagerank/sync/built_rows.hpp"
#include "algorithm/pagerank/sync/gpu_solver.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/kept.hpp"
#include "message_of.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using namespace pagerank_detail;

template <class T>
buffer<T> copied(const device& on, const T* from, std::size_t n) {
  auto there = make_native_buffer<T>(on, n);
  copy_bytes(there.data(), from, n * sizeof(T));
  return there;
}

/// What a graph has in a GPU's memory.
template <class Id, class Weight>
struct uploaded_graph {
  uploaded_graph(const device& on, const graph& g, bool given_in_offsets)
      : offsets(copied(on, g.offsets.data(), static_cast<std::size_t>(g.vertices()) + 1)),
        columns(copied(on, g.view<Id>().indices.data(), static_cast<std::size_t>(g.arcs()))) {
    there = {g.vertices(), g.arcs(), offsets.data(), columns.data()};
    if (g.symmetric) {
      there.in_offsets = offsets.data();
    } else if (given_in_offsets) {
      const auto in = in_offsets_of(g);
      in_offsets = copied(on, in.data(), in.size());
      there.in_offsets = in_offsets.data();
    }
    if (const auto* of_arcs = std::get_if<shared_array<Weight>>(&g.weights)) {
      weights = copied(on, of_arcs->data(), of_arcs->size());
      there.weights = static_cast<const Weight*>(weights.data());
    }
  }
  buffer<edge_offset> offsets, in_offsets;
  buffer<Id> columns;
  buffer<Weight> weights;
  graph_on_gpu<Id> there;
};

/// A byte for a byte.
template <class T>
void expect_bytes(const buffer<T>& built, const T* expected, std::size_t n, const char* name) {
  ASSERT_EQ(built.size(), n) << name;
  std::vector<T> back(n);
  copy_bytes(back.data(), built.data(), n * sizeof(T));
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(std::memcmp(&back[i], expected + i, sizeof(T)), 0) << name << " [" << i << "]";
}

template <class Value, class Id, class Weight>
void expect_as_host(const device& on, const graph& g, bool weighted, std::int64_t lot,
                    bool given_in_offsets) {
  SCOPED_TRACE(g.name + ", lots of " + std::to_string(lot) + (weighted ? ", weighted" : ""));
  pagerank_options options;
  options.weighted = weighted;
  const auto host = make_gpu_rows<Value>(g, {0, g.vertices()}, options);
  const uploaded_graph<Id, Weight> there(on, g, given_in_offsets);
  row_building how;
  how.weighted = weighted;
  how.lot = lot;
  const auto built = build_rows<Id, Value>(on, there.there, how);
  const gpu_part& part = host.parts[0];
  ASSERT_EQ(built.rows, g.vertices());
  ASSERT_EQ(built.class_end, part.class_end);
  ASSERT_EQ(built.hubs_first, host.hubs_first);
  const auto same = [](const auto& buffer, const auto& array, const char* name) {
    ASSERT_NO_FATAL_FAILURE(expect_bytes(buffer, array.data(), array.size(), name));
  };
  ASSERT_NO_FATAL_FAILURE(same(built.offsets, part.offsets, "offsets"));
  ASSERT_NO_FATAL_FAILURE(same(built.bases, part.bases, "bases"));
  ASSERT_NO_FATAL_FAILURE(same(built.chunks, part.chunks, "chunks"));
  ASSERT_NO_FATAL_FAILURE(same(built.chunk_first, part.chunk_first, "chunk_first"));
  ASSERT_NO_FATAL_FAILURE(same(built.slot, host.slot, "slot"));
  ASSERT_NO_FATAL_FAILURE(same(built.place, host.place, "place"));
  ASSERT_NO_FATAL_FAILURE(same(built.inverse, host.inverse, "inverse"));
  ASSERT_NO_FATAL_FAILURE(same(built.columns, host.columns, "columns"));
  ASSERT_NO_FATAL_FAILURE(same(built.shares, host.shares, "shares"));
  EXPECT_EQ(built.wanted.size(), 0U);
}

template <class Id, class Weight>
void expect_both_widths(const device& on, const graph& g, bool weighted, std::int64_t lot,
                        bool given) {
  expect_as_host<float, Id, Weight>(on, g, weighted, lot, given);
  if (::testing::Test::HasFatalFailure()) return;
  expect_as_host<double, Id, Weight>(on, g, weighted, lot, given);
}

/// With the graph's own ids and weights.
void expect_as_host(const device& on, const graph& g, std::int64_t lot = 0, bool given = false) {
  for (const bool weighted : {false, true}) {
    if (weighted && !g.weighted()) continue;
    g.visit([&](const auto& rows) {
      using id = std::remove_const_t<typename decltype(rows.indices)::element_type>;
      if (std::holds_alternative<shared_array<float>>(g.weights))
        expect_both_widths<id, float>(on, g, weighted, lot, given);
      else if (std::holds_alternative<shared_array<double>>(g.weights))
        expect_both_widths<id, double>(on, g, weighted, lot, given);
      else
        expect_both_widths<id, std::int32_t>(on, g, weighted, lot, given);
    });
    if (::testing::Test::HasFatalFailure()) return;
  }
}

class PagerankBuiltRows : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
    on_ = cuda_devices().front();
  }
  device on_;
};

/// Directed ones, both widths of ids, parallel arcs, self-loops, empty rows, one vertex, no arcs.
TEST_F(PagerankBuiltRows, AreTheHostsOnManyGraphs) {
  for (int number = 0; number < 200; number += 3) {
    const graph g = many_graphs(number);
    ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, g, number % 2 == 0 ? 0 : 1 + number % 50));
    ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, g, 0, true));
  }
  ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, from_arcs("alone", 1, {}, true)));
  ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, from_arcs("no arcs", 5000, {}, false)));
}

/// Hubs first, one way and both ways, in several lots; roads and grids, which stay as they are.
TEST_F(PagerankBuiltRows, AreTheHostsOnLargeGraphs) {
  for (const char* name : {"kron:13", "kron:16", "road:150", "grid:80x90", "uniform:14"})
    for (const std::int64_t lot : {std::int64_t{0}, std::int64_t{10007}}) {
      graph g = generate(parse_generator(name));
      ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, g, lot));
      set_weights<float>(g, 255);
      ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, g, lot));
      set_weights<double>(g, 255);
      ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, g, lot));
    }
  const graph directed = from_arcs("directed", 20000, random_arcs(20000, 90000, 8), false);
  ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, directed, 5000));
  ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, directed, 0, true));
  // More than one lot of the size that is chosen for it.
  ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, generate(parse_generator("kron:18"))));
}

/// Rows that are split, in, out and both; sums of weights of a row so long, in their order.
TEST_F(PagerankBuiltRows, AreTheHostsWithSplitRows) {
  arc_list in, out;
  for (std::int64_t v = 1; v < 20000; ++v) {
    in.emplace_back(v, 0);
    out.emplace_back(7, v);
    if (v % 3 == 0) in.emplace_back(v, 19999);
    if (v % 4 == 0) out.emplace_back(v, v);  // self-loops
  }
  for (std::int64_t v = 0; v < 4096; ++v) in.emplace_back(v, 11);
  for (std::int64_t v = 0; v < 4095; ++v) in.emplace_back(v, 12);
  for (graph g : {from_arcs("in", 20000, in, false), from_arcs("out", 20000, out, false),
                  undirected("both ways", 20000, in)}) {
    for (const std::int64_t lot : {std::int64_t{0}, std::int64_t{3000}}) {
      set_weights<std::int32_t>(g, 255);
      ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, g, lot));
      set_weights<float>(g, 255);
      ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, g, lot, true));
      set_weights<double>(g, 255);
      ASSERT_NO_FATAL_FAILURE(expect_as_host(on_, g, lot));
    }
  }
}

/// One placement, and one layout for all solvers of a graph.
TEST_F(PagerankBuiltRows, TakeWhatIsThere) {
  kept::forget_all();
  auto m = machine::open("cuda:0");
  const graph both_ways = generate(parse_generator("kron:12"));
  for (const graph& g :
       {from_arcs("directed", 9000, random_arcs(9000, 60000, 3), false), both_ways}) {
    pagerank_options o;
    const auto expected = std::get<shared_array<float>>(pagerank(m, g, o).ranks.get());
    kept::forget(g);
    const auto placed = kept::place(m, g);  // both directions and all
    const auto found = pagerank(m, g, o);
    const auto& ranks = std::get<shared_array<float>>(found.ranks.get());
    for (std::size_t v = 0; v < expected.size(); ++v) ASSERT_EQ(ranks[v], expected[v]) << v;
    o.damping = 0.5;
    pagerank(m, g, o);
    std::map<std::string, int> kinds;
    for (const auto& item : kept::items())
      if (item.graph == g.name) ++kinds[item.what.substr(0, item.what.find('|'))];
    EXPECT_EQ(kinds["placement"], 1);
    EXPECT_EQ(kinds["rows by length"], 1);
    EXPECT_EQ(kinds["pagerank"], 2);
  }
  kept::forget_all();
}

TEST_F(PagerankBuiltRows, SayWhichWeightsTheyRefuse) {
  for (const double bad : {-1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    graph g = generate(parse_generator("kron:10"));
    set_weights<double>(g, 9);
    std::get<shared_array<double>>(g.weights)[1234] = bad;
    auto m = machine::open("cuda:0");
    pagerank_options o;
    o.weighted = true;
    expect_contains(message_of<input_error>([&] { pagerank(m, g, o); }),
                    "pagerank needs finite weights of zero or more");
  }
}

TEST_F(PagerankBuiltRows, StopWhenAsked) {
  const graph g = generate(parse_generator("kron:12"));
  const uploaded_graph<vertex32, float> there(on_, g, false);
  std::stop_source asked;
  asked.request_stop();
  row_building how;
  how.stop = asked.get_token();
  EXPECT_THROW((build_rows<vertex32, float>(on_, there.there, how)), cancelled_error);
}

}  // namespace
}  // namespace gossamer
