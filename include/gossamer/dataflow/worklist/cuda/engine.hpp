// A distributed worklist on GPUs, host side: one rank's rows, values and lists, kept between runs.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"
#include "gossamer/dataflow/worklist/cuda/buffers.hpp"
#include "gossamer/dataflow/worklist/cuda/launch.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/fabric/wake_links.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::dataflow::cuda {

/// By list_phase: what a traced run says its kernel did between two meetings. A round is a level,
/// with the vertices of its queue.
inline constexpr std::array<trace_phase, 8> list_phase_names = {{
    {"begin", trace_class::compute},
    {"round", trace_class::level},
    {"split", trace_class::compute},
    {"wait for others", trace_class::wait},
    {"weigh", trace_class::compute},
    {"gather settled rows", trace_class::compute},
    {"pull", trace_class::compute},
    {"exchange", trace_class::exchange},
}};

template <class Operator, class Weight, class Start>
class worklist_engine {
 public:
  using value = typename Operator::value;

  static list_sizes sizes(const std::vector<std::int64_t>& first, int self, std::int64_t arcs) {
    return {.first = first,
            .self = self,
            .arcs = arcs,
            .value_bytes = sizeof(value),
            .message_bytes = sizeof(message_of<Operator>),
            .arc_bytes = sizeof(device_arc<Weight>),
            .sums = is_sum<Operator>,
            .cuts = has_of_priority<Operator>};
  }

  /// `rows`: of `self`, which stay; `delta`: width of the windows of priorities, 0: without.
  /// `short_rows`: of all (short_rows.hpp). `name`: what errors call it. `kernel`: launch.hpp.
  worklist_engine(
      const std::string& name, const device& on, const Operator& by, const rows_there<Weight>& rows,
      const std::vector<std::int64_t>& first, int self, double delta, bool short_rows,
      const std::function<const void*(bool)>& kernel = &list_kernel_of<Operator, Weight, Start>)
      : worklist_engine(name, on, by, sizes(first, self, rows.count), delta, short_rows, kernel) {
    view_.offsets = rows.offsets;
    view_.arcs = rows.arcs;
  }

  /// The same with lists in the rank's scratch memory and values elsewhere. Two searches of one GPU
  /// share the lists, and a result keeps its values.
  static list_sizes shared_sizes(const std::vector<std::int64_t>& first, int self,
                                 std::int64_t arcs) {
    list_sizes s = sizes(first, self, arcs);
    s.values_apart = true;
    return s;
  }
  struct in_scratch {};
  worklist_engine(in_scratch, const std::string& name, const device& on, const Operator& by,
                  const rows_there<Weight>& rows, const std::vector<std::int64_t>& first, int self,
                  double delta, bool short_rows)
      : worklist_engine(name, on, by, shared_sizes(first, self, rows.count), delta, short_rows,
                        &list_kernel_of<Operator, Weight, Start>) {
    view_.offsets = rows.offsets;
    view_.arcs = rows.arcs;
  }
  /// Before begin(): where this run's values lie, of all vertices.
  void use_values(value* all) noexcept { view_.values = all; }

  /// Collective, inside a run: makes windows, forgets the last run.
  void begin(rank& r) {
    if (sizes_.ranks() > 1) make_windows(r);
    if (sizes_.values_apart) {
      const auto bytes = static_cast<std::size_t>(list_places(sizes_).bytes);
      lists_.emplace(device_, sizes_, view_, r.scratch<std::byte>(bytes).data());
    }
    lists_->clear();
    fill_bytes(native_memory(device_), device_.ordinal, arrived_.data(), 0,
               arrived_.size() * sizeof(std::uint32_t));
    view_.cut = pulls_ && (sizes_.ranks() == 1 || r.owner().all_direct()) && !view_.short_rows
                    ? cut_windows * view_.delta
                    : 0;
    view_.in_step = view_.cut > 0 && sizes_.ranks() > 1;
    view_.guard = r.guard();
    view_.log = trace_phases(r, list_phase_names);
    if (sizes_.ranks() > 1) r.barrier();  // nobody writes into a ring that is not empty yet
  }
  /// Collective, after begin(): works from `start` until no rank has anything left. Returns the
  /// seconds that it took on the GPU.
  double run(rank& r, const Start& start) {
    list_state s{};
    double seconds = 0;
    while (s.next != list_phase::finished) {
      r.progress();  // work that never ends is ended here
      before_.record(r.stream());
      launch(r.stream(), start);
      after_.record(r.stream());
      r.synchronize();
      s = lists_->state();
      seconds += after_.milliseconds_since(before_) * 1e-3;
    }
    count(s);
    return seconds;
  }

  /// Before runs: a window that held little is followed by one twice as wide.
  void widen_windows() noexcept { view_.widens = true; }
  /// Before runs: one that holds too much is cut short, too. For values that only improve.
  void adapt_windows() noexcept { view_.widens = view_.narrows = true; }

  /// Before runs. Such a run leaves arcs out and looks back (pull.cuh), where GPUs address each
  /// other. It may when values never improve along an arc, arcs lead both ways with one weight, and
  /// only vertices that begin have a value.
  void pull_back(bool may) noexcept { pulls_ = may && has_of_priority<Operator>; }

  /// In the GPU's memory, as the next.
  [[nodiscard]] const edge_offset* offsets() const { return view_.offsets; }
  [[nodiscard]] const value* own_values() const {
    return view_.values + sizes_.first[static_cast<std::size_t>(sizes_.self)];
  }
  /// For a start whose values are given (beginning.cuh): of all vertices; before run().
  void give(const value* all) {
    copy_bytes(view_.values, all, static_cast<std::size_t>(sizes_.vertices()) * sizeof(value));
  }
  /// Of the own rows, to `to`.
  void download(value* to) const {
    copy_bytes(to, own_values(), static_cast<std::size_t>(sizes_.rows()) * sizeof(value));
  }
  /// Of the last run.
  [[nodiscard]] const worklist_counters& counters() const noexcept { return counters_; }
  [[nodiscard]] std::int64_t rounds() const noexcept { return rounds_; }
  /// Free for others after a run: [own rows] of eight bytes, in the GPU's memory.
  [[nodiscard]] std::int32_t* queue(int i) const noexcept { return view_.queue[i]; }
  /// Sums: what this rank knows of and did not take.
  [[nodiscard]] double left() const noexcept { return left_; }

 private:
  worklist_engine(const std::string& name, const device& on, const Operator& by, list_sizes sizes,
                  double delta, bool short_rows, const std::function<const void*(bool)>& kernel)
      : device_(on),
        units_(std::max(1, on.units / std::max(1, on.share))),
        sizes_(std::move(sizes)) {
    require(sizes_.vertices() <= std::numeric_limits<std::int32_t>::max(),
            name + ": a worklist on GPUs can hold 2^31 - 1 vertices");
    require(
        sizes_.ranks() <= most_list_ranks,
        name + ": a worklist on GPUs has " + std::to_string(most_list_ranks) + " ranks at most");
    const current_device here(on.ordinal);
    view_.by = by;
    view_.delta = delta;
    view_.short_rows = short_rows;
    if (!sizes_.values_apart) lists_.emplace(on, sizes_, view_);
    arrived_ = make_native_buffer<std::uint32_t>(on, 2);
    detector_ = make_native_buffer<std::byte>(on, static_cast<std::size_t>(detector_bytes));
    if constexpr (is_sum<Operator>) {
      taken_ = make_native_buffer<value>(on, static_cast<std::size_t>(sizes_.rows()));
      view_.taken = taken_.data();
    }
    view_.arrived = arrived_.data();
    view_.detector = detector_.data();
    kernel_ = kernel(sizes_.ranks() == 1);
    before_ = event(on.ordinal);
    after_ = event(on.ordinal);
  }

  void launch(const stream& on, Start start) {
    std::array<void*, 2> arguments = {&view_, &start};
    GOSSAMER_CHECK_CUDA(cudaLaunchKernel(kernel_, dim3(static_cast<unsigned>(units_)),
                                         dim3(list_threads), arguments.data(), 0,
                                         static_cast<cudaStream_t>(on.native())));
  }

  /// Rings, counts and reports of all ranks: in the GPUs' own memory where every pair can address
  /// each other, else in pinned host memory, which all can.
  void make_windows(rank& r) {
    const auto p = static_cast<std::size_t>(r.size()), me = static_cast<std::size_t>(r.id());
    const auto ring = static_cast<std::size_t>(sizes_.ring_words());
    const bool direct = r.owner().all_direct();
    const auto words = static_cast<std::size_t>(sizes_.window_words());
    const auto all = r.make_window<std::uint64_t>(
        words + static_cast<std::size_t>(direct ? sizes_.settled_words() : 0),
        direct ? home::native : home::host);
    const window_table::part& own = all.table().parts[me];
    fill_bytes(own.kind, own.ordinal, own.data, 0, words * sizeof(std::uint64_t));
    wake_links(r, all);  // zeros over zeros
    view_.places = static_cast<std::uint64_t>(sizes_.places());
    view_.place_bits = std::countr_zero(view_.places);
    view_.inbox = all.local().data();
    view_.counts = view_.inbox + p * ring;
    view_.reports = view_.counts + count_words * p;
    view_.settled = view_.inbox + words;
    for (std::size_t q = 0; q < p; ++q) {
      std::uint64_t* theirs = all.direct(static_cast<int>(q)).data();
      view_.inbox_at[q] = theirs + me * ring;
      view_.counts_at[q] = theirs + p * ring;
      view_.reports_at[q] = theirs + p * ring + count_words * p;
      view_.settled_at[q] = theirs + words;
    }
  }

  void count(const list_state& s) {
    const list_totals t = lists_->totals();
    counters_ = {};
    rounds_ = static_cast<std::int64_t>(s.rounds);
    counters_.items = static_cast<std::int64_t>(s.items + t.items);
    counters_.repeated = static_cast<std::int64_t>(t.repeated);
    counters_.useless = static_cast<std::int64_t>(t.useless);
    counters_.filtered = static_cast<std::int64_t>(t.filtered);
    counters_.deferred = static_cast<std::int64_t>(s.deferred);
    counters_.windows = static_cast<std::int64_t>(s.windows);
    counters_.rounds = static_cast<std::int64_t>(s.agreements);
    counters_.arcs = static_cast<std::int64_t>(t.looks);
    for (int r = 0; r < sizes_.ranks(); ++r) {
      counters_.sent += static_cast<std::int64_t>(s.sent[r]);
      counters_.parcels += static_cast<std::int64_t>(s.announcements[r]);
    }
    counters_.bytes = counters_.sent * static_cast<std::int64_t>(sizes_.message_bytes + 4);
    left_ = t.left;
  }

  const device device_;
  const int units_;
  const list_sizes sizes_;
  std::optional<list_buffers<value>> lists_;
  buffer<std::uint32_t> arrived_;  // and held
  buffer<std::byte> detector_;
  buffer<value> taken_;  // sums
  event before_, after_;
  const void* kernel_ = nullptr;
  list_view<Operator, Weight> view_{};
  bool pulls_ = false;
  worklist_counters counters_;
  std::int64_t rounds_ = 0;
  double left_ = 0;
};

}  // namespace gossamer::dataflow::cuda
