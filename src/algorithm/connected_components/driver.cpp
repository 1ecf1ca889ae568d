// Components as callers see them, and what each CPU rank does in engine sync.
//
// Merging: in step s = 1, 2, 4, … rank r with r mod 2s = 0 takes the labels of rank r + s, which
// has raised its signal when they hold all that the ranks from it on have found. They are fetched
// in pieces, so that no rank keeps a second array: r joins v with the label that the other has for
// it. After the last step rank 0 knows everything. log2 p steps, n labels a merge.
#include <algorithm>

#include "algorithm/balance_choice.hpp"
#include "algorithm/connected_components/async.hpp"
#include "algorithm/connected_components/gpu.hpp"
#include "algorithm/connected_components/hook.hpp"
#include "algorithm/connected_components/labels.hpp"
#include "algorithm/connected_components/planning.hpp"
#include "algorithm/connected_components/sync_outcome.hpp"
#include "algorithm/connected_components/tasks.hpp"
#include "algorithm/gather_rows.hpp"
#include "gossamer/algorithm/connected_components.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer {

namespace {

using algorithm_detail::divide_vertices, algorithm_detail::plan_partitioning,
    algorithm_detail::plan_parts;
using components_detail::count_components, components_detail::fetched,
    components_detail::labels_by_vertex, components_detail::make_plan,
    components_detail::problem_of;
using outcome = components_detail::sync_outcome;

constexpr std::int64_t sampled_arcs = 2;  ///< of each row
/// Bytes that a modelled processor moves for one random access; real machines charge nothing.
constexpr double line = 64;

/// What one rank does in a run.
template <class Id>
class program {
 public:
  program(rank& r, const graph& g, std::int64_t first, std::int64_t last, std::span<Id> labels)
      : r_(r),
        rows_{g.view<Id>(), first, last, r.dev().threads},
        // An arc that stands in one row alone could be the one between a skipped component and the
        // rest; with several ranks two could skip the same arc, each for a component of its own.
        skipping_(g.symmetric && r.size() == 1),
        labels_(labels) {}

  void hook(outcome& out) {
    const double begin = r_.clock();
    Id skip = -1;
    {
      const trace_span span(r_, "sample");
      components_detail::begin_labels(labels_, rows_.threads);
      if (skipping_) {
        components_detail::sample_arcs(rows_, sampled_arcs, labels_);
        skip = components_detail::most_frequent<Id>(labels_);
      }
    }
    r_.progress();
    const double sampled = r_.clock();
    out.sample = sampled - begin;
    {
      const trace_span span(r_, "hook");
      components_detail::hook_rest(rows_, skipping_ ? sampled_arcs : 0, skip, labels_);
      const auto arcs = rows_.all.offsets[rows_.last] - rows_.all.offsets[rows_.first];
      r_.charge(static_cast<double>(arcs) * (sizeof(Id) + line), 0);
    }
    r_.progress();
    const double hooked = r_.clock();
    out.hook = hooked - sampled;
    compress();
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
      components_detail::merge_labels<Id>(part, v, labels_, rows_.threads);
    }
  }

 private:
  void compress() {
    const trace_span span(r_, "compress");
    components_detail::compress_labels(labels_, rows_.threads);
    r_.charge(static_cast<double>(labels_.size()) * (sizeof(Id) + line), 0);
  }

  rank& r_;
  components_detail::own_rows<Id> rows_;
  bool skipping_;
  std::span<Id> labels_;
};

/// One run on all ranks.
template <class Id>
shared_array<Id> run_typed(machine& m, const graph& g, const std::vector<std::int64_t>& first,
                           const run_options& options, std::vector<outcome>& outcomes) {
  const auto n = static_cast<std::size_t>(g.vertices());
  const auto result = make_array<Id>(n);
  m.run(
      [&](rank& r) {
        const auto me = static_cast<std::size_t>(r.id());
        outcome& out = outcomes[me];
        const bool alone = r.size() == 1;
        window<Id> all;
        signal_set ready;
        if (!alone) {
          all = r.make_window<Id>(n);
          ready = r.make_signals(static_cast<std::size_t>(r.size()));
          r.barrier();
        }
        const double begin = r.clock();
        program<Id> mine(r, g, first[me], first[me + 1], alone ? result.span() : all.local());
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
        if (m.all_here()) {
          if (me == 0) std::copy_n(all.local().begin(), n, result.begin());
          return;
        }
        r.get(all, 0, 0, result.span());
        r.flush(0);
        r.barrier();
        algorithm_detail::gather_outcomes(r, outcomes);
      },
      options);
  return result;
}

void run_sync(machine& m, const graph& g, const std::vector<std::int64_t>& first,
              const run_options& options, components_result& result) {
  std::vector<outcome> outcomes(static_cast<std::size_t>(m.size()));
  if (g.id_width() == 4)
    result.labels = run_typed<vertex32>(m, g, first, options, outcomes);
  else
    result.labels = run_typed<vertex64>(m, g, first, options, outcomes);
  components_detail::describe(outcomes, result);
}

algorithm_detail::partition_request request_of(const components_options& o) {
  return algorithm_detail::request_of("components", o);
}

algorithm_detail::engine_choice choose_engine(const machine& m, const components_options& o) {
  auto engine = components_detail::choose_engine(m, o.engine);
  algorithm_detail::check_balance("components", o.balance, engine.name, m);
  algorithm_detail::check_partition(request_of(o), m);
  return engine;
}

/// Weights lead nowhere here.
graph without_weights(graph g) {
  g.weights = {};
  return g;
}

/// `g`: a graph or its shape.
template <class Graph>
memory_plan plan_on(const machine& m, const Graph& g, const graph_sizes& sizes,
                    const components_options& options) {
  const auto request = request_of(options);
  auto plan = make_plan(m, problem_of(m, g, plan_parts(g, m, request)), options);
  plan_partitioning(plan, m, request, sizes);
  return plan;
}

}  // namespace

struct components_search::state {
  algorithm_detail::chosen_ranks ranks;
  machine* on;
  algorithm_detail::parted_graph what;
  components_options options;
  algorithm_detail::engine_choice engine;
  std::vector<std::int64_t> first;
  std::unique_ptr<components_detail::components_program> program;  ///< null: sync on CPU ranks
};

components_search::components_search(machine& all, const graph& g,
                                     const components_options& asked) {
  auto engine = choose_engine(all, asked);
  state_ = std::make_unique<state>(
      state{components_detail::choose_ranks(all, asked.use, g.vertices(), g.arcs()),
            nullptr,
            {},
            asked,
            std::move(engine),
            {},
            nullptr});
  state& s = *state_;
  s.on = &s.ranks.of(all);
  machine& m = *s.on;
  const auto request = request_of(asked);
  if (asked.partition == "metis")  // takes long: what cannot fit anyway is refused before
    make_plan(m, problem_of(m, g, plan_parts(g, m, request)), asked).check();
  auto p = problem_of(m, g, divide_vertices(g, m, request));
  s.options.part_of = {};  // divided: nobody keeps a copy
  make_plan(m, p, asked).check();
  s.options.run.arenas = components_detail::make_arenas(m, p, asked, s.engine.name);
  s.first = std::move(p.first);
  s.what = {without_weights(g), std::move(p.parts), algorithm_detail::threads_here(m),
            asked.run.cancel};
  const graph& rows = s.what.rows();
  if (s.engine.name == "async")
    s.program = components_detail::make_async(m, rows, s.first, asked.balance, asked.run.cancel);
  else if (s.engine.name == "tasks")
    s.program = components_detail::make_tasks(m, rows, s.first);
  else if (m[0].is_cuda())
    s.program = components_detail::make_gpu(m, rows, s.first);
}

components_search::~components_search() = default;
components_search::components_search(components_search&&) noexcept = default;

memory_plan components_search::plan(const machine& all, const graph& g,
                                    const components_options& options) {
  static_cast<void>(choose_engine(all, options));
  const auto ranks = components_detail::choose_ranks(all, options.use, g.vertices(), g.arcs());
  return plan_on(ranks.of(all), g, graph_sizes::of(without_weights(g)), options);
}

memory_plan components_search::plan(const machine& all, const graph_shape& g,
                                    const components_options& options) {
  static_cast<void>(choose_engine(all, options));
  const auto ranks = components_detail::choose_ranks(all, options.use, g.vertices, g.arcs);
  return plan_on(ranks.of(all), g, {g.vertices, g.arcs, g.id_width, 0, g.symmetric}, options);
}

components_result components_search::run() {
  auto& s = *state_;
  components_result result;
  result.engine = s.engine.name;
  result.engine_reason = s.engine.reason;
  result.ranks_used = s.on->size();
  result.ranks_reason = s.ranks.reason();
  if (s.program != nullptr)
    s.program->run(s.options.run, result);
  else
    run_sync(*s.on, s.what.rows(), s.first, s.options.run, result);
  result.labels = std::visit([&](const auto& labels) { return labels_by_vertex(s.what, labels); },
                             result.labels);
  std::visit([&](const auto& labels) { count_components(labels, result); }, result.labels);
  if (s.options.run.trace)
    s.options.run.trace->describe("components", result.milliseconds, {{"count", result.count}});
  return result;
}

components_result components(machine& m, const graph& g, const components_options& options) {
  return components_search(m, g, options).run();
}

}  // namespace gossamer
