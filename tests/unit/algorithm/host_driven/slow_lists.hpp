// A CPU's stand-in for the kernels of a worklist that a host thread drives, and searches by it: of
// values that improve (distances) and of sums (residuals, pushed along arcs).
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <utility>

#include "algorithm/host_driven/loop.hpp"
#include "gossamer/machine/machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/row_ranges.hpp"

namespace gossamer::testing_host_loop {

using namespace algorithm_detail;

template <class Value>
struct alignas(8) message {
  std::int32_t target;
  Value content;
};

/// One rank's lists as the kernels have them, without their speed. A turn is shown, and its queue
/// worked off, some looks after it was asked for, so that messages come in between.
template <class Value>
class slow_lists : public list_device {
 public:
  using value = Value;
  using one = message<Value>;
  slow_lists(const rank& r, const graph& g, const std::vector<std::int64_t>& first,
             message_route route)
      : g_(g),
        first_(first),
        self_(r.id()),
        route_(route),
        random_(static_cast<unsigned>(r.id()) + 1) {}

  void begin() override { begin_now(); }
  void turn(bool give) override { turn_now(give); }
  void open_window(double threshold, bool give) override { open_now(threshold, give); }
  bool shown(list_snapshot& into) override {
    if (delay_-- > 0) return false;
    into = last_;
    return true;
  }
  bool worked() override {
    // A part of the queue at each look: messages are taken in beside it.
    for (int i = 0; i < 8 && !queue_.empty(); ++i) {
      const auto u = queue_.front();
      queue_.pop_front();
      ++items_;
      spread(u, granted(u));
    }
    return queue_.empty() && given_ == last_.granted;
  }
  void grant(std::uint64_t first, std::uint64_t n, std::span<std::byte> into) override {
    ASSERT_EQ(first, given_);
    ASSERT_LE(first + n, granted_.size());
    auto* m = reinterpret_cast<one*>(into.data());
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto v = granted_[first + i];
      m[i] = {static_cast<std::int32_t>(v), granted(v)};
    }
    given_ += n;
  }
  void work_off(std::span<const std::byte> bytes) override {
    const auto* m = reinterpret_cast<const one*>(bytes.data());
    for (std::size_t i = 0; i < bytes.size() / sizeof *m; ++i) {
      EXPECT_FALSE(own(m[i].target));
      spread(m[i].target, m[i].content);
    }
  }
  void take(std::span<const std::byte> bytes) override {
    const auto* m = reinterpret_cast<const one*>(bytes.data());
    for (std::size_t i = 0; i < bytes.size() / sizeof *m; ++i) {
      EXPECT_TRUE(route_ == message_route::ring || own(m[i].target));
      if (!offer(m[i].target, m[i].content)) ++useless;
    }
  }
  void pack(int to, std::uint64_t from, std::uint64_t n, std::span<std::byte> into) override {
    ASSERT_EQ(into.size(), n * sizeof(one));
    ASSERT_LE(from + n, last_.appended[static_cast<std::size_t>(to)]);
    auto* m = reinterpret_cast<one*>(into.data());
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto v = lists_[static_cast<std::size_t>(to)][from + i];
      listed_[at(v)] = false;
      m[i] = {static_cast<std::int32_t>(v), given(v)};
    }
  }
  [[nodiscard]] const stream* taking() const override { return nullptr; }
  [[nodiscard]] const stream* packing() const override { return nullptr; }
  [[nodiscard]] std::size_t message_bytes() const override { return sizeof(one); }
  [[nodiscard]] std::uint64_t capacity(int) const override {
    return most != 0 ? most : static_cast<std::uint64_t>(2 * g_.vertices());
  }

  std::vector<Value> values;
  std::int64_t useless = 0;
  std::uint64_t most = 0;  ///< entries of a list, 0: enough
  std::uint64_t least_grant = 1;

 protected:
  static std::size_t at(std::int64_t v) { return static_cast<std::size_t>(v); }
  [[nodiscard]] const graph& rows() const { return g_; }
  [[nodiscard]] double threshold() const { return threshold_; }

  // The operator.
  [[nodiscard]] virtual Value initial() const = 0;
  /// First work of the own vertices.
  virtual void start() = 0;
  /// Changes a value and lists the vertex, if it has to be; whether that was of use.
  virtual bool offer(std::int64_t v, Value incoming) = 0;
  /// What goes to another rank.
  virtual Value given(std::int64_t v) = 0;
  /// What goes out along an own row that comes up, here or on the rank that it is granted to.
  virtual Value granted(std::int64_t v) = 0;
  /// Offers that along the row, whoever owns it.
  virtual void spread(std::int64_t v, Value out) = 0;
  /// Infinite: not worth work.
  [[nodiscard]] virtual double priority(std::int64_t v) const = 0;

  /// A vertex whose value has changed, where it belongs.
  void put(std::int64_t v) {
    if (!own(v)) {
      if (listed_[at(v)]) return;
      listed_[at(v)] = true;
      const int to = next_on_the_way(route_, self_, owner(v), static_cast<int>(first_.size()) - 1);
      lists_[at(to)].push_back(v);
    } else if (priority(v) > threshold_) {
      far_.push_back(v);
    } else if (!queued_[at(v)]) {
      queued_[at(v)] = true;
      found_.push_back(v);
    }
  }
  [[nodiscard]] bool own(std::int64_t v) const {
    return v >= first_[at(self_)] && v < first_[at(self_) + 1];
  }
  void begin_now() {
    const auto n = static_cast<std::size_t>(g_.vertices());
    values.assign(n, initial());
    listed_.assign(n, false);
    queued_.assign(n, false);
    lists_.assign(first_.size() - 1, {});
    found_.clear();
    far_.clear();
    threshold_ = -nothing_deferred;
    start();
    turn_now(false);
  }
  void turn_now(bool give) {
    EXPECT_TRUE(queue_.empty());
    EXPECT_EQ(given_, granted_.size());
    for (const auto v : found_) queued_[at(v)] = false;
    const auto stays =
        found_.begin() + static_cast<std::ptrdiff_t>(give && found_.size() >= 2 * least_grant
                                                         ? (found_.size() + 1) / 2
                                                         : found_.size());
    queue_.assign(found_.begin(), stays);
    granted_.assign(stays, found_.end());
    given_ = 0;
    found_.clear();
    fill();
    delay_ = static_cast<int>(random_() % 3);
  }
  void open_now(double threshold, bool give) {
    EXPECT_TRUE(queue_.empty() && found_.empty());
    threshold_ = threshold;
    std::vector<std::int64_t> all;
    all.swap(far_);
    for (const auto v : all)
      if (priority(v) < nothing_deferred) put(v);  // else a sum was taken
    turn_now(give);
  }

 private:
  [[nodiscard]] int owner(std::int64_t v) const {
    int r = 0;
    while (v >= first_[at(r) + 1]) ++r;
    return r;
  }
  void fill() {
    last_.queued = queue_.size();
    last_.granted = granted_.size();
    last_.items = items_;
    last_.nearest = nothing_deferred;
    for (const auto v : far_) last_.nearest = std::min(last_.nearest, priority(v));
    for (std::size_t r = 0; r < lists_.size(); ++r) last_.appended[r] = lists_[r].size();
  }
  const graph& g_;
  const std::vector<std::int64_t>& first_;
  const int self_;
  const message_route route_;
  std::mt19937 random_;
  std::deque<std::int64_t> queue_;
  std::vector<std::int64_t> found_, far_, granted_;
  std::vector<std::vector<std::int64_t>> lists_;
  std::vector<bool> listed_, queued_;
  list_snapshot last_;
  std::uint64_t items_ = 0, given_ = 0;
  int delay_ = 0;
  double threshold_ = 0;
};

/// Shortest paths.
class slow_distances : public slow_lists<std::uint32_t> {
 public:
  slow_distances(const rank& r, const graph& g, const std::vector<std::int64_t>& first,
                 message_route route, std::int64_t source)
      : slow_lists(r, g, first, route), source_(source) {}

 protected:
  [[nodiscard]] std::int64_t source() const { return source_; }
  [[nodiscard]] std::uint32_t initial() const override {
    return std::numeric_limits<std::uint32_t>::max();
  }
  void start() override {
    if (own(source_)) offer(source_, 0);
  }
  bool offer(std::int64_t v, std::uint32_t incoming) override {
    if (incoming >= values[at(v)]) return false;
    values[at(v)] = incoming;
    put(v);
    return true;
  }
  std::uint32_t given(std::int64_t v) override { return values[at(v)]; }
  std::uint32_t granted(std::int64_t v) override { return values[at(v)]; }
  void spread(std::int64_t u, std::uint32_t out) override {
    const auto& weights = std::get<shared_array<std::int32_t>>(rows().weights);
    rows().visit([&](const auto& g) {
      for (edge_offset k = rows().offsets[u]; k < rows().offsets[u + 1]; ++k)
        offer(static_cast<std::int64_t>(g.indices[k]),
              out + static_cast<std::uint32_t>(weights[k]));
    });
  }
  [[nodiscard]] double priority(std::int64_t v) const override { return values[at(v)]; }

 private:
  const std::int64_t source_;
};

/// Residuals: each vertex begins with one; what is taken is kept, and half of it shared out along
/// the vertex's arcs (dataflow/worklist/cuda/sums.cuh).
class slow_sums : public slow_lists<double> {
 public:
  static constexpr double least = 1e-6, passed_on = 0.5;

  slow_sums(const rank& r, const graph& g, const std::vector<std::int64_t>& first,
            message_route route, std::int64_t /*source*/)
      : slow_lists(r, g, first, route) {}

  std::vector<double> kept;  ///< by vertex

 protected:
  [[nodiscard]] double initial() const override { return 0; }
  void start() override {
    kept.assign(values.size(), 0);
    for (std::int64_t v = 0; v < rows().vertices(); ++v)
      if (own(v)) offer(v, 1);
  }
  bool offer(std::int64_t v, double incoming) override {
    const int was = level(v);
    values[at(v)] += incoming;
    if (own(v) ? level(v) > was : was == 0 && level(v) > 0) put(v);
    return level(v) > 0;
  }
  double given(std::int64_t v) override { return std::exchange(values[at(v)], 0); }
  double granted(std::int64_t v) override {
    if (priority(v) > threshold()) return 0;  // taken since, or on the pile
    const double taken = given(v);
    kept[at(v)] += taken;
    return taken;
  }
  void spread(std::int64_t u, double taken) override {
    if (taken == 0) return;
    const edge_offset begin = rows().offsets[u], end = rows().offsets[u + 1];
    rows().visit([&](const auto& g) {
      for (edge_offset k = begin; k < end; ++k)
        offer(static_cast<std::int64_t>(g.indices[k]),
              passed_on * taken / static_cast<double>(end - begin));
    });
  }
  [[nodiscard]] double priority(std::int64_t v) const override {
    return level(v) == 0 ? nothing_deferred : -static_cast<double>(level(v));
  }

 private:
  [[nodiscard]] int level(std::int64_t v) const {
    return values[at(v)] < least ? 0 : std::ilogb(values[at(v)] / least) + 1;
  }
};

inline graph with_weights(int number) {
  graph g = testing_graphs::many_graphs(number);
  testing_graphs::set_weights<std::int32_t>(g, 1 + number % 50);
  return g;
}

template <class Lists>
struct outcome {
  std::vector<typename Lists::value> values;  ///< of sums: of all ranks together
  std::vector<double> kept;                   ///< sums
  double largest_left = 0;                    ///< on one rank; sums
  worklist_counters work;
  /// Shortest paths.
  [[nodiscard]] const auto& distances() const { return values; }
};

/// Collective: what all ranks have, in their order; every process has it.
template <class T>
std::vector<T> of_all_ranks(rank& r, std::span<const T> mine) {
  std::vector<T> all(mine.size() * static_cast<std::size_t>(r.size()));
  r.exchange(std::as_bytes(mine), std::as_writable_bytes(std::span(all)));
  return all;
}

/// Lists: slow_distances, slow_sums, or made from one.
template <class Lists = slow_distances>
outcome<Lists> search(machine& m, const graph& g, std::int64_t source,
                      const host_list_options& options, std::uint64_t most = 0,
                      std::chrono::milliseconds deadline = std::chrono::seconds(20)) {
  constexpr bool sums = requires(Lists l) {
    l.kept;
  };
  const auto first = testing_graphs::arc_ranges(g.offsets.span(), m.size());
  const host_list_graph links(m, options, sizeof(typename Lists::one), first);
  outcome<Lists> all;
  all.values.resize(static_cast<std::size_t>(g.vertices()));
  all.kept.resize(all.values.size());
  run_options run;
  run.deadline = deadline;
  int teller = 0;  // one rank of each process
  while (!m.here(teller)) ++teller;
  for (int r = 0; r < m.size(); ++r) run.arenas.push_back(host_loop_arena(links, options, r));
  m.run(
      [&](rank& r) {
        Lists lists(r, g, first, options.route, source);
        lists.most = most;
        host_loop loop(r, links, lists, options);
        loop.run();
        auto counters = loop.counters();
        counters.useless = lists.useless;
        using value = typename Lists::value;
        const auto values = of_all_ranks<value>(r, lists.values);
        const auto work = of_all_ranks<worklist_counters>(r, std::span(&counters, 1));
        std::vector<double> kept;
        if constexpr (sums) kept = of_all_ranks<double>(r, lists.kept);
        if (r.id() != teller) return;
        const std::size_t n = all.values.size();
        for (std::size_t rank = 0; rank < work.size(); ++rank) {
          all.work.add(work[rank]);
          const auto* const its = values.data() + rank * n;
          if constexpr (sums) {
            for (std::size_t v = 0; v < n; ++v) {
              all.values[v] += its[v];
              all.kept[v] += kept[rank * n + v];
              all.largest_left = std::max(all.largest_left, its[v]);
            }
          } else {
            std::copy(its + first[rank], its + first[rank + 1], all.values.begin() + first[rank]);
          }
        }
      },
      run);
  return all;
}

/// No residual was lost, and none came twice, whichever way it went: what is left of it anywhere
/// and what was taken of it are what a vertex began with and what its neighbours passed on; and
/// nothing is left that is worth work.
template <class Found>
void expect_balanced(const graph& g, const Found& found) {
  std::vector<double> arrived(found.kept.size(), 1);
  g.visit([&](const auto& rows) {
    for (std::int64_t u = 0; u < g.vertices(); ++u)
      for (const auto v : rows.row(u))
        arrived[static_cast<std::size_t>(v)] += slow_sums::passed_on *
                                                found.kept[static_cast<std::size_t>(u)] /
                                                static_cast<double>(g.degree(u));
  });
  for (std::size_t v = 0; v < arrived.size(); ++v)
    ASSERT_NEAR(found.kept[v] + found.values[v], arrived[v], 1e-12 * arrived[v]) << v;
  EXPECT_LT(found.largest_left, slow_sums::least);
}

/// A machine, and the way of messages between its ranks.
class on_machine_and_route
    : public ::testing::TestWithParam<std::tuple<const char*, message_route>> {
 protected:
  /// Lists: of distances. Segments of one message, of a few and of any, windows of many widths.
  template <class Lists>
  void agree_with_dijkstra(int graphs, int width) {
    for (int number = 0; number < graphs; ++number) {
      const graph g = with_weights(number);
      SCOPED_TRACE(g.name);
      options_.packet = number % 3 == 0 ? 8 : number % 3 == 1 ? 100 : 0;
      options_.delta = width * (1 + number % 20);
      const std::int64_t source = g.vertices() / 2;
      const auto found = search<Lists>(machine_, g, source, options_);
      ASSERT_EQ(found.distances(), testing_graphs::serial_distances<std::uint32_t>(g, source));
      EXPECT_EQ(found.work.bytes, found.work.sent * 8);
      EXPECT_LE(found.work.useless, found.work.sent);
      EXPECT_LE(found.work.parcels, found.work.sent);
      stolen_ += found.work.stolen;
    }
  }

  /// Lists: of sums, which are neither lost nor doubled.
  template <class Lists>
  void keep_sums(int graphs) {
    for (int number = 0; number < graphs; ++number) {
      const graph g = testing_graphs::many_graphs(number);
      SCOPED_TRACE(g.name);
      options_.packet = number % 3 == 0 ? 16 : number % 3 == 1 ? 100 : 0;
      options_.delta = 1 + number % 4;
      const auto found = search<Lists>(machine_, g, 0, options_);
      ASSERT_NO_FATAL_FAILURE(expect_balanced(g, found));
      EXPECT_EQ(found.work.bytes, found.work.sent * 16);
      EXPECT_LE(found.work.useless, found.work.sent);
    }
  }

  machine machine_ = machine::open(std::get<0>(GetParam()));
  std::int64_t stolen_ = 0;  ///< items, by agree_with_dijkstra()
  host_list_options options_{"test", std::get<1>(GetParam()), 7, 0};
};

}  // namespace gossamer::testing_host_loop
