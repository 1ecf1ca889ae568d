// A CPU's stand-in for the kernels of a worklist that a host thread drives, and searches by it.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <functional>
#include <random>

#include "algorithm/host_worklist/loop.hpp"
#include "gossamer/machine/machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/row_ranges.hpp"

namespace gossamer::testing_host_loop {

using namespace algorithm_detail;

inline constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

struct message {
  std::int32_t target;
  std::uint32_t content;
};

/// One rank's lists as the kernels have them, without their speed. A turn is shown, and its queue
/// worked off, some looks after it was asked for, so that messages come in between.
class slow_lists : public list_device {
 public:
  slow_lists(const rank& r, const graph& g, const std::vector<std::int64_t>& first,
             message_route route, std::int64_t source)
      : g_(g),
        first_(first),
        self_(r.id()),
        route_(route),
        source_(source),
        random_(static_cast<unsigned>(r.id()) + 1) {}

  void begin() override { begin_now(); }
  void turn() override { turn_now(); }
  void open_window(double threshold) override { open_now(threshold); }
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
      relax(u);
    }
    return queue_.empty();
  }
  void take(std::span<const std::byte> bytes) override {
    const auto* m = reinterpret_cast<const message*>(bytes.data());
    for (std::size_t i = 0; i < bytes.size() / sizeof *m; ++i) {
      EXPECT_TRUE(route_ == message_route::ring || own(m[i].target));
      if (!improve(m[i].target, m[i].content)) ++useless;
    }
  }
  void pack(int to, std::uint64_t from, std::uint64_t n, std::span<std::byte> into) override {
    ASSERT_EQ(into.size(), n * sizeof(message));
    ASSERT_LE(from + n, last_.appended[static_cast<std::size_t>(to)]);
    auto* m = reinterpret_cast<message*>(into.data());
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto v = lists_[static_cast<std::size_t>(to)][from + i];
      listed_[at(v)] = false;
      m[i] = {static_cast<std::int32_t>(v), values[at(v)]};
    }
  }
  [[nodiscard]] const stream* taking() const override { return nullptr; }
  [[nodiscard]] const stream* packing() const override { return nullptr; }
  [[nodiscard]] std::size_t message_bytes() const override { return sizeof(message); }
  [[nodiscard]] std::uint64_t capacity(int) const override {
    return most != 0 ? most : static_cast<std::uint64_t>(2 * g_.vertices());
  }

  std::vector<std::uint32_t> values;
  std::int64_t useless = 0;
  std::uint64_t most = 0;  ///< entries of a list, 0: enough

 protected:
  static std::size_t at(std::int64_t v) { return static_cast<std::size_t>(v); }
  [[nodiscard]] std::int64_t source() const { return source_; }
  [[nodiscard]] bool own(std::int64_t v) const {
    return v >= first_[at(self_)] && v < first_[at(self_) + 1];
  }
  void begin_now() {
    const auto n = static_cast<std::size_t>(g_.vertices());
    values.assign(n, never);
    listed_.assign(n, false);
    queued_.assign(n, false);
    lists_.assign(first_.size() - 1, {});
    found_.clear();
    far_.clear();
    threshold_ = -nothing_deferred;
    if (own(source_)) {
      values[static_cast<std::size_t>(source_)] = 0;
      put(source_);
    }
    turn_now();
  }
  void turn_now() {
    EXPECT_TRUE(queue_.empty());
    queue_.assign(found_.begin(), found_.end());
    for (const auto v : queue_) queued_[at(v)] = false;
    found_.clear();
    fill();
    delay_ = static_cast<int>(random_() % 3);
  }
  void open_now(double threshold) {
    EXPECT_TRUE(queue_.empty() && found_.empty());
    threshold_ = threshold;
    std::vector<std::int64_t> all;
    all.swap(far_);
    for (const auto v : all) put(v);
    turn_now();
  }

 private:
  [[nodiscard]] int owner(std::int64_t v) const {
    int r = 0;
    while (v >= first_[at(r) + 1]) ++r;
    return r;
  }
  void fill() {
    last_.queued = queue_.size();
    last_.items = items_;
    last_.nearest = nothing_deferred;
    for (const auto v : far_) last_.nearest = std::min<double>(last_.nearest, values[at(v)]);
    for (std::size_t r = 0; r < lists_.size(); ++r) last_.appended[r] = lists_[r].size();
  }
  void put(std::int64_t v) {
    if (values[at(v)] > threshold_) {
      far_.push_back(v);
    } else if (!queued_[at(v)]) {
      queued_[at(v)] = true;
      found_.push_back(v);
    }
  }
  bool improve(std::int64_t v, std::uint32_t value) {
    if (value >= values[at(v)]) return false;
    values[at(v)] = value;
    if (own(v)) {
      put(v);
    } else if (!listed_[at(v)]) {
      listed_[at(v)] = true;
      const int to = next_on_the_way(route_, self_, owner(v), static_cast<int>(first_.size()) - 1);
      lists_[at(to)].push_back(v);
    }
    return true;
  }
  void relax(std::int64_t u) {
    const auto& weights = std::get<shared_array<std::int32_t>>(g_.weights);
    g_.visit([&](const auto& rows) {
      for (edge_offset k = g_.offsets[u]; k < g_.offsets[u + 1]; ++k)
        improve(static_cast<std::int64_t>(rows.indices[k]),
                values[at(u)] + static_cast<std::uint32_t>(weights[k]));
    });
  }

  const graph& g_;
  const std::vector<std::int64_t>& first_;
  const int self_;
  const message_route route_;
  const std::int64_t source_;
  std::mt19937 random_;
  std::deque<std::int64_t> queue_;
  std::vector<std::int64_t> found_, far_;
  std::vector<std::vector<std::int64_t>> lists_;
  std::vector<bool> listed_, queued_;
  list_snapshot last_;
  std::uint64_t items_ = 0;
  int delay_ = 0;
  double threshold_ = 0;
};

inline graph with_weights(int number) {
  graph g = testing_graphs::many_graphs(number);
  testing_graphs::set_weights<std::int32_t>(g, 1 + number % 50);
  return g;
}

struct outcome {
  std::vector<std::uint32_t> distances;
  worklist_counters work;
};

/// Lists: slow_lists, or made from it.
template <class Lists = slow_lists>
outcome search(machine& m, const graph& g, std::int64_t source, const host_list_options& options,
               std::uint64_t most = 0,
               std::chrono::milliseconds deadline = std::chrono::seconds(20)) {
  const auto first = testing_graphs::arc_ranges(g.offsets.span(), m.size());
  const host_list_graph links(m, options, sizeof(message), g.vertices());
  outcome all;
  all.distances.resize(static_cast<std::size_t>(g.vertices()));
  std::vector<worklist_counters> counters(static_cast<std::size_t>(m.size()));
  run_options run;
  run.deadline = deadline;
  for (int r = 0; r < m.size(); ++r) run.arenas.push_back(host_loop_arena(links, options, r));
  m.run(
      [&](rank& r) {
        Lists lists(r, g, first, options.route, source);
        lists.most = most;
        host_loop loop(r, links, lists, options);
        loop.run();
        const auto me = static_cast<std::size_t>(r.id());
        std::copy(lists.values.begin() + first[me], lists.values.begin() + first[me + 1],
                  all.distances.begin() + first[me]);
        counters[me] = loop.counters();
        counters[me].useless = lists.useless;
      },
      run);
  for (const auto& c : counters) all.work.add(c);
  return all;
}

/// A machine, and the way of messages between its ranks.
class on_machine_and_route
    : public ::testing::TestWithParam<std::tuple<const char*, message_route>> {
 protected:
  machine machine_ = machine::open(std::get<0>(GetParam()));
  host_list_options options_{"test", std::get<1>(GetParam()), 7, 0};
};

}  // namespace gossamer::testing_host_loop
