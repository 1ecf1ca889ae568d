// Graphs made on the ranks: the slices of the graph made in one place, however many ranks, threads
// and rounds; counts of the list; refusals. The same source makes the CPU test and, with
// GOSSAMER_TEST_GPU, the one for GPUs.
#include "gossamer/placement/generated_placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "message_of.hpp"
#include "on_machine.hpp"

namespace gossamer {
namespace {

using testing_machines::for_gpus, testing_machines::OnMachine;

constexpr const char* alone = for_gpus ? "cuda:0" : "cpu:1x1";
constexpr const char* together = for_gpus ? "cuda:0*3" : "cpu:3x1";

class GeneratedPlacement : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = testing_machines::lacking(together); !why.empty())
      GTEST_SKIP() << why;
  }
};

/// Values from where a rank has them.
template <class T>
std::vector<T> fetch(const T* from, std::int64_t n) {
  std::vector<T> here(static_cast<std::size_t>(n));
  copy_bytes(here.data(), from, here.size() * sizeof(T));
  return here;
}

template <class Id>
void expect_same_slices(const placed_graph& made, const placed_graph& placed) {
  for (int r = 0; r < placed.on().size(); ++r) {
    const graph_slice<Id>&one = made.slice<Id>(r), &other = placed.slice<Id>(r);
    // On one CPU rank place() shares the host's arrays, which have no rows for holes.
    ASSERT_EQ(one.rows, made.owners().local_size(r)) << "rank " << r;
    ASSERT_GE(one.rows, other.rows) << "rank " << r;
    ASSERT_EQ(one.arcs, other.arcs) << "rank " << r;
    const auto offsets = fetch(one.offsets, one.rows + 1);
    const auto others = fetch(other.offsets, other.rows + 1);
    EXPECT_TRUE(std::equal(others.begin(), others.end(), offsets.begin()));
    for (std::int64_t i = other.rows; i < one.rows; ++i) EXPECT_EQ(offsets[i + 1], one.arcs);
    EXPECT_EQ(fetch(one.columns, one.arcs), fetch(other.columns, one.arcs));
    EXPECT_EQ(one.in_offsets, one.offsets);
    EXPECT_EQ(one.in_columns, one.columns);
  }
}

void expect_same(const placed_graph& made, const placed_graph& placed) {
  EXPECT_FALSE(made.whole());
  EXPECT_TRUE(placed.whole());
  EXPECT_EQ(made.vertices(), placed.vertices());
  EXPECT_EQ(made.arcs(), placed.arcs());
  EXPECT_EQ(made.name(), placed.name());
  EXPECT_EQ(made.steps(), placed.steps());
  EXPECT_EQ(made.symmetric(), placed.symmetric());
  EXPECT_EQ(made.sorted(), placed.sorted());
  EXPECT_EQ(made.identity(), placed.identity());
  EXPECT_EQ(made.has_in_adjacency(), placed.has_in_adjacency());
  ASSERT_EQ(made.id_width(), placed.id_width());
  for (std::int64_t v = 0; v < made.vertices(); v += 37)
    ASSERT_EQ(made.degree(v), placed.degree(v)) << v;
  made.id_width() == 4 ? expect_same_slices<vertex32>(made, placed)
                       : expect_same_slices<vertex64>(made, placed);
}

class GeneratedPlacementOn : public OnMachine {};

TEST_P(GeneratedPlacementOn, SlicesAreThoseOfThePlacedGraph) {
  for (const char* text : {"kron:12:16:3", "uniform:12:3", "road:70", "grid:80x60"}) {
    SCOPED_TRACE(text);
    const generator_spec spec = parse_generator(text);
    graph whole = generate(spec);
    whole.weights = std::monostate{};
    expect_same(generate_placed(*machine_, spec), place(*machine_, whole));
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, GeneratedPlacementOn,
                         ::testing::ValuesIn(testing_machines::cpus_or_gpus(
                             {"cpu:1x1", "cpu:1x3", "cpu:2x1", "cpu:3x2", "cpu:4x1", "cpu:7x1"},
                             {"cuda:0", "cuda:0*3", "cuda:0-1", "cuda:0-3"})),
                         testing_machines::spec_name<std::string>);

#ifndef GOSSAMER_TEST_GPU
TEST_F(GeneratedPlacement, RoundsDoNotShow) {
  auto m = machine::open("cpu:3x1");
  const generator_spec spec = parse_generator("kron:11:5:8");
  const placed_graph placed = place(m, generate(spec));
  // One entry more or fewer than the parts, parts that end in the first block, one round.
  for (const std::int64_t round : {7, 1023, 1025, 3413, 3414, 1 << 16}) {
    SCOPED_TRACE(round);
    generate_placed_options options;
    options.round_edges = round;
    expect_same(generate_placed(m, spec, options), placed);
  }
}

#endif

TEST_F(GeneratedPlacement, WideIds) {
  ASSERT_EQ(setenv("GOSSAMER_WIDE_IDS", "on", 1), 0);
  auto m = machine::open(together);
  const generator_spec spec = parse_generator("kron:11");
  const placed_graph made = generate_placed(m, spec);
  EXPECT_EQ(made.id_width(), 8);
  expect_same(made, place(m, generate(spec)));
  unsetenv("GOSSAMER_WIDE_IDS");
}

std::int64_t generated_loops(const generator_spec& spec) {
  const auto edges = generate_edges(spec, 0, spec.candidates());
  return std::ranges::count_if(edges, [](const auto& e) { return e.source == e.target; });
}

TEST_F(GeneratedPlacement, CountsEndsOfEntries) {
  auto m = machine::open(together);
  const generator_spec spec = parse_generator("kron:11:4:2");
  std::vector<std::int64_t> expected(spec.vertices());
  for (const auto& e : generate_edges(spec, 0, spec.candidates())) {
    ++expected[e.source];
    ++expected[e.target];
  }
  ASSERT_GT(generated_loops(spec), 0);
  const placed_graph made = generate_placed(m, spec);
  for (std::int64_t v = 0; v < spec.vertices(); ++v) {
    const int owner = made.owners().owner(v);
    ASSERT_EQ(fetch(made.list_ends(owner) + made.owners().local(v), 1)[0], expected[v]) << v;
  }
  EXPECT_EQ(place(m, generate(spec)).list_ends(0), nullptr);
}

TEST_F(GeneratedPlacement, PlansWhatItTakes) {
  auto m = machine::open(together);
  const generator_spec spec = parse_generator("kron:14");
  const memory_plan before = plan_generate_placed(m, spec);
  const placed_graph made = generate_placed(m, spec);
  ASSERT_EQ(before.entries.size(), made.plan().entries.size());
  std::int64_t estimated = 0, columns = 0;
  const auto close = [](std::int64_t bytes, std::int64_t to) {
    return bytes > to - to / 4 && bytes < to + to / 4;
  };
  for (std::size_t i = 0; i < before.entries.size(); ++i) {
    const auto &planned = before.entries[i], &taken = made.plan().entries[i];
    EXPECT_EQ(planned.purpose, taken.purpose);
    EXPECT_EQ(taken.sure, certainty::exact);
    if (planned.sure == certainty::exact) {
      EXPECT_EQ(planned.bytes, taken.bytes);
    } else if (planned.purpose == "sorting") {  // keys of the arcs, on GPUs
      EXPECT_TRUE(close(planned.bytes, taken.bytes)) << planned.bytes << " and " << taken.bytes;
    } else {
      EXPECT_EQ(planned.purpose, "columns");
      estimated += planned.bytes;
      columns += taken.bytes;
    }
  }
  // Ranks do not hold the same; together they hold every arc but self-loops.
  const std::int64_t loops = generated_loops(spec);
  EXPECT_GE(estimated, spec.candidates() * 2 * 4);
  EXPECT_LT(estimated, spec.candidates() * 2 * 4 + 4 * m.size());  // ranks round up
  EXPECT_EQ(columns, (spec.candidates() - loops) * 2 * 4);
  // Nothing that grows with the list but its columns: 32 entries a vertex of 4 bytes, 16 a row.
  auto one = machine::open(alone);
  std::int64_t growth = plan_generate_placed(one, parse_generator("kron:25")).total() -
                        plan_generate_placed(one, parse_generator("kron:24")).total();
  EXPECT_EQ(growth, (std::int64_t{1} << 24) * (16 * 2 * 4 + 16));
}

TEST_F(GeneratedPlacement, RefusesBeforeItAllocates) {
  auto m = machine::open(together);
  generate_placed_options options;
  options.memory = 1 << 20;
  EXPECT_NE(message_of<capacity_error>([&] {
              generate_placed(m, parse_generator("kron:38"), options);
            }).find("columns"),
            std::string::npos);
  EXPECT_NE(message_of<usage_error>([&] {
              generate_placed(m, parse_generator("kron:9"));
            }).find("fewer than 512 vertices for each of 3 ranks"),
            std::string::npos);
  EXPECT_THROW(generate_placed(m, parse_generator("poisson:64x64")), usage_error);
  options = {};
  options.round_edges = -1;
  EXPECT_THROW(generate_placed(m, parse_generator("kron:12"), options), usage_error);
  const placed_graph made = generate_placed(m, parse_generator("kron:12"));
  EXPECT_NE(message_of<usage_error>([&] {
              static_cast<void>(made.source());
            }).find("lies in parts on its ranks"),
            std::string::npos);
}

#ifdef GOSSAMER_TEST_GPU
TEST_F(GeneratedPlacement, RefusesCpuRanksBesideGpus) {
  auto m = machine::open("cpu:1x1+cuda:0");
  EXPECT_NE(message_of<usage_error>([&] {
              generate_placed(m, parse_generator("kron:12"));
            }).find("cpu:1x1+cuda:0 has CPU ranks and GPUs"),
            std::string::npos);
}

// Rows in pieces: as long as this graph's columns are, none is cut, and the longest is one.
TEST_F(GeneratedPlacement, SortsInPieces) {
  auto m = machine::open(alone);
  const generator_spec spec = parse_generator("kron:24:16:5");  // 2^29 arcs, two pieces
  generate_options options;
  options.device = 0;
  expect_same(generate_placed(m, spec), place(m, generate(spec, options)));
}
#endif

TEST_F(GeneratedPlacement, StopsAndReportsProgress) {
  auto m = machine::open(together);
  generate_placed_options options;
  std::stop_source stop;
  std::vector<double> seen;
  options.stop = stop.get_token();
  options.round_edges = 64;
  options.progress = [&](double part) { seen.push_back(part); };
  static_cast<void>(generate_placed(m, parse_generator("kron:12"), options));
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), 1.0);
  stop.request_stop();
  EXPECT_THROW(generate_placed(m, parse_generator("kron:12"), options), cancelled_error);
}

}  // namespace
}  // namespace gossamer
