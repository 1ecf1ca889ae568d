// Distances on GPUs, host side: rows are uploaded once. Ranks take slices of the batches in turn; a
// launch searches batch after batch until it has lasted long, and between two launches the host
// tells of progress and hears of a stop. Of a matrix a slice is one batch, whose rows a kernel
// writes from digits of depths.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithm/distances/gpu.hpp"
#include "algorithm/distances/sync/bounds.hpp"
#include "algorithm/distances/sync/cuda/launch.hpp"
#include "algorithm/distances/sync/source_batches.hpp"
#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/upload.hpp"
#include "algorithm/layouts/reversed_arcs.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::distances_detail {

namespace {

using namespace cuda;
using algorithm_detail::array_list, algorithm_detail::counted;

/// An order of sources takes the host as long as some hundreds of batches take a GPU.
constexpr std::int64_t sources_worth_an_order = std::int64_t{lanes_at_most} * 512;
/// Slices of a rank among others, so that few wait for the last one.
constexpr std::int64_t slices_of_rank = 4;
/// Rows of so few bytes together come to the host as one.
constexpr std::int64_t bytes_at_once = 1 << 20;
/// A graph of more levels is no small world.
constexpr std::int32_t many_levels = 50;

/// In a GPU's memory.
template <class Id>
struct rank_arrays {
  buffer<edge_offset> offsets[2];
  buffer<Id> columns[2];
  buffer<lane_word> met, words[3], planes;
  buffer<row_part<Id>> parts[3];
  buffer<std::int64_t> sources;
  buffer<lane_total> totals;
  buffer<search_sums> sums;
  buffer<search_state> state;
  buffer<std::uint32_t> arrived;
  // Bounds.
  buffer<std::int32_t> lower, upper;
  buffer<bounds_counts> counts;
  buffer<candidate> by_upper, by_lower;

  void list(array_list& of, std::int64_t vertices, std::int64_t arcs, bool symmetric, bool bounds,
            std::int64_t warps) {
    for (int way = 0; way < (symmetric ? 1 : 2); ++way) {
      of.add(offsets[way], vertices + 1);
      of.add(columns[way], arcs);
    }
    of.add(met, vertices);
    for (auto& by_turn : words) of.add(by_turn, vertices);
    for (auto& by_turn : parts) of.add(by_turn, vertices + arcs / gpu_sizes::part_arcs);
    of.add(sources, most_at_once().sources);
    of.add(totals, most_at_once().sources);
    of.add(sums, 3);
    of.add(state, 1);
    of.add(arrived, 2);
    if (!bounds) return;
    of.add(planes, depth_words * vertices);
    of.add(lower, vertices);
    of.add(upper, vertices);
    of.add(counts, 1);
    of.add(by_upper, warps);
    of.add(by_lower, warps);
  }
};

/// Seconds of a rank, in all and by phase.
struct gpu_outcome {
  double seconds = 0, search = 0, bounds = 0, collect = 0;
};

template <class T>
void download(T* to, const buffer<T>& from, std::size_t n) {
  if (n > 0) copy_bytes(to, from.data(), n * sizeof(T));
}

/// What a batch is searched with.
struct batch_form {
  std::int64_t lanes = lanes_at_most;
  int width = 1;  ///< bytes of a depth
  std::int32_t deepest = std::numeric_limits<std::int32_t>::max();
};

/// A rank's arrays and its launches.
template <class Id>
class rank_search {
 public:
  /// While the rank's GPU is current.
  rank_search(const device& on, const csr_view<Id>& along, const csr_view<Id>& against,
              bool symmetric, bool bounds)
      : vertices_(along.vertices()),
        arcs_(std::ssize(along.indices)),
        symmetric_(symmetric),
        units_(on.units),
        blocks_(prepare_search<Id>(units_)),
        begun_(on.ordinal),
        ended_(on.ordinal) {
    array_list taken(on);
    arrays_.list(taken, vertices_, arcs_, symmetric, bounds, bounds_warps(units_));
    algorithm_detail::upload(arrays_.offsets[0], along.offsets);
    algorithm_detail::upload(arrays_.columns[0], along.indices);
    if (symmetric) return;
    algorithm_detail::upload(arrays_.offsets[1], against.offsets);
    algorithm_detail::upload(arrays_.columns[1], against.indices);
  }

  /// Seconds of the GPU's clock that what `f` queues takes.
  template <class F>
  double timed(rank& r, const char* name, const F& f) {
    begun_.record(r.stream());
    {
      const trace_span span(r, name, r.stream());
      f();
    }
    ended_.record(r.stream());
    r.synchronize();
    return ended_.milliseconds_since(begun_) * 1e-3;
  }

  /// From these; `planes`: where digits of depths go. `tell(batches)` between two launches. False:
  /// a depth is too large.
  template <class Tell>
  bool search(rank& r, std::span<const std::int64_t> sources, const batch_form& form,
              lane_word* planes, double& seconds, const Tell& tell) {
    copy_bytes(arrays_.sources.data(), sources.data(), sources.size_bytes());
    r.fill(arrays_.sums.data(), 0, 3 * sizeof(search_sums));
    r.fill(arrays_.state.data(), 0, sizeof(search_state));
    r.fill(arrays_.arrived.data(), 0, 2 * sizeof(std::uint32_t));
    form_ = form;
    planes_ = planes;
    count_ = std::ssize(sources);
    const search_view<Id> of = view(r);
    do {
      seconds += timed(r, "search", [&] { launch_search<Id>(r.stream().native(), blocks_, of); });
      download(&state_, arrays_.state, 1);
      if (state_.too_deep != 0) return false;
      tell(state_.batch);
    } while (state_.batch < of.batches());
    return true;
  }
  void totals(std::span<lane_total> to) const { download(to.data(), arrays_.totals, to.size()); }

  /// Of the last batch.
  [[nodiscard]] depth_planes depths() const {
    return {vertices_,   arrays_.met.data(),
            planes_,     static_cast<int>((count_ - 1) % form_.lanes + 1),
            form_.width, std::max(0, state_.depth - 1)};
  }
  void write_matrix(rank& r, const depth_matrix_view<Id>& to) const {
    launch_matrix<Id>(r.stream().native(), units_, depths(), to);
  }

  // Bounds; their digits are in the arrays.
  [[nodiscard]] lane_word* planes() const { return arrays_.planes.data(); }
  void step(rank& r, bounds_step what, const bounds_view<Id>& of) const {
    launch_bounds<Id>(r.stream().native(), units_, what, of, depths());
  }
  [[nodiscard]] bounds_view<Id> bounds(bool diameter) const {
    return {rows(0),
            vertices_,
            arrays_.lower.data(),
            arrays_.upper.data(),
            arrays_.totals.data(),
            diameter,
            arrays_.counts.data(),
            arrays_.by_upper.data(),
            arrays_.by_lower.data()};
  }
  [[nodiscard]] bounds_counts counts() const {
    bounds_counts now{};
    download(&now, arrays_.counts, 1);
    return now;
  }
  void candidates(std::vector<candidate>& by_upper, std::vector<candidate>& by_lower) const {
    by_upper.resize(static_cast<std::size_t>(bounds_warps(units_)));
    by_lower.resize(by_upper.size());
    download(by_upper.data(), arrays_.by_upper, by_upper.size());
    download(by_lower.data(), arrays_.by_lower, by_lower.size());
  }
  void lower_bounds(const shared_array<std::int32_t>& to) const {
    download(to.data(), arrays_.lower, to.size());
  }

 private:
  [[nodiscard]] device_rows<Id> rows(int way) const {
    return {arrays_.offsets[way].data(), arrays_.columns[way].data()};
  }
  [[nodiscard]] search_view<Id> view(const rank& r) const {
    search_view<Id> v{};
    v.along = rows(0);
    v.against = rows(symmetric_ ? 0 : 1);
    v.vertices = vertices_;
    v.arcs = arcs_;
    v.sources = arrays_.sources.data();
    v.count = count_;
    v.lanes = static_cast<int>(form_.lanes);
    v.width = form_.width;
    v.deepest = form_.deepest;
    v.met = arrays_.met.data();
    for (int turn = 0; turn < 3; ++turn) {
      v.words[turn] = arrays_.words[turn].data();
      v.parts[turn] = arrays_.parts[turn].data();
    }
    v.planes = planes_;
    v.totals = arrays_.totals.data();
    v.sums = arrays_.sums.data();
    v.state = arrays_.state.data();
    v.arrived = arrays_.arrived.data();
    v.pause = most_at_once().nanoseconds;
    v.guard = r.guard();
    return v;
  }

  std::int64_t vertices_, arcs_;
  bool symmetric_;
  int units_, blocks_;
  rank_arrays<Id> arrays_;
  event begun_, ended_;
  // Of the last search.
  batch_form form_;
  lane_word* planes_ = nullptr;
  std::int64_t count_ = 1;
  search_state state_{};
};

template <class Id>
class gpu_sync final : public engine {
 public:
  explicit gpu_sync(const preparation& from)
      : on_(from.on),
        of_(from.of),
        measure_(from.options.measure),
        bounded_(bounded(from.options, from.of.symmetric)),
        inward_(from.options.inward && !from.of.symmetric),
        reversed_(algorithm_detail::reversed_arcs(from.of, from.options.run.cancel, reversing_)),
        along_((inward_ ? *reversed_ : of_).view<Id>()),
        of_sources_(of_, along_, inward_, measure_,
                    make_array<std::int64_t>(static_cast<std::size_t>(2 * along_.vertices()))) {
    const auto against = (inward_ || of_.symmetric ? of_ : *reversed_).view<Id>();
    for (int r = 0; r < on_.size(); ++r) {
      const current_device here(on_[r].ordinal);
      ranks_.push_back(
          std::make_unique<rank_search<Id>>(on_[r], along_, against, of_.symmetric, bounded_));
    }
  }

  void run(const run_options& options, const request& asked, distances_result& result) override {
    result.diameter = vertices() == 0 || (asked.sources && asked.sources->empty()) ? -1 : 0;
    double ordering = 0;
    if (bounded_ && !asked.sources) {
      run_bounded(options, result);
    } else {
      of_sources_.begin(asked, sources_worth_an_order, options.cancel, result);
      ordering = of_sources_.ordering();
      if (!asked.targets)
        run_sweep(options);
      else if (!run_matrix<std::int8_t>(options, *asked.targets, result) &&
               !run_matrix<std::int16_t>(options, *asked.targets, result))
        run_matrix<std::int32_t>(options, *asked.targets, result);
      of_sources_.sum_up();
    }
    result.phases = {{"reverse", std::exchange(reversing_, 0)},
                     {"order", ordering},
                     {"search", slowest_.search},
                     {"bounds", slowest_.bounds},
                     {"collect", slowest_.collect}};
    result.milliseconds = slowest_.seconds * 1e3;
  }

 private:
  [[nodiscard]] std::int64_t vertices() const { return along_.vertices(); }
  [[nodiscard]] std::int64_t workers() const { return std::ssize(ranks_); }

  /// f(rank, its search, its outcome).
  template <class F>
  void run_ranks(const run_options& options, const F& f) {
    std::vector<gpu_outcome> outcomes(static_cast<std::size_t>(on_.size()));
    next_batch_ = 0;
    too_deep_ = false;
    on_.run(
        [&](rank& r) {
          r.barrier();
          const double begin = r.clock();
          const auto id = static_cast<std::size_t>(r.id());
          f(r, *ranks_[id], outcomes[id]);
          trace_run(r, "distances", begin, outcomes[id].seconds);
          r.barrier();
        },
        options);
    slowest_ = algorithm_detail::slowest_rank(outcomes);
  }

  // --- sources that are given, or all of them ----------------------------------------------------

  /// Slices of `batches` in turn. keep(r, mine, places, out): what else is wanted of a slice.
  template <class Planes, class Keep>
  void sweep(rank& r, rank_search<Id>& mine, gpu_outcome& out, std::int64_t batches,
             const batch_form& form, const Planes& planes, const Keep& keep) {
    std::vector<std::int64_t> sources;
    std::vector<lane_total> totals;
    while (!too_deep_) {
      const std::int64_t first = next_batch_.fetch_add(batches);
      if (first >= of_sources_.batches()) break;
      const auto places = of_sources_.places(
          first * form.lanes, std::min(of_sources_.searched(), (first + batches) * form.lanes));
      sources.clear();
      for (const std::int64_t place : places) sources.push_back(of_sources_.source(place));
      if (!mine.search(r, sources, form, planes, out.search, [&](std::int64_t done) {
            r.progress(std::min(1.0, static_cast<double>(first + done) /
                                         static_cast<double>(of_sources_.batches())));
          })) {
        too_deep_ = true;
        break;
      }
      totals.resize(places.size());
      mine.totals(totals);
      for (std::size_t i = 0; i < places.size(); ++i) of_sources_.put(places[i], totals[i]);
      keep(places);
    }
    out.seconds = out.search;
  }

  void run_sweep(const run_options& options) {
    of_sources_.divide(workers(), lanes_at_most);
    const batch_form form{of_sources_.lanes()};
    const std::int64_t slices = workers() == 1 ? 1 : workers() * slices_of_rank;
    const std::int64_t batches = std::clamp<std::int64_t>(of_sources_.batches() / slices, 1,
                                                          most_at_once().sources / form.lanes);
    run_ranks(options, [&](rank& r, rank_search<Id>& mine, gpu_outcome& out) {
      sweep(r, mine, out, batches, form, nullptr, [](const auto&) {});
    });
  }

  /// What a matrix takes of a GPU's memory, for one run.
  struct matrix_room {
    buffer<lane_word> planes;
    buffer<std::byte> rows;
    buffer<Id> targets;
    void list(array_list& of, std::int64_t vertices, std::int64_t bytes, std::int64_t columns) {
      of.add(planes, depth_words * vertices);
      of.add(rows, bytes);
      of.add(targets, columns);
    }
  };

  /// False where a depth is too large for its type: searches stop as soon as one is.
  template <class Depth>
  bool run_matrix(const run_options& options, std::span<const std::int64_t> targets,
                  distances_result& result) {
    constexpr int width = sizeof(Depth);
    of_sources_.divide(workers(), lanes_at_most / width);
    const batch_form form{of_sources_.lanes(), width, std::numeric_limits<Depth>::max()};
    const std::int64_t columns = std::ssize(targets), row = (columns + 31) / 32 * 32;
    bool all = columns == vertices();
    for (std::int64_t i = 0; all && i < columns; ++i)
      all = targets[static_cast<std::size_t>(i)] == i;
    const std::vector<Id> ids(targets.begin(), all ? targets.begin() : targets.end());
    std::vector<matrix_room> rooms(ranks_.size());
    for (std::size_t r = 0; r < rooms.size(); ++r) {
      const device& gpu = on_[static_cast<int>(r)];
      const current_device here(gpu.ordinal);
      array_list taken(gpu);
      rooms[r].list(taken, vertices(), form.lanes * row * width, std::ssize(ids));
      algorithm_detail::upload(rooms[r].targets, ids);
    }
    const auto made = make_array<Depth>(static_cast<std::size_t>(of_sources_.sources() * columns));
    run_ranks(options, [&](rank& r, rank_search<Id>& mine, gpu_outcome& out) {
      const matrix_room& room = rooms[static_cast<std::size_t>(r.id())];
      const depth_matrix_view<Id> to{all ? nullptr : room.targets.data(), columns, row,
                                     room.rows.data()};
      sweep(r, mine, out, 1, form, room.planes.data(), [&](const auto& places) {
        out.search += mine.timed(r, "matrix", [&] { mine.write_matrix(r, to); });
        const double before = r.clock();
        keep_rows(room, places, made.data(), columns, row);
        out.collect += r.clock() - before;
      });
    });
    if (too_deep_) return false;
    of_sources_.put_lonely_rows(made.data());
    result.depths = made;
    return true;
  }
  template <class Depth>
  static void keep_rows(const matrix_room& room, std::span<const std::int64_t> places,
                        Depth* matrix, std::int64_t columns, std::int64_t row) {
    const auto bytes = static_cast<std::size_t>(columns) * sizeof(Depth);
    const std::size_t step = static_cast<std::size_t>(row) * sizeof(Depth);
    std::vector<std::byte> here;
    if (static_cast<std::int64_t>(step * places.size()) <= bytes_at_once) {
      here.resize(step * places.size());
      download(here.data(), room.rows, here.size());
    }
    for (std::size_t lane = 0; lane < places.size() && bytes > 0; ++lane) {
      Depth* const to = matrix + places[lane] * columns;
      if (here.empty())
        copy_bytes(to, room.rows.data() + lane * step, bytes);
      else
        std::memcpy(to, here.data() + lane * step, bytes);
    }
  }

  // --- all of a symmetric graph, by bounds -------------------------------------------------------

  void run_bounded(const run_options& options, distances_result& result) {
    const auto lower = make_array<std::int32_t>(static_cast<std::size_t>(vertices()));
    std::int64_t first_reached = 0;
    result.searches = 0;
    run_ranks(options, [&](rank& r, rank_search<Id>& mine, gpu_outcome& out) {
      const double begin = r.clock();
      narrow_all(r, mine, out, result.searches, first_reached);
      mine.lower_bounds(lower);
      out.seconds = r.clock() - begin;
      out.bounds = std::max(0.0, out.seconds - out.search);
    });
    result.all_reached = vertices() <= 1 || first_reached == vertices();
    for (std::int64_t v = 0; v < vertices(); ++v) {
      const std::int32_t found = lower[static_cast<std::size_t>(v)];
      if (found <= result.diameter && result.end >= 0) continue;
      result.diameter = found;
      result.end = v;
    }
    if (measure_ != distance_measure::diameter) result.eccentricities = lower;
  }

  /// Rounds, until no vertex is open. A depth that does not fit begins its round again, with half
  /// as many searches.
  void narrow_all(rank& r, rank_search<Id>& mine, gpu_outcome& out, std::int64_t& searched,
                  std::int64_t& first_reached) {
    const auto of = mine.bounds(measure_ == distance_measure::diameter);
    r.fill(of.counts, 0, sizeof(bounds_counts));
    mine.step(r, bounds_step::begin, of);
    std::int64_t together = 1;
    int width = 1;
    for (std::int64_t round = 0;;) {
      r.fill(&of.counts->open, 0, sizeof of.counts->open);
      mine.step(r, bounds_step::choose, of);
      r.synchronize();
      const bounds_counts now = mine.counts();
      if (now.open == 0) return;
      together = grown(together, round, now.best);
      const std::int64_t most = std::min<std::int64_t>(together, lanes_at_most / width);
      const auto sources = chosen(mine, std::min(most, static_cast<std::int64_t>(now.open)));
      const std::int32_t deepest = width == 1
                                       ? std::numeric_limits<std::uint8_t>::max()
                                       : (width == 2 ? std::numeric_limits<std::uint16_t>::max()
                                                     : std::numeric_limits<std::int32_t>::max());
      const double done = 1 - static_cast<double>(now.open) / static_cast<double>(vertices());
      const batch_form form{lanes_at_most / width, width, deepest};
      if (!mine.search(r, sources, form, mine.planes(), out.search,
                       [&](std::int64_t) { r.progress(done); })) {
        width *= 2;
        continue;
      }
      mine.step(r, bounds_step::narrow, of);
      if (round == 0) {
        mine.step(r, bounds_step::small, of);
        r.synchronize();
        lane_total first;
        mine.totals(std::span(&first, 1));
        first_reached = first.reached;
      }
      searched += std::ssize(sources);
      ++round;
    }
  }

  /// Searches of a round: one, two, and then four times as many each. In a graph of many levels
  /// those that are equally good lie beside each other and say the same, so that the diameter is
  /// found by fewer if each is chosen when the last ones are known.
  [[nodiscard]] std::int64_t grown(std::int64_t together, std::int64_t round,
                                   std::int32_t best) const {
    if (round < 2) return round + 1;
    const bool deep = best > many_levels && measure_ == distance_measure::diameter;
    if (deep && round % patient_rounds != 0) return together;
    return std::min<std::int64_t>(4 * together, lanes_at_most);
  }

  /// Half have the largest upper bounds, which raise lower bounds, and half the smallest lower
  /// ones.
  static std::vector<std::int64_t> chosen(const rank_search<Id>& mine, std::int64_t most) {
    std::vector<candidate> by_upper, by_lower;
    mine.candidates(by_upper, by_lower);
    const auto order = [](std::vector<candidate>& all) {
      std::erase_if(all, [](const candidate& c) { return c.worth == 0; });
      std::sort(all.begin(), all.end(), [](const candidate& a, const candidate& b) {
        return std::pair(b.worth, a.vertex) < std::pair(a.worth, b.vertex);
      });
    };
    order(by_upper);
    order(by_lower);
    std::vector<std::int64_t> sources;
    const auto take = [&](const std::vector<candidate>& all, std::int64_t up_to) {
      for (const candidate& c : all) {
        if (std::ssize(sources) >= up_to) return;
        if (std::find(sources.begin(), sources.end(), c.vertex) == sources.end())
          sources.push_back(c.vertex);
      }
    };
    take(by_upper, most / 2);
    take(by_lower, most);
    take(by_upper, most);
    return sources;
  }

  machine& on_;
  const graph of_;
  distance_measure measure_;
  bool bounded_, inward_;
  double reversing_ = 0;  ///< seconds that reversing arcs took; of the first run
  std::shared_ptr<const graph> reversed_;
  csr_view<Id> along_;
  source_batches<Id> of_sources_;
  std::vector<std::unique_ptr<rank_search<Id>>> ranks_;

  gpu_outcome slowest_;
  std::atomic<std::int64_t> next_batch_{0};
  std::atomic<bool> too_deep_{false};
};

}  // namespace

std::unique_ptr<engine> make_gpu(const preparation& from) {
  if (from.of.id_width() == 4) return std::make_unique<gpu_sync<vertex32>>(from);
  return std::make_unique<gpu_sync<vertex64>>(from);
}

void declare_gpu(memory_layout& l, const machine& m, const problem& p,
                 const distances_options& options) {
  const bool bounds = bounded(options, p);
  const int working = why_one(m, bounds).empty() ? m.size() : 1;
  for (int r = 0; r < working; ++r) {
    const auto bytes = [&]<class Id>(Id) {
      return counted<rank_arrays<Id>>(p.vertices, p.arcs, p.symmetric, bounds,
                                      bounds_warps(m[r].units))
          .own;
    };
    l.own(r, "rows, and words and lists of searches",
          p.id_width == 4 ? bytes(vertex32{}) : bytes(vertex64{}), p.arcs_are);
  }
}

}  // namespace gossamer::distances_detail
