// Vertices move to neighbours' communities, round by round; then communities, or parts of them,
// become the vertices of a smaller graph, level by level.
//
// In a round each vertex belongs to one of sixteen groups, drawn by its number, the seed and the
// round. Those of one group look at the communities as they are, choose, and then all move at once.
// Who has moved wakes its neighbours; others are not looked at again. Two that would change places
// forever are in one group only now and then, and two single vertices of one group that choose each
// other do not move but towards the smaller community.
//
// All sums are of integers, and all choices depend on sums, numbers and the seed alone. So results
// depend neither on the order in which threads work nor on how many there are. Gains are compared
// as doubles, multiplied and subtracted one after the other (CMakeLists.txt: no contraction).
#include "algorithm/communities/sync/sync.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/communities/sync/levels.hpp"
#include "algorithm/communities/sync/rounds.hpp"
#include "algorithm/communities/sync/strengths.hpp"
#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/rank_teams.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/graph/random.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::communities_detail {

namespace {

using algorithm_detail::array_list, algorithm_detail::counted;

constexpr auto relaxed = std::memory_order_relaxed;
/// Vertices that a thread takes at once, at most; and how many a team is worth its meeting for
/// where each takes little. Arcs that it is worth it for.
constexpr std::int64_t piece = 256, worth_a_team = 2048, arcs_worth_a_team = 16384;
/// Smaller graphs than this, arcs and vertices together, are one thread's.
constexpr std::int64_t worth_many = 8192;

/// Seconds of a rank, in all and by phase.
struct outcome {
  double seconds = 0, move = 0, refine = 0, contract = 0;
};

/// What all ranks share.
template <class Id, class Sum>
struct shared_arrays {
  shared_array<std::int64_t> strengths;  ///< of the caller's vertices: weights of their arcs
  shared_array<Sum> weights;             ///< of the caller's arcs
  std::array<coarse_graph<Id, Sum>, 2> smaller;  ///< by turns
  shared_array<Id> node;                         ///< of the caller's vertices: which of the level
  // By vertex of a level, or by community, which has a vertex's number:
  shared_array<Id> community;
  shared_array<std::int64_t> total;  ///< strengths of a community's vertices
  shared_array<Id> size;             ///< how many they are
  shared_array<Id> part;             ///< of leiden, as the next three
  shared_array<std::int64_t> part_total;
  shared_array<Id> part_size;
  shared_array<std::int64_t> outward;  ///< a part's weight to the rest of its community
  shared_array<std::uint8_t> awake;
  shared_array<Id> listed;  ///< who may move, by group; then members by their new vertex
  shared_array<Id> target;  ///< of those listed; then new vertices of old ones
  shared_array<Sum> bond;   ///< of leiden: weight of those listed to their target
  shared_array<Id> first_member;

  void list_vertices(array_list& of, std::int64_t n, bool leiden) {
    of.add(strengths, n);
    for (auto& graph : smaller) graph.list_vertices(of, n);
    for (auto* ids : {&node, &community, &size, &listed, &target}) of.add(*ids, n);
    of.add(total, n);
    of.add(awake, n);
    of.add(first_member, n + 1);
    const std::int64_t of_leiden = leiden ? n : 0;
    of.add(part, of_leiden);
    of.add(part_total, of_leiden);
    of.add(part_size, of_leiden);
    of.add(outward, of_leiden);
    of.add(bond, of_leiden);
  }
  void list_arcs(array_list& of, std::int64_t m, bool weighted) {
    of.add(weights, weighted ? m : 0);
    for (auto& graph : smaller) graph.list_arcs(of, m);
  }
};

/// What a thread adds up for one vertex at a time.
template <class Id, class Sum>
struct thread_arrays {
  shared_array<Sum> weight;  ///< by community; zeros in between
  shared_array<Id> met;      ///< those that are not zero

  void list(array_list& of, std::int64_t n) {
    of.add(weight, n);
    of.add(met, n + 1);  // one is written before it is known to be new
  }
};

/// What one thread has counted, in lines of its own: threads write them.
struct alignas(64) found {
  std::int64_t moved = 0, kept = 0, members = 0, arcs = 0, changed = 0;
  std::array<std::int64_t, groups> of_group{};
};

/// A counter in a line of its own.
struct alignas(64) shared_counter {
  std::atomic<std::int64_t> next{0};
};

template <class T>
void lower(T& to, T value) {
  std::atomic_ref at(to);
  T seen = at.load(relaxed);
  while (value < seen && !at.compare_exchange_weak(seen, value, relaxed)) {
  }
}
template <class T>
void add(T& to, T value) {
  std::atomic_ref(to).fetch_add(value, relaxed);
}

template <class Id, class Sum>
class cpu_sync final : public engine {
 public:
  explicit cpu_sync(const preparation& from)
      : on_(from.on),
        of_(from.of),
        rows_(of_.view<Id>()),
        weighted_(!std::holds_alternative<std::monostate>(of_.weights)),
        leiden_(from.options.method == "leiden"),
        resolution_(from.options.resolution),
        seed_(static_cast<std::uint64_t>(from.options.seed)),
        iterations_(from.options.iterations),
        teams_(on_),
        threads_(teams_.threads()) {
    array_list list{device()};
    all_.list_vertices(list, rows_.vertices(), leiden_);
    all_.list_arcs(list, of_.arcs(), weighted_);
    for (int t = 0; t < threads_; ++t) {
      arrays_.push_back(
          algorithm_detail::taken<thread_arrays<Id, Sum>>(device(), rows_.vertices()));
      std::fill_n(arrays_.back().weight.data(), rows_.vertices(), Sum{});
    }
    found_.resize(static_cast<std::size_t>(threads_));
    phase_.resize(static_cast<std::size_t>(on_.size()));
    const int team = on_[0].model == nullptr ? std::min(threads_, host().cores) : 1;
    whole_ =
        weigh<Id>(of_, all_.strengths.data(), all_.weights.data(), team, from.options.run.cancel);
  }

  void run(const run_options& options, communities_result& result) override {
    std::vector<outcome> outcomes(static_cast<std::size_t>(on_.size()));
    const auto labels = make_array<Id>(static_cast<std::size_t>(rows_.vertices()));
    labels_ = labels.data();
    teams_.begin();
    looked_ = 0;
    levels_ = rounds_ = draws_ = 0;
    std::fill(phase_.begin(), phase_.end(), 0);
    for (auto& counter : counters_) counter.next = 0;
    for (auto& of : found_) of = {};
    on_.run([&](rank& r) { run_rank(r, outcomes[static_cast<std::size_t>(r.id())]); }, options);
    const outcome& slowest = algorithm_detail::slowest_rank(outcomes);
    result.milliseconds = slowest.seconds * 1e3;
    result.levels = levels_;
    result.rounds = rounds_;
    result.phases = {
        {"move", slowest.move}, {"refine", slowest.refine}, {"contract", slowest.contract}};
    result.count = count_;
    result.largest = largest_;
    result.largest_label = largest_label_;
    result.labels = labels;
  }

 private:
  /// A rank at work: with the others, or for all of them.
  struct worker {
    rank& r;
    bool alone;
  };

  void run_rank(rank& r, outcome& out) {
    r.barrier();
    const double begin = r.clock();
    for (std::int64_t i = 0; i < iterations_; ++i)
      if (!iterate(r, i, out)) break;
    tally({r, false});
    out.seconds = r.clock() - begin;
    trace_run(r, "communities", begin, out.seconds);
    r.barrier();
  }

  /// From single vertices, or from the communities so far; whether that has changed them.
  bool iterate(rank& r, std::int64_t i, outcome& out) {
    begin({r, false}, i == 0);
    for (bool more = true; more;) {
      const worker w{r, solo_};
      meet(r);  // before anybody decides on the next level
      if (!w.alone || r.id() == 0) climb(w, out);
      meet(r);
      more = more_;
    }
    return name({r, false}, i == 0);
  }

  /// One level: vertices move, and a smaller graph is made if any are together.
  void climb(const worker& w, outcome& out) {
    double before = w.r.clock();
    const auto lap = [&] {
      const double now = w.r.clock();
      return now - std::exchange(before, now);
    };
    {
      const trace_span span(w.r, "move");
      with_rows([&](const auto& rows) { move(w, rows); });
      number(w, all_.size);
    }
    out.move += lap();
    bool more = numbered_ < level_.vertices;
    if (more && leiden_) {
      const trace_span span(w.r, "refine");
      with_rows([&](const auto& rows) { refine(w, rows); });
      number(w, all_.part_size);
      if (numbered_ == level_.vertices) {
        with_rows([&](const auto& rows) { split(w, rows); });
        more = false;
      }
      out.refine += lap();
    }
    if (more) {
      const trace_span span(w.r, "contract");
      with_rows([&](const auto& rows) { contract(w, rows); });
      out.contract += lap();
    }
    serial(w, [&] { more_ = more; });
  }

  /// f(rows) of the level.
  template <class F>
  void with_rows(const F& f) {
    if (level_.smaller >= 0) {
      const auto& graph = all_.smaller[static_cast<std::size_t>(level_.smaller)];
      f(coarse_rows<Id, Sum>{graph.begin.data(), graph.end.data(), graph.arcs.data()});
    } else if (weighted_) {
      f(weighted_rows<Id, Sum>{rows_.offsets.data(), rows_.indices.data(), all_.weights.data()});
    } else {
      f(bare_rows<Id, Sum>{rows_.offsets.data(), rows_.indices.data()});
    }
  }

  // --- who does what -----------------------------------------------------------------------------

  void meet(rank& r) const {
    if (on_.size() > 1) r.barrier();
  }
  /// f() by the first rank, while the others wait.
  template <class F>
  void serial(const worker& w, const F& f) {
    if (w.r.id() == 0) f();
    if (!w.alone) meet(w.r);
  }
  /// f(thread, first, last) for pieces of [0, n) as threads of all ranks ask for them; then all
  /// meet. `bytes`: what a modelled rank is charged for each.
  template <class F>
  void share(const worker& w, std::int64_t n, std::int64_t step, double bytes, const F& f,
             bool worth = true) {
    rank& r = w.r;
    const auto me = static_cast<std::size_t>(r.id());
    const std::int64_t pieces = (n + step - 1) / step;
    const bool modelled = r.dev().model != nullptr;
    // The counter of the phase after the next one: nobody asks it any more, or yet.
    const std::size_t phase = phase_[me]++;
    if (r.id() == 0) counters_[(phase + 2) % counters_.size()].next.store(0, relaxed);
    auto& next = counters_[phase % counters_.size()].next;
    // On a model ranks run one after the other: the first would take all.
    const bool dealt = modelled && !w.alone;
    const auto take = [&](std::int64_t before) {
      if (!dealt) return next.fetch_add(1, relaxed);
      return before < 0 ? std::int64_t{r.id()} : before + on_.size();
    };
    const auto charge = [&](std::int64_t looks) {
      r.charge(static_cast<double>(looks) * bytes, 0);
      looked_.fetch_add(looks, relaxed);
    };
    const auto work = [&](int t, const auto& ask) {
      if (dealt && t != teams_.first_thread(r)) return;
      for (std::int64_t p = take(-1); p < pieces; p = take(p)) {
        const std::int64_t first = p * step, last = std::min(n, first + step);
        f(t, first, last);
        if (!ask(last - first)) return;
      }
    };
    const auto progress = [&] { return done(); };
    teams_.each(r, worth && !w.alone, charge, progress, work);
    if (!w.alone) meet(r);
    if (w.alone) phase_[me] -= 1, next.store(0, relaxed);
  }
  /// f(thread, slot, first, last): [0, n) in as many slots as there are threads.
  template <class F>
  void share_slots(const worker& w, std::int64_t n, double bytes, const F& f) {
    share(
        w, threads_, 1, bytes * static_cast<double>(n) / threads_,
        [&](int t, std::int64_t slot, std::int64_t) {
          f(t, found_[static_cast<std::size_t>(slot)], n * slot / threads_,
            n * (slot + 1) / threads_);
        },
        n >= worth_a_team);
  }
  /// f(v) for v in [0, n), where each takes little.
  template <class F>
  void share_each(const worker& w, std::int64_t n, double bytes, const F& f) {
    share(
        w, n, 16 * piece, bytes,
        [&](int, std::int64_t first, std::int64_t last) {
          for (std::int64_t v = first; v < last; ++v) f(static_cast<std::size_t>(v));
        },
        n >= 4 * worth_a_team);
  }
  /// Of what first threads look at; a guess.
  [[nodiscard]] double done() const {
    const double all = 40.0 * static_cast<double>(rows_.vertices() + 1) *
                       static_cast<double>(std::min<std::int64_t>(iterations_, 4)) / threads_;
    return std::min(1.0, static_cast<double>(looked_.load(relaxed)) / all);
  }

  // --- moving ------------------------------------------------------------------------------------

  /// Vertices of the caller's graph, each alone or in the community that it has a label of.
  void begin(const worker& w, bool alone) {
    const std::int64_t n = rows_.vertices();
    serial(w, [&] {
      level_ = {n, of_.arcs(), -1, all_.strengths.data()};
      solo_ = n + of_.arcs() < worth_many;
    });
    share_each(w, n, line, [&](std::size_t v) {
      all_.node[v] = static_cast<Id>(v);
      if (!alone) all_.community[v] = labels_[v];
    });
    seat(w, alone);
  }

  /// Communities' sizes and strengths.
  void seat(const worker& w, bool alone) {
    share_each(w, level_.vertices, line, [&](std::size_t v) {
      if (alone) all_.community[v] = static_cast<Id>(v);
      all_.total[v] = alone ? level_.strengths[v] : 0;
      all_.size[v] = alone ? 1 : 0;
    });
    if (alone) return;
    share_each(w, level_.vertices, 3 * line, [&](std::size_t v) {
      add(all_.total[all_.community[v]], level_.strengths[v]);
      add(all_.size[all_.community[v]], Id{1});
    });
  }

  template <class Rows>
  void move(const worker& w, const Rows& rows) {
    share_each(w, level_.vertices, 1, [&](std::size_t v) { all_.awake[v] = 1; });
    for (int round = 0; round < most_rounds; ++round) {
      draw(w);
      by_groups(w, [&](const worker& mine) { move_groups(mine, rows); });
      serial(w, [&] {
        moved_ = 0;
        for (found& of : found_) moved_ += std::exchange(of.moved, 0);
        ++rounds_;
        levels_ += round == 0;
      });
      if (!is_worth_another(moved_, level_.vertices)) break;
    }
  }

  /// Whether so many vertices of the level have rows for several threads.
  [[nodiscard]] bool is_worth_a_team(std::int64_t count) const {
    return count + count * (level_.arcs / (level_.vertices + 1)) >= arcs_worth_a_team;
  }
  /// How many a thread takes at once.
  [[nodiscard]] std::int64_t step_of(std::int64_t count, std::int64_t most) const {
    return std::clamp<std::int64_t>(count / 8 / threads_, 4, most);
  }

  /// f(worker): whatever is done group by group with those that were drawn. Few are left to one
  /// thread: ranks would meet for each group.
  template <class F>
  void by_groups(const worker& w, const F& f) {
    if (w.alone || is_worth_a_team(group_begin_[groups] / groups)) return f(w);
    if (w.r.id() == 0) f(worker{w.r, true});
    meet(w.r);
  }

  template <class Rows>
  void move_groups(const worker& w, const Rows& rows) {
    for (int g = 0; g < groups; ++g) {
      const std::int64_t first = group_begin_[static_cast<std::size_t>(g)],
                         count = group_begin_[static_cast<std::size_t>(g) + 1] - first;
      if (count == 0) continue;
      const Id* const listed = all_.listed.data() + first;
      Id* const target = all_.target.data() + first;
      const bool worth = is_worth_a_team(count);
      const std::int64_t step = step_of(count, piece);
      share(
          w, count, step, 4 * line,
          [&](int t, std::int64_t i, std::int64_t last) {
            for (; i < last; ++i) target[i] = choose(t, rows, listed[i]);
          },
          worth);
      share(
          w, count, step, 4 * line,
          [&](int t, std::int64_t i, std::int64_t last) {
            std::int64_t moved = 0;
            for (; i < last; ++i)
              if (target[i] != all_.community[listed[i]]) {
                ++moved;
                leave(rows, listed[i], target[i]);
              }
            found_[static_cast<std::size_t>(t)].moved += moved;
          },
          worth);
      share(
          w, count, 16 * piece, line,
          [&](int, std::int64_t i, std::int64_t last) {
            for (; i < last; ++i) all_.community[listed[i]] = target[i];
          },
          count >= 16 * worth_a_team);
    }
  }

  [[nodiscard]] unsigned group_of(Id v) const {
    return group_in(counter_random::of(seed_, static_cast<std::uint64_t>(draws_)),
                    static_cast<std::uint64_t>(v));
  }

  /// Lists those that are awake by their groups, each group in the order of numbers.
  void draw(const worker& w) {
    serial(w, [&] { ++draws_; });
    const auto random = counter_random::of(seed_, static_cast<std::uint64_t>(draws_));
    std::uint8_t* const awake = all_.awake.data();
    share_slots(w, level_.vertices, 2,
                [&](int, found& mine, std::int64_t first, std::int64_t last) {
                  mine.of_group = {};
                  for_each_awake(first, last, [&](std::int64_t v) {
                    const unsigned g = group_in(random, static_cast<std::uint64_t>(v));
                    awake[v] = static_cast<std::uint8_t>(g + 1);
                    ++mine.of_group[g];
                  });
                });
    serial(w, [&] {
      std::int64_t at = 0;
      for (std::size_t g = 0; g < groups; ++g) {
        group_begin_[g] = at;
        for (found& of : found_) at += std::exchange(of.of_group[g], at);
      }
      group_begin_[groups] = at;
    });
    share_slots(w, level_.vertices, 2,
                [&](int, found& mine, std::int64_t first, std::int64_t last) {
                  auto at = mine.of_group;
                  for_each_awake(first, last, [&](std::int64_t v) {
                    all_.listed[static_cast<std::size_t>(at[awake[v] - 1U]++)] = static_cast<Id>(v);
                  });
                });
  }
  template <class F>
  void for_each_awake(std::int64_t first, std::int64_t last, const F& f) const {
    const std::uint8_t* const awake = all_.awake.data();
    for (std::int64_t v = first; v < last;) {
      std::uint64_t eight = 1;
      if (v + 8 <= last) std::memcpy(&eight, awake + v, 8);
      if (eight == 0) {
        v += 8;
        continue;
      }
      for (const std::int64_t end = std::min(last, v + 8); v < end; ++v)
        if (awake[v] != 0) f(v);
    }
  }

  /// Where v gains most; its own community where it gains nothing elsewhere. Gains are in units
  /// that make them products of integers: W times the weight to a community, less the product of
  /// strengths times the resolution. Of equal ones the smaller community counts.
  template <class Rows>
  Id choose(int t, const Rows& rows, Id v) {
    all_.awake[v] = 0;
    const Id own = all_.community[v];
    auto& arrays = arrays_[static_cast<std::size_t>(t)];
    Sum* const weight = arrays.weight.data();
    Id* const met = arrays.met.data();
    std::int64_t count = 0;
    rows.each(static_cast<std::int64_t>(v), [&](Id u, Sum w) {
      const Id c = all_.community[u];
      met[count] = c;
      count += weight[c] == 0;
      weight[c] += w;
    });
    const std::int64_t strength = level_.strengths[v];
    const double all = static_cast<double>(whole_),
                 pull = resolution_ * static_cast<double>(strength);
    Id target = own;
    double best = all * static_cast<double>(weight[own]) -
                  pull * static_cast<double>(all_.total[own] - strength);
    if (best < 0 && all_.size[v] == 0) {  // v's own number is free for a community of v alone
      target = v;
      best = 0;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const Id c = met[i];
      const double gain =
          all * static_cast<double>(weight[c]) - pull * static_cast<double>(all_.total[c]);
      weight[c] = 0;
      if (c == own) continue;
      if (gain > best || (gain == best && target != own && c < target)) {
        best = gain;
        target = c;
      }
    }
    if (target > own && all_.size[own] == 1 && all_.size[target] == 1 &&
        group_of(target) == group_of(v)) {  // it may choose this one just now
      all_.awake[v] = 1;
      return own;
    }
    return target;
  }

  /// Counts v to its new community, and wakes neighbours outside it.
  template <class Rows>
  void leave(const Rows& rows, Id v, Id target) {
    const Id own = all_.community[v];
    const std::int64_t strength = level_.strengths[v];
    add(all_.total[own], -strength);
    add(all_.total[target], strength);
    add(all_.size[own], static_cast<Id>(-1));
    add(all_.size[target], Id{1});
    rows.each(static_cast<std::int64_t>(v), [&](Id u, Sum) {
      if (all_.community[u] == target) return;
      const std::atomic_ref awake(all_.awake[u]);
      if (awake.load(relaxed) == 0) awake.store(1, relaxed);
    });
  }

  // --- parts of communities ----------------------------------------------------------------------

  /// Each vertex of a community is a part; single ones that are joined well enough to the rest of
  /// their community go to that part which gains most by it, and is joined well, too. They go group
  /// by group, and never to a single one of their own group, which may go itself. So parts only
  /// grow, by vertices with an arc into them: they stay connected. A part's weight to the rest
  /// leaves out arcs between two that joined it at once.
  template <class Rows>
  void refine(const worker& w, const Rows& rows) {
    share(w, level_.vertices, piece, 2 * line, [&](int, std::int64_t v, std::int64_t last) {
      for (; v < last; ++v) {
        const auto at = static_cast<std::size_t>(v);
        const Id own = all_.community[at];
        all_.part[at] = static_cast<Id>(v);
        all_.part_total[at] = level_.strengths[at];
        all_.part_size[at] = 1;
        all_.awake[at] = all_.size[own] > 1;
        std::int64_t outward = 0;
        if (all_.size[own] > 1)
          rows.each(v, [&](Id u, Sum weight) {
            if (all_.community[u] == own) outward += weight;
          });
        all_.outward[at] = outward;
      }
    });
    draw(w);
    by_groups(w, [&](const worker& mine) { join_groups(mine, rows); });
  }

  template <class Rows>
  void join_groups(const worker& w, const Rows& rows) {
    for (int g = 0; g < groups; ++g) {
      const std::int64_t first = group_begin_[static_cast<std::size_t>(g)],
                         count = group_begin_[static_cast<std::size_t>(g) + 1] - first;
      const Id* const listed = all_.listed.data() + first;
      Id* const target = all_.target.data() + first;
      Sum* const bond = all_.bond.data() + first;
      const bool worth = is_worth_a_team(count);
      const std::int64_t step = step_of(count, piece);
      share(
          w, count, step, 4 * line,
          [&](int t, std::int64_t i, std::int64_t last) {
            for (; i < last; ++i)
              target[i] = choose_part(t, rows, listed[i], static_cast<unsigned>(g), bond[i]);
          },
          worth);
      share(
          w, count, step, 2 * line,
          [&](int, std::int64_t i, std::int64_t last) {
            for (; i < last; ++i) {
              const Id v = listed[i], to = target[i];
              if (to == v) continue;
              all_.part[v] = to;
              all_.part_size[v] = 0;
              add(all_.part_total[to], level_.strengths[v]);
              add(all_.part_size[to], Id{1});
              add(all_.outward[to], all_.outward[v] - 2 * static_cast<std::int64_t>(bond[i]));
            }
          },
          worth);
    }
  }

  /// The part that v goes to, and v's weight to it; v itself where it stays.
  template <class Rows>
  Id choose_part(int t, const Rows& rows, Id v, unsigned group, Sum& bond) {
    if (all_.part_size[v] != 1) return v;  // others are with it
    const Id own = all_.community[v];
    const std::int64_t strength = level_.strengths[v];
    const double all = static_cast<double>(whole_),
                 pull = resolution_ * static_cast<double>(strength);
    if (all * static_cast<double>(all_.outward[v]) <
        pull * static_cast<double>(all_.total[own] - strength))
      return v;
    auto& arrays = arrays_[static_cast<std::size_t>(t)];
    Sum* const weight = arrays.weight.data();
    Id* const met = arrays.met.data();
    std::int64_t count = 0;
    rows.each(static_cast<std::int64_t>(v), [&](Id u, Sum w) {
      if (all_.community[u] != own) return;
      const Id p = all_.part[u];
      met[count] = p;
      count += weight[p] == 0;
      weight[p] += w;
    });
    Id target = v;
    double best = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const Id p = met[i];
      const Sum w = std::exchange(weight[p], Sum{});
      const std::int64_t total = all_.part_total[p];
      const double gain = all * static_cast<double>(w) - pull * static_cast<double>(total);
      if (gain < best || (gain == best && (target == v || p > target))) continue;
      if (all_.part_size[p] == 1 && group_of(p) == group) continue;
      if (all * static_cast<double>(all_.outward[p]) <
          resolution_ * static_cast<double>(total) * static_cast<double>(all_.total[own] - total))
        continue;
      best = gain;
      target = p;
      bond = w;
    }
    return target;
  }

  /// Where no vertices are joined well enough to be one, their communities end as connected parts
  /// of them: each vertex learns the smallest of its part.
  template <class Rows>
  void split(const worker& w, const Rows& rows) {
    Id* const parent = all_.target.data();
    const auto root_of = [&](Id v) {
      while (parent[v] != v) v = parent[v] = parent[parent[v]];
      return v;
    };
    serial(w, [&] {
      std::iota(parent, parent + level_.vertices, Id{});
      for (std::int64_t v = 0; v < level_.vertices; ++v) {
        if (v % piece == 0) {
          w.r.charge(static_cast<double>(piece) * line, 0);
          w.r.progress(done());
        }
        const Id own = all_.community[static_cast<std::size_t>(v)];
        rows.each(v, [&](Id u, Sum) {
          if (all_.community[u] != own) return;
          const Id a = root_of(static_cast<Id>(v)), b = root_of(u);
          parent[std::max(a, b)] = std::min(a, b);
        });
      }
      for (std::int64_t v = 0; v < level_.vertices; ++v)
        all_.community[static_cast<std::size_t>(v)] = root_of(static_cast<Id>(v));
    });
  }

  // --- the smaller graph -------------------------------------------------------------------------

  /// Counts communities, or parts, and their vertices by slot.
  void number(const worker& w, const shared_array<Id>& sizes) {
    share_slots(w, level_.vertices, sizeof(Id),
                [&](int, found& mine, std::int64_t first, std::int64_t last) {
                  mine.kept = mine.members = 0;
                  for (std::int64_t c = first; c < last; ++c) {
                    const auto size = static_cast<std::int64_t>(sizes[static_cast<std::size_t>(c)]);
                    mine.kept += size > 0;
                    mine.members += size;
                  }
                });
    serial(w, [&] {
      std::int64_t kept = 0, members = 0;
      for (found& of : found_) {
        kept += std::exchange(of.kept, kept);
        members += std::exchange(of.members, members);
      }
      numbered_ = kept;
    });
  }

  template <class Rows>
  void contract(const worker& w, const Rows& rows) {
    const int turn = level_.smaller == 0 ? 1 : 0;
    auto& next = all_.smaller[static_cast<std::size_t>(turn)];
    const std::int64_t n = level_.vertices, count = numbered_;
    Id* const label = leiden_ ? all_.part.data() : all_.community.data();
    const Id* const sizes = leiden_ ? all_.part_size.data() : all_.size.data();
    const std::int64_t* const totals = leiden_ ? all_.part_total.data() : all_.total.data();
    // Names of new vertices, in the order of the old ones, and where their members are listed.
    share_slots(w, n, line, [&](int, found& mine, std::int64_t first, std::int64_t last) {
      std::int64_t q = mine.kept, members = mine.members;
      for (std::int64_t c = first; c < last; ++c) {
        const auto at = static_cast<std::size_t>(c);
        if (sizes[at] == 0) continue;
        all_.target[at] = static_cast<Id>(q);
        next.strengths[static_cast<std::size_t>(q)] = totals[at];
        next.end[static_cast<std::size_t>(q)] = members;
        all_.first_member[static_cast<std::size_t>(q++)] = static_cast<Id>(members);
        members += static_cast<std::int64_t>(sizes[at]);
      }
    });
    serial(w, [&] { all_.first_member[static_cast<std::size_t>(count)] = static_cast<Id>(n); });
    share_each(w, n, 3 * line, [&](std::size_t v) {
      const Id q = all_.target[label[v]];
      label[v] = q;
      const auto at = std::atomic_ref(next.end[q]).fetch_add(1, relaxed);
      all_.listed[static_cast<std::size_t>(at)] = static_cast<Id>(v);
    });
    share_each(w, rows_.vertices(), line,
               [&](std::size_t v) { all_.node[v] = label[all_.node[v]]; });
    // No row is longer than those of its members together.
    const auto members_of = [&](std::int64_t q) {
      const auto first = static_cast<std::int64_t>(all_.first_member[static_cast<std::size_t>(q)]);
      const auto last =
          static_cast<std::int64_t>(all_.first_member[static_cast<std::size_t>(q) + 1]);
      return std::span<const Id>(all_.listed.data() + first,
                                 static_cast<std::size_t>(last - first));
    };
    share_slots(w, count, 2 * line, [&](int, found& mine, std::int64_t q, std::int64_t last) {
      mine.arcs = 0;
      for (; q < last; ++q) {
        std::int64_t most = 0;
        for (const Id v : members_of(q)) most += rows.arcs_of(static_cast<std::int64_t>(v));
        next.begin[static_cast<std::size_t>(q)] = most;
        mine.arcs += most;
      }
    });
    serial(w, [&] {
      std::int64_t before = 0;
      for (found& of : found_) before += std::exchange(of.arcs, before);
    });
    share_slots(w, count, 16, [&](int, found& mine, std::int64_t q, std::int64_t last) {
      for (std::int64_t at = std::exchange(mine.arcs, 0); q < last; ++q)
        at += std::exchange(next.begin[static_cast<std::size_t>(q)], at);
    });
    share(w, count, step_of(count, piece / 4), 8 * line,
          [&](int t, std::int64_t q, std::int64_t last) {
            Sum* const weight = arrays_[static_cast<std::size_t>(t)].weight.data();
            Id* const met = arrays_[static_cast<std::size_t>(t)].met.data();
            coarse_arc<Id, Sum>* const arcs = next.arcs.data();
            std::int64_t all = 0;
            for (; q < last; ++q) {
              const std::int64_t begin = next.begin[static_cast<std::size_t>(q)];
              std::int64_t end = begin, of_row = 0;
              for (const Id v : members_of(q))
                rows.each(static_cast<std::int64_t>(v), [&](Id u, Sum w_of) {
                  const Id c = label[u];
                  met[of_row] = c;
                  of_row += weight[c] == 0;
                  weight[c] += w_of;
                });
              for (std::int64_t i = 0; i < of_row; ++i) {
                const Sum w_of = std::exchange(weight[met[i]], Sum{});
                if (static_cast<std::int64_t>(met[i]) != q) arcs[end++] = {met[i], w_of};
              }
              next.end[static_cast<std::size_t>(q)] = end;
              all += end - begin;
            }
            found_[static_cast<std::size_t>(t)].arcs += all;
          });
    if (leiden_) keep_communities(w, count, label);
    serial(w, [&] {
      std::int64_t arcs = 0;
      for (found& of : found_) arcs += std::exchange(of.arcs, 0);
      level_ = {count, arcs, turn, next.strengths.data()};
      solo_ = count + arcs < worth_many;
      if (leiden_) std::swap(all_.community, all_.target);
    });
    seat(w, !leiden_);
  }

  /// Parts begin in the communities that they are of, named by their smallest part: in `target`.
  void keep_communities(const worker& w, std::int64_t count, const Id* label) {
    share_each(w, level_.vertices, sizeof(Id),
               [&](std::size_t v) { all_.size[v] = std::numeric_limits<Id>::max(); });
    share_each(w, level_.vertices, 2 * line,
               [&](std::size_t v) { lower(all_.size[all_.community[v]], label[v]); });
    share_each(w, count, 3 * line, [&](std::size_t q) {
      const Id member = all_.listed[static_cast<std::size_t>(all_.first_member[q])];
      all_.target[q] = all_.size[all_.community[member]];
    });
  }

  // --- results -----------------------------------------------------------------------------------

  /// Labels by the smallest vertex; whether any is another than before.
  bool name(const worker& w, bool all_new) {
    const std::int64_t n = rows_.vertices();
    share_each(w, n, sizeof(Id),
               [&](std::size_t v) { all_.listed[v] = std::numeric_limits<Id>::max(); });
    share_each(w, n, 2 * line, [&](std::size_t v) {
      const Id c = all_.community[all_.node[v]];
      all_.node[v] = c;
      lower(all_.listed[c], static_cast<Id>(v));
    });
    share_slots(w, n, 2 * line, [&](int, found& mine, std::int64_t first, std::int64_t last) {
      mine.changed = 0;
      for (std::int64_t v = first; v < last; ++v) {
        const Id label = all_.listed[all_.node[static_cast<std::size_t>(v)]];
        mine.changed += all_new || labels_[v] != label;
        labels_[v] = label;
      }
    });
    serial(w, [&] {
      changed_ = 0;
      for (const found& of : found_) changed_ += of.changed;
    });
    return changed_ > 0;
  }

  void tally(const worker& w) {
    const std::int64_t n = rows_.vertices();
    share_each(w, n, sizeof(Id), [&](std::size_t v) { all_.size[v] = 0; });
    share_each(w, n, 2 * line, [&](std::size_t v) { add(all_.size[labels_[v]], Id{1}); });
    serial(w, [&] {
      count_ = largest_ = largest_label_ = 0;
      for (std::int64_t v = 0; v < n; ++v) {
        const auto size = static_cast<std::int64_t>(all_.size[static_cast<std::size_t>(v)]);
        count_ += size > 0;
        if (size > largest_) {
          largest_ = size;
          largest_label_ = v;
        }
      }
    });
  }

  /// What vertices move in now.
  struct level {
    std::int64_t vertices = 0, arcs = 0;
    int smaller = -1;  ///< which of the smaller graphs; -1: the caller's
    const std::int64_t* strengths = nullptr;
  };

  machine& on_;
  const graph of_;
  csr_view<Id> rows_;
  bool weighted_, leiden_;
  double resolution_;
  std::uint64_t seed_;
  std::int64_t iterations_;
  algorithm_detail::rank_teams teams_;
  int threads_;  ///< of all ranks
  shared_arrays<Id, Sum> all_;
  std::vector<thread_arrays<Id, Sum>> arrays_;  ///< [threads]
  std::int64_t whole_ = 0;                      ///< strengths of all vertices together
  // Of a run. What all ranks read one writes while the others wait, and all meet before the next.
  level level_;
  bool solo_ = false, more_ = false;
  std::int64_t draws_ = 0, moved_ = 0, numbered_ = 0, changed_ = 0, levels_ = 0, rounds_ = 0;
  std::int64_t count_ = 0, largest_ = 0, largest_label_ = 0;
  std::array<std::int64_t, groups + 1> group_begin_{};
  std::vector<found> found_;  ///< [threads]
  Id* labels_ = nullptr;
  std::array<shared_counter, 4> counters_;
  std::vector<std::size_t> phase_;  ///< [ranks] how often each has shared work
  std::atomic<std::int64_t> looked_{0};
};

template <class Id, class Sum>
sync_bytes bytes_of(const problem& p, bool leiden) {
  shared_arrays<Id, Sum> all;
  array_list arcs, vertices;
  all.list_arcs(arcs, p.arcs, p.weighted);
  all.list_vertices(vertices, p.vertices, leiden);
  return {arcs.bytes().own, vertices.bytes().own, counted<thread_arrays<Id, Sum>>(p.vertices).own};
}

}  // namespace

sync_bytes sync_bytes_of(const problem& p, const communities_options& options) {
  const bool leiden = options.method == "leiden";
  if (p.id_width == 4)
    return is_narrow(p) ? bytes_of<vertex32, std::uint32_t>(p, leiden)
                        : bytes_of<vertex32, std::int64_t>(p, leiden);
  return is_narrow(p) ? bytes_of<vertex64, std::uint32_t>(p, leiden)
                      : bytes_of<vertex64, std::int64_t>(p, leiden);
}

std::unique_ptr<engine> make_sync(const preparation& from) {
  const bool narrow = is_narrow(problem_of(from.of));
  if (from.of.id_width() == 4) {
    if (narrow) return std::make_unique<cpu_sync<vertex32, std::uint32_t>>(from);
    return std::make_unique<cpu_sync<vertex32, std::int64_t>>(from);
  }
  if (narrow) return std::make_unique<cpu_sync<vertex64, std::uint32_t>>(from);
  return std::make_unique<cpu_sync<vertex64, std::int64_t>>(from);
}

}  // namespace gossamer::communities_detail
