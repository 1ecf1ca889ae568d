// Triangles on GPUs, host side: rows uploaded once; in a run each rank queues its kernels slice by
// slice. Counts of several ranks are added up piece by piece, each rank those of its share of the
// vertices.
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/upload.hpp"
#include "algorithm/triangles/gpu.hpp"
#include "algorithm/triangles/sync/cuda/passes.hpp"
#include "algorithm/triangles/sync/laid_rows.hpp"
#include "algorithm/triangles/sync/row_lists.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::triangles_detail {

namespace {

using namespace cuda;
using algorithm_detail::counted, algorithm_detail::taken;

/// Of a rank, in its GPU's memory.
template <class Id, class Value>
struct rank_arrays {
  buffer<edge_offset> offsets;
  buffer<Id> columns, name, list;
  buffer<Value> values;
  buffer<device_worth<Value>> counts;    ///< by name
  buffer<device_worth<Value>> arranged;  ///< by vertex; of the only rank
  buffer<unsigned long long> state;      ///< triangles, tickets of long rows and of short ones

  void list_all(algorithm_detail::array_list& of, std::int64_t vertices, std::int64_t edges,
                std::int64_t listed, bool alone) {
    of.add(offsets, vertices + 1);
    of.add(columns, edges);
    of.add(name, vertices);
    of.add(list, listed);
    if constexpr (valued<Value>) of.add(values, edges);
    of.add(counts, vertices);
    if (alone) of.add(arranged, vertices);
    of.add(state, 3);
  }
};

/// Of one rank among others, in a run.
template <class Worth>
struct rank_windows {
  window<Worth> arranged;  ///< by vertex
  std::span<Worth> piece;  ///< another rank's

  void list(algorithm_detail::array_list& of, std::int64_t vertices, int ranks) {
    of.add(arranged, vertices);
    of.add(piece, vertices / ranks + 1);
  }
};

/// Moments of a run on the GPU's clock.
enum moment : std::uint8_t { begun, rows_counted, ended, moments };

/// Seconds of a rank, in all and by phase, and the triangles that it found.
struct gpu_outcome {
  double seconds = 0, count = 0, collect = 0;
  std::int64_t found = 0;
};

template <class Id, class Value>
class rank_rows {
 public:
  using worth = device_worth<Value>;
  using laid_type = laid_rows<Id, Value>;

  /// While the rank's GPU is current.
  rank_rows(const device& on, int rank, int ranks, std::int64_t vertices, const laid_type& from,
            const row_lists<Id>& lists)
      : rank_(rank),
        ranks_(ranks),
        vertices_(vertices),
        long_rows_(lists.long_rows),
        units_(std::max(1, on.units / std::max(1, on.share))),
        resident_(prepare_counting<Id, Value>()) {
    const auto edges = from.rows.offsets[static_cast<std::size_t>(vertices)];
    algorithm_detail::array_list taken(on);
    arrays_.list_all(taken, vertices, edges, std::ssize(lists.rows), ranks == 1);
    algorithm_detail::upload(arrays_.offsets, from.rows.offsets,
                             static_cast<std::size_t>(vertices) + 1);
    algorithm_detail::upload(arrays_.columns, from.rows.columns, static_cast<std::size_t>(edges));
    algorithm_detail::upload(arrays_.name, from.rows.name, static_cast<std::size_t>(vertices));
    algorithm_detail::upload(arrays_.list, lists.rows, lists.rows.size());
    if constexpr (valued<Value>)
      algorithm_detail::upload(arrays_.values, from.rows.values, static_cast<std::size_t>(edges));
    for (event& e : at_) e = event(on.ordinal);
  }

  void begin(rank& r) {
    mark(r, begun);
    r.fill(arrays_.counts.data(), 0, arrays_.counts.size() * sizeof(worth));
    r.fill(arrays_.state.data(), 0, 3 * sizeof(unsigned long long));
  }
  void count(rank& r, const row_slice& slice, bool first) {
    unsigned long long* const state = arrays_.state.data();
    if (!first) r.fill(state + 1, 0, 2 * sizeof(unsigned long long));
    const launch_site on = site(r);
    count_long_rows(on, share(0, slice.long_from, slice.long_to, state + 1));
    count_short_rows(on, share(long_rows_, slice.short_from, slice.short_to, state + 2));
  }
  /// By vertex, to `arranged` or what the only rank has.
  void arrange_counts(rank& r, worth* to) {
    arrange(site(r), vertices_, arrays_.name.data(), arrays_.counts.data(),
            to != nullptr ? to : arrays_.arranged.data());
  }
  [[nodiscard]] const worth* arranged() const { return arrays_.arranged.data(); }
  [[nodiscard]] std::int64_t found() const {
    unsigned long long triangles = 0;
    copy_bytes(&triangles, arrays_.state.data(), sizeof triangles);
    return static_cast<std::int64_t>(triangles);
  }
  [[nodiscard]] launch_site site(const rank& r) const {
    return {r.stream().native(), units_, resident_};
  }
  void mark(const rank& r, moment m) { at_[m].record(r.stream()); }
  [[nodiscard]] double seconds(moment from, moment to) const {
    return at_[to].milliseconds_since(at_[from]) * 1e-3;
  }

 private:
  row_share<Id, Value> share(std::int64_t list, std::int64_t from, std::int64_t to,
                             unsigned long long* ticket) const {
    return {{arrays_.offsets.data(), arrays_.columns.data(), arrays_.values.data()},
            arrays_.list.data() + list + from,
            to - from,
            rank_,
            ranks_,
            ticket,
            arrays_.counts.data(),
            arrays_.state.data()};
  }

  int rank_, ranks_;
  std::int64_t vertices_, long_rows_;
  int units_;
  resident_blocks resident_;
  rank_arrays<Id, Value> arrays_;
  std::array<event, moments> at_;
};

template <class Id, class Value>
class gpu_sync final : public engine {
 public:
  using worth = device_worth<Value>;
  using host_worth = std::conditional_t<std::is_same_v<Value, double>, double, std::int64_t>;

  explicit gpu_sync(const preparation& from) : on_(from.on), vertices_(from.of.vertices()) {
    const auto rows = laid<Id, Value>(on_, from.of, from.options.run.cancel, oriented_);
    pairs_ = rows->rows.pairs;
    const auto lists = list_rows<Id>(rows->rows.offsets.data(), vertices_, gpu_sizes::long_row,
                                     most_looks(valued<Value>));
    slices_ = lists.slices;
    for (int r = 0; r < on_.size(); ++r) {
      const current_device here(on_[r].ordinal);
      ranks_.push_back(
          std::make_unique<rank_rows<Id, Value>>(on_[r], r, on_.size(), vertices_, *rows, lists));
    }
  }

  void run(const run_options& options, triangles_result& result) override {
    std::vector<gpu_outcome> outcomes(ranks_.size());
    const auto counts = make_array<host_worth>(static_cast<std::size_t>(vertices_));
    on_.run([&](rank& r) { run_rank(r, counts, outcomes[static_cast<std::size_t>(r.id())]); },
            options);
    for (const gpu_outcome& of : outcomes) result.total += of.found;
    const gpu_outcome& slowest = algorithm_detail::slowest_rank(outcomes);
    result.milliseconds = slowest.seconds * 1e3;
    result.phases = {{"orient", std::exchange(oriented_, 0)},
                     {"count", slowest.count},
                     {"collect", slowest.collect}};
    result.counts = counts;
    result.pairs = pairs_;
  }

 private:
  void run_rank(rank& r, const shared_array<host_worth>& counts, gpu_outcome& out) {
    auto& mine = *ranks_[static_cast<std::size_t>(r.id())];
    rank_windows<worth> between;
    if (r.size() > 1) {
      algorithm_detail::array_list taken(r);
      between.list(taken, vertices_, r.size());
    }
    r.barrier();
    const double begin = r.clock();
    mine.begin(r);
    {
      const trace_span span(r, "count", r.stream());
      count(r, mine);
    }
    mine.mark(r, rows_counted);
    {
      const trace_span span(r, "collect", r.stream());
      r.size() == 1 ? mine.arrange_counts(r, nullptr) : add_up(r, mine, between);
    }
    mine.mark(r, ended);
    r.synchronize();
    out.seconds = mine.seconds(begun, ended);
    out.count = mine.seconds(begun, rows_counted);
    out.collect = out.seconds - out.count;
    out.found = mine.found();
    trace_run(r, "triangles", begin, out.seconds);
    const auto [first, last] = own(r);
    const worth* const from = r.size() == 1 ? mine.arranged() : between.arranged.local().data();
    if (last > first)
      copy_bytes(counts.data() + first, from + first,
                 static_cast<std::size_t>(last - first) * sizeof(worth));
    r.progress(1);
    r.barrier();  // others read what is here
  }

  void count(rank& r, rank_rows<Id, Value>& mine) const {
    for (std::size_t s = 0; s < slices_.size(); ++s) {
      if (s > 0) {
        r.synchronize();
        r.progress(static_cast<double>(s) / static_cast<double>(slices_.size()));
      }
      mine.count(r, slices_[s], s == 0);
    }
  }

  /// This rank's share of the vertices.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> own(const rank& r) const {
    return {vertices_ * r.id() / r.size(), vertices_ * (r.id() + 1) / r.size()};
  }
  /// Every rank's counts by vertex, then this rank's share of them all.
  void add_up(rank& r, rank_rows<Id, Value>& mine, rank_windows<worth>& between) const {
    worth* const here = between.arranged.local().data();
    mine.arrange_counts(r, here);
    r.synchronize();
    r.barrier();
    const auto [first, last] = own(r);
    const auto n = static_cast<std::size_t>(last - first);
    for (int step = 1; step < r.size(); ++step) {
      const int peer = (r.id() + step) % r.size();
      r.get(between.arranged, peer, static_cast<std::size_t>(first), between.piece.first(n));
      add_counts(mine.site(r), last - first, between.piece.data(), here + first);
    }
  }

  machine& on_;
  std::int64_t vertices_;
  double oriented_ = 0;  ///< seconds that laying out rows took; of the first run
  shared_array<std::int64_t> pairs_;
  std::vector<row_slice> slices_;
  std::vector<std::unique_ptr<rank_rows<Id, Value>>> ranks_;
};

template <class Id>
std::unique_ptr<engine> make_typed_gpu(const preparation& from) {
  if (from.options.weighted) return std::make_unique<gpu_sync<Id, double>>(from);
  if (from.of.symmetric) return std::make_unique<gpu_sync<Id, std::monostate>>(from);
  return std::make_unique<gpu_sync<Id, std::uint8_t>>(from);
}

template <class Id, class Value>
struct all_arrays {
  rank_arrays<Id, Value> arrays;
  void list(algorithm_detail::array_list& of, std::int64_t vertices, std::int64_t edges,
            bool alone) {
    arrays.list_all(of, vertices, edges, std::min(vertices, edges / 2), alone);
  }
};

template <class Id>
std::int64_t own_bytes(const problem& p, bool alone) {
  const std::int64_t n = p.vertices, edges = most_edges(p);
  switch (value_width(p)) {
    case 0:
      return counted<all_arrays<Id, std::monostate>>(n, edges, alone).own;
    case 1:
      return counted<all_arrays<Id, std::uint8_t>>(n, edges, alone).own;
    default:
      return counted<all_arrays<Id, double>>(n, edges, alone).own;
  }
}

}  // namespace

std::unique_ptr<engine> make_gpu(const preparation& from) {
  if (from.of.id_width() == 4) return make_typed_gpu<vertex32>(from);
  return make_typed_gpu<vertex64>(from);
}

void declare_gpu(memory_layout& l, const machine& m, const problem& p, int rank) {
  const certainty rows = p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are;
  const bool alone = m.size() == 1;
  l.own(rank, "rows and counts by name",
        p.id_width == 4 ? own_bytes<vertex32>(p, alone) : own_bytes<vertex64>(p, alone), rows);
  if (alone) return;
  l.window(rank, "counts of ranks",
           counted<rank_windows<unsigned long long>>(p.vertices, m.size()).window, p.vertices_are);
}

}  // namespace gossamer::triangles_detail
