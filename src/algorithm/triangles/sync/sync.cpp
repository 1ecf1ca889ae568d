// Rows are laid out when the engine is made, or found where an earlier call left them. In a run
// each thread counts for itself, in new names; then threads add up what belongs to a vertex.
#include "algorithm/triangles/sync/sync.hpp"

#include <atomic>
#include <vector>

#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/rank_teams.hpp"
#include "algorithm/triangles/sync/laid_rows.hpp"
#include "algorithm/triangles/sync/row_counter.hpp"
#include "algorithm/triangles/sync/short_rows.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::triangles_detail {

namespace {

using algorithm_detail::counted, algorithm_detail::taken;

/// Seconds of a rank, in all and by phase, and the triangles that it found.
struct outcome {
  double seconds = 0, count = 0, collect = 0;
  std::int64_t found = 0;
};

template <class Id, class Value>
class cpu_sync final : public engine {
 public:
  using worth = worth_of<Value>;

  explicit cpu_sync(const preparation& from)
      : on_(from.on),
        vertices_(from.of.vertices()),
        laid_(laid<Id, Value>(from.on, from.of, from.options.run.cancel, oriented_)),
        beyond_(static_cast<std::size_t>(std::max<std::int64_t>(0, vertices_ - most_private))),
        teams_(on_) {
    const std::int64_t longest = longest_row(vertices_, from.of.arcs(), from.of.symmetric);
    for (int t = 0; t < teams_.threads(); ++t)
      arrays_.push_back(taken<thread_arrays<Value>>(device(), vertices_, longest));
  }

  void run(const run_options& options, triangles_result& result) override {
    std::vector<outcome> outcomes(static_cast<std::size_t>(on_.size()));
    const auto counts = make_array<worth>(static_cast<std::size_t>(vertices_));
    std::fill_n(beyond_.data(), beyond_.size(), worth{});
    next_ = std::ssize(arrays_);
    done_ = 0;
    teams_.begin();
    on_.run([&](rank& r) { run_rank(r, counts, outcomes[static_cast<std::size_t>(r.id())]); },
            options);
    for (const outcome& of : outcomes) result.total += of.found;
    const outcome& slowest = algorithm_detail::slowest_rank(outcomes);
    result.milliseconds = slowest.seconds * 1e3;
    result.phases = {{"orient", std::exchange(oriented_, 0)},
                     {"count", slowest.count},
                     {"collect", slowest.collect}};
    result.counts = counts;
    result.pairs = laid_->rows.pairs;
  }

 private:
  void run_rank(rank& r, const shared_array<worth>& counts, outcome& out) {
    r.barrier();
    const double begin = r.clock();
    {
      const trace_span span(r, "count");
      out.found = count(r);
      r.barrier();  // every thread's counts are read below
    }
    out.count = r.clock() - begin;
    {
      const trace_span span(r, "collect");
      collect(r, counts);
    }
    out.seconds = r.clock() - begin;
    out.collect = out.seconds - out.count;
    trace_run(r, "triangles", begin, out.seconds);
    r.barrier();
  }

  /// Threads take blocks until none is left.
  std::int64_t count(rank& r) {
    const bool modelled = r.dev().model != nullptr;
    const std::int64_t blocks = std::ssize(laid_->blocks) - 1;
    std::atomic<std::int64_t> all{0};
    const auto share_done = [&] {
      return blocks == 0 ? 1
                         : static_cast<double>(done_.load(std::memory_order_relaxed)) /
                               static_cast<double>(blocks);
    };
    teams_.each(
        r, true, [&](std::int64_t block) { charge(r, block); }, share_done,
        [&](int t, const auto& ask) {
          row_counter<Id, Value> mine(laid_->rows, laid_->hubs,
                                      arrays_[static_cast<std::size_t>(t)], beyond_.data());
          std::int64_t found = 0;
          // Each has its first. On a model ranks run one after the other: the first would take all.
          for (std::int64_t block = t; block < blocks;
               block = modelled ? block + teams_.threads()
                                : next_.fetch_add(1, std::memory_order_relaxed)) {
            found += mine.count(laid_->blocks[static_cast<std::size_t>(block)],
                                laid_->blocks[static_cast<std::size_t>(block) + 1]);
            done_.fetch_add(1, std::memory_order_relaxed);
            if (!ask(block)) break;
          }
          all += found;
        });
    return all;
  }

  /// A row is read, marked and read again by the rows behind it.
  void charge(rank& r, std::int64_t block) const {
    if (r.dev().model == nullptr) return;
    const auto& rows = laid_->rows;
    double looks = 0;
    for (std::int64_t v = laid_->blocks[static_cast<std::size_t>(block)];
         v < laid_->blocks[static_cast<std::size_t>(block) + 1]; ++v)
      for (const Id u : rows.row(v)) looks += static_cast<double>(rows.row(u).size());
    r.charge(looks * sizeof(Id) + line, looks);
  }

  /// This rank's share of the vertices.
  void collect(rank& r, const shared_array<worth>& counts) {
    const std::int64_t first = vertices_ * r.id() / r.size();
    const std::int64_t last = vertices_ * (r.id() + 1) / r.size();
    const Id* const name = laid_->rows.name.data();
    worth* const to = counts.data();
    const auto sum = [&](std::int64_t i) {
      const std::int64_t v = name[first + i];
      worth all{};
      if (v < most_private)
        for (const auto& of : arrays_) all += of.counts[static_cast<std::size_t>(v)];
      else
        all = beyond_[static_cast<std::size_t>(v - most_private)];
      to[first + i] = all;
    };
    for_each(cpu_team{r.dev().threads}, last - first, sum);
    r.charge(static_cast<double>(last - first) * line, 0);
    r.progress();
  }

  machine& on_;
  std::int64_t vertices_;
  double oriented_ = 0;  ///< seconds that laying out rows took; of the first run
  std::shared_ptr<const laid_rows<Id, Value>> laid_;
  shared_array<worth> beyond_;
  algorithm_detail::rank_teams teams_;
  std::vector<thread_arrays<Value>> arrays_;  ///< [threads]
  std::atomic<std::int64_t> next_{0}, done_{0};
};

template <class Id>
std::unique_ptr<engine> make_typed(const preparation& from) {
  if (from.options.weighted) return std::make_unique<cpu_sync<Id, double>>(from);
  if (from.of.symmetric) return std::make_unique<cpu_sync<Id, std::monostate>>(from);
  return std::make_unique<cpu_sync<Id, std::uint8_t>>(from);
}

}  // namespace

std::int64_t beyond_bytes(const problem& p) {
  return std::max<std::int64_t>(0, p.vertices - most_private) * 8;
}

std::int64_t thread_bytes(const problem& p) {
  const std::int64_t longest = longest_row(p.vertices, p.arcs, p.symmetric);
  if (p.weight_width > 0) return counted<thread_arrays<double>>(p.vertices, longest).own;
  if (p.symmetric) return counted<thread_arrays<std::monostate>>(p.vertices, longest).own;
  return counted<thread_arrays<std::uint8_t>>(p.vertices, longest).own;
}

std::unique_ptr<engine> make_sync(const preparation& from) {
  if (auto short_rows = make_short_rows(from)) return short_rows;
  if (from.of.id_width() == 4) return make_typed<vertex32>(from);
  return make_typed<vertex64>(from);
}

}  // namespace gossamer::triangles_detail
