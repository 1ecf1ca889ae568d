// A distributed worklist on GPUs, host side: one rank's rows, values and lists, kept between runs.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "algorithm/cuda/current_device.hpp"
#include "algorithm/cuda/worklist/launch.hpp"
#include "algorithm/wake_links.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::algorithm_detail::cuda {

/// How much of what, by rank; the same on all.
struct list_sizes {
  std::vector<std::int64_t> first;  ///< [ranks + 1] row ranges
  int self;
  std::int64_t arcs;
  int value_bytes, arc_bytes;
  bool sums;

  [[nodiscard]] int ranks() const { return static_cast<int>(first.size()) - 1; }
  [[nodiscard]] std::int64_t rows_of(int r) const {
    return first[static_cast<std::size_t>(r) + 1] - first[static_cast<std::size_t>(r)];
  }
  [[nodiscard]] std::int64_t rows() const { return rows_of(self); }
  [[nodiscard]] std::int64_t vertices() const { return first.back(); }
  /// Of the list for rank r: every vertex once, and those that are put aside again while a round
  /// still sends them.
  [[nodiscard]] std::int64_t out_slots(int r) const {
    if (r == self || ranks() == 1) return 0;
    return static_cast<std::int64_t>(std::bit_ceil(2 * static_cast<std::uint64_t>(rows_of(r)) | 1));
  }
  /// Messages of a ring: what GPUs send in some microseconds, or all that there can be.
  [[nodiscard]] std::int64_t places() const {
    constexpr std::int64_t most = std::int64_t{1} << 18;
    std::int64_t rows = 64;
    for (int r = 0; r < ranks(); ++r) rows = std::max(rows, rows_of(r));
    return std::min(most,
                    static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rows))));
  }
  [[nodiscard]] std::int64_t ring_words() const { return places() * (value_bytes == 4 ? 2 : 4); }
  [[nodiscard]] std::int64_t window_words() const {
    return ranks() == 1 ? 0 : ranks() * (ring_words() + 2 + 2 * report_words);
  }
};

/// Bytes of a rank's GPU, as buffers take them; windows lie in host memory unless all GPUs address
/// each other's.
struct list_bytes {
  std::int64_t rows = 0, work = 0, windows = 0;
  explicit list_bytes(const list_sizes& s) {
    const auto block = [](std::int64_t bytes) { return (bytes + 255) / 256 * 256; };
    const std::int64_t own = s.rows(), words = (own + 31) / 32;
    rows = block((own + 1) * 8) + block(s.arcs * s.arc_bytes);
    work = block(s.vertices() * s.value_bytes) + block(2 * own * 8) + block(2 * own * 4) +
           block((4 * words + (s.vertices() + 31) / 32) * 4) + block(sizeof(list_sums)) + block(8) +
           block(sizeof(list_state)) + block(sizeof(list_totals)) + block(detector_bytes);
    std::int64_t out = 0;
    for (int r = 0; r < s.ranks(); ++r) out += s.out_slots(r);
    work += block(out * 4);
    if (s.sums) work += block(own * s.value_bytes);
    windows = block(s.window_words() * 8);
  }
};

/// Rows that lie in the GPU's memory already: offsets from 0, arcs of the own rows.
template <class Weight>
struct rows_there {
  const edge_offset* offsets;
  const device_arc<Weight>* arcs;
  std::int64_t count;  ///< of arcs
};

template <class Operator, class Weight, class Start>
class worklist_engine {
 public:
  using value = typename Operator::value;

  static list_sizes sizes(const std::vector<std::int64_t>& first, int self, std::int64_t arcs) {
    return {first, self, arcs, sizeof(value), sizeof(device_arc<Weight>), is_sum<Operator>};
  }

  /// `offsets` and `columns` are the whole graph's, of which the rows of `self` are uploaded;
  /// `delta`: width of the windows of priorities, 0: without. `short_rows`: of all
  /// (short_rows.hpp). `name`: what errors call it.
  template <class Id, class HostWeight>
  worklist_engine(const std::string& name, const device& on, const Operator& by,
                  const edge_offset* offsets, const Id* columns, const HostWeight* weights,
                  const std::vector<std::int64_t>& first, int self, double delta, bool short_rows)
      : worklist_engine(name, on, by,
                        sizes(first, self,
                              offsets[first[static_cast<std::size_t>(self) + 1]] -
                                  offsets[first[static_cast<std::size_t>(self)]]),
                        delta, short_rows) {
    const current_device here(on.ordinal);
    offsets_ = take<edge_offset>(sizes_.rows() + 1);
    arcs_ = take<device_arc<Weight>>(sizes_.arcs);
    upload_offsets(offsets + first[static_cast<std::size_t>(self)]);
    upload_arcs(offsets, columns, weights);
    view_.offsets = offsets_.data();
    view_.arcs = arcs_.data();
  }
  /// With rows that are there and stay.
  worklist_engine(const std::string& name, const device& on, const Operator& by,
                  const rows_there<Weight>& rows, const std::vector<std::int64_t>& first, int self,
                  double delta, bool short_rows)
      : worklist_engine(name, on, by, sizes(first, self, rows.count), delta, short_rows) {
    view_.offsets = rows.offsets;
    view_.arcs = rows.arcs;
  }

  /// Collective, inside a run: makes windows, forgets the last run.
  void begin(rank& r) {
    if (r.size() > 1) make_windows(r);
    clear(sums_);
    clear(arrived_);
    clear(totals_);
    const list_state s{};
    copy_bytes(state_.data(), &s, sizeof s);
    view_.guard = r.guard();
    if (r.size() > 1) r.barrier();  // nobody writes into a ring that is not empty yet
  }
  /// Collective, after begin(): from `start` until no rank has anything left; the seconds that took
  /// on the GPU.
  double run(rank& r, const Start& start) {
    list_state s{};
    double seconds = 0;
    while (s.next != list_phase::finished) {
      before_.record(r.stream());
      launch_list<Operator, Weight, Start>(r.stream().native(), units_, view_, start);
      after_.record(r.stream());
      r.synchronize();
      copy_bytes(&s, state_.data(), sizeof s);
      seconds += after_.milliseconds_since(before_) * 1e-3;
    }
    count(s);
    return seconds;
  }

  /// Before runs: a window that held little is followed by one twice as wide.
  void widen_windows() noexcept { view_.widens = true; }

  /// In the GPU's memory, as the next.
  [[nodiscard]] const edge_offset* offsets() const { return view_.offsets; }
  [[nodiscard]] const value* own_values() const {
    return values_.data() + sizes_.first[static_cast<std::size_t>(sizes_.self)];
  }
  /// Of the own rows, to `to`.
  void download(value* to) const {
    copy_bytes(to, own_values(), static_cast<std::size_t>(sizes_.rows()) * sizeof(value));
  }
  /// Of the last run.
  [[nodiscard]] const worklist_counters& counters() const noexcept { return counters_; }
  /// Sums: what is known here and was not taken.
  [[nodiscard]] double left() const noexcept { return left_; }

 private:
  worklist_engine(const std::string& name, const device& on, const Operator& by, list_sizes sizes,
                  double delta, bool short_rows)
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
    take_memory();
    prepare_list<Operator, Weight, Start>();
    before_ = event(on.ordinal);
    after_ = event(on.ordinal);
  }

  template <class T>
  buffer<T> take(std::int64_t n) const {
    return make_native_buffer<T>(device_, static_cast<std::size_t>(n));
  }
  template <class T>
  void clear(buffer<T>& b) const {
    fill_bytes(native_memory(device_), device_.ordinal, b.data(), 0, b.size() * sizeof(T));
  }

  void take_memory() {
    const std::int64_t rows = sizes_.rows(), n = sizes_.vertices(), words = (rows + 31) / 32;
    values_ = take<value>(n);
    queues_ = take<std::int64_t>(2 * rows);
    piles_ = take<std::int32_t>(2 * rows);
    marks_ = take<std::uint32_t>(4 * words + (n + 31) / 32);
    sums_ = take<list_sums>(1);
    arrived_ = take<std::uint32_t>(2);
    state_ = take<list_state>(1);
    totals_ = take<list_totals>(1);
    detector_ = take<std::byte>(detector_bytes);
    std::int64_t out = 0;
    for (int r = 0; r < sizes_.ranks(); ++r) out += sizes_.out_slots(r);
    out_ = take<std::int32_t>(out);
    if (is_sum<Operator>) taken_ = take<value>(rows);
    view_.rank = sizes_.self;
    view_.ranks = sizes_.ranks();
    view_.rows = rows;
    view_.vertices = n;
    view_.values = values_.data();
    if constexpr (is_sum<Operator>) view_.taken = taken_.data();
    for (int i = 0; i < 2; ++i) {
      view_.near_mark[i] = marks_.data() + i * words;
      view_.queue[i] = reinterpret_cast<std::int32_t*>(queues_.data() + i * rows);
      view_.pile[i] = piles_.data() + i * rows;
    }
    view_.far_mark = marks_.data() + 2 * words;
    view_.worked_mark = marks_.data() + 3 * words;
    view_.out_mark = marks_.data() + 4 * words;
    view_.sums = sums_.data();
    view_.arrived = arrived_.data();
    view_.state = state_.data();
    view_.totals = totals_.data();
    view_.detector = detector_.data();
    out = 0;
    for (int r = 0; r <= sizes_.ranks(); ++r)
      view_.starts[r] = sizes_.first[static_cast<std::size_t>(r)];
    for (int r = 0; r < sizes_.ranks(); ++r) {
      view_.out[r] = out_.data() + out;
      view_.out_mask[r] =
          static_cast<std::uint64_t>(std::max<std::int64_t>(1, sizes_.out_slots(r)) - 1);
      out += sizes_.out_slots(r);
    }
  }

  void upload_offsets(const edge_offset* from) {
    std::vector<edge_offset> own(offsets_.size());
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = from[i] - from[0];
    copy_bytes(offsets_.data(), own.data(), own.size() * sizeof(edge_offset));
  }

  template <class Id, class HostWeight>
  void upload_arcs(const edge_offset* offsets, const Id* columns, const HostWeight* weights) {
    constexpr std::int64_t piece = std::int64_t{1} << 20;
    const std::int64_t begin = offsets[sizes_.first[static_cast<std::size_t>(sizes_.self)]];
    std::vector<device_arc<Weight>> packed(static_cast<std::size_t>(std::min(sizes_.arcs, piece)));
    for (std::int64_t from = 0; from < sizes_.arcs; from += piece) {
      const std::int64_t n = std::min(piece, sizes_.arcs - from);
      for (std::int64_t k = 0; k < n; ++k) {
        auto& arc = packed[static_cast<std::size_t>(k)];
        arc.to = static_cast<std::int32_t>(columns[begin + from + k]);
        if constexpr (!std::is_same_v<Weight, no_weight>)
          arc.weight = static_cast<Weight>(weights[begin + from + k]);
      }
      copy_bytes(arcs_.data() + from, packed.data(),
                 static_cast<std::size_t>(n) * sizeof(device_arc<Weight>));
    }
  }

  /// Rings, counts and reports of all ranks: in the GPUs' own memory where every pair can address
  /// each other, else in pinned host memory, which all can.
  void make_windows(rank& r) {
    const auto p = static_cast<std::size_t>(r.size()), me = static_cast<std::size_t>(r.id());
    const auto ring = static_cast<std::size_t>(sizes_.ring_words());
    const home where = r.owner().all_direct() ? home::native : home::host;
    const auto all =
        r.make_window<std::uint64_t>(static_cast<std::size_t>(sizes_.window_words()), where);
    const window_table::part& own = all.table().parts[me];
    fill_bytes(own.kind, own.ordinal, own.data, 0, all.local().size_bytes());
    wake_links(r, all);  // zeros over zeros
    view_.places = static_cast<std::uint64_t>(sizes_.places());
    view_.place_bits = std::countr_zero(view_.places);
    view_.inbox = all.local().data();
    view_.counts = view_.inbox + p * ring;
    view_.reports = view_.counts + 2 * p;
    for (std::size_t q = 0; q < p; ++q) {
      std::uint64_t* theirs = all.direct(static_cast<int>(q)).data();
      view_.inbox_at[q] = theirs + me * ring;
      view_.counts_at[q] = theirs + p * ring;
      view_.reports_at[q] = theirs + p * ring + 2 * p;
    }
  }

  void count(const list_state& s) {
    list_totals t{};
    copy_bytes(&t, totals_.data(), sizeof t);
    counters_ = {};
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
    counters_.bytes = counters_.sent * static_cast<std::int64_t>(sizes_.value_bytes + 4);
    left_ = t.left;
  }

  const device device_;
  const int units_;
  const list_sizes sizes_;
  buffer<edge_offset> offsets_;
  buffer<device_arc<Weight>> arcs_;
  buffer<value> values_;
  buffer<std::int64_t> queues_;  // two
  buffer<std::int32_t> piles_;   // two
  buffer<std::uint32_t> marks_;  // of own vertices, four; of all
  buffer<list_sums> sums_;
  buffer<std::uint32_t> arrived_;  // and held
  buffer<list_state> state_;
  buffer<list_totals> totals_;
  buffer<std::byte> detector_;
  buffer<std::int32_t> out_;
  buffer<value> taken_;  // sums
  event before_, after_;
  list_view<Operator, Weight> view_{};
  worklist_counters counters_;
  double left_ = 0;
};

}  // namespace gossamer::algorithm_detail::cuda
