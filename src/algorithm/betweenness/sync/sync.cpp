// Threads take sources until none is left, each with arrays and sums of its own, which live as long
// as the engine; then they add up what belongs to a vertex, or to an arc.
#include "algorithm/betweenness/sync/sync.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "algorithm/betweenness/laid_rows.hpp"
#include "algorithm/betweenness/sync/edge_scores.hpp"
#include "algorithm/betweenness/sync/outcome.hpp"
#include "algorithm/betweenness/sync/source_search.hpp"
#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/driver/rank_teams.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::betweenness_detail {

namespace {

using algorithm_detail::counted, algorithm_detail::taken;

constexpr auto relaxed = std::memory_order_relaxed;
/// Fewer arcs and vertices than this one thread has looked at before a team has met.
constexpr std::int64_t worth_a_team = 1 << 15;

template <class Id>
class cpu_sync final : public engine {
 public:
  explicit cpu_sync(const preparation& from)
      : on_(from.on),
        given_(from.of),
        rules_{from.options.edges, from.options.endpoints},
        found_(
            lay_out(from.of, uses_of(from.of.vertices(), from.options), from.options.run.cancel)),
        laid_(*found_.rows),
        out_(laid_.out.view<Id>()),
        in_(found_.in().view<Id>()),
        teams_(on_, [&](int r) { return workers(on_, r, sources_of(vertices(), from.options)); }) {
    const std::int64_t scored = rules_.edges ? arcs() : vertices();
    for (int t = 0; t < teams_.threads(); ++t)
      arrays_.push_back(taken<thread_arrays<Id>>(device(), vertices(), scored));
    clean_.assign(arrays_.size(), 0);
    if (rules_.edges) collecting_ = taken<collecting_arrays>(device(), vertices(), arcs());
  }

  void run(std::span<const std::int64_t> sources, const run_options& options,
           betweenness_result& result) override {
    std::vector<outcome> outcomes(static_cast<std::size_t>(on_.size()));
    const auto scores =
        make_array<double>(static_cast<std::size_t>(rules_.edges ? given_.arcs() : vertices()));
    sources_ = sources;
    next_ = std::ssize(arrays_);
    done_ = 0;
    teams_.begin();
    on_.run([&](rank& r) { run_rank(r, scores, outcomes[static_cast<std::size_t>(r.id())]); },
            options);
    report(outcomes, found_, result);
    result.scores = scores;
  }

 private:
  [[nodiscard]] std::int64_t vertices() const { return out_.vertices(); }
  [[nodiscard]] std::int64_t arcs() const { return std::ssize(out_.indices); }
  [[nodiscard]] std::int64_t searches() const {
    return sources_.empty() ? vertices() : std::ssize(sources_);
  }
  [[nodiscard]] Id source(std::int64_t i) const {
    if (sources_.empty()) return static_cast<Id>(i);
    const std::int64_t v = sources_[static_cast<std::size_t>(i)];
    return static_cast<Id>(laid_.row_of.empty() ? v : laid_.row_of[static_cast<std::size_t>(v)]);
  }

  void run_rank(rank& r, const shared_array<double>& scores, outcome& out) {
    r.barrier();
    const double begin = r.clock();
    {
      const trace_span span(r, "search");
      out.rescaled = search(r);
      r.barrier();  // every thread's sums are read below
    }
    out.search = r.clock() - begin;
    {
      const trace_span span(r, "collect");
      if (rules_.edges)
        collect_edges(r, scores);
      else
        collect(r, scores);
    }
    out.seconds = r.clock() - begin;
    out.collect = out.seconds - out.search;
    trace_run(r, "betweenness", begin, out.seconds);
    r.barrier();
  }

  std::int64_t search(rank& r) {
    std::atomic<std::int64_t> rescaled{0};
    const auto charge = [&](std::int64_t looks) { r.charge(static_cast<double>(looks) * line, 0); };
    const auto share_done = [&] {
      return static_cast<double>(done_.load(relaxed)) /
             static_cast<double>(std::max<std::int64_t>(1, searches()));
    };
    teams_.each(
        r, searches() * (arcs() + vertices()) >= worth_a_team, charge, share_done,
        [&](int t, const auto& ask) { rescaled += search(t, r.dev().model != nullptr, ask); });
    return rescaled;
  }

  /// Each thread has its first source, and then the next that nobody has. On a model ranks run one
  /// after the other: the first would take all.
  template <class Ask>
  std::int64_t search(std::int64_t thread, bool modelled, const Ask& ask) {
    const thread_arrays<Id>& mine = arrays_[static_cast<std::size_t>(thread)];
    char& clean = clean_[static_cast<std::size_t>(thread)];
    std::fill_n(mine.scores.data(), mine.scores.size(), 0.0);
    if (clean == 0) std::fill_n(mine.value.data(), mine.value.size(), 0.0);
    clean = 0;
    source_search<Id, plain_numbers, Ask> plain(out_, in_, mine, rules_, ask);
    std::int64_t rescaled = 0;
    for (std::int64_t i = thread; i < searches();
         i = modelled ? i + std::ssize(arrays_) : next_.fetch_add(1, relaxed)) {
      search_end end = plain.from(source(i));
      if (end == search_end::too_large) {
        source_search<Id, scaled_numbers, Ask> scaled(out_, in_, mine, rules_, ask);
        end = scaled.from(source(i));
        ++rescaled;
      }
      if (end == search_end::stopped) return rescaled;
      done_.fetch_add(1, relaxed);
    }
    clean = 1;
    ask(plain.looks());
    return rescaled;
  }

  /// f(first, last) for this rank's share of n, by its threads.
  template <class F>
  void share(rank& r, std::int64_t n, const F& f) {
    const std::int64_t first = n * r.id() / r.size(), last = n * (r.id() + 1) / r.size();
    constexpr std::int64_t piece = 1 << 14;
    const int threads = r.dev().model != nullptr ? 1 : r.dev().threads;
    for_pieces(cpu_team{threads}, last - first, piece,
               [&](std::int64_t from, std::int64_t to) { f(first + from, first + to); });
    r.charge(static_cast<double>((last - first) * std::ssize(arrays_)) * sizeof(double), 0);
    r.progress(1);
  }

  [[nodiscard]] double sum(std::int64_t i) const {
    double all = 0;
    for (const auto& of : arrays_) all += of.scores[static_cast<std::size_t>(i)];
    return all;
  }

  void collect(rank& r, const shared_array<double>& scores) {
    double* const to = scores.data();
    share(r, vertices(), [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t v = first; v < last; ++v)
        to[v] = sum(laid_.row_of.empty() ? v : laid_.row_of[static_cast<std::size_t>(v)]);
    });
  }

  /// Sums go to the first thread's; then both arcs of an edge get one score, and the caller's arcs
  /// theirs.
  void collect_edges(rank& r, const shared_array<double>& scores) {
    double* const sums = arrays_[0].scores.data();
    share(r, arcs(), [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t k = first; k < last; ++k) sums[k] = sum(k);
    });
    r.barrier();
    const csr_view<Id> given = given_.view<Id>();
    const edge_scores<Id> of(given, out_, collecting_);
    if (laid_.out.symmetric) {
      if (r.id() == 0) of.join_directions(sums);
      r.barrier();
    }
    if (of.same_rows()) {
      share(r, arcs(), [&](std::int64_t first, std::int64_t last) {
        std::copy(sums + first, sums + last, scores.data() + first);
      });
      return;
    }
    share(r, vertices(), [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t v = first; v < last; ++v) of.share_out(v, sums, scores.data());
    });
  }

  machine& on_;
  const graph given_;
  search_rules rules_;
  found_rows found_;  ///< its seconds are of the first run
  const laid_rows& laid_;
  csr_view<Id> out_, in_;
  algorithm_detail::rank_teams teams_;     ///< of threads that work
  std::vector<thread_arrays<Id>> arrays_;  ///< [threads]
  std::vector<char> clean_;                ///< [threads] whether its numbers are 0
  collecting_arrays collecting_;
  std::span<const std::int64_t> sources_;  ///< of this run; empty: all
  std::atomic<std::int64_t> next_{0}, done_{0};
};

template <class Id>
std::int64_t bytes_of_thread(const problem& p, bool edges) {
  return counted<thread_arrays<Id>>(p.vertices, edges ? p.arcs : p.vertices).own;
}

}  // namespace

int workers(const machine& m, int r, std::int64_t sources) {
  std::int64_t before = 0;
  for (int i = 0; i < r; ++i) before += m[i].threads;
  return static_cast<int>(
      std::clamp<std::int64_t>(std::max<std::int64_t>(1, sources) - before, 0, m[r].threads));
}

std::int64_t thread_bytes(const problem& p, bool edges) {
  return p.id_width == 4 ? bytes_of_thread<vertex32>(p, edges)
                         : bytes_of_thread<vertex64>(p, edges);
}

std::unique_ptr<engine> make_sync(const preparation& from) {
  if (from.of.id_width() == 4) return std::make_unique<cpu_sync<vertex32>>(from);
  return std::make_unique<cpu_sync<vertex64>>(from);
}

}  // namespace gossamer::betweenness_detail
