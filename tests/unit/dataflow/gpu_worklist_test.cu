// Operators of a program's own on GPUs: with all five callbacks, with none, as sums; rows from a
// placement and from plain CSR arrays; and what is refused. Compared with plain host programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/dataflow/gpu_worklist.cuh"
#include "gossamer/placement/placed_graph.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer::testing_operators {

constexpr std::uint32_t far = 0xffffffff;      ///< no steps lead there
constexpr std::uint32_t crossed = 0xfffffffe;  ///< the last step came from another rank

/// Steps from a source, and the own vertex that the last one came from.
struct plain_steps {
  struct value {
    std::uint32_t from, steps;
  };
  __device__ static bool update(value& at, const value& incoming) {
    if (incoming.steps >= at.steps) return false;
    at = incoming;
    return true;
  }
  template <class Arc>
  __device__ static value propagate(const value& from, const Arc& along) {
    return {static_cast<std::uint32_t>(along.from), from.steps + 1};
  }
  __device__ static double priority(const value& at) { return at.steps; }
};

/// The same where a step to another rank costs a toll, and is not taken from too far away. What
/// crosses is the number of steps alone.
struct steps_with_toll : plain_steps {
  using message = std::uint32_t;
  std::uint32_t most = 0, toll = 0;
  __device__ static message pack(std::int32_t, const value& v) { return v.steps; }
  __device__ static value unpack(std::int32_t, const message& steps) { return {crossed, steps}; }
  __device__ bool on_send(std::int32_t, const value& v) const { return v.steps <= most; }
  __device__ bool on_receive(std::int32_t, value& at, const value& incoming) const {
    return update(at, {incoming.from, incoming.steps + toll});
  }
};

struct from_one {
  std::int32_t source;
  __device__ static plain_steps::value initial(std::int32_t) { return {far, far}; }
  __device__ bool starts(std::int32_t vertex) const { return vertex == source; }
  __device__ static plain_steps::value first(std::int32_t vertex) {
    return {static_cast<std::uint32_t>(vertex), 0};
  }
};

// Callbacks whose form is wrong are refused by the compiler, not passed over.
struct careless_send : plain_steps {
  __device__ static bool on_send(const value&) { return true; }
};
struct long_message : plain_steps {
  struct message {
    value content;
    std::uint32_t more;
  };
  __device__ static message pack(std::int32_t, const value& v) { return {v, 0}; }
  __device__ static value unpack(std::int32_t, const message& m) { return m.content; }
};
struct pack_alone : plain_steps {
  using message = std::uint32_t;
  __device__ static message pack(std::int32_t, const value& v) { return v.steps; }
};
static_assert(dataflow::cuda::callbacks_fit<plain_steps>());
static_assert(dataflow::cuda::callbacks_fit<steps_with_toll>());
static_assert(!dataflow::cuda::callbacks_fit<careless_send>());
static_assert(!dataflow::cuda::callbacks_fit<long_message>());
static_assert(!dataflow::cuda::callbacks_fit<pack_alone>());

/// Most reliable paths: larger is better, so that update() decides, by compare and swap.
struct most_reliable {
  using value = float;
  __device__ static bool update(value& at, const value& incoming) {
    if (!(incoming > at)) return false;
    at = incoming;
    return true;
  }
  template <class Arc>
  __device__ static value propagate(const value& from, const Arc& along) {
    return from * along.weight;
  }
  __device__ static double priority(const value& at) { return -at; }
};
struct certain_at {
  std::int32_t source;
  __device__ static float initial(std::int32_t) { return 0; }
  __device__ bool starts(std::int32_t vertex) const { return vertex == source; }
  __device__ static float first(std::int32_t) { return 1; }
};

/// Every vertex begins with one, keeps what it gets, and passes nine tenths of it on.
struct passing_on {
  using value = double;
  static constexpr bool sums = true;
  static constexpr double share = 0.9, least = 1e-3;
  const edge_offset* offsets = nullptr;  ///< of own rows
  double* kept = nullptr;                ///< [own rows]
  __device__ static int level(std::int64_t, double sum) {
    return sum < least ? 0 : 1 + ilogb(sum / least);
  }
  __device__ static double priority(int level) { return -level; }
  __device__ double leave(std::int64_t row, double taken) const {
    kept[row] += taken;
    const auto degree = static_cast<double>(offsets[row + 1] - offsets[row]);
    return degree == 0 ? 0 : taken * share / degree;
  }
  template <class Arc>
  __device__ static double propagate(double out, const Arc&) {
    return out;
  }
};
struct one_each {
  __device__ static double initial(std::int32_t) { return 0; }
  __device__ static bool starts(std::int32_t) { return true; }
  __device__ static double first(std::int32_t) { return 1; }
};

}  // namespace gossamer::testing_operators

namespace gossamer {
namespace {

using namespace testing_graphs;
using namespace testing_operators;
using dataflow::gpu_worklist;
using dataflow::gpu_worklist_options;

/// Which rank owns a placed id.
int owner_of(const std::vector<std::int64_t>& bounds, std::int64_t id) {
  return static_cast<int>(std::upper_bound(bounds.begin(), bounds.end(), id) - bounds.begin()) - 1;
}

/// [vertices] by the caller's numbers; `most` and `toll` as above.
std::vector<std::uint32_t> steps_on_host(const graph& g, const placed_graph& placed,
                                         std::int64_t source, std::uint32_t most,
                                         std::uint32_t toll) {
  using entry = std::pair<std::uint32_t, std::int64_t>;
  std::vector<std::uint32_t> steps(static_cast<std::size_t>(g.vertices()), far);
  std::priority_queue<entry, std::vector<entry>, std::greater<>> waiting;
  waiting.emplace(0, source);
  const auto& columns = std::get<shared_array<vertex32>>(g.indices);
  const auto rank_of = [&](std::int64_t v) {
    return owner_of(placed.bounds(), placed.placed_id(v));
  };
  while (!waiting.empty()) {
    const auto [mine, v] = waiting.top();
    waiting.pop();
    if (steps[static_cast<std::size_t>(v)] != far) continue;
    steps[static_cast<std::size_t>(v)] = mine;
    for (edge_offset e = g.offsets[v]; e < g.offsets[v + 1]; ++e) {
      const std::int64_t u = columns[e];
      const bool crosses = rank_of(u) != rank_of(v);
      if (crosses && mine + 1 > most) continue;
      waiting.emplace(mine + 1 + (crosses ? toll : 0), u);
    }
  }
  return steps;
}

/// Of all ranks, by placed id, and what they counted.
template <class Value>
struct outcome {
  std::vector<Value> values;
  worklist_counters work;
  double left = 0;
};

template <class List, class Start>
auto run_all(machine& m, std::vector<List>& lists, const std::function<Start(int)>& start) {
  outcome<typename List::value> all;
  all.values.resize(static_cast<std::size_t>(lists.back().first() + lists.back().size()));
  run_options how;
  how.arenas = dataflow::arenas_of(lists);
  m.run(
      [&](rank& r) {
        List& mine = lists[static_cast<std::size_t>(r.id())];
        mine.run(r, start(r.id()));
        mine.download(all.values.data() + mine.first());
      },
      how);
  for (const List& l : lists) {
    all.work.add(l.counters());
    all.left += l.left();
  }
  return all;
}

/// Wide ones with a hub, whose row is cut into chunks; and short rows, where blocks go alone.
std::vector<graph> graphs() {
  arc_list wide = random_arcs(4000, 30000, 3);
  for (std::int64_t v = 1; v < 2000; ++v) wide.emplace_back(0, v);
  arc_list grid;
  for (std::int64_t v = 0; v < 90 * 90; ++v) {
    if (v % 90 != 89) grid.emplace_back(v, v + 1);
    if (v + 90 < 90 * 90) grid.emplace_back(v, v + 90);
  }
  return {undirected("wide", 4000, wide), undirected("grid", 90 * 90, grid),
          undirected("pieces", 5000, random_arcs(5000, 3000, 7))};
}

class GpuWorklist : public testing_machines::OnMachine {
 protected:
  placed_graph placed_on(const graph& g, const char* partition) {
    place_options how;
    how.partition = partition;
    how.both_directions = false;
    return place(*machine_, g, how);
  }
};

template <class Operator>
void check_steps(machine& m, const graph& g, const placed_graph& placed, const Operator& by,
                 std::uint32_t most, std::uint32_t toll) {
  constexpr int message_bytes = sizeof(dataflow::cuda::message_of<Operator>);
  gpu_worklist_options options;
  options.name = "steps";
  options.delta = 4;
  std::vector<gpu_worklist<Operator, from_one>> lists;
  for (int r = 0; r < m.size(); ++r) lists.emplace_back(placed, r, by, options);
  for (const std::int64_t source : {std::int64_t{0}, g.vertices() / 2}) {
    SCOPED_TRACE(g.name + " from " + std::to_string(source) + " on " + m.spec());
    const auto at = static_cast<std::int32_t>(placed.placed_id(source));
    const auto found = run_all<gpu_worklist<Operator, from_one>, from_one>(
        m, lists, [at](int) { return from_one{at}; });
    const auto expected = steps_on_host(g, placed, source, most, toll);
    const auto& bounds = placed.bounds();
    bool leaves = false;
    for (std::int64_t v = 0; v < g.vertices(); ++v) {
      const std::int64_t id = placed.placed_id(v);
      const auto mine = found.values[static_cast<std::size_t>(id)];
      ASSERT_EQ(mine.steps, expected[static_cast<std::size_t>(v)]) << "vertex " << v;
      if (mine.steps == far || v == source) continue;
      leaves = leaves || owner_of(bounds, id) != owner_of(bounds, at);
      const bool same_rank =
          mine.from != crossed && owner_of(bounds, mine.from) == owner_of(bounds, id);
      if (dataflow::cuda::has_message<Operator>) {
        ASSERT_TRUE(mine.from == crossed || same_rank) << "vertex " << v;
      }
      if (!same_rank) continue;
      ASSERT_EQ(found.values[mine.from].steps + 1, mine.steps) << "vertex " << v;
    }
    ASSERT_EQ(found.work.bytes, found.work.sent * (message_bytes + 4));
    ASSERT_GE(found.work.sent, leaves ? 1 : 0);
    if (m.size() == 1) {
      ASSERT_EQ(found.work.sent, 0);
    }
  }
}

TEST_P(GpuWorklist, ImpliesItsCallbacks) {
  for (const graph& g : graphs())
    for (const char* partition : {"auto", "hash"}) {
      const placed_graph placed = placed_on(g, partition);
      ASSERT_NO_FATAL_FAILURE(check_steps(*machine_, g, placed, plain_steps{}, far, 0));
    }
}

TEST_P(GpuWorklist, HasCallbacksOfTheOperator) {
  for (const graph& g : graphs())
    for (const char* partition : {"auto", "hash"}) {
      const placed_graph placed = placed_on(g, partition);
      for (const auto& [most, toll] : {std::pair{far, 0u}, std::pair{far, 5u}, std::pair{6u, 2u}}) {
        steps_with_toll by;
        by.most = most;
        by.toll = toll;
        ASSERT_NO_FATAL_FAILURE(check_steps(*machine_, g, placed, by, most, toll));
      }
    }
}

TEST_P(GpuWorklist, ReadsPlainRows) {
  machine& m = *machine_;
  for (const graph& g : graphs()) {
    // Bounds where nobody would put them, an empty rank among them; columns of 64 bits.
    std::vector<std::int64_t> bounds(static_cast<std::size_t>(m.size()) + 1, g.vertices());
    for (int r = 0; r < m.size(); ++r)
      bounds[static_cast<std::size_t>(r)] = r == 0 ? 0 : g.vertices() / 3 + 5 * (r / 2);
    const auto& columns = std::get<shared_array<vertex32>>(g.indices);
    const std::vector<vertex64> wide(columns.begin(), columns.end());
    std::vector<double> weights(wide.size());
    for (std::size_t e = 0; e < weights.size(); ++e)
      weights[e] = static_cast<double>(1 + e * 7919 % 255) / 256;
    using list = gpu_worklist<most_reliable, certain_at, float>;
    gpu_worklist_options options;
    options.delta = 0.125;
    std::vector<list> lists;
    for (int r = 0; r < m.size(); ++r) {
      const std::int64_t first = bounds[static_cast<std::size_t>(r)],
                         last = bounds[static_cast<std::size_t>(r) + 1];
      const weighted_rows<vertex64, double> rows{last - first, g.offsets.data() + first,
                                                 wide.data(), weights.data()};
      lists.emplace_back(m, r, bounds, rows, most_reliable{}, options);
    }
    const auto found = run_all<list, certain_at>(m, lists, [](int) { return certain_at{17}; });

    std::vector<float> expected(static_cast<std::size_t>(g.vertices()), 0);
    std::priority_queue<std::pair<float, std::int64_t>> waiting;
    waiting.emplace(1.0f, 17);
    while (!waiting.empty()) {
      const auto [mine, v] = waiting.top();
      waiting.pop();
      if (mine <= expected[static_cast<std::size_t>(v)]) continue;
      expected[static_cast<std::size_t>(v)] = mine;
      for (edge_offset e = g.offsets[v]; e < g.offsets[v + 1]; ++e)
        waiting.emplace(mine * static_cast<float>(weights[static_cast<std::size_t>(e)]),
                        columns[e]);
    }
    ASSERT_EQ(found.values, expected) << g.name << " on " << m.spec();
  }
}

TEST_P(GpuWorklist, AddsSumsUp) {
  machine& m = *machine_;
  for (const graph& g : graphs()) {
    const placed_graph placed = placed_on(g, "edges");
    ASSERT_TRUE(placed.identity());  // no holes, which would begin with one, too
    std::vector<buffer<double>> kept;
    std::vector<gpu_worklist<passing_on, one_each>> lists;
    gpu_worklist_options options;
    options.delta = 1;
    for (int r = 0; r < m.size(); ++r) {
      const auto& slice = placed.slice<vertex32>(r);
      kept.push_back(make_native_buffer<double>(m[r], static_cast<std::size_t>(slice.rows)));
      fill_bytes(memory_kind::device, m[r].ordinal, kept.back().data(), 0,
                 kept.back().size() * sizeof(double));
      passing_on by;
      by.offsets = slice.offsets;
      by.kept = kept.back().data();
      lists.emplace_back(placed, r, by, options);
    }
    const auto found = run_all<gpu_worklist<passing_on, one_each>, one_each>(
        m, lists, [](int) { return one_each{}; });
    double passed = 0;
    for (const auto& part : kept) {
      std::vector<double> here(part.size());
      copy_bytes(here.data(), part.data(), here.size() * sizeof(double));
      passed += std::accumulate(here.begin(), here.end(), 0.0);
    }
    double ends = 0;  // vertices without arcs, which pass nothing on
    for (std::int64_t v = 0; v < g.vertices(); ++v) ends += g.degree(v) == 0 ? 1 : 0;
    // What was taken went on but for a tenth; the rest is left, less than `least` a place.
    const auto all = static_cast<double>(g.vertices());
    EXPECT_NEAR(passed * (1 - passing_on::share) + ends * passing_on::share + found.left, all,
                1e-6 * all)
        << g.name;
    EXPECT_LE(found.left, passing_on::least * all * m.size()) << g.name;
    EXPECT_GT(passed, all) << g.name;
  }
}

TEST_P(GpuWorklist, SaysWhatDoesNotFit) {
  machine& m = *machine_;
  const graph g = graphs().front();
  const placed_graph placed = placed_on(g, "auto");
  const auto refused = [&](const std::vector<std::int64_t>& bounds, std::int64_t rows, int self) {
    const weighted_rows<vertex32> csr{rows, g.offsets.data(),
                                      std::get<shared_array<vertex32>>(g.indices).data(), nullptr};
    try {
      gpu_worklist<plain_steps, from_one>(m, self, bounds, csr);
    } catch (const usage_error& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  auto bounds = placed.bounds();
  EXPECT_NE(refused(bounds, g.vertices(), m.size()).find("the machine has no rank"),
            std::string::npos);
  EXPECT_NE(refused(bounds, bounds[1] - 1, 0).find("owns more vertices than it has rows"),
            std::string::npos);
  bounds.push_back(bounds.back());
  EXPECT_NE(refused(bounds, g.vertices(), 0).find("the end of each rank's vertices"),
            std::string::npos);

  auto host = machine::open("cpu:1x1");
  const placed_graph there = place(host, g);
  try {
    gpu_worklist<plain_steps, from_one>(there, 0);
    ADD_FAILURE() << "a CPU rank was taken";
  } catch (const usage_error& e) {
    EXPECT_NE(std::string(e.what()).find("needs GPUs of one process"), std::string::npos)
        << e.what();
  }
  if (m.size() == 1) return;
  std::vector<gpu_worklist<plain_steps, from_one>> lists;
  for (int r = 0; r < m.size(); ++r) lists.emplace_back(placed, m.size() - 1 - r);
  try {
    m.run([&](rank& r) { lists[static_cast<std::size_t>(r.id())].run(r, from_one{0}); });
    ADD_FAILURE() << "ranks ran the lists of others";
  } catch (const usage_error& e) {
    EXPECT_NE(std::string(e.what()).find("worklist: made for rank"), std::string::npos) << e.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, GpuWorklist,
                         ::testing::Values("cuda:0", "cuda:0*3", "cuda:0-1", "cuda:0-3"),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
