// A search from a pivot along arcs and one against them, at once; trimming of what is left; and a
// depth-first search of each of its parts.
#include "algorithm/strong_components/sync/sync.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/rank_teams.hpp"
#include "algorithm/layouts/reversed_arcs.hpp"
#include "algorithm/strong_components/sync/depth_first.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::strong_components_detail {

namespace {

using algorithm_detail::counted, algorithm_detail::taken;

constexpr auto relaxed = std::memory_order_relaxed;
/// Fewer vertices than this a thread goes through in the time that a team takes to meet.
constexpr std::int64_t worth_a_team = 4096;
/// Arcs or vertices between two asks whether to stop: well below a millisecond.
constexpr std::int64_t between_asks = 1 << 16;
/// Trimming goes on while a round takes one of so many.
constexpr std::int64_t worth_a_round = 8;

/// Parts of the graph: what the pivot reaches, what reaches it, both, neither. Of these only
/// `reached`, `reaching` and `apart` are left to search; `done` is whoever has a label.
enum part : std::uint8_t { apart = 0, reached = 1, reaching = 2, done = 3 };
constexpr int parts_left = 3;

/// Seconds of a rank, in all and by phase.
struct outcome {
  double seconds = 0, search = 0, trim = 0, rest = 0;
};

/// What all ranks share.
template <class Id>
struct shared_arrays {
  std::array<shared_array<std::uint64_t>, 2> met;  ///< a bit a vertex, along arcs and against them
  std::array<shared_array<Id>, 2> queue;  ///< of both searches; then vertices left, and open ones
  shared_array<std::uint8_t> parts;
  shared_array<Id> number, low, calls;
  shared_array<edge_offset> at;

  void list(algorithm_detail::array_list& of, std::int64_t vertices) {
    for (auto& bits : met) of.add(bits, (vertices + 63) / 64);
    for (auto& ids : queue) of.add(ids, vertices);
    of.add(parts, vertices);
    of.add(number, vertices);
    of.add(low, vertices);
    of.add(calls, vertices);
    of.add(at, vertices);
  }
};

/// What one thread has found, in lines of its own: threads write them.
struct alignas(64) found {
  std::int64_t left = 0, gone = 0, count = 0, trimmed = 0;
  component_size largest;
  std::int64_t pivot = -1;
  double arcs_of_pivot = -1;
  std::int64_t both = 0, first_of_both = std::numeric_limits<std::int64_t>::max();
};

template <class Id>
class cpu_sync final : public engine {
 public:
  explicit cpu_sync(const preparation& from)
      : on_(from.on),
        symmetric_(from.of.symmetric),
        arcs_(from.of.arcs()),
        reversed_(algorithm_detail::reversed_arcs(from.of, from.options.run.cancel, reversing_)),
        rows_{from.of.view<Id>(), symmetric_ ? from.of.view<Id>() : reversed_->view<Id>()},
        all_(taken<shared_arrays<Id>>(device(), vertices())),
        teams_(on_),
        threads_(teams_.threads()),
        found_(static_cast<std::size_t>(threads_)) {}

  void run(const run_options& options, strong_components_result& result) override {
    std::vector<outcome> outcomes(static_cast<std::size_t>(on_.size()));
    const auto labels = make_array<Id>(static_cast<std::size_t>(vertices()));
    labels_ = labels.data();
    teams_.begin();
    looked_ = 0;
    on_.run([&](rank& r) { run_rank(r, outcomes[static_cast<std::size_t>(r.id())]); }, options);
    const outcome& slowest = algorithm_detail::slowest_rank(outcomes);
    component_size largest;
    for (const found& of : found_) {
      result.count += of.count;
      result.trimmed += of.trimmed;
      largest.take(of.largest);
    }
    result.largest = largest.vertices;
    result.largest_label = largest.label;
    result.milliseconds = slowest.seconds * 1e3;
    result.phases = {{"reverse", std::exchange(reversing_, 0)},
                     {"search", slowest.search},
                     {"trim", slowest.trim},
                     {"rest", slowest.rest}};
    result.labels = labels;
  }

 private:
  [[nodiscard]] std::int64_t vertices() const { return rows_[0].vertices(); }

  void run_rank(rank& r, outcome& out) {
    r.barrier();
    const double begin = r.clock();
    double before = begin;
    const auto lap = [&] {
      const double now = r.clock();
      return now - std::exchange(before, now);
    };
    {
      const trace_span span(r, "search");
      begin_again(r);
      meet(r);
      search(r);
      meet(r);
      divide(r);
      meet(r);
      label_both(r);
      meet(r);
    }
    out.search = lap();
    {
      const trace_span span(r, "trim");
      std::int64_t left = sum(&found::left);
      meet(r);  // before anybody trims
      while (left > 0) {
        trim(r, left);
        meet(r);
        const std::int64_t gone = sum(&found::gone);
        left -= gone;
        meet(r);
        if (gone * worth_a_round < left + gone) break;
      }
    }
    out.trim = lap();
    {
      const trace_span span(r, "rest");
      search_rest(r);
    }
    out.rest = lap();
    out.seconds = r.clock() - begin;
    trace_run(r, "strong_components", begin, out.seconds);
    r.barrier();
  }

  /// With the other ranks; a rank's own threads have met.
  void meet(rank& r) const {
    if (on_.size() > 1) r.barrier();
  }

  [[nodiscard]] found& of_thread(int t) { return found_[static_cast<std::size_t>(t)]; }
  [[nodiscard]] std::int64_t sum(std::int64_t found::*of) const {
    std::int64_t all = 0;
    for (const found& one : found_) all += one.*of;
    return all;
  }
  [[nodiscard]] std::int64_t first_vertex(int t) const {
    // Whole words of bitmaps.
    return t == threads_ ? vertices() : vertices() * t / threads_ / 64 * 64;
  }

  /// f(thread, ask) for this rank's threads, as a team if there is enough to do. ask(n) after n
  /// looks.
  template <class F>
  void each_thread(rank& r, std::int64_t work, const F& f) {
    const auto charge = [&](std::int64_t looks) {
      r.charge(static_cast<double>(looks) * line, 0);
      looked_ += looks;
    };
    const auto progress = [&] { return done_so_far(); };
    teams_.each(r, work >= worth_a_team, charge, progress, f);
  }
  /// Of what one rank's first thread may look at; a guess.
  [[nodiscard]] double done_so_far() const {
    const double all = static_cast<double>(3 * arcs_ + 4 * vertices() + 1);
    return std::min(1.0, static_cast<double>(looked_) / all);
  }

  /// Nobody was met. Threads look for the vertex of most arcs, those in times those out.
  void begin_again(rank& r) {
    each_thread(r, vertices(), [&](int t, const auto& ask) {
      const std::int64_t first = first_vertex(t), last = first_vertex(t + 1);
      for (auto& bits : all_.met)
        std::fill(bits.data() + first / 64, bits.data() + (last + 63) / 64, 0);
      found mine;
      for (std::int64_t v = first; v < last; ++v) {
        all_.number[static_cast<std::size_t>(v)] = 0;
        const auto out = static_cast<double>(rows_[0].offsets[v + 1] - rows_[0].offsets[v]),
                   in = static_cast<double>(rows_[1].offsets[v + 1] - rows_[1].offsets[v]);
        if (in * out > mine.arcs_of_pivot) {
          mine.arcs_of_pivot = in * out;
          mine.pivot = v;
        }
      }
      of_thread(t) = mine;
      ask(last - first);
    });
  }

  /// -1 without vertices.
  [[nodiscard]] std::int64_t pivot() const {
    const found* best = found_.data();
    for (const found& of : found_)
      if (of.arcs_of_pivot > best->arcs_of_pivot) best = &of;
    return best->pivot;
  }

  /// The first thread searches along arcs, the second against them; one thread does both.
  void search(rank& r) {
    const std::int64_t start = pivot();
    if (start < 0) return;
    each_thread(r, arcs_, [&](int t, const auto& ask) {
      if (t == 0) search(start, 0, ask);
      if (t == std::min(1, threads_ - 1) && !symmetric_) search(start, 1, ask);
    });
  }

  template <class Ask>
  void search(std::int64_t start, int way, const Ask& ask) {
    const csr_view<Id>& rows = rows_[static_cast<std::size_t>(way)];
    std::uint64_t* const met = all_.met[static_cast<std::size_t>(way)].data();
    Id* const queue = all_.queue[static_cast<std::size_t>(way)].data();
    std::int64_t head = 0, tail = 0, looks = 0;
    queue[tail++] = static_cast<Id>(start);
    met[start / 64] |= std::uint64_t{1} << (start % 64);
    while (head < tail) {
      if (head + ahead < tail) __builtin_prefetch(&rows.offsets[queue[head + ahead]]);
      const auto row = rows.row(queue[head++]);
      for (const Id u : row) {
        std::uint64_t& word = met[u / 64];
        const std::uint64_t bit = std::uint64_t{1} << (u % 64);
        if ((word & bit) != 0) continue;
        word |= bit;
        queue[tail++] = u;
      }
      looks += std::ssize(row) + 1;
      if (looks >= between_asks && !ask(std::exchange(looks, 0))) return;
    }
    ask(looks);
  }

  /// Vertices learn their part; threads list those that are left.
  void divide(rank& r) {
    each_thread(r, vertices(), [&](int t, const auto& ask) {
      const std::int64_t first = first_vertex(t), last = first_vertex(t + 1);
      const std::uint64_t* const out = all_.met[0].data();
      const std::uint64_t* const in = all_.met[symmetric_ ? 0 : 1].data();
      Id* const left = all_.queue[0].data() + first;
      Id* to = left;
      found& mine = of_thread(t);
      for (std::int64_t v = first; v < last; ++v) {
        const auto bit = [&](const std::uint64_t* met) {
          return static_cast<unsigned>(met[v / 64] >> (v % 64)) & 1U;
        };
        const unsigned in_part = bit(out) | (bit(in) << 1);
        all_.parts[static_cast<std::size_t>(v)] = static_cast<std::uint8_t>(in_part);
        *to = static_cast<Id>(v);
        to += in_part != done;
        if (in_part == done && mine.both++ == 0) mine.first_of_both = v;
      }
      mine.left = to - left;
      ask(last - first);
    });
  }

  /// Who is in both searches is the pivot's component.
  void label_both(rank& r) {
    component_size both{0, std::numeric_limits<std::int64_t>::max()};
    for (const found& of : found_) {
      both.vertices += of.both;
      both.label = std::min(both.label, of.first_of_both);
    }
    each_thread(r, vertices(), [&](int t, const auto& ask) {
      const std::int64_t first = first_vertex(t), last = first_vertex(t + 1);
      for (std::int64_t v = first; v < last; ++v)
        if (all_.parts[static_cast<std::size_t>(v)] == done)
          labels_[v] = static_cast<Id>(both.label);
      if (t == 0 && both.vertices > 0) {
        of_thread(t).count = 1;
        of_thread(t).largest = both;
      }
      ask(last - first);
    });
  }

  [[nodiscard]] std::atomic_ref<std::uint8_t> part_of(Id v) {
    return std::atomic_ref(all_.parts[static_cast<std::size_t>(v)]);
  }
  /// Whether v has another vertex of its part in its row.
  [[nodiscard]] bool has_another(int way, Id v, std::uint8_t own) {
    const auto row = rows_[static_cast<std::size_t>(way)].row(static_cast<std::int64_t>(v));
    return std::any_of(row.begin(), row.end(),
                       [&](Id u) { return u != v && part_of(u).load(relaxed) == own; });
  }

  /// One round: vertices without arcs to their part, or from it, are components. Whoever goes may
  /// or may not be seen in the same round, which changes how many it takes, and no label.
  void trim(rank& r, std::int64_t left) {
    each_thread(r, left, [&](int t, const auto& ask) {
      Id* const ids = all_.queue[0].data() + first_vertex(t);
      Id* to = ids;
      found& mine = of_thread(t);
      for (std::int64_t i = 0; i < mine.left;) {
        const std::int64_t end = std::min(mine.left, i + between_asks / 16), looks = end - i;
        for (; i < end; ++i) {
          const Id v = ids[i];
          const std::uint8_t own = part_of(v).load(relaxed);
          if (has_another(0, v, own) && has_another(1, v, own)) {
            *to++ = v;
            continue;
          }
          part_of(v).store(done, relaxed);
          labels_[v] = v;
          mine.largest.take({1, static_cast<std::int64_t>(v)});
        }
        if (!ask(2 * looks)) return;
      }
      mine.gone = mine.left - (to - ids);
      mine.left = to - ids;
      mine.trimmed += mine.gone;
      mine.count += mine.gone;
    });
  }

  /// Each part by one thread, the first ones by the first.
  void search_rest(rank& r) {
    const std::int64_t left = sum(&found::left);
    if (left == 0) return;
    each_thread(r, worth_a_team, [&](int t, const auto& ask) {
      for (int p = 0; p < parts_left; ++p)
        if (thread_of_part[p] % threads_ == t) search_part(static_cast<std::uint8_t>(p), t, ask);
    });
  }

  template <class Ask>
  void search_part(std::uint8_t own, int t, const Ask& ask) {
    // Stacks begin where those of the parts before end.
    std::int64_t before = 0;
    for (int of = 0; of < threads_; ++of)
      for_each_left(of, [&](Id v) { before += all_.parts[static_cast<std::size_t>(v)] < own; });
    depth_first_arrays<Id> arrays{all_.number.data(), all_.low.data(), all_.at.data(),
                                  all_.queue[1].data() + before, all_.calls.data() + before};
    depth_first<Id> of_part(rows_[0], all_.parts.data(), own, arrays, labels_);
    bool goes_on = true;
    for (int of = 0; of < threads_ && goes_on; ++of)
      for_each_left(of, [&](Id v) {
        if (goes_on && all_.parts[static_cast<std::size_t>(v)] == own)
          goes_on = of_part.from(v, between_asks, [&] { return ask(between_asks); });
      });
    found& mine = of_thread(t);
    mine.count += of_part.count;
    mine.largest.take(of_part.largest);
  }

  template <class F>
  void for_each_left(int t, const F& f) const {
    const Id* const ids = all_.queue[0].data() + first_vertex(t);
    const std::int64_t left = found_[static_cast<std::size_t>(t)].left;
    for (std::int64_t i = 0; i < left; ++i) f(ids[i]);
  }

  /// Of `apart`, `reached` and `reaching`: those that the pivot reaches are often the most.
  static constexpr std::array<int, parts_left> thread_of_part = {1, 0, 1};
  static constexpr std::int64_t ahead = 8;

  machine& on_;
  bool symmetric_;
  std::int64_t arcs_;
  double reversing_ = 0;  ///< seconds that reversing arcs took; of the first run
  std::shared_ptr<const graph> reversed_;
  std::array<csr_view<Id>, 2> rows_;  ///< along arcs, and against them
  shared_arrays<Id> all_;
  algorithm_detail::rank_teams teams_;
  int threads_;               ///< of all ranks
  std::vector<found> found_;  ///< [threads]
  Id* labels_ = nullptr;
  std::atomic<std::int64_t> looked_{0};
};

}  // namespace

std::int64_t shared_bytes(const problem& p) {
  return (p.id_width == 4 ? counted<shared_arrays<vertex32>>(p.vertices)
                          : counted<shared_arrays<vertex64>>(p.vertices))
      .own;
}

std::unique_ptr<engine> make_sync(const preparation& from) {
  if (from.of.id_width() == 4) return std::make_unique<cpu_sync<vertex32>>(from);
  return std::make_unique<cpu_sync<vertex64>>(from);
}

}  // namespace gossamer::strong_components_detail
