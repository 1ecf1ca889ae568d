// The search: engines made once, then for every source the level loop on each rank, in step.
//
// Between two levels all ranks know the same two sums (vertices and arcs of the next frontier), so
// each chooses the same direction and the same end by itself.
#include <algorithm>
#include <numeric>

#include "algorithm/balance_choice.hpp"
#include "algorithm/bfs/engine.hpp"
#include "algorithm/bfs/gather.hpp"
#include "algorithm/bfs/planning.hpp"
#include "algorithm/bfs/policy.hpp"
#include "algorithm/bfs/program.hpp"
#include "algorithm/bfs/vector_queue/exchange.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer {

using bfs_detail::bfs_engine;
using bfs_detail::bfs_program;
using bfs_detail::exchange;
using bfs_detail::message;
using bfs_detail::step_result;
using bfs_detail::traversal;

namespace {

using bfs_detail::rank_outcome;

/// Engines of one id width, and one rank's program.
template <class Id>
class typed_search {
 public:
  typed_search(const placed_graph& g, const bfs_options& options) : graph_(g), options_(options) {
    const machine& m = g.on();
    const bfs_detail::program_kind* program = bfs_detail::find_program(options.engine);
    for (int r = 0; r < m.size(); ++r) {
      engines_.push_back(nullptr);
      programs_.push_back(nullptr);
      if (!m.here(r)) continue;
      if (program != nullptr) {
        programs_.back() = bfs_detail::make_program<Id>(*program, g, r, options);
        continue;
      }
      engines_.back() = m[r].is_cuda() ? bfs_detail::make_cuda_engine<Id>(g, r, options)
                                       : bfs_detail::make_cpu_engine<Id>(g, r, options);
    }
  }

  void run(rank& r, std::int64_t placed_source, std::vector<rank_outcome>& outcomes) {
    rank_outcome& out = outcomes[r.id()];
    const ownership& owners = graph_.owners();
    const bool here = owners.owner(placed_source) == r.id();
    const std::int64_t local = here ? owners.local(placed_source) : -1;
    bfs_detail::result_windows<Id> results;
    if (!r.owner().all_here()) results = bfs_detail::make_result_windows<Id>(r, owners);
    if (programs_[r.id()] != nullptr)
      run_program(r, *programs_[r.id()], local, out);
    else
      run_levels(r, *engines_[r.id()], local, out);
    out.part.rank = r.id();
    if (!r.owner().all_here()) bfs_detail::gather_outcomes(r, owners, results, outcomes);
  }

 private:
  void run_program(rank& r, bfs_program<Id>& program, std::int64_t local, rank_outcome& out) {
    window<std::int32_t> all_depths;
    if (options_.deterministic) all_depths = make_depths(r);
    program.begin(r, local);
    const double begin = r.clock();
    program.traverse(r, out.ran);
    out.total = out.ran.seconds >= 0 ? out.ran.seconds : r.clock() - begin;
    if (options_.deterministic) {
      const trace_span span(r, "smallest parents");
      const double from = r.clock();
      program.smallest_parents(r, all_depths);
      out.deterministic = r.clock() - from;
      out.total += out.deterministic;
    }
    out.sent = program.sent();
    out.exchange = out.sent.out.seconds;
    out.agree = out.sent.flag.seconds;
    trace_run(r, "bfs", out.ran.began >= 0 ? out.ran.began : begin, out.total);
    out.part = program.take_part();
  }

  window<std::int32_t> make_depths(rank& r) {
    return r.make_window<std::int32_t>(static_cast<std::size_t>(graph_.owners().placed()));
  }

  void run_levels(rank& r, bfs_engine<Id>& engine, std::int64_t local, rank_outcome& out) {
    const int p = r.size();
    const std::int64_t placed = graph_.owners().placed();
    exchange<Id> ex;
    if (p > 1) {
      ex.bits = r.make_window<std::uint64_t>(2 * placed / 64);
      ex.bits_seen = r.make_signals(p);
      ex.inbox = r.make_window<message<Id>>(p * graph_.owners().local_size(r.id()));
      ex.mail = r.make_signals(p);
    }
    window<std::int32_t> all_depths;
    if (options_.deterministic) all_depths = make_depths(r);
    if (p > 1) {
      scalar_plan<std::int64_t> plan(r);
      r.barrier();
      return step_levels(r, engine, ex, plan, local, all_depths, out);
    }
    const double begin = r.clock();
    if (engine.traverse(r, local, out.ran)) return close(r, engine, all_depths, begin, out);
    alone agreement;
    step_levels(r, engine, ex, agreement, local, all_depths, out);
  }

  /// Agreement with nobody.
  struct alone {
    std::int64_t allreduce(std::int64_t value, reduction) { return value; }
    [[nodiscard]] static std::int64_t messages() { return 0; }
    [[nodiscard]] static std::int64_t bytes() { return 0; }
  };

  template <class Agreement>
  void step_levels(rank& r, bfs_engine<Id>& engine, const exchange<Id>& ex, Agreement& agreement,
                   std::int64_t local, const window<std::int32_t>& all_depths, rank_outcome& out) {
    bfs_detail::direction_policy policy(options_, graph_.vertices(), graph_.arcs(),
                                        graph_.has_in_adjacency());
    const double begin = r.clock();
    const auto agree = [&](step_result step) {
      const trace_span span(r, "agree", trace_class::exchange);
      const double from = r.clock();
      const step_result sum{agreement.allreduce(step.vertices, reduction::sum),
                            agreement.allreduce(step.arcs, reduction::sum)};
      out.agree += r.clock() - from;
      ++out.sent.flag.rounds;
      return sum;
    };
    step_result frontier = agree(engine.begin(r, r.size() > 1 ? &ex : nullptr, local));
    for (std::int64_t level = 0; frontier.vertices > 0; ++level) {
      const double from = r.clock();
      out.ran.reached += frontier.vertices;
      out.ran.arcs += frontier.arcs;
      const bool up = policy.choose(frontier.vertices, frontier.arcs);
      const trace_level traced(r, up ? "bottom-up" : "top-down", level, frontier.vertices);
      if (!up) policy.explored(frontier.arcs);
      const step_result next = up ? engine.bottom_up(r, level) : engine.top_down(r, level);
      const step_result agreed = agree(next);
      out.ran.levels.push_back({frontier.vertices, up, (r.clock() - from) * 1e3});
      frontier = agreed;
    }
    close(r, engine, all_depths, begin, out);
    out.sent.flag = {out.sent.flag.rounds, agreement.messages(), agreement.bytes(), out.agree};
    out.sent.out = engine.sent().out;
  }

  void close(rank& r, bfs_engine<Id>& engine, const window<std::int32_t>& all_depths, double begin,
             rank_outcome& out) {
    if (options_.deterministic) {
      engine.finish(r);
      const trace_span span(r, "smallest parents");
      const double from = r.clock();
      engine.smallest_parents(r, all_depths);
      engine.finish(r);
      out.deterministic = r.clock() - from;
    } else {
      engine.finish(r);
    }
    out.exchange = engine.exchange_seconds();
    out.total = r.clock() - begin;
    trace_run(r, "bfs", begin, out.total);
    out.part = engine.take_part();
  }

  const placed_graph& graph_;
  bfs_options options_;
  // One of both for each rank of this process.
  std::vector<std::unique_ptr<bfs_engine<Id>>> engines_;
  std::vector<std::unique_ptr<bfs_program<Id>>> programs_;
};

void check_engine(const std::string& name) {
  if (name == "auto" || name == "sync" || bfs_detail::find_program(name) != nullptr) return;
  throw usage_error("bfs: unknown engine '" + name + "' (there are auto, sync, " +
                    bfs_detail::program_names() + ")");
}

/// An option of engine vector-queue alone; the first choice is every engine's.
void check_choice(const std::string& option, const std::string& value, const std::string& engine,
                  std::initializer_list<const char*> choices) {
  std::string all;
  for (const char* choice : choices) all += (all.empty() ? "" : ", ") + std::string(choice);
  require(std::find(choices.begin(), choices.end(), value) != choices.end(),
          "bfs: unknown " + option + " '" + value + "' (there are " + all + ")");
  require(value == *choices.begin() || engine == "vector-queue",
          "bfs: " + option + " '" + value + "' is for engine 'vector-queue'");
}

}  // namespace

struct bfs_search::state {
  std::shared_ptr<const placed_graph> graph;
  bfs_options options;
  std::variant<std::unique_ptr<typed_search<vertex32>>, std::unique_ptr<typed_search<vertex64>>>
      typed;
};

bfs_search::bfs_search(std::shared_ptr<const placed_graph> g, bfs_options options) {
  check_engine(options.engine);
  check_choice("transport", options.transport, options.engine, {"auto", "copy", "direct"});
  check_choice("results", options.results, options.engine,
               {"stay", "serial", "slices", "overlapped"});
  check_choice("duplicates", options.duplicates, options.engine, {"vector", "sort-unique"});
  options.engine = bfs_detail::engine_on(g->on(), options.engine);
  algorithm_detail::check_balance("bfs", options.balance, options.engine, g->on());
  if (const auto* program = bfs_detail::find_program(options.engine)) program->check(*g, options);
  require(options.alpha > 0 && options.beta > 0, "bfs: alpha and beta must be positive");
  if (!g->has_in_adjacency()) {
    require(options.direction != bfs_direction::bottom_up,
            "bfs: bottom-up needs in-arcs, which this placement of a directed graph does not keep");
    require(!options.deterministic,
            "bfs: the smallest parents need in-arcs, which this placement of a directed graph does "
            "not keep");
  }
  memory_plan needs = plan(*g, options);
  memory_plan all = g->plan();
  all.entries.insert(all.entries.end(), needs.entries.begin(), needs.entries.end());
  all.check();
  options.run.arenas = bfs_detail::arenas(*g, options);
  state_ = std::make_unique<state>();
  state_->graph = std::move(g);
  state_->options = options;
  if (state_->graph->id_width() == 4) {
    state_->typed = std::make_unique<typed_search<vertex32>>(*state_->graph, options);
  } else {
    state_->typed = std::make_unique<typed_search<vertex64>>(*state_->graph, options);
  }
}

bfs_search::~bfs_search() = default;
bfs_search::bfs_search(bfs_search&&) noexcept = default;

bfs_result bfs_search::run(std::int64_t source) {
  const placed_graph& placed = *state_->graph;
  if (source < 0 || source >= placed.vertices()) {
    throw usage_error("bfs: there is no vertex with index " + std::to_string(source) +
                      ": the graph has " + std::to_string(placed.vertices()) + " vertices");
  }
  machine& m = placed.on();
  std::vector<rank_outcome> outcomes(m.size());
  const std::int64_t placed_source = placed.placed_id(source);
  std::visit(
      [&](auto& typed) {
        m.run([&](rank& r) { typed->run(r, placed_source, outcomes); }, state_->options.run);
      },
      state_->typed);

  bfs_result result;
  result.source = source;
  result.engine = state_->options.engine;
  result.graph_ = state_->graph;
  for (const rank_outcome& o : outcomes) result.parts_.push_back(o.part);
  auto [ran, total, exchange, agree, deterministic, gather] = bfs_detail::slowest(outcomes);
  result.messages = bfs_detail::add_up(outcomes);
  const double tree = result.messages[2].messages > 0 ? result.messages[2].seconds : 0;
  result.per_level = std::move(ran.levels);
  result.overlap = std::move(ran.overlap);
  result.work = ran.work;
  if (!result.overlap.empty()) result.link_limit = bfs_detail::link_limit(m);
  result.levels = static_cast<std::int64_t>(result.per_level.size());
  result.reached = ran.reached;
  result.arcs_of_reached = ran.arcs;
  result.milliseconds = total * 1e3;
  const double edges = static_cast<double>(ran.arcs) / (placed.symmetric() ? 2 : 1);
  result.teps = total > 0 ? edges / total : 0;
  result.phases = {{"expand", std::max(0.0, total - exchange - agree - deterministic - tree)}};
  if (m.size() > 1) {
    result.phases.emplace_back("exchange", exchange);
    result.phases.emplace_back("agree", agree);
  }
  if (tree > 0) result.phases.emplace_back("tree", tree);
  if (state_->options.deterministic) result.phases.emplace_back("deterministic", deterministic);
  if (!m.all_here()) result.phases.emplace_back("gather", gather);
  if (const auto& trace = state_->options.run.trace) {
    trace->describe("bfs", result.milliseconds,
                    {{"source", source}, {"levels", result.levels}, {"reached", result.reached}});
  }
  return result;
}

bfs_result bfs(machine& m, const graph& g, std::int64_t source, const bfs_options& options) {
  check_engine(options.engine);
  bfs_search search(std::make_shared<const placed_graph>(place(m, g)), options);
  return search.run(source);
}

}  // namespace gossamer
