// A distributed worklist on GPUs that host threads drive: one rank's rows, values and lists, kept
// between runs, and the launches that the loop (algorithm/host_driven/loop.hpp) asks for. Nothing
// waits for another GPU inside a kernel, so that it runs wherever links do: between GPUs that
// cannot address each other, and for ranks whose kernels take turns on one GPU.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/host_driven/cuda/launch.hpp"
#include "algorithm/host_driven/drive.hpp"
#include "algorithm/host_driven/loop.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/dataflow/worklist/cuda/buffers.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::algorithm_detail::cuda {

static_assert(most_list_ranks == most_host_list_ranks);

template <class Operator, class Weight, class Start>
class host_list_engine final : public list_device {
 public:
  using value = typename Operator::value;
  using message = device_message<value>;
  static_assert(sizeof(message) == 8 || sizeof(message) == 16);
  static_assert(!has_message<Operator> && !has_on_send<Operator> && !has_on_receive<Operator>,
                "messages are values here, merged by update(), or sums");

  static list_sizes sizes(const std::vector<std::int64_t>& first, int self, std::int64_t arcs,
                          message_route route) {
    const int ranks = static_cast<int>(first.size()) - 1;
    return {.first = first,
            .self = self,
            .arcs = arcs,
            .value_bytes = sizeof(value),
            .message_bytes = sizeof(message),
            .arc_bytes = sizeof(device_arc<Weight>),
            .sums = is_sum<Operator>,
            .by_way_of = only_neighbour(route, self, ranks)};
  }
  /// Of the constructor and of run().
  static list_memory memory(const machine& m, const std::vector<std::int64_t>& first, int self,
                            std::int64_t arcs, const host_list_options& options) {
    check_stealing(m, options);
    const list_sizes s = sizes(first, self, arcs, options.route);
    const std::int64_t taken = s.sums ? in_blocks(s.rows() * s.value_bytes) : 0;
    return {list_places(s).bytes + in_blocks(4) + taken,
            host_loop_arena({m, options, sizeof(message), first}, options, self)};
  }

  /// `rows`: of `self`, which stay; `short_rows`: of all (short_rows.hpp).
  host_list_engine(const machine& m, const Operator& by, const rows_there<Weight>& rows,
                   const std::vector<std::int64_t>& first, int self, host_list_options options,
                   bool short_rows)
      : options_(std::move(options)),
        graph_(m, options_, sizeof(message), first),
        sizes_(sizes(first, self, rows.count, options_.route)),
        units_(std::max(1, m[self].units / std::max(1, m[self].share))) {
    const device& on = m[self];
    check_stealing(m, options_);
    require(sizes_.vertices() <= std::numeric_limits<std::int32_t>::max(),
            options_.name + ": a worklist on GPUs can hold 2^31 - 1 vertices");
    require(sizes_.ranks() <= most_list_ranks, options_.name + ": a worklist on GPUs has " +
                                                   std::to_string(most_list_ranks) +
                                                   " ranks at most");
    const current_device here(on.ordinal);
    view_.by = by;
    view_.short_rows = short_rows;
    lists_ = std::make_unique<list_buffers<value>>(on, sizes_, view_);
    view_.offsets = rows.offsets;
    view_.arcs = rows.arcs;
    for (int r = 0; r < sizes_.ranks(); ++r)
      view_.way[r] = next_on_the_way(options_.route, self, r, sizes_.ranks());
    if constexpr (is_sum<Operator>) {
      taken_rows_ = make_native_buffer<value>(on, static_cast<std::size_t>(sizes_.rows()));
      view_.taken = taken_rows_.data();
    }
    fault_ = make_native_buffer<std::uint32_t>(on, 1);
    view_.fault = fault_.data();
    shown_ = buffer<shown_words>(memory_kind::pinned, on.ordinal, 1);
    taking_ = gossamer::stream(on, gossamer::stream::priority::high);
    packing_ = gossamer::stream(on, gossamer::stream::priority::high);
    for (event* e : {&turned_, &worked_, &taken_, &granted_}) *e = event(on.ordinal);
  }

  /// Collective, inside a run: from `start` until no rank has anything left; the seconds that took.
  double run(rank& r, const Start& start) {
    main_ = &r.stream();
    start_ = start;
    if (options_.steal && r.size() > 1) show_rows(r);
    host_loop loop(r, graph_, *this, options_);
    loop.run();
    for (const gossamer::stream* s : {&taking_, &packing_}) r.synchronize(s);
    if constexpr (is_sum<Operator>) kernels::add_up(main_->native(), units_, view_);
    r.synchronize();
    count(loop.counters());
    return loop.seconds();
  }

  /// In the GPU's memory, as the next.
  [[nodiscard]] const edge_offset* offsets() const { return view_.offsets; }
  [[nodiscard]] const value* own_values() const {
    return view_.values + sizes_.first[static_cast<std::size_t>(sizes_.self)];
  }
  /// Of the own rows, to `to`.
  void download(value* to) const {
    copy_bytes(to, own_values(), static_cast<std::size_t>(sizes_.rows()) * sizeof(value));
  }
  /// Of the last run.
  [[nodiscard]] const worklist_counters& counters() const noexcept { return counters_; }
  /// Sums: what is known here and was not taken.
  [[nodiscard]] double left() const noexcept { return left_; }

  // list_device, for the loop.

  void begin() override {
    lists_->clear();
    list_state s{};
    s.next = list_phase::begin;
    s.settled = s.threshold = -nothing_deferred;
    s.nearest = nothing_deferred;
    lists_->set_state(s);
    fill_bytes(fault_.kind(), fault_.ordinal(), fault_.data(), 0, sizeof(std::uint32_t));
    took_ = false;
    kernels::begin(main_->native(), units_, view_, start_);
    turn(false);
  }
  void turn(bool give) override {
    follow_takes();
    turn_over(give);
  }
  void open_window(double threshold, bool give) override {
    follow_takes();
    kernels::turn(main_->native(), view_, {true, threshold, 0}, shown_.data());
    kernels::split(main_->native(), units_, view_);
    turn_over(give);
  }
  bool shown(list_snapshot& into) override {
    if (!turned_.done()) return false;
    const shown_words& words = *shown_.data();
    into.queued = words.queued;
    into.granted = words.granted;
    into.items = words.items;
    into.repeated = words.repeated;
    into.nearest = words.nearest;
    std::copy_n(words.appended, sizes_.ranks(), into.appended.begin());
    into.faulty = words.fault != 0;
    return true;
  }
  bool worked() override {
    if (gave_ && !granted_.done()) return false;
    gave_ = false;
    return worked_.done();
  }
  void take(std::span<const std::byte> messages) override {
    kernels::take(taking_.native(), units_, view_,
                  reinterpret_cast<const message*>(messages.data()),
                  messages.size() / sizeof(message));
    taken_.record(taking_);
    took_ = true;
  }
  void grant(std::uint64_t first, std::uint64_t n, std::span<std::byte> into) override {
    kernels::grant(packing_.native(), view_, first, n, reinterpret_cast<message*>(into.data()));
    granted_.record(packing_);
    gave_ = true;
  }
  void work_off(std::span<const std::byte> items) override {
    kernels::work_off(taking_.native(), units_, view_,
                      reinterpret_cast<const message*>(items.data()),
                      items.size() / sizeof(message));
    taken_.record(taking_);
    took_ = true;
  }
  void pack(int to, std::uint64_t first, std::uint64_t n, std::span<std::byte> into) override {
    kernels::pack(packing_.native(), view_, to, first, n, reinterpret_cast<message*>(into.data()));
  }
  [[nodiscard]] const gossamer::stream* taking() const override { return &taking_; }
  [[nodiscard]] const gossamer::stream* packing() const override { return &packing_; }
  [[nodiscard]] std::size_t message_bytes() const override { return sizeof(message); }
  [[nodiscard]] std::uint64_t capacity(int to) const override {
    return static_cast<std::uint64_t>(sizes_.out_slots(to));
  }

 private:
  using kernels = host_list_kernels<Operator, Weight, Start>;

  void follow_takes() {
    if (took_) taken_.block(*main_);
    took_ = false;
  }
  void turn_over(bool give) {
    kernels::turn(main_->native(), view_, {false, 0, give ? options_.least_grant : 0},
                  shown_.data());
    turned_.record(*main_);
    turned_.block(taking_);
    if constexpr (is_sum<Operator>)
      kernels::take_long_rows(main_->native(), relaxing_units(), view_);
    kernels::relax(main_->native(), relaxing_units(), view_);
    worked_.record(*main_);
  }
  /// Collective: where the rows of all ranks lie.
  void show_rows(rank& r) {
    struct place {
      const edge_offset* offsets;
      const device_arc<Weight>* arcs;
    };
    const place mine{view_.offsets, view_.arcs};
    std::vector<place> all(static_cast<std::size_t>(r.size()));
    r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    for (std::size_t i = 0; i < all.size(); ++i) {
      view_.offsets_of[i] = all[i].offsets;
      view_.arcs_of[i] = all[i].arcs;
    }
  }
  /// A block of relax fills a multiprocessor until it ends, so that some are left to what comes.
  [[nodiscard]] int relaxing_units() const {
    return sizes_.ranks() == 1 ? units_ : std::max(1, units_ - std::max(1, units_ / 32));
  }

  void count(const worklist_counters& of_loop) {
    const list_state s = lists_->state();
    const list_totals t = lists_->totals();
    counters_ = of_loop;
    counters_.items = static_cast<std::int64_t>(s.items + t.items);
    counters_.repeated = static_cast<std::int64_t>(t.repeated);
    counters_.useless = static_cast<std::int64_t>(t.useless);
    counters_.filtered = static_cast<std::int64_t>(t.filtered);
    counters_.deferred = static_cast<std::int64_t>(s.deferred);
    counters_.arcs = static_cast<std::int64_t>(t.looks);
    left_ = t.left;
  }

  const host_list_options options_;
  const host_list_graph graph_;
  const list_sizes sizes_;
  const int units_;
  host_list_view<Operator, Weight> view_{};
  std::unique_ptr<list_buffers<value>> lists_;
  buffer<value> taken_rows_;  ///< sums
  buffer<std::uint32_t> fault_;
  buffer<shown_words> shown_;  ///< in host memory that the GPU writes
  gossamer::stream taking_, packing_;
  event turned_, worked_, taken_, granted_;
  bool took_ = false, gave_ = false;
  const gossamer::stream* main_ = nullptr;  ///< of the run
  Start start_{};
  worklist_counters counters_;
  double left_ = 0;
};

}  // namespace gossamer::algorithm_detail::cuda
