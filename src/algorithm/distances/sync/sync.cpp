// Batches of 64 searches: threads of all ranks take them one by one, each with arrays of its own.
#include "algorithm/distances/sync/sync.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "algorithm/distances/sync/bounds.hpp"
#include "algorithm/distances/sync/lane_search.hpp"
#include "algorithm/distances/sync/source_batches.hpp"
#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/rank_teams.hpp"
#include "algorithm/layouts/reversed_arcs.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/graph/memory_needs.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::distances_detail {

namespace {

using algorithm_detail::counted, algorithm_detail::taken;

constexpr auto relaxed = std::memory_order_relaxed;
/// Fewer arcs and vertices than this a thread goes through in the time that a team takes to meet.
constexpr std::int64_t worth_a_team = 4096;
/// Vertices whose bounds stay in the cache while all searches of a round narrow them.
constexpr std::int64_t narrowed_at_once = 1024;

/// Seconds of a rank, in all and by phase.
struct outcome {
  double seconds = 0, search = 0, bounds = 0;
};

/// What all ranks share.
struct shared_arrays {
  shared_array<std::int64_t> sources;       ///< those of a run, in the order that they are taken in
  shared_array<std::int32_t> lower, upper;  ///< bounds of eccentricities

  void list(algorithm_detail::array_list& of, std::int64_t vertices, bool bounds) {
    of.add(sources, 2 * vertices);
    if (!bounds) return;
    of.add(lower, vertices);
    of.add(upper, vertices);
  }
};

template <class Id>
class cpu_sync final : public engine {
 public:
  explicit cpu_sync(const preparation& from)
      : on_(from.on),
        of_(from.of),
        measure_(from.options.measure),
        bounded_(bounded(from.options, from.of.symmetric)),
        inward_(from.options.inward && !from.of.symmetric),
        reversed_(algorithm_detail::reversed_arcs(from.of, from.options.run.cancel, reversing_)),
        along_((inward_ ? *reversed_ : from.of).view<Id>()),
        against_((inward_ || from.of.symmetric ? from.of : *reversed_).view<Id>()),
        teams_(on_),
        threads_(teams_.threads()),
        all_(taken<shared_arrays>(device(), vertices(), bounded_)),
        of_sources_(of_, along_, inward_, measure_, all_.sources),
        totals_(static_cast<std::size_t>(threads_)) {
    for (std::int64_t t = 0; t < threads_; ++t)
      arrays_.push_back(taken<lane_arrays<Id>>(device(), vertices(), bounded_));
    for (auto& arrays : arrays_) searches_.emplace_back(along_, against_, arrays);
  }

  void run(const run_options& options, const request& asked, distances_result& result) override {
    result_ = &result;
    asked_ = &asked;
    result.diameter = vertices() == 0 || (asked.sources && asked.sources->empty()) ? -1 : 0;
    if (bounded_ && !asked.sources) {
      run_bounded(options);
    } else {
      of_sources_.begin(asked, lanes_at_most * threads_, options.cancel, result);
      of_sources_.divide(threads_, lanes_at_most);
      batches_ = of_sources_.batches();
      if (!asked.targets)
        run_ranks(options, [&](rank& r, outcome& out) { sweep(r, out, no_matrix()); });
      else if (!run_matrix<std::int8_t>(options) && !run_matrix<std::int16_t>(options))
        run_matrix<std::int32_t>(options);
      of_sources_.sum_up();
    }
    result.phases = {{"reverse", std::exchange(reversing_, 0)},
                     {"order", bounded_ && !asked.sources ? 0 : of_sources_.ordering()},
                     {"search", slowest_.search},
                     {"bounds", slowest_.bounds}};
    result.milliseconds = slowest_.seconds * 1e3;
    result.alone = alone_;
  }

 private:
  [[nodiscard]] std::int64_t vertices() const { return along_.vertices(); }
  [[nodiscard]] std::int64_t degree(std::int64_t v) const { return of_sources_.degree(v); }

  // --- runs --------------------------------------------------------------------------------------

  template <class F>
  void run_ranks(const run_options& options, const F& f) {
    std::vector<outcome> outcomes(static_cast<std::size_t>(on_.size()));
    teams_.begin();
    too_deep_ = false;
    next_batch_ = 0;
    done_ = 0;
    alone_ = 0;
    on_.run(
        [&](rank& r) {
          r.barrier();
          outcome& out = outcomes[static_cast<std::size_t>(r.id())];
          const double begin = r.clock();
          f(r, out);
          out.seconds = r.clock() - begin;
          trace_run(r, "distances", begin, out.seconds);
          r.barrier();
        },
        options);
    slowest_ = algorithm_detail::slowest_rank(outcomes);
  }

  /// With the other ranks; a rank's own threads have met.
  void meet(rank& r) const {
    if (on_.size() > 1) r.barrier();
  }

  /// f(thread, ask) for this rank's threads, as a team if there is enough to do. ask(n) after n
  /// looks.
  template <class F>
  void each_thread(rank& r, std::int64_t work, const F& f) {
    const auto charge = [&](std::int64_t looks) { r.charge(static_cast<double>(looks) * line, 0); };
    const auto progress = [&] { return std::min(1.0, done_.load(relaxed)); };
    teams_.each(r, work >= worth_a_team, charge, progress, f);
  }

  /// Looks; one batch is work for one thread.
  [[nodiscard]] std::int64_t work_of_batches() const {
    return batches_ <= 1 ? 0 : batches_ * (vertices() + std::ssize(along_.indices));
  }

  /// A batch at once, or where that does not pay one by one. `rows_of(lane)`: what writes depths.
  template <class Rows, class Ask>
  bool search(std::int64_t thread, std::span<const std::int64_t> sources, lane_totals& totals,
              const Rows& rows, const Ask& ask) {
    auto& mine = searches_[static_cast<std::size_t>(thread)];
    ending end = mine.run(sources, totals, rows, ask);
    if (end == ending::apart) {
      end = ending::finished;
      for (std::size_t lane = 0; lane < sources.size() && end == ending::finished; ++lane)
        end = mine.run_alone(sources[lane], static_cast<int>(lane), totals[lane], rows, ask);
      if (end == ending::finished) alone_ += std::ssize(sources);
    }
    if (end == ending::too_deep) {
      too_deep_ = true;
      teams_.stop();
    }
    return end == ending::finished;
  }

  // --- sources that are given, or all of them ----------------------------------------------------

  /// Depths are not asked for.
  struct no_matrix {
    [[nodiscard]] no_rows rows(std::int64_t, std::size_t) const { return {}; }
    void keep(const no_rows&, std::span<const std::int64_t>) const {}
  };
  /// Each thread has rows of its own, which are copied to where they belong.
  template <class Depth>
  struct matrix_of {
    Depth* matrix = nullptr;
    std::int64_t columns = 0;
    const std::int64_t* column = nullptr;
    std::vector<shared_array<std::byte>> scratch;  ///< [threads]

    [[nodiscard]] depth_rows<Depth> rows(std::int64_t thread, std::size_t lanes) const {
      return {scratch[static_cast<std::size_t>(thread)].data(), lanes, columns, column};
    }
    void keep(const depth_rows<Depth>& rows, std::span<const std::int64_t> places) const {
      for (std::size_t lane = 0; lane < places.size(); ++lane)
        std::copy(rows.row[lane], rows.row[lane] + columns, matrix + places[lane] * columns);
    }
  };

  /// Batch by batch.
  template <class Matrix>
  void sweep(rank& r, outcome& out, const Matrix& matrix) {
    const trace_span span(r, "search");
    const double begin = r.clock();
    each_thread(r, work_of_batches(), [&](std::int64_t thread, const auto& ask) {
      lane_totals totals;
      std::array<std::int64_t, lanes_at_most> from{};
      while (ask(0)) {
        const std::int64_t batch = next_batch_++;
        if (batch >= batches_) return;
        const std::span<const std::int64_t> places = of_sources_.places_of(batch);
        for (std::size_t lane = 0; lane < places.size(); ++lane)
          from[lane] = of_sources_.source(places[lane]);
        const auto rows = matrix.rows(thread, places.size());
        if (!search(thread, std::span(from.data(), places.size()), totals, rows, ask)) return;
        matrix.keep(rows, places);
        for (std::size_t lane = 0; lane < places.size(); ++lane)
          of_sources_.put(places[lane], totals[lane]);
        done_.fetch_add(1.0 / static_cast<double>(batches_), relaxed);
      }
    });
    meet(r);
    out.search = r.clock() - begin;
  }

  /// False where a depth is too large for its type: searches stop as soon as one is.
  template <class Depth>
  bool run_matrix(const run_options& options) {
    const auto targets = *asked_->targets;
    const std::int64_t columns = std::ssize(targets);
    bool all = columns == vertices();
    for (std::int64_t i = 0; all && i < columns; ++i)
      all = targets[static_cast<std::size_t>(i)] == i;
    if (!all) {
      column_.assign(static_cast<std::size_t>(vertices()), -1);
      for (std::int64_t i = 0; i < columns; ++i)
        column_[static_cast<std::size_t>(targets[static_cast<std::size_t>(i)])] = i;
    }
    const auto made = make_array<Depth>(static_cast<std::size_t>(of_sources_.sources() * columns));
    matrix_of<Depth> matrix{made.data(), columns, all ? nullptr : column_.data(), {}};
    const std::int64_t scratch = of_sources_.lanes() * row_bytes(columns, sizeof(Depth));
    for (std::int64_t t = 0; t < threads_; ++t)
      matrix.scratch.push_back(make_array<std::byte>(static_cast<std::size_t>(scratch)));
    run_ranks(options, [&](rank& r, outcome& out) { sweep(r, out, matrix); });
    if (too_deep_) return false;
    of_sources_.put_lonely_rows(made.data());
    result_->depths = made;
    return true;
  }

  // --- all of a symmetric graph, by bounds -------------------------------------------------------

  void run_bounded(const run_options& options) {
    searched_ = chosen_ = first_reached_ = 0;
    together_ = 1;
    width_ = 1;
    best_ = 0;
    run_ranks(options, [&](rank& r, outcome& out) { narrow_all(r, out); });
    distances_result& result = *result_;
    result.searches = searched_;
    result.all_reached = vertices() <= 1 || first_reached_ == vertices();
    for (std::int64_t v = 0; v < vertices(); ++v)
      if (lower(v) > result.diameter || result.end < 0) {
        result.diameter = lower(v);
        result.end = v;
      }
    if (measure_ == distance_measure::diameter) return;
    result.eccentricities = make_array<std::int32_t>(static_cast<std::size_t>(vertices()));
    std::copy(all_.lower.begin(), all_.lower.end(), result.eccentricities.begin());
  }

  [[nodiscard]] std::int32_t& lower(std::int64_t v) {
    return all_.lower[static_cast<std::size_t>(v)];
  }
  [[nodiscard]] std::int32_t& upper(std::int64_t v) {
    return all_.upper[static_cast<std::size_t>(v)];
  }
  [[nodiscard]] std::int64_t first_vertex(std::int64_t thread) const {
    return vertices() * thread / threads_;
  }

  void narrow_all(rank& r, outcome& out) {
    double before = r.clock();
    const auto lap = [&](double& to) {
      const double now = r.clock();
      to += now - std::exchange(before, now);
    };
    {
      const trace_span span(r, "bounds");
      each_thread(r, vertices(), [&](std::int64_t t, const auto& ask) {
        for (std::int64_t v = first_vertex(t); v < first_vertex(t + 1); ++v) {
          lower(v) = 0;
          upper(v) = degree(v) == 0 ? 0 : unbounded;
        }
        ask(first_vertex(t + 1) - first_vertex(t));
      });
      meet(r);
    }
    for (std::int64_t round = 0;;) {
      {
        const trace_span span(r, "bounds");
        if (r.id() == 0) choose(round);
        meet(r);
      }
      lap(out.bounds);
      if (chosen_ == 0) return;
      {
        const trace_span span(r, "search");
        search_chosen(r);
      }
      lap(out.search);
      const trace_span span(r, "bounds");
      each_thread(r, vertices(), [&](std::int64_t t, const auto& ask) { narrow(t, round, ask); });
      if (!too_deep_) ++round;
      meet(r);
    }
  }

  /// How many searches a thread begins in this round. In a graph of many levels those that are
  /// equally good lie beside each other and say the same, so that each is better chosen when
  /// another is known; but of eccentricities there are so many to find that choosing takes longer.
  void grow_rounds(std::int64_t round) {
    const bool deep = best_ > many_levels && measure_ == distance_measure::diameter;
    if (round > 1 && (!deep || round % patient_rounds == 0)) together_ *= 4;
    together_ = std::min(together_, lanes_);
  }

  /// Whether it may still matter what eccentricity v has.
  [[nodiscard]] bool open(std::int64_t v) {
    return measure_ == distance_measure::diameter ? upper(v) > best_ : upper(v) > lower(v);
  }

  /// Sources of the next round: of those that are open half with the largest upper bound, which
  /// raise lower bounds, and half with the smallest lower one, which lower upper bounds; of equal
  /// ones those with the most arcs. The first round has one.
  void choose(std::int64_t round) {
    std::int64_t* const open_ones = all_.sources.data();
    std::int64_t count = 0;
    if (too_deep_) {  // the same ones again, as many as there is room for now
      width_ *= 2;
      too_deep_ = false;
      teams_.begin();
    } else {
      searched_ += chosen_;
    }
    for (std::int64_t v = 0; v < vertices(); ++v) best_ = std::max(best_, lower(v));
    for (std::int64_t v = 0; v < vertices(); ++v) {
      if (round > 0) bound_leaf(v);
      if (open(v)) open_ones[count++] = v;
    }
    lanes_ = lanes_at_most / width_;
    grow_rounds(round);
    chosen_ = round == 0 ? std::min<std::int64_t>(count, 1) : std::min(count, together_ * threads_);
    const std::int64_t of_upper = chosen_ / 2;
    const auto take = [&](std::int64_t first, std::int64_t many, const auto& key) {
      if (many <= 0 || first + many >= count) return;
      std::nth_element(open_ones + first, open_ones + first + many, open_ones + count,
                       [&](std::int64_t a, std::int64_t b) {
                         return std::tuple(key(a), -degree(a), a) <
                                std::tuple(key(b), -degree(b), b);
                       });
    };
    take(0, of_upper, [&](std::int64_t v) { return -upper(v); });
    take(of_upper, chosen_ - of_upper, [&](std::int64_t v) { return lower(v); });
    lanes_ = std::max<std::int64_t>(1, (chosen_ + threads_ - 1) / threads_);
    batches_ = chosen_ == 0 ? 0 : (chosen_ + lanes_ - 1) / lanes_;
    done_ = vertices() == 0 ? 1 : 1 - static_cast<double>(count) / static_cast<double>(vertices());
  }

  /// Who has one neighbour alone is one further from all others than that is. Where there are only
  /// the two, whatever loops the other has, both have been searched from, or are open.
  void bound_leaf(std::int64_t v) {
    if (degree(v) != 1 || !open(v)) return;
    const auto to = static_cast<std::int64_t>(along_.row(v)[0]);
    const auto row = along_.row(to);
    if (std::all_of(row.begin(), row.end(), [&](std::int64_t w) { return w == to || w == v; }))
      return;
    lower(v) = std::max(lower(v), lower(to) + 1);
    if (upper(to) != unbounded) upper(v) = std::min(upper(v), upper(to) + 1);
  }

  void search_chosen(rank& r) {
    each_thread(r, work_of_batches(), [&](std::int64_t thread, const auto& ask) {
      if (thread >= batches_) return;
      const std::int64_t first = thread * lanes_, last = std::min(chosen_, first + lanes_);
      const std::span<const std::int64_t> from(all_.sources.data() + first,
                                               static_cast<std::size_t>(last - first));
      with_width([&]<class Depth>(Depth) {
        const depth_rows<Depth> rows(arrays_of(thread).depths.data(), from.size(), vertices(),
                                     nullptr);
        search(thread, from, totals_of(thread), rows, ask);
      });
    });
    meet(r);
  }

  template <class F>
  void with_width(const F& f) {
    if (width_ == 1) return f(std::int8_t{});
    if (width_ == 2) return f(std::int16_t{});
    f(std::int32_t{});
  }
  [[nodiscard]] lane_arrays<Id>& arrays_of(std::int64_t thread) {
    return arrays_[static_cast<std::size_t>(thread)];
  }
  [[nodiscard]] lane_totals& totals_of(std::int64_t thread) {
    return totals_[static_cast<std::size_t>(thread)];
  }

  /// Vertices learn of the i-th search of the round. Without branches, so that it is vector code.
  template <class Depth>
  void narrow_by(std::int64_t i, std::int64_t first, std::int64_t last) {
    const std::int64_t thread = i / lanes_, lane = i % lanes_;
    const std::int32_t e = totals_of(thread)[static_cast<std::size_t>(lane)].eccentricity;
    const auto* const depths = reinterpret_cast<const Depth*>(
        arrays_of(thread).depths.data() + lane * row_bytes(vertices(), sizeof(Depth)));
    std::int32_t* const low = all_.lower.data();
    std::int32_t* const high = all_.upper.data();
    for (std::int64_t v = first; v < last; ++v) {
      // NOLINTNEXTLINE(bugprone-signed-char-misuse,cert-str34-c): a depth, no character
      const std::int32_t d = depths[v], at_least = std::max(d, e - d), at_most = e + d;
      low[v] = d >= 0 && at_least > low[v] ? at_least : low[v];
      high[v] = d >= 0 && at_most < high[v] ? at_most : high[v];
    }
  }

  /// A thread's vertices learn of all searches of the round.
  template <class Ask>
  void narrow(std::int64_t t, std::int64_t round, const Ask& ask) {
    if (too_deep_) return;
    const std::int64_t first = first_vertex(t), last = first_vertex(t + 1);
    if (t == 0 && round == 0) first_reached_ = totals_of(0)[0].reached;
    with_width([&]<class Depth>(Depth) {
      for (std::int64_t begin = first; begin < last; begin += narrowed_at_once) {
        const std::int64_t end = std::min(last, begin + narrowed_at_once);
        for (std::int64_t i = 0; i < chosen_; ++i) narrow_by<Depth>(i, begin, end);
        if (!ask((end - begin) * chosen_ / 64)) return;
      }
    });
    if (teams_.stopped()) return;
    if (round == 0)
      for (std::int64_t v = first; v < last; ++v)
        if (upper(v) == unbounded) search_small(v);
  }

  void search_small(std::int64_t v) {
    const std::int32_t found =
        small_eccentricity(along_.offsets.data(), along_.indices.data(), static_cast<Id>(v));
    if (found >= 0) lower(v) = upper(v) = found;
  }

  machine& on_;
  const graph of_;
  distance_measure measure_;
  bool bounded_, inward_;
  double reversing_ = 0;  ///< seconds that reversing arcs took; of the first run
  std::shared_ptr<const graph> reversed_;
  csr_view<Id> along_, against_;
  algorithm_detail::rank_teams teams_;
  std::int64_t threads_;  ///< of all ranks
  shared_arrays all_;
  source_batches<Id> of_sources_;
  std::vector<lane_totals> totals_;        ///< [threads] of a round
  std::vector<lane_arrays<Id>> arrays_;    ///< [threads]
  std::vector<lane_search<Id>> searches_;  ///< [threads]

  const request* asked_ = nullptr;
  distances_result* result_ = nullptr;
  std::vector<std::int64_t> column_;
  std::int64_t together_ = 1;  ///< searches of a thread in a round of bounds
  std::int64_t searched_ = 0, lanes_ = 1, batches_ = 0, chosen_ = 0, first_reached_ = 0;
  int width_ = 1;          ///< bytes of a depth of bounds
  std::int32_t best_ = 0;  ///< largest lower bound
  outcome slowest_;
  std::atomic<std::int64_t> next_batch_{0}, alone_{0};
  std::atomic<double> done_{0};
  std::atomic<bool> too_deep_{false};
};

}  // namespace

std::int64_t shared_bytes(const problem& p, const distances_options& options, bool bounds_here) {
  // With the order that is kept.
  return counted<shared_arrays>(p.vertices, bounds_here && bounded(options, p)).own +
         8 * p.vertices;
}

std::int64_t thread_bytes(const problem& p, const distances_options& options) {
  const bool rows = bounded(options, p);
  return (p.id_width == 4 ? counted<lane_arrays<vertex32>>(p.vertices, rows)
                          : counted<lane_arrays<vertex64>>(p.vertices, rows))
      .own;
}

std::unique_ptr<engine> make_sync(const preparation& from) {
  if (from.of.id_width() == 4) return std::make_unique<cpu_sync<vertex32>>(from);
  return std::make_unique<cpu_sync<vertex64>>(from);
}

}  // namespace gossamer::distances_detail
