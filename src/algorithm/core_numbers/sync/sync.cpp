// Level by level: threads look through the vertices that are left for those that the next level
// takes, then take these away, and whom that brings down to the level.
//
// A vertex is looked at once for each level up to its own, and levels that take nobody are passed
// over: all looks together are no more than the core numbers add up to, and so than the degrees do.
#include "algorithm/core_numbers/sync/sync.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/core_numbers/sync/degrees.hpp"
#include "algorithm/core_numbers/sync/leaving.hpp"
#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/rank_teams.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::core_numbers_detail {

namespace {

using algorithm_detail::counted, algorithm_detail::simple_degrees, algorithm_detail::taken;

constexpr std::int32_t nobody = std::numeric_limits<std::int32_t>::max();
/// Two threads that subtract atomically take as long as one that need not.
constexpr int threads_worth_a_team = 3;
/// Fewer vertices than this are looked through, or leave, in the time that a team takes to meet.
constexpr std::int64_t looks_worth_a_team = 16384, leaving_worth_a_team = 256;
/// A thread alone calls the team when so many wait.
constexpr std::int64_t waiting_for_a_team = 4096;
/// Arcs between two asks whether to stop: well below a millisecond.
constexpr std::int64_t arcs_between_asks = 1 << 17;

/// Seconds of a rank, in all and by phase; and what all ranks find.
struct outcome {
  double seconds = 0, scan = 0, peel = 0;
  std::int64_t rounds = 0;
  std::int32_t degeneracy = 0;
};

/// Vertices that are left, and those of all threads that enter the list.
template <class Id>
struct vertex_lists {
  shared_array<Id> left, queue;
  void list(algorithm_detail::array_list& of, std::int64_t vertices) {
    of.add(left, vertices);
    of.add(queue, vertices + 1);
  }
};

/// What looking through one thread's vertices has found. In lines of their own: threads write them.
struct alignas(64) found {
  std::int64_t left = 0, leaving = 0;
  std::int32_t lowest = nobody;  ///< degree of those that are left

  void operator+=(const found& other) {
    left += other.left;
    leaving += other.leaving;
    lowest = std::min(lowest, other.lowest);
  }
};

template <class Id>
class cpu_sync final : public engine {
 public:
  explicit cpu_sync(const preparation& from)
      : on_(from.on),
        vertices_(from.of.vertices()),
        counted_(degrees_of(from, counting_)),
        lists_(taken<vertex_lists<Id>>(device(), vertices_)),
        leaving_(counted_->rows<Id>(), lists_.queue.data()),
        teams_(on_) {
    for (auto& of : found_) of.resize(static_cast<std::size_t>(teams_.threads()));
  }

  void run(const run_options& options, core_numbers_result& result) override {
    std::vector<outcome> outcomes(static_cast<std::size_t>(on_.size()));
    const auto degrees = make_array<std::int32_t>(static_cast<std::size_t>(vertices_));
    leaving_.begin(degrees.data());
    degrees_ = degrees.data();
    teams_.begin();
    on_.run([&](rank& r) { run_rank(r, outcomes[static_cast<std::size_t>(r.id())]); }, options);
    const outcome& slowest = algorithm_detail::slowest_rank(outcomes);
    result.degeneracy = slowest.degeneracy;
    result.rounds = slowest.rounds;
    result.milliseconds = slowest.seconds * 1e3;
    result.phases = {
        {"degrees", std::exchange(counting_, 0)}, {"scan", slowest.scan}, {"peel", slowest.peel}};
    result.numbers = degrees;
  }

 private:
  void run_rank(rank& r, outcome& out) {
    r.barrier();
    const double begin = r.clock();
    double before = begin;
    const auto lap = [&] {
      const double now = r.clock();
      return now - std::exchange(before, now);
    };
    bool first = true;
    std::int32_t level = -1;  // it and those below have left
    for (int side = 0;; side ^= 1) {
      {
        const trace_span span(r, "scan");
        look_through(r, level, side, std::exchange(first, false));
        meet(r);
      }
      const found all = sum(side, 0, teams_.threads());
      out.scan += lap();
      if (all.leaving > 0) {
        out.degeneracy = ++level;
        ++out.rounds;
        const trace_span span(r, "peel");
        take_away(r, level, all.leaving);
        out.peel += lap();
      } else if (all.left > 0) {
        level = all.lowest - 1;
      } else {
        break;
      }
    }
    out.seconds = r.clock() - begin;
    trace_run(r, "core_numbers", begin, out.seconds);
    r.barrier();
  }

  /// With the other ranks; a rank's own threads have met.
  void meet(rank& r) const {
    if (on_.size() > 1) r.barrier();
  }

  [[nodiscard]] std::int64_t first_vertex(int of_thread) const {
    return vertices_ * of_thread / teams_.threads();
  }

  /// f(thread, ask) for this rank's threads; as a team if that is worth it. ask(n) after n looks.
  template <class F>
  void each_thread(rank& r, bool together, const F& f) {
    const auto charge = [&](std::int64_t looks) { r.charge(static_cast<double>(looks) * line, 0); };
    const auto progress = [&] { return done(); };
    teams_.each(r, together, charge, progress, f);
  }

  /// Of the vertices that were left those that have gone meanwhile are dropped, and those enter the
  /// list that go at the next level. At first all are left, and have the degrees that were counted.
  void look_through(rank& r, std::int32_t level, int side, bool first) {
    const auto& before = found_[side ^ 1];
    const std::int64_t left =
        first ? vertices_ / on_.size()
              : sum(side ^ 1, teams_.first_thread(r), teams_.threads_of(r)).left;
    each_thread(r, left >= looks_worth_a_team, [&](int t, const auto&) {
      const auto at = static_cast<std::size_t>(t);
      const std::int64_t from = first_vertex(t);
      const std::int32_t* const counted = counted_->degrees.data();
      std::int32_t* const degrees = degrees_;
      const Id* const ids = lists_.left.data() + from;
      const auto begun = [=](std::int64_t i) {
        return degree_of{static_cast<Id>(from + i), degrees[from + i] = counted[from + i]};
      };
      const auto later = [=](std::int64_t i) { return degree_of{ids[i], degrees[ids[i]]}; };
      found_[side][at] = first ? look_through(from, level, first_vertex(t + 1) - from, begun)
                               : look_through(from, level, before[at].left, later);
    });
    r.charge(static_cast<double>(left) * (sizeof(Id) + line), 0);
    r.progress(done());
  }

  struct degree_of {
    Id vertex;
    std::int32_t degree;
  };

  /// One thread's vertices, of which `at(i)` is the i-th with its degree.
  template <class At>
  found look_through(std::int64_t first, std::int32_t level, std::int64_t count, const At& at) {
    Id* const begin = lists_.left.data() + first;
    Id* to = begin;
    found all;
    std::array<Id, leaving<Id>::lot> lot;
    std::size_t in_lot = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto [v, degree] = at(i);
      const bool stays = degree > level + 1;
      *to = v;
      to += stays;
      if (stays) {
        all.lowest = std::min(all.lowest, degree);
      } else if (degree > level) {
        lot[in_lot++] = v;
        ++all.leaving;
        if (in_lot == lot.size()) leaving_.enter(std::span(lot).first(std::exchange(in_lot, 0)));
      }
    }
    leaving_.enter(std::span(lot).first(in_lot));
    all.left = to - begin;
    return all;
  }

  [[nodiscard]] found sum(int side, int first, int threads) const {
    found all;
    for (const found& of :
         std::span(found_[side])
             .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(threads)))
      all += of;
    return all;
  }

  [[nodiscard]] double done() {
    const auto all = static_cast<double>(std::max<std::int64_t>(1, vertices_));
    return static_cast<double>(leaving_.entered()) / all;
  }

  /// Those in the list leave, and whom that brings down to the level. Few are left to one thread,
  /// which needs no atomic operations and waits for nobody, until many wait.
  void take_away(rank& r, std::int32_t level, std::int64_t count) {
    if (teams_.threads() < threads_worth_a_team || count < leaving_worth_a_team) {
      if (r.id() == 0) rest_ = take_alone(r, level);
      meet(r);
      if (rest_ == 0) return;
    }
    if (r.dev().model == nullptr) {
      take_together(r, level, vertices_);
      return meet(r);
    }
    // There ranks run one after the other: the first would take all.
    for (;;) {
      const std::int64_t waiting = leaving_.waiting();
      meet(r);
      if (waiting == 0) return;
      take_together(r, level, (waiting + on_.size() - 1) / on_.size());
      meet(r);
    }
  }

  /// How many wait when it ends.
  std::int64_t take_alone(rank& r, std::int32_t level) {
    const std::int64_t most =
        teams_.threads() < threads_worth_a_team ? vertices_ : waiting_for_a_team;
    std::int64_t waiting = 0;
    do {
      const std::int64_t looks = leaving_.take_alone(level, most, arcs_between_asks);
      r.charge(static_cast<double>(looks) * line, 0);
      r.progress(done());
      waiting = leaving_.waiting();
    } while (waiting > 0 && waiting <= most);
    return waiting;
  }

  void take_together(rank& r, std::int32_t level, std::int64_t most) {
    each_thread(r, true, [&](int, const auto& ask) { leaving_.take(level, most, ask); });
  }

  machine& on_;
  std::int64_t vertices_;
  double counting_ = 0;  ///< seconds that counting degrees took; of the first run
  std::shared_ptr<const simple_degrees> counted_;
  vertex_lists<Id> lists_;
  leaving<Id> leaving_;
  algorithm_detail::rank_teams teams_;
  std::vector<found> found_[2];  ///< [threads] by turns: one is read while the other is written
  std::int64_t rest_ = 0;        ///< whom rank 0 alone has left in the list
  std::int32_t* degrees_ = nullptr;
};

}  // namespace

std::int64_t list_bytes(const problem& p) {
  return (p.id_width == 4 ? counted<vertex_lists<vertex32>>(p.vertices)
                          : counted<vertex_lists<vertex64>>(p.vertices))
      .own;
}

std::unique_ptr<engine> make_sync(const preparation& from) {
  if (from.of.id_width() == 4) return std::make_unique<cpu_sync<vertex32>>(from);
  return std::make_unique<cpu_sync<vertex64>>(from);
}

}  // namespace gossamer::core_numbers_detail
