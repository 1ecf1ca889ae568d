// The kernel of a distributed worklist without a GPU (tests/emulated_gpu): shortest paths against
// Dijkstra's, on one rank and on several, with windows, cuts and blocks' own steps.
#include <gtest/gtest.h>

#include "device.hpp"

// The kernels' headers, as the emulated compiler takes them.
#include "algorithm/sssp/async/cuda/from_source.hpp"
#include "gossamer/dataflow/worklist/cuda/buffers.hpp"
#include "gossamer/dataflow/worklist/cuda/loop.cuh"

#include <queue>
#include <random>

namespace gossamer::dataflow::cuda {
namespace {

using sums = sssp_detail::shortest_sums<std::uint32_t>;
using start = sssp_detail::cuda::from_source<std::uint32_t>;
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

/// How a run is made, as engines do (engine.hpp).
struct settings {
  double delta = 0;
  bool short_rows = false, adapts = false, cuts = false;
  int blocks = 2;
};

/// A rank's memory, which its blocks share.
template <class View>
class emulated_rank {
 public:
  emulated_rank(const test_graph& g, const std::vector<std::int64_t>& first, int self,
                const settings& how)
      : sizes_(sizes_of(g, first, self)),
        lists_(device(), sizes_, view_, emulated::shared<std::byte>(places().bytes)) {
    fill_rows(g);
    view_.delta = how.delta;
    view_.short_rows = how.short_rows;
    view_.widens = view_.narrows = how.adapts;
    view_.cut = how.cuts ? cut_windows * how.delta : 0;
    view_.arrived = emulated::shared<std::uint32_t>(2);
    view_.detector = emulated::shared<std::byte>(detector_bytes);
    if (sizes_.ranks() > 1)
      words_ = emulated::shared<std::uint64_t>(static_cast<std::size_t>(sizes_.window_words()));
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
    view_.reports = view_.counts + 2 * p;
    for (std::size_t q = 0; q < p; ++q) {
      view_.inbox_at[q] = all[q]->words_ + me * ring;
      view_.counts_at[q] = all[q]->words_ + p * ring;
      view_.reports_at[q] = all[q]->words_ + p * ring + 2 * p;
    }
  }
  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] list_state state() const { return lists_.state(); }
  [[nodiscard]] list_totals totals() const { return lists_.totals(); }
  [[nodiscard]] std::uint32_t distance(std::int64_t row) const {
    return view_.values[sizes_.first[static_cast<std::size_t>(sizes_.self)] + row];
  }

 private:
  static constexpr std::uint32_t most_logged = 1 << 14;
  static list_sizes sizes_of(const test_graph& g, const std::vector<std::int64_t>& first,
                             int self) {
    std::int64_t arcs = 0;
    for (auto v = first[static_cast<std::size_t>(self)];
         v < first[static_cast<std::size_t>(self) + 1]; ++v)
      arcs += static_cast<std::int64_t>(g.rows[static_cast<std::size_t>(v)].size());
    return {first, self, arcs, 4, 4, sizeof(weighted_arc), false};
  }
  [[nodiscard]] list_places places() const { return list_places(sizes_); }
  void fill_rows(const test_graph& g) {
    offsets_.assign(1, 0);
    const auto begin = sizes_.first[static_cast<std::size_t>(sizes_.self)];
    for (std::int64_t v = begin; v < begin + sizes_.rows(); ++v) {
      const auto& row = g.rows[static_cast<std::size_t>(v)];
      arcs_.insert(arcs_.end(), row.begin(), row.end());
      offsets_.push_back(static_cast<edge_offset>(arcs_.size()));
    }
    view_.offsets = offsets_.data();
    view_.arcs = arcs_.data();
  }

  const list_sizes sizes_;
  View view_{};
  list_buffers<std::uint32_t> lists_;
  std::vector<edge_offset> offsets_;
  std::vector<weighted_arc> arcs_;
  std::uint64_t* words_ = nullptr;
};

/// Every block of every rank is a process, launched until all have finished.
template <class View>
bool run_kernels(const std::vector<std::unique_ptr<emulated_rank<View>>>& ranks, int blocks,
                 std::int32_t source) {
  gridDim.x = static_cast<unsigned>(blocks);
  while (ranks.front()->state().next != list_phase::finished) {
    for (std::size_t r = 0; r < ranks.size(); ++r)
      for (int b = 0; b < blocks; ++b)
        if (fork() == 0) {
          srand(static_cast<unsigned>(100 * static_cast<int>(r) + b));
          blockIdx.x = static_cast<unsigned>(b);
          emulated::launch([&] { run_list(ranks[r]->view(), start{source}); });
          _exit(0);
        }
    bool ok = true;
    for (std::size_t i = 0; i < ranks.size() * static_cast<std::size_t>(blocks); ++i) {
      int status = 0;
      ::wait(&status);
      ok = ok && status == 0;
    }
    if (!ok) return false;
  }
  return true;
}

template <class View>
void check(const test_graph& g, int p, const settings& how) {
  constexpr std::int32_t source = 5;
  std::vector<std::int64_t> first;
  for (int r = 0; r <= p; ++r) first.push_back(g.vertices() * r / p);
  std::vector<std::unique_ptr<emulated_rank<View>>> ranks;
  for (int r = 0; r < p; ++r)
    ranks.push_back(std::make_unique<emulated_rank<View>>(g, first, r, how));
  if (p > 1)
    for (auto& r : ranks) r->meet(ranks);
  ASSERT_TRUE(run_kernels(ranks, how.blocks, source));
  const auto expected = g.distances(source);
  std::size_t reached = 0;
  for (std::size_t v = 0; v < expected.size(); ++v) {
    int owner = 0;
    while (static_cast<std::int64_t>(v) >= first[static_cast<std::size_t>(owner) + 1]) ++owner;
    const auto row = static_cast<std::int64_t>(v) - first[static_cast<std::size_t>(owner)];
    ASSERT_EQ(ranks[static_cast<std::size_t>(owner)]->distance(row), expected[v]) << v;
    reached += expected[v] != sssp_detail::unreached<std::uint32_t>;
  }
  for (const auto& r : ranks) r->check_log();
  std::uint64_t items = 0;
  for (const auto& r : ranks) items += r->state().items + r->totals().items;
  EXPECT_GE(items, reached);
}

using lone = lone_list_view<sums, std::uint32_t>;
using several = list_view<sums, std::uint32_t>;

TEST(EmulatedWorklist, windows) {
  for (const double delta : {8.0, 1000.0}) check<lone>(skewed(), 1, {delta});
}
TEST(EmulatedWorklist, no_windows) {
  check<lone>(skewed(), 1, {});
}
TEST(EmulatedWorklist, windows_adapt) {
  check<lone>(skewed(), 1, {.delta = 4, .adapts = true, .blocks = 3});
}
TEST(EmulatedWorklist, arcs_are_left_out) {
  check<lone>(skewed(), 1, {.delta = 16, .adapts = true, .cuts = true});
  check<lone>(skewed(), 1, {.delta = 2, .cuts = true});
}
TEST(EmulatedWorklist, own_steps) {
  check<lone>(grid(), 1, {.delta = 1000, .short_rows = true});
  check<lone>(grid(), 1, {.delta = 100, .short_rows = true, .adapts = true});
}
TEST(EmulatedWorklist, several_ranks) {
  check<several>(skewed(), 3, {.delta = 64, .blocks = 1});
  check<several>(grid(), 3, {.delta = 1000, .short_rows = true, .blocks = 1});
}

}  // namespace
}  // namespace gossamer::dataflow::cuda
