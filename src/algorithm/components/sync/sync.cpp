// What one CPU rank does in a run: sample, hook, compress, then merge by gets of a peer's labels.
// On one rank small worlds are flooded, and elsewhere the most frequent label is skipped.
#include "algorithm/components/sync/sync.hpp"

#include <algorithm>
#include <span>

#include "algorithm/components/planning.hpp"
#include "algorithm/components/sync/giant.hpp"
#include "algorithm/components/sync/hook.hpp"
#include "algorithm/components/sync/sync_outcome.hpp"
#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::components_detail {

namespace {

/// What one rank does in a run.
template <class Id>
class program {
 public:
  program(rank& r, const placed_graph& g, flood_arrays<Id>& flood, std::span<Id> labels)
      : r_(r),
        rows_{g.slice<Id>(r.id()).offsets, g.slice<Id>(r.id()).columns,
              g.bounds()[static_cast<std::size_t>(r.id())],
              g.bounds()[static_cast<std::size_t>(r.id()) + 1], r.dev().threads},
        // An arc that stands in one row alone could be the one between a skipped component and the
        // rest; with several ranks two could skip the same arc, each for a component of its own.
        skipping_(g.symmetric() && r.size() == 1),
        halves_(g.symmetric() && r.size() > 1),
        flood_(flood),
        labels_(labels) {}

  void hook(sync_outcome& out) {
    const double begin = r_.clock();
    Id skip = -1;
    bool flooded = false;
    {
      const trace_span span(r_, "sample");
      flooded = skipping_ && flood_giant(rows_, flood_, labels_);
      if (skipping_ && !flooded) {
        sample_arcs<Id>(rows_, flood_.bits.span(), labels_);
        skip = most_frequent<Id>(labels_);
      } else if (!skipping_) {
        begin_labels(labels_, rows_.threads);
      }
    }
    r_.progress();
    const double sampled = r_.clock();
    out.sample = sampled - begin;
    {
      const trace_span span(r_, "hook");
      if (flooded)
        hook_others(rows_, flood_, labels_);
      else if (halves_)
        hook_smaller(rows_, labels_);
      else
        hook_rest(rows_, skip, labels_);
      const auto arcs = static_cast<double>(rows_.begin(rows_.last) - rows_.begin(rows_.first));
      r_.charge(arcs * sizeof(Id) + (halves_ ? arcs / 2 : arcs) * line, 0);
    }
    r_.progress();
    const double hooked = r_.clock();
    out.hook = hooked - sampled;
    if (!flooded) compress();
    out.compress = r_.clock() - hooked;
  }

  /// Collective: afterwards rank 0's labels are those of the whole graph.
  void merge(const window<Id>& all, const signal_set& ready) {
    const trace_span span(r_, "merge", trace_class::exchange);
    const auto piece = r_.scratch<Id>(static_cast<std::size_t>(fetched));
    for (int s = 1; s < r_.size(); s *= 2) {
      const int peer = r_.id() + s;
      if (r_.id() % (2 * s) != 0)
        return r_.raise(ready[static_cast<std::size_t>(r_.id())], r_.id() - s, 1);
      if (peer >= r_.size()) continue;
      r_.wait_signal(ready[static_cast<std::size_t>(peer)], 1, peer);
      take_labels(all, peer, piece);
      compress();
    }
  }

  void take_labels(const window<Id>& all, int peer, std::span<Id> piece) {
    const auto n = static_cast<std::int64_t>(labels_.size());
    for (std::int64_t v = 0; v < n; v += fetched) {
      const auto part = piece.first(static_cast<std::size_t>(std::min(fetched, n - v)));
      r_.get(all, peer, static_cast<std::size_t>(v), part);
      r_.flush(peer);
      r_.charge(static_cast<double>(part.size()) * (2 * sizeof(Id) + line), 0);
      merge_labels<Id>(part, v, labels_, rows_.threads);
    }
  }

 private:
  void compress() {
    const trace_span span(r_, "compress");
    compress_labels(labels_, rows_.threads);
    r_.charge(static_cast<double>(labels_.size()) * (sizeof(Id) + line), 0);
  }

  rank& r_;
  own_rows<Id> rows_;
  bool skipping_;
  bool halves_;  ///< each edge is hooked once, by the owner of its larger end
  flood_arrays<Id>& flood_;
  std::span<Id> labels_;
};

/// One run on all ranks.
template <class Id>
shared_array<Id> run_typed(const placed_graph& g, const run_options& options,
                           flood_arrays<Id>& flood, std::vector<sync_outcome>& outcomes) {
  machine& m = g.on();
  const auto n = static_cast<std::size_t>(g.bounds().back());
  const auto result = make_array<Id>(n);
  m.run(
      [&](rank& r) {
        const auto me = static_cast<std::size_t>(r.id());
        sync_outcome& out = outcomes[me];
        const bool alone = r.size() == 1;
        window<Id> all;
        signal_set ready;
        if (!alone) {
          all = r.make_window<Id>(n);
          ready = r.make_signals(static_cast<std::size_t>(r.size()));
          r.barrier();
        }
        const double begin = r.clock();
        program<Id> mine(r, g, flood, alone ? result.span() : all.local());
        mine.hook(out);
        if (!alone) {
          const double from = r.clock();
          mine.merge(all, ready);
          r.barrier();  // until then ranks answer for what is fetched from them
          out.merge = r.clock() - from;
        }
        out.seconds = r.clock() - begin;
        trace_run(r, "components", begin, out.seconds);
        if (alone) return;
        // Each rank brings a share of what ranks of one process share, else all of it.
        const bool shared = m.all_here();
        const auto p = static_cast<std::size_t>(r.size());
        const std::size_t first = shared ? n * me / p : 0, last = shared ? n * (me + 1) / p : n;
        r.get(all, 0, first, result.span().subspan(first, last - first));
        r.flush(0);
        r.barrier();
        if (!shared) algorithm_detail::gather_outcomes(r, outcomes);
      },
      options);
  return result;
}

template <class Id>
class cpu_sync final : public engine {
 public:
  explicit cpu_sync(std::shared_ptr<const placed_graph> g) : graph_(std::move(g)) {
    if (graph_->on().size() == 1 && graph_->symmetric())
      flood_ = algorithm_detail::taken<flood_arrays<Id>>(device(), graph_->bounds().back());
  }
  void run(const run_options& options, components_result& result) override {
    std::vector<sync_outcome> outcomes(static_cast<std::size_t>(graph_->on().size()));
    result.labels = run_typed<Id>(*graph_, options, flood_, outcomes);
    describe(outcomes, result);
  }

 private:
  std::shared_ptr<const placed_graph> graph_;
  flood_arrays<Id> flood_;  ///< nothing where several ranks hook, or arcs stand in one row alone
};

}  // namespace

std::unique_ptr<engine> make_sync(std::shared_ptr<const placed_graph> g) {
  if (g->id_width() == 4) return std::make_unique<cpu_sync<vertex32>>(std::move(g));
  return std::make_unique<cpu_sync<vertex64>>(std::move(g));
}

}  // namespace gossamer::components_detail
