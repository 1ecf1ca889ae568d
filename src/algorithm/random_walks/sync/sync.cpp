// Threads of all ranks take walks, some dozens at once, until none is left.
#include "algorithm/random_walks/sync/sync.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/rank_teams.hpp"
#include "algorithm/random_walks/sync/row_sums.hpp"
#include "algorithm/random_walks/sync/walkers.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::random_walks_detail {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
/// Fewer steps than this a thread goes in the time that a team takes to meet.
constexpr std::int64_t worth_a_team = 4096;
/// Walks that a thread takes at once, at most.
constexpr std::int64_t batch_at_most = 64;

/// Seconds of a rank.
struct outcome {
  double seconds = 0;
};

template <class Id>
class cpu_sync final : public engine {
 public:
  explicit cpu_sync(const preparation& from)
      : on_(from.on), of_(from.of), walks_of_source_(from.options.walks), teams_(on_) {
    const auto rows = of_.view<Id>();
    read_ = read_by<Id>(from);
    read_.offsets = rows.offsets.data();
    read_.columns = rows.indices.data();
    second_ = counts_matter(from.options);
    if (!from.options.weighted) return;
    const int team = on_[0].model == nullptr ? std::min(teams_.threads(), host().cores) : 1;
    sums_ = row_sums_of(of_, team, from.options.run.cancel, summing_);
    read_.up_to = sums_->up_to.data();
    read_.row_sum = sums_->all.data();
  }

  void run(const run_options& options, const asked_sources& sources,
           random_walks_result& result) override {
    sources_ = sources;
    count_ = walks_of_source_ * (sources ? std::ssize(*sources) : of_.vertices());
    row_ = read_.length + 1;
    const auto walks = make_array<Id>(static_cast<std::size_t>(count_ * row_));
    walks_ = walks.data();
    batch_ =
        std::clamp<std::int64_t>(count_ / (std::int64_t{8} * teams_.threads()), 1, batch_at_most);
    next_ = done_ = 0;
    steps_ = ended_ = 0;
    teams_.begin();
    std::vector<outcome> outcomes(static_cast<std::size_t>(on_.size()));
    on_.run(
        [&](rank& r) {
          r.barrier();
          outcome& out = outcomes[static_cast<std::size_t>(r.id())];
          const double begin = r.clock();
          {
            const trace_span span(r, "walk");
            walk_all(r);
            if (on_.size() > 1) r.barrier();
          }
          out.seconds = r.clock() - begin;
          trace_run(r, "random_walks", begin, out.seconds);
          r.barrier();
        },
        options);
    const double seconds = algorithm_detail::slowest_rank(outcomes).seconds;
    result.walks = walks;
    result.count = count_;
    result.steps = steps_;
    result.ended = ended_;
    result.milliseconds = seconds * 1e3;
    result.phases = {{"sum", std::exchange(summing_, 0)}, {"walk", seconds}};
  }

 private:
  void walk_all(rank& r) {
    if (read_.up_to != nullptr)
      second_ ? walk_with<true, true>(r) : walk_with<true, false>(r);
    else
      second_ ? walk_with<false, true>(r) : walk_with<false, false>(r);
  }

  template <bool Weighted, bool Second>
  void walk_with(rank& r) {
    each_thread(r, [&](const auto& ask) {
      walkers<Id, Weighted, Second> mine(read_);
      walk_counts counts;
      std::int64_t walk = 0, last = 0;
      mine.run([&](std::uint64_t& number, Id*& to) { return take_walk(walk, last, number, to); },
               ask, counts);
      steps_ += counts.steps;
      ended_ += counts.ended;
    });
  }

  /// The next of a thread's batch [walk, last), or of a new one.
  bool take_walk(std::int64_t& walk, std::int64_t& last, std::uint64_t& number, Id*& to) {
    if (walk == last) {
      done_.fetch_add(walk == 0 ? 0 : batch_, relaxed);
      walk = std::min(count_, next_.fetch_add(batch_, relaxed));
      last = std::min(count_, walk + batch_);
      if (walk == last) return false;
    }
    const std::int64_t source = walk / walks_of_source_;
    number = static_cast<std::uint64_t>(walk);
    to = walks_ + walk * row_;
    *to = static_cast<Id>(sources_ ? (*sources_)[static_cast<std::size_t>(source)] : source);
    ++walk;
    return true;
  }

  /// f(ask) for this rank's threads, as a team if there is enough to do. ask(n) after n looks.
  template <class F>
  void each_thread(rank& r, const F& f) {
    const auto charge = [&](std::int64_t looks) { r.charge(static_cast<double>(looks) * line, 0); };
    const auto progress = [&] { return share_done(); };
    teams_.each(r, count_ > 1 && count_ * row_ >= worth_a_team, charge, progress,
                [&](int, const auto& ask) { f(ask); });
  }
  [[nodiscard]] double share_done() const {
    return count_ == 0 ? 1
                       : std::min(1.0, static_cast<double>(done_.load(relaxed)) /
                                           static_cast<double>(count_));
  }

  machine& on_;
  const graph of_;
  std::int64_t walks_of_source_;
  algorithm_detail::rank_teams teams_;
  walk_graph<Id> read_;
  bool second_ = false;  ///< p and q count
  double summing_ = 0;   ///< seconds that adding up weights took; of the first run
  std::shared_ptr<const row_sums> sums_;

  asked_sources sources_;
  Id* walks_ = nullptr;
  std::int64_t count_ = 0, row_ = 0, batch_ = 1;
  std::atomic<std::int64_t> next_{0}, done_{0}, steps_{0}, ended_{0};
};

}  // namespace

std::int64_t sum_bytes(const problem& p) {
  return 8 * (p.arcs + p.vertices);
}

std::unique_ptr<engine> make_sync(const preparation& from) {
  if (from.of.id_width() == 4) return std::make_unique<cpu_sync<vertex32>>(from);
  return std::make_unique<cpu_sync<vertex64>>(from);
}

}  // namespace gossamer::random_walks_detail
