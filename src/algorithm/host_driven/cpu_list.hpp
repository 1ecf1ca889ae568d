// A CPU rank of a host-driven worklist, beside GPU ranks: what kernels do there, its thread does
// between two looks of the loop. For operators whose values improve; not for sums.
//
// A turn works off a piece of the queue when it is asked for, and then shows what is left. So
// messages are taken in, and those for others leave, between pieces; the loop asks for turns as
// long as one shows that something is queued.
//
// Bounds. A vertex is in the queue once, and once among those put off. In the lists for others a
// vertex waits once: its mark is cleared when it is packed. So none of them can overflow.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/host_driven/drive.hpp"
#include "algorithm/host_driven/loop.hpp"
#include "algorithm/host_driven/message.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"

namespace gossamer::algorithm_detail {

template <class Operator, class Id, class Weight, class Start>
class cpu_list final : public list_device {
 public:
  using value = typename Operator::value;
  using message = device_message<value>;
  using rows_type = weighted_rows<Id, Weight>;
  static_assert(sizeof(message) == 8 || sizeof(message) == 16);

  /// Of the constructor and of run().
  static list_memory memory(const machine& m, const std::vector<std::int64_t>& first, int self,
                            const host_list_options& options) {
    check_stealing(m, options);
    array_list counted;
    arrays().list(counted, rows_in(first, self), first.back());
    return {counted.bytes().own,
            host_loop_arena({m, options, sizeof(message), first}, options, self)};
  }

  /// `rows`: of `self`, which stay; `first`: row ranges of all ranks.
  cpu_list(const machine& m, const Operator& by, const rows_type& rows,
           const std::vector<std::int64_t>& first, int self, host_list_options options)
      : options_(std::move(options)),
        graph_(m, options_, sizeof(message), first),
        by_(by),
        rows_(rows),
        first_(first),
        self_(self),
        ranks_(m.size()),
        begin_(first[at(self)]),
        end_(first[at(self) + 1]),
        others_(first.back() - (end_ - begin_)) {
    check_stealing(m, options_);
    require(ranks_ <= most_host_list_ranks, options_.name + ": a worklist on GPUs has " +
                                                std::to_string(most_host_list_ranks) +
                                                " ranks at most");
    require(first.back() <= std::numeric_limits<std::int32_t>::max(),
            options_.name + ": a worklist on GPUs can hold 2^31 - 1 vertices");
    array_list taken(m[self]);
    all_.list(taken, end_ - begin_, first.back());
    std::int64_t place = 0;
    for (int r = 0; r < ranks_; ++r) {
      out_[at(r)] = {place, room_for(r), 0};
      place += room_for(r);
    }
  }

  /// Collective, inside a run: from `start` until no rank has anything left; the seconds that took.
  double run(rank& r, const Start& start) {
    start_ = start;
    host_loop loop(r, graph_, *this, options_);
    loop.run();
    const worklist_counters of_loop = loop.counters();
    counters_.rounds = of_loop.rounds;
    counters_.windows = of_loop.windows;
    counters_.parcels = of_loop.parcels;
    counters_.sent = of_loop.sent;
    counters_.bytes = of_loop.bytes;
    counters_.most_arcs = counters_.arcs;
    return loop.seconds();
  }

  /// Of the own rows, to `to`.
  void download(value* to) const {
    std::copy(all_.values.data() + begin_, all_.values.data() + end_, to);
  }
  /// Of the last run.
  [[nodiscard]] const worklist_counters& counters() const noexcept { return counters_; }

  // list_device, for the loop.

  void begin() override {
    counters_ = {};
    shown_ = {};
    threshold_ = -nothing_deferred;
    head_ = queued_ = far_ = 0;
    for (auto& list : out_) list.appended = 0;
    for (std::int64_t v = 0; v < first_.back(); ++v) {
      all_.values[at(v)] = Start::initial(static_cast<std::int32_t>(v));
      all_.marks[at(v)] = 0;
    }
    for (std::int64_t v = begin_; v < end_; ++v) {
      if (!start_.starts(static_cast<std::int32_t>(v))) continue;
      all_.values[at(v)] = Start::first(static_cast<std::int32_t>(v));
      put(v);
    }
    show();
  }
  void turn(bool /*give*/) override {
    const edge_offset until = counters_.arcs + arcs_of_a_turn;
    for (int i = 0; i < items_of_a_turn && queued_ > 0 && counters_.arcs < until; ++i) work(next());
    show();
  }
  void open_window(double threshold, bool give) override {
    threshold_ = threshold;
    const std::int64_t before = std::exchange(far_, 0);
    for (std::int64_t i = 0; i < before; ++i) {
      const std::int64_t v = all_.far[at(i)];
      const bool due = (all_.marks[at(v)] & done) == 0;
      all_.marks[at(v)] &= static_cast<std::uint8_t>(~(deferred | done));
      if (due) put(v);  // not behind those yet to be looked at, if it is put off again
    }
    turn(give);
  }
  bool shown(list_snapshot& into) override {
    into = shown_;
    return true;
  }
  bool worked() override { return true; }
  void take(std::span<const std::byte> messages) override {
    const auto* m = reinterpret_cast<const message*>(messages.data());
    for (std::size_t i = 0; i < messages.size() / sizeof *m; ++i) {
      if (m[i].target < 0 || m[i].target >= first_.back())
        shown_.faulty = true;
      else if (!offer(m[i].target, m[i].content))
        ++counters_.useless;
    }
  }
  void pack(int to, std::uint64_t first, std::uint64_t n, std::span<std::byte> into) override {
    auto* m = reinterpret_cast<message*>(into.data());
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::int32_t v = all_.out[place_of(to, first + i)];
      all_.marks[at(v)] &= static_cast<std::uint8_t>(~listed);
      m[i] = {v, all_.values[at(v)]};
    }
  }
  [[nodiscard]] const stream* taking() const override { return nullptr; }
  [[nodiscard]] const stream* packing() const override { return nullptr; }
  [[nodiscard]] std::size_t message_bytes() const override { return sizeof(message); }
  [[nodiscard]] std::uint64_t capacity(int to) const override {
    return static_cast<std::uint64_t>(room_for(to));
  }

 private:
  /// A look at messages and at who waits for some, every hundred microseconds or so.
  static constexpr int items_of_a_turn = 1024;
  static constexpr edge_offset arcs_of_a_turn = 16384;
  /// `deferred`: among those put off; `done`: … and worked on since.
  static constexpr std::uint8_t queued = 1, deferred = 2, listed = 4, worked_on = 8, done = 16;

  struct arrays {
    shared_array<value> values;        ///< by vertex, as the next
    shared_array<std::uint8_t> marks;  ///< the five of above
    shared_array<std::int32_t> queue;  ///< a ring
    shared_array<std::int32_t> far;    ///< beyond the threshold
    shared_array<std::int32_t> out;    ///< rings, one for each rank that is sent to
    void list(array_list& of, std::int64_t rows, std::int64_t vertices) {
      of.add(values, vertices);
      of.add(marks, vertices);
      of.add(queue, rows);
      of.add(far, rows);
      of.add(out, vertices - rows);
    }
  };
  struct out_list {
    std::int64_t begin = 0, room = 0;
    std::uint64_t appended = 0;  ///< since the run began
  };

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  static std::int64_t rows_in(const std::vector<std::int64_t>& first, int r) {
    return first[at(r) + 1] - first[at(r)];
  }
  [[nodiscard]] std::int64_t room_for(int to) const {
    if (to == self_) return 0;
    if (options_.route == message_route::direct) return rows_in(first_, to);
    return to == only_neighbour(options_.route, self_, ranks_) ? others_ : 0;
  }
  [[nodiscard]] std::size_t place_of(int to, std::uint64_t i) const {
    const out_list& list = out_[at(to)];
    return at(list.begin) + i % static_cast<std::uint64_t>(list.room);
  }
  [[nodiscard]] bool own(std::int64_t v) const { return v >= begin_ && v < end_; }
  [[nodiscard]] int owner(std::int64_t v) const {
    return static_cast<int>(std::upper_bound(first_.begin(), first_.end(), v) - first_.begin()) - 1;
  }

  bool offer(std::int64_t v, const value& incoming) {
    if (!by_.update(all_.values[at(v)], incoming)) return false;
    put(v);
    return true;
  }
  /// A vertex whose value has improved, where it belongs.
  void put(std::int64_t v) {
    std::uint8_t& marks = all_.marks[at(v)];
    if (!own(v)) {
      if ((marks & listed) != 0) return;
      marks |= listed;
      const int to = next_on_the_way(options_.route, self_, owner(v), ranks_);
      all_.out[place_of(to, out_[at(to)].appended++)] = static_cast<std::int32_t>(v);
    } else if (by_.priority(all_.values[at(v)]) > threshold_) {
      if ((marks & deferred) != 0) return;
      marks |= deferred;
      ++counters_.deferred;
      all_.far[at(far_++)] = static_cast<std::int32_t>(v);
    } else if ((marks & queued) == 0) {
      marks |= queued;
      std::int64_t place = head_ + queued_++;
      if (place >= end_ - begin_) place -= end_ - begin_;
      all_.queue[at(place)] = static_cast<std::int32_t>(v);
    }
  }
  std::int64_t next() {
    const std::int64_t v = all_.queue[at(head_)];
    if (++head_ == end_ - begin_) head_ = 0;
    --queued_;
    return v;
  }
  void work(std::int64_t u) {
    std::uint8_t& marks = all_.marks[at(u)];
    counters_.repeated += (marks & worked_on) != 0 ? 1 : 0;
    marks = static_cast<std::uint8_t>((marks | worked_on) & ~queued);
    if ((marks & deferred) != 0) marks |= done;  // it improved since it was put off
    ++counters_.items;
    const value out = all_.values[at(u)];
    const edge_offset end = rows_.offsets[u - begin_ + 1];
    for (edge_offset e = rows_.offsets[u - begin_]; e < end; ++e) {
      arc<Id, Weight> along{static_cast<Id>(u), rows_.columns[e], {}};
      if (rows_.weights != nullptr) along.weight = rows_.weights[e];
      const auto v = static_cast<std::int64_t>(along.to);
      if (!offer(v, by_.propagate(out, along)) && !own(v)) ++counters_.filtered;
      ++counters_.arcs;
    }
  }

  /// Of what was put off and not worked on since.
  [[nodiscard]] double nearest() const {
    double found = nothing_deferred;
    for (std::int64_t i = 0; i < far_; ++i) {
      const std::int64_t v = all_.far[at(i)];
      if ((all_.marks[at(v)] & done) == 0)
        found = std::min(found, by_.priority(all_.values[at(v)]));
    }
    return found;
  }
  void show() {
    shown_.queued = static_cast<std::uint64_t>(queued_);
    shown_.items = static_cast<std::uint64_t>(counters_.items);
    shown_.repeated = static_cast<std::uint64_t>(counters_.repeated);
    shown_.nearest = nothing_deferred;
    if (queued_ == 0) shown_.nearest = nearest();  // a report may follow
    for (int r = 0; r < ranks_; ++r) shown_.appended[at(r)] = out_[at(r)].appended;
  }

  const host_list_options options_;
  const host_list_graph graph_;
  const Operator by_;
  const rows_type rows_;
  const std::vector<std::int64_t> first_;
  const int self_, ranks_;
  const std::int64_t begin_, end_;  ///< own ids
  const std::int64_t others_;       ///< vertices of other ranks
  arrays all_;
  std::array<out_list, most_host_list_ranks> out_{};
  std::int64_t head_ = 0, queued_ = 0, far_ = 0;  ///< of the queue; put off
  double threshold_ = 0;
  list_snapshot shown_;
  Start start_{};
  worklist_counters counters_;
};

}  // namespace gossamer::algorithm_detail
