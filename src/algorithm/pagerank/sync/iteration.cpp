// The loop of one CPU rank: offer, allgather, pull, agree on the change. A rank that is alone
// offers while it pulls. Also what its outcome becomes in the result's phases.
//
// On symmetric graphs all eigenvalues of a step are real, and those but 1 at most the damping d.
// Where the change falls slowly, Chebyshev's semi-iteration (Golub and Varga 1961) takes over: its
// change falls by d / (1 + sqrt(1 - d^2)) an iteration, 0.56 for 0.85.
#include "algorithm/pagerank/sync/iteration.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "gossamer/collective/plan.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::pagerank_detail {

namespace {

/// What ranks agree on, and how long it took.
class agreement {
 public:
  explicit agreement(rank& r) : r_(r), plan_(r) {}
  double sum(double value) {
    if (r_.size() == 1) return value;
    const trace_span span(r_, "agree", trace_class::exchange);
    const double from = r_.clock();
    const double all = plan_.allreduce(value, reduction::sum);
    seconds += r_.clock() - from;
    return all;
  }
  double seconds = 0;

 private:
  rank& r_;
  scalar_plan<double> plan_;
};

template <class Value>
void raise_to_zero(std::int64_t rows, Value* ranks) {
  for (std::int64_t i = 0; i < rows; ++i) ranks[i] = std::max(ranks[i], Value{0});
}

/// How far each iteration goes beyond what the definition gives: not at all until the change falls
/// more slowly than it would with Chebyshev's factors, and then by these.
class overshoot {
 public:
  overshoot(bool possible, double damping)
      : possible_(possible && damping < 1),
        square_(damping * damping),
        rate_(damping / (1 + std::sqrt(std::max(0.0, 1 - square_)))) {}
  /// After an iteration that changed ranks by so much.
  void after(double change) {
    if (factor_ > 1)
      factor_ = 1 / (1 - square_ * factor_ / 4);
    else if (possible_ && last_ > 0 && change > rate_ * last_)
      factor_ = 1 / (1 - square_ / 2);
    last_ = change;
  }
  void stop() {
    possible_ = false;
    factor_ = 1;
  }
  [[nodiscard]] double factor() const { return factor_; }

 private:
  bool possible_;
  double square_, rate_, last_ = 0, factor_ = 1;
};

template <class Value>
void scale(std::int64_t rows, int threads, double by, Value* ranks) {
  for_pieces({threads}, rows, block, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; ++i)
      ranks[i] = static_cast<Value>(static_cast<double>(ranks[i]) * by);
  });
}

/// When to sweep, and when a step of the definition is likely to end it all. It then says what it
/// changes, and if that is too much, how to guess better.
class sweeping {
 public:
  sweeping(bool possible, bool started, double damping, double tolerance)
      : on_(possible), due_(started), damping_(damping), tolerance_(tolerance) {}
  [[nodiscard]] bool now() const { return on_ && !due_; }
  /// The next sweep is the one after which changes fall about alike on webs. Errors of two vertices
  /// that lead to each other alone fall by d^2.
  [[nodiscard]] bool extrapolates() const { return swept_ + 1 == extrapolated; }
  /// After a sweep: how far to go beyond it, 0 but once.
  double after(double change) {
    ++swept_;
    const double falls = last_ > 0 ? change / last_ : 0;
    last_ = change;
    if (swept_ == extrapolated && falls > 0 && falls < 1 && share_ * change > tolerance_) {
      const double by = std::min(falls, damping_ * damping_);
      last_ = 0;
      return by / (1 - by);
    }
    // Sweeps do not keep the sum of each group that nothing leads out of, as steps do. Where that
    // is what is left, steps may do better; with rounding, too.
    slow_ = swept_ > extrapolated + 1 && falls > 0.94 * damping_ ? slow_ + 1 : 0;
    if (slow_ == 2) on_ = false;
    due_ = share_ * change <= tolerance_;
    return 0;
  }
  void after_step(double change) {
    if (last_ > 0) share_ = std::max(share_, change / last_);
    last_ = 0;
    due_ = false;
  }

 private:
  static constexpr int extrapolated = 9;
  bool on_, due_;
  double damping_, tolerance_;
  double last_ = 0, share_ = 0.7;  ///< of a sweep's change in a step's, measured on webs
  int swept_ = 0, slow_ = 0;
};

}  // namespace

std::size_t collective_bytes(std::size_t vector_bytes, bool modelled) {
  return (std::size_t{1} << 16) + (modelled ? 4 : 2) * vector_bytes;
}

void describe(const std::vector<outcome>& outcomes, pagerank_result& result) {
  const outcome& slowest = algorithm_detail::slowest_rank(outcomes);
  result.iterations = slowest.iterations;
  result.converged = slowest.converged;
  result.change = slowest.change;
  result.milliseconds = slowest.seconds * 1e3;
  result.phases = {
      {"pull", algorithm_detail::rest_of(slowest.seconds, {slowest.gather, slowest.agree})}};
  if (outcomes.size() == 1) return;
  result.phases.emplace_back("allgather", slowest.gather);
  result.phases.emplace_back("agree", slowest.agree);
}

template <class Id, class Value>
outcome iterate(rank& r, const part<Id, Value>& mine, const window<Value>& offered, Value* ranks,
                Value* other, const double* jumps, const pagerank_options& options) {
  const auto held = static_cast<std::size_t>(mine.block);
  const std::span<Value> own =
      offered.local().subspan(static_cast<std::size_t>(r.id()) * held, held);
  std::fill(own.begin(), own.end(), Value{0});
  std::optional<collective_plan> gather;
  agreement agree(r);
  if (r.size() > 1) {
    plan_options how;
    how.apart = true;  // see above
    gather.emplace(
        plan_allgather<Value>(r, own, output_range<Value>(offered, 0, offered.size()), how));
  }
  const std::int64_t rows = mine.rows.last - mine.rows.first;
  const double arcs =
      static_cast<double>(mine.rows.offsets[mine.rows.last] - mine.rows.offsets[mine.rows.first]);
  step<Value> s{offered.local().data(), mine.inverse_weight, jumps,
                1 / static_cast<double>(mine.vertices), options.damping};
  // A tolerance of zero asks for so many steps of the definition.
  overshoot over(mine.symmetric && options.tolerance > 0, options.damping);
  bool negative = false;  // some rank is, now
  r.barrier();
  outcome out;
  const double begin = r.clock();
  const bool alone = r.size() == 1 && mine.sweeps == nullptr;
  Value *now = own.data(), *later = alone ? now + held : now;
  const auto offer_ranks = [&] {
    const double dangling = offer(rows, mine.rows.threads, ranks, mine.inverse_weight, now);
    if (mine.sweeps != nullptr)
      offer(rows, mine.rows.threads, ranks, mine.inverse_weight, now + held);
    return dangling;
  };
  sweeping sweeps(mine.sweeps != nullptr, mine.started, options.damping, options.tolerance);
  double all_ranks = 0;  // after sweeps
  // What sweeps lead to is r * (1 - d) / (1 - d + d D), where steps lead to r. Ranks that are near
  // neither are left alone: of webs the part that many vertices lead out of settles at once.
  const auto begin_sweeps = [&] {
    const bool near = mine.started || out.iterations > 0;
    if (!near || all_ranks != 0 || s.dangling == 0) return;
    const double rest = 1 - options.damping;
    scale(rows, mine.rows.threads, rest / (rest + options.damping * s.dangling), ranks);
    offer_ranks();
  };
  const auto end_sweeps = [&] {
    if (all_ranks == 0) return;
    scale(rows, mine.rows.threads, 1 / all_ranks, ranks);
    all_ranks = 0;
    s.dangling = offer_ranks();
  };
  if (mine.first.arc > 0)
    begin_with(mine.first, rows, mine.rows.threads, mine.inverse_weight, ranks);
  s.dangling = agree.sum(offer_ranks());
  while (!out.converged && out.iterations < options.most_iterations) {
    if (sweeps.now()) {
      const trace_span span(r, "sweep");
      begin_sweeps();
      s.offered = now;
      s.offer = now + held;
      const sweep_sums sums = sweep<Id, Value>(mine.rows, s, *mine.sweeps, ranks,
                                               sweeps.extrapolates() ? other : nullptr, now);
      all_ranks = sums.all;
      out.change = sums.change / sums.all;
      ++out.iterations;
      const double by = sweeps.after(out.change);
      if (by > 0 && out.iterations < options.most_iterations) {
        extrapolate(rows, mine.rows.threads, s, by, other, ranks);
        offer_ranks();
      }
      r.progress();
      continue;
    }
    end_sweeps();
    if (gather) {
      const trace_span span(r, "allgather", trace_class::exchange);
      const double from = r.clock();
      gather->run();
      out.gather += r.clock() - from;
    }
    pull_sums sums;
    s.over = over.factor();
    s.offered = r.size() == 1 ? now : offered.local().data();
    s.offer = alone ? later : nullptr;
    Value* const next = mine.symmetric ? other : ranks;
    {
      const trace_span span(r, "pull");
      sums = pull<Id, Value>(mine.rows, s, ranks, next);
      r.charge(arcs * (sizeof(Id) + line) + static_cast<double>(rows) * 3 * sizeof(Value),
               2 * arcs);
      r.progress();
    }
    out.change = agree.sum(sums.change);
    s.dangling = agree.sum(sums.dangling);
    ++out.iterations;
    out.converged = out.change <= options.tolerance;
    if (out.converged && s.over > 1) {
      // The change is known of the ranks before this iteration, so they are the result. If going
      // beyond has left one of them below zero, steps of the definition go on.
      if (agree.sum(negative ? 1 : 0) == 0) break;
      out.converged = false;
      negative = false;
      over.stop();
      raise_to_zero(rows, ranks);
      s.dangling = agree.sum(offer_ranks());
      continue;
    }
    negative = sums.negative;
    over.after(out.change);
    sweeps.after_step(out.change);
    std::swap(now, later);
    if (next != ranks) {
      std::swap(ranks, other);
      out.in_other = !out.in_other;
    }
    if (!alone && !out.converged) offer_ranks();
  }
  if (negative) raise_to_zero(rows, ranks);
  end_sweeps();
  out.agree = agree.seconds;
  out.begin = begin;
  out.seconds = r.clock() - begin;
  return out;
}

#define GOSSAMER_ITERATE(Id, Value)                                                             \
  template outcome iterate(rank&, const part<Id, Value>&, const window<Value>&, Value*, Value*, \
                           const double*, const pagerank_options&);
GOSSAMER_ITERATE(vertex32, float)
GOSSAMER_ITERATE(vertex32, double)
GOSSAMER_ITERATE(vertex64, float)
GOSSAMER_ITERATE(vertex64, double)
#undef GOSSAMER_ITERATE

}  // namespace gossamer::pagerank_detail
