// The kernel of a distributed worklist without a GPU (tests/emulated_gpu), on one rank and on
// several: shortest paths against Dijkstra's, with windows, cuts and blocks' own steps; pushed
// residuals against the equation that holds at every moment.
#include <gtest/gtest.h>

#include "device.hpp"

// The kernels' headers, as the emulated compiler takes them.
#include "algorithm/pagerank/async/cuda/residuals.hpp"
#include "algorithm/sssp/async/from_source.hpp"
#include "gossamer/dataflow/worklist/cuda/buffers.hpp"
#include "gossamer/dataflow/worklist/cuda/loop.cuh"

#include <queue>
#include <random>

namespace gossamer::dataflow::cuda {
namespace {

using paths = sssp_detail::shortest_sums<std::uint32_t>;
using from_source = sssp_detail::from_source<std::uint32_t>;
using pagerank_detail::cuda::residuals, pagerank_detail::cuda::from_jumps;
using weighted_arc = device_arc<std::uint32_t>;

struct test_graph {
  std::vector<std::vector<weighted_arc>> rows;

  explicit test_graph(std::int64_t vertices) : rows(static_cast<std::size_t>(vertices)) {}
  void join(std::int64_t a, std::int64_t b, std::uint32_t weight) {
    rows[static_cast<std::size_t>(a)].push_back({static_cast<std::int32_t>(b), weight});
    rows[static_cast<std::size_t>(b)].push_back({static_cast<std::int32_t>(a), weight});
  }
  [[nodiscard]] std::int64_t vertices() const { return static_cast<std::int64_t>(rows.size()); }
  [[nodiscard]] std::vector<std::uint32_t> distances(std::int32_t source) const {
    std::vector<std::uint32_t> at(rows.size(), sssp_detail::unreached<std::uint32_t>);
    using entry = std::pair<std::uint32_t, std::int32_t>;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> open;
    open.emplace(at[static_cast<std::size_t>(source)] = 0, source);
    while (!open.empty()) {
      const auto [distance, vertex] = open.top();
      open.pop();
      if (distance > at[static_cast<std::size_t>(vertex)]) continue;
      for (const auto& a : rows[static_cast<std::size_t>(vertex)]) {
        auto& there = at[static_cast<std::size_t>(a.to)];
        if (distance + a.weight >= there) continue;
        open.emplace(there = distance + a.weight, a.to);
      }
    }
    return at;
  }
};

/// One vertex joined with most others, whose rows are cut into chunks; the rest at random.
test_graph skewed() {
  test_graph g(400);
  std::mt19937 random(1);
  const auto weight = [&] { return static_cast<std::uint32_t>(1 + random() % 255); };
  for (std::int64_t v = 1; v < 360; ++v) g.join(0, v, weight());
  for (int i = 0; i < 500; ++i)
    g.join(static_cast<std::int64_t>(random() % 390), static_cast<std::int64_t>(random() % 390),
           weight());
  for (std::int64_t leaf = 390; leaf < g.vertices(); ++leaf) g.join(0, leaf, weight());
  return g;
}
/// Rows of four arcs, and one of 45.
test_graph grid() {
  constexpr std::int64_t side = 18, leaves = 41;
  test_graph g(side * side + leaves);
  std::mt19937 random(2);
  for (std::int64_t y = 0; y < side; ++y)
    for (std::int64_t x = 0; x < side; ++x) {
      const auto weight = [&] { return static_cast<std::uint32_t>(1 + random() % 255); };
      if (x + 1 < side) g.join(y * side + x, y * side + x + 1, weight());
      if (y + 1 < side) g.join(y * side + x, (y + 1) * side + x, weight());
    }
  for (std::int64_t leaf = side * side; leaf < g.vertices(); ++leaf) g.join(100, leaf, 7);
  return g;
}

/// Cliques in a chain, and one vertex on the way with a row that is cut into chunks: rounds of few
/// vertices whose rows are not short.
test_graph cliques() {
  constexpr std::int64_t count = 6, size = 20, leaves = 300;
  test_graph g(count * size + leaves);
  std::mt19937 random(3);
  for (std::int64_t first = 0; first < count * size; first += size) {
    for (std::int64_t a = first; a < first + size; ++a)
      for (std::int64_t b = first; b < a; ++b)
        g.join(a, b, static_cast<std::uint32_t>(1 + random() % 255));
    if (first != 0) g.join(first - 1, first, 50);
  }
  for (std::int64_t leaf = count * size; leaf < g.vertices(); ++leaf) g.join(3 * size, leaf, 9);
  return g;
}

/// How a run is made, as engines do (engine.hpp).
struct settings {
  double delta = 0;
  bool short_rows = false, adapts = false, cuts = false;
  int blocks = 2;
  bool steps = false;   ///< blocks go some alone
  bool offers = false;  ///< settled vertices do, along what a cut has left out
  bool looks_back = false;
  bool alike = false;  ///< sums: worth work from one on anywhere, and others' from anything on
};

/// A rank's memory, which its blocks share.
template <class View>
class emulated_rank {
 public:
  using Operator = typename View::operator_type;
  using value = typename Operator::value;
  using arc = device_arc<typename View::weight>;

  emulated_rank(const test_graph& g, const std::vector<std::int64_t>& first, int self,
                const settings& how)
      : sizes_(sizes_of(g, first, self)),
        lists_(device(), sizes_, view_, emulated::shared<std::byte>(places().bytes)) {
    fill_rows(g);
    if constexpr (is_sum<Operator>)
      view_.taken = emulated::shared<double>(static_cast<std::size_t>(sizes_.rows()));
    view_.delta = how.delta;
    view_.short_rows = how.short_rows;
    view_.widens = view_.narrows = how.adapts;
    view_.cut = how.cuts ? cut_windows * how.delta : 0;
    view_.in_step = how.cuts && sizes_.ranks() > 1;
    view_.arrived = emulated::shared<std::uint32_t>(2);
    view_.detector = emulated::shared<std::byte>(detector_bytes);
    if (sizes_.ranks() > 1)
      words_ = emulated::shared<std::uint64_t>(
          static_cast<std::size_t>(sizes_.window_words() + sizes_.settled_words()));
    view_.log = {emulated::shared<phase_record>(most_logged), emulated::shared<std::uint32_t>(1),
                 most_logged};
    lists_.clear();
  }
  /// What the kernel wrote of its rounds: each once, in order, with work in it. Times are each
  /// block's own here.
  void check_log() const {
    std::int32_t rounds = 0;
    ASSERT_LE(*view_.log.written, most_logged);
    for (const phase_record& r : std::span(view_.log.records, *view_.log.written)) {
      if (static_cast<list_phase>(r.phase) != list_phase::work) continue;
      EXPECT_EQ(r.level, rounds++);
      if (sizes_.ranks() == 1) EXPECT_GT(r.bytes, 0);
    }
    EXPECT_EQ(static_cast<unsigned long long>(rounds), state().rounds);
  }
  /// Rings, counts and reports, as engine.hpp lays them out.
  void meet(const std::vector<std::unique_ptr<emulated_rank>>& all) {
    const auto p = all.size(), me = static_cast<std::size_t>(sizes_.self);
    const auto ring = static_cast<std::size_t>(sizes_.ring_words());
    view_.places = static_cast<std::uint64_t>(sizes_.places());
    view_.place_bits = std::countr_zero(view_.places);
    view_.inbox = words_;
    view_.counts = words_ + p * ring;
    view_.reports = view_.counts + count_words * p;
    view_.settled = words_ + sizes_.window_words();
    for (std::size_t q = 0; q < p; ++q) {
      view_.inbox_at[q] = all[q]->words_ + me * ring;
      view_.counts_at[q] = all[q]->words_ + p * ring;
      view_.reports_at[q] = all[q]->words_ + p * ring + count_words * p;
      view_.settled_at[q] = all[q]->words_ + sizes_.window_words();
    }
  }
  /// Times that the kernel has done `what`.
  [[nodiscard]] int logged(list_phase what) const {
    return static_cast<int>(std::ranges::count(std::span(view_.log.records, *view_.log.written),
                                               static_cast<std::int32_t>(what),
                                               &phase_record::phase));
  }
  [[nodiscard]] View& view() { return view_; }
  [[nodiscard]] const list_sizes& sizes() const { return sizes_; }
  [[nodiscard]] list_state state() const { return lists_.state(); }
  [[nodiscard]] list_totals totals() const { return lists_.totals(); }

 private:
  static constexpr std::uint32_t most_logged = 1 << 14;
  static list_sizes sizes_of(const test_graph& g, const std::vector<std::int64_t>& first,
                             int self) {
    std::int64_t arcs = 0;
    for (auto v = first[static_cast<std::size_t>(self)];
         v < first[static_cast<std::size_t>(self) + 1]; ++v)
      arcs += static_cast<std::int64_t>(g.rows[static_cast<std::size_t>(v)].size());
    return {.first = first,
            .self = self,
            .arcs = arcs,
            .value_bytes = sizeof(value),
            .message_bytes = sizeof(message_of<Operator>),
            .arc_bytes = sizeof(arc),
            .sums = is_sum<Operator>,
            .cuts = has_of_priority<Operator>};
  }
  [[nodiscard]] list_places places() const { return list_places(sizes_); }
  void fill_rows(const test_graph& g) {
    offsets_.assign(1, 0);
    const auto begin = sizes_.first[static_cast<std::size_t>(sizes_.self)];
    for (std::int64_t v = begin; v < begin + sizes_.rows(); ++v) {
      const auto& row = g.rows[static_cast<std::size_t>(v)];
      for (const weighted_arc& a : row)
        if constexpr (sizeof(arc) == sizeof(weighted_arc))
          arcs_.push_back(a);
        else
          arcs_.push_back({a.to});
      offsets_.push_back(static_cast<edge_offset>(arcs_.size()));
    }
    view_.offsets = offsets_.data();
    view_.arcs = arcs_.data();
  }

  const list_sizes sizes_;
  View view_{};
  list_buffers<value> lists_;
  std::vector<edge_offset> offsets_;
  std::vector<arc> arcs_;
  std::uint64_t* words_ = nullptr;
};

template <class View>
using emulated_ranks = std::vector<std::unique_ptr<emulated_rank<View>>>;

template <class View>
emulated_ranks<View> make_ranks(const test_graph& g, int p, const settings& how) {
  std::vector<std::int64_t> first;
  for (int r = 0; r <= p; ++r) first.push_back(g.vertices() * r / p);
  emulated_ranks<View> ranks;
  for (int r = 0; r < p; ++r)
    ranks.push_back(std::make_unique<emulated_rank<View>>(g, first, r, how));
  if (p > 1)
    for (auto& r : ranks) r->meet(ranks);
  return ranks;
}

/// Every block of every rank is a process, launched until all have finished. `starts`: of ranks.
template <class View, class Start>
bool run_kernels(const emulated_ranks<View>& ranks, int blocks, const std::vector<Start>& starts) {
  while (ranks.front()->state().next != list_phase::finished) {
    emulated::blocks running;
    for (std::size_t r = 0; r < ranks.size(); ++r)
      running.launch(
          static_cast<unsigned>(blocks), [&] { run_list(ranks[r]->view(), starts[r]); },
          static_cast<unsigned>(r));
    if (!running.end()) return false;
  }
  for (const auto& r : ranks) r->check_log();
  return true;
}

template <class View>
std::size_t owner_of(const emulated_ranks<View>& ranks, std::size_t vertex) {
  std::size_t owner = 0;
  while (static_cast<std::int64_t>(vertex) >= ranks.front()->sizes().first[owner + 1]) ++owner;
  return owner;
}

template <class View>
void check_paths(const test_graph& g, int p, const settings& how) {
  constexpr std::int32_t source = 5;
  const auto ranks = make_ranks<View>(g, p, how);
  ASSERT_TRUE(run_kernels(ranks, how.blocks, std::vector(ranks.size(), from_source{source})));
  const auto expected = g.distances(source);
  std::size_t reached = 0;
  for (std::size_t v = 0; v < expected.size(); ++v) {
    ASSERT_EQ(ranks[owner_of(ranks, v)]->view().values[v], expected[v]) << v;
    reached += expected[v] != sssp_detail::unreached<std::uint32_t>;
  }
  std::uint64_t items = 0, stepped = 0;
  for (const auto& r : ranks) {
    items += r->state().items + r->totals().items;
    stepped += r->state().stepped;
  }
  EXPECT_GE(items, reached);
  if (how.steps) EXPECT_GT(stepped, 0);
  for (const auto& r : ranks) {
    // All ranks go the same way.
    EXPECT_EQ(r->logged(list_phase::gather), ranks.front()->logged(list_phase::gather));
    EXPECT_EQ(r->logged(list_phase::pull), ranks.front()->logged(list_phase::pull));
    if (how.offers) EXPECT_GT(r->logged(list_phase::gather), 0);
    if (how.looks_back) EXPECT_EQ(r->logged(list_phase::pull), 1);
  }
}

/// What was taken at a vertex, and what waits for it anywhere, is what it began with and what its
/// neighbours' takings brought.
template <class View>
void check_sums(const test_graph& g, int p, const settings& how) {
  constexpr double jump = 12, damping = 0.85;
  const auto ranks = make_ranks<View>(g, p, how);
  const auto n = static_cast<std::size_t>(g.vertices());
  auto *const share = emulated::shared<double>(n), *const taken = emulated::shared<double>(n);
  for (std::size_t v = 0; v < n; ++v) {
    share[v] = g.rows[v].empty() ? 0 : damping / static_cast<double>(g.rows[v].size());
    taken[v] = jump;
  }
  std::vector<from_jumps> starts;
  for (const auto& r : ranks) {
    const std::int64_t begin = r->sizes().first[static_cast<std::size_t>(r->sizes().self)];
    auto* const least = emulated::shared<std::uint8_t>(n);
    for (std::size_t v = 0; v < n; ++v)
      least[v] = static_cast<std::uint8_t>(std::bit_width(g.rows[v].size() + 1) - 1);
    r->view().by = {least, share + begin, taken + begin};
    if (how.alike) {
      std::fill_n(least, n, std::uint8_t{0});
      std::fill_n(least + begin, r->sizes().rows(), residuals::own_least);
      r->view().by.base = residuals::base_for_own;
    }
    starts.push_back({begin, taken + begin});
  }
  ASSERT_TRUE(run_kernels(ranks, how.blocks, starts));
  double left = 0;
  for (std::size_t v = 0; v < n; ++v) {
    double there = taken[v], brought = jump;
    for (const auto& r : ranks) there += r->view().values[v];
    for (const auto& a : g.rows[v])
      brought += taken[static_cast<std::size_t>(a.to)] * share[static_cast<std::size_t>(a.to)];
    ASSERT_NEAR(there, brought, 1e-9 * brought) << v;
    const double waits = ranks[owner_of(ranks, v)]->view().values[v];
    EXPECT_LT(waits, how.alike ? 1 : static_cast<double>(g.rows[v].size() + 1));
    if (how.alike) EXPECT_EQ(there, taken[v] + waits) << "all of it is sent";
    left += there - taken[v];
  }
  double counted = 0;
  for (const auto& r : ranks) counted += r->totals().left;
  EXPECT_NEAR(counted, left, 1e-9 * left);
}

using lone_paths = lone_list_view<paths, std::uint32_t>;
using lone_sums = lone_list_view<residuals, no_weight>;

TEST(EmulatedWorklist, windows) {
  for (const double delta : {8.0, 1000.0}) check_paths<lone_paths>(skewed(), 1, {delta});
}
TEST(EmulatedWorklist, no_windows) {
  check_paths<lone_paths>(skewed(), 1, {});
}
TEST(EmulatedWorklist, windows_adapt) {
  check_paths<lone_paths>(skewed(), 1, {.delta = 4, .adapts = true, .blocks = 3});
}
TEST(EmulatedWorklist, arcs_are_left_out) {
  check_paths<lone_paths>(skewed(), 1, {.delta = 16, .adapts = true, .cuts = true});
  check_paths<lone_paths>(skewed(), 1, {.delta = 2, .cuts = true});
}
TEST(EmulatedWorklist, own_steps) {
  check_paths<lone_paths>(grid(), 1, {.delta = 1000, .short_rows = true, .steps = true});
  check_paths<lone_paths>(grid(), 1, {.delta = 100, .short_rows = true, .adapts = true});
}
TEST(EmulatedWorklist, steps_of_one_block) {
  check_paths<lone_paths>(cliques(), 1, {.delta = 30, .adapts = true, .blocks = 3, .steps = true});
  check_paths<lone_paths>(cliques(), 1, {.delta = 1000, .cuts = true});
}
TEST(EmulatedWorklist, several_ranks) {
  using view = list_view<paths, std::uint32_t>;
  check_paths<view>(skewed(), 3, {.delta = 64, .blocks = 1});
  check_paths<view>(cliques(), 3, {.delta = 64, .blocks = 1});
  check_paths<view>(grid(), 3, {.delta = 1000, .short_rows = true, .blocks = 1});
}
TEST(EmulatedWorklist, several_ranks_leave_arcs_out) {
  using view = list_view<paths, std::uint32_t>;
  // Narrow windows end long before most is settled: ranks offer, and cut twice as far away.
  check_paths<view>(skewed(), 3,
                    {.delta = 2, .cuts = true, .blocks = 1, .offers = true, .looks_back = true});
  check_paths<view>(skewed(), 3, {.delta = 64, .adapts = true, .cuts = true, .blocks = 1});
  check_paths<view>(cliques(), 3, {.delta = 16, .adapts = true, .cuts = true, .blocks = 1});
}
TEST(EmulatedWorklist, sums) {
  check_sums<lone_sums>(skewed(), 1, {});
  check_sums<lone_sums>(skewed(), 1, {.delta = 1, .blocks = 3});
}
TEST(EmulatedWorklist, sums_of_several_ranks) {
  check_sums<list_view<residuals, no_weight>>(skewed(), 3, {.delta = 1, .blocks = 1});
}
TEST(EmulatedWorklist, sums_alike) {
  check_sums<lone_sums>(skewed(), 1, {.delta = 1, .alike = true});
  check_sums<list_view<residuals, no_weight>>(skewed(), 3, {.blocks = 1, .alike = true});
}

}  // namespace
}  // namespace gossamer::dataflow::cuda
