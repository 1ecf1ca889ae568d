// The search as callers see it: options are checked and memory is planned, then each source has one
// run and a description of its result. typed_search.hpp has what ranks do.
#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithm/bfs/gather.hpp"
#include "algorithm/bfs/planning.hpp"
#include "algorithm/bfs/typed_search.hpp"
#include "algorithm/bfs/vector_queue/exchange.hpp"
#include "algorithm/driver/common_terms.hpp"
#include "algorithm/driver/option_table.hpp"
#include "gossamer/graph/mapped_file.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer {

using bfs_detail::rank_outcome;
using bfs_detail::typed_search;

namespace {

/// `options` has the engine's name.
void check_on(const placed_graph& g, const bfs_options& options) {
  if (const auto* engine = bfs_detail::functions_of(options.engine)) engine->check(g, options);
  require(options.alpha > 0 && options.beta > 0, "bfs: alpha and beta must be positive");
  if (!g.has_in_adjacency()) {
    require(options.direction != bfs_direction::bottom_up,
            "bfs: bottom-up needs in-arcs, which this placement of a directed graph does not keep");
    require(!options.deterministic || options.engine == "vector_queue",
            "bfs: the smallest parents need in-arcs, which this placement of a directed graph does "
            "not keep");
  }
}

/// `options` has the engine's name.
std::vector<run_term> terms_of(const placed_graph& g, const bfs_options& options) {
  auto terms = algorithm_detail::common_terms(g.on(), "bfs", options.run.cancel);
  terms.placed(g).add("engine", options.engine);
  algorithm_detail::add_terms(terms, options);
  return terms.all();
}

/// Counts of all ranks, times and phases of the slowest.
void describe(const placed_graph& g, const bfs_options& options,
              const std::vector<rank_outcome>& outcomes, bfs_result& result) {
  auto [ran, total, exchange, agree, tree, deterministic, gather] = bfs_detail::slowest(outcomes);
  result.messages = bfs_detail::add_up(outcomes);
  result.per_level = std::move(ran.levels);
  result.overlap = std::move(ran.overlap);
  result.work = ran.work;
  if (!result.overlap.empty()) result.link_limit = bfs_detail::link_limit(g.on());
  for (const bfs_level& level : result.per_level) result.levels += level.levels;
  result.reached = ran.reached;
  result.arcs_of_reached = ran.arcs;
  result.milliseconds = total * 1e3;
  const double edges = static_cast<double>(ran.arcs) / (g.symmetric() ? 2 : 1);
  result.teps = total > 0 ? edges / total : 0;
  const auto told = [](double seconds) { return std::isnan(seconds) ? 0 : seconds; };
  result.phases = {{"expand", algorithm_detail::rest_of(
                                  total, {told(exchange), told(agree), deterministic, tree})}};
  for (const auto& [name, seconds] : {std::pair{"exchange", exchange}, {"agree", agree}})
    if (outcomes.size() > 1 && !std::isnan(seconds)) result.phases.emplace_back(name, seconds);
  if (tree > 0) result.phases.emplace_back("tree", tree);
  if (options.deterministic) result.phases.emplace_back("deterministic", deterministic);
  if (!g.on().all_here()) result.phases.emplace_back("gather", gather);
}

}  // namespace

struct bfs_search::state {
  graph_file file;
  std::shared_ptr<const placed_graph> graph;
  bfs_options options;
  std::string engine_reason;
  std::variant<std::unique_ptr<typed_search<vertex32>>, std::unique_ptr<typed_search<vertex64>>>
      typed;
};

bfs_search::bfs_search(std::shared_ptr<const placed_graph> g, const bfs_options& asked) {
  auto [options, engine] = bfs_detail::settle(g->on(), asked);
  require(g->vertices() > 0, "bfs: the graph has no vertices to search from");
  check_on(*g, options);
  memory_plan needs = plan(*g, options);
  memory_plan all = g->plan();
  all.entries.insert(all.entries.end(), needs.entries.begin(), needs.entries.end());
  all.check();
  options.run.arenas = bfs_detail::arenas(*g, options);
  options.run.terms = terms_of(*g, options);
  state_ = std::make_unique<state>();
  if (g->whole()) state_->file = graph_file(g->source());
  state_->graph = std::move(g);
  state_->options = options;
  state_->engine_reason = std::move(engine.reason) + all.spilled_text();
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
  state_->file.check();
  machine& m = placed.on();
  std::vector<rank_outcome> outcomes(m.size());
  const std::int64_t placed_source = placed.placed_id(source);
  algorithm_detail::set_term(state_->options.run, "source", source);
  std::visit(
      [&](auto& typed) {
        m.run([&](rank& r) { typed->run(r, placed_source, outcomes); }, state_->options.run);
      },
      state_->typed);
  state_->file.check();

  bfs_result result;
  result.source = source;
  result.engine = state_->options.engine;
  result.engine_reason = state_->engine_reason;
  result.ranks_used = m.size();
  result.graph_ = state_->graph;
  for (const rank_outcome& o : outcomes) result.parts_.push_back(o.part);
  describe(placed, state_->options, outcomes, result);
  if (const auto& trace = state_->options.run.trace) {
    trace->describe("bfs", result.milliseconds,
                    {{"source", source}, {"levels", result.levels}, {"reached", result.reached}},
                    result.engine);
  }
  return result;
}

void bfs_search::follow(const run_options& how) {
  state_->options.run.follow(how);
}

std::shared_ptr<bfs_search> bfs_search::prepare(std::shared_ptr<const placed_graph> g,
                                                const bfs_options& o) {
  // A search for a graph that is not kept is not kept either: it would hold the graph's memory.
  if (!kept::holds(g.get())) return std::make_shared<bfs_search>(std::move(g), o);
  return kept::alone<bfs_search>(
      g->on(), g->source(),
      kept::text("bfs", static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(g.get())),
                 algorithm_detail::kept_text(o)),
      [&](const graph&) { return std::make_shared<bfs_search>(g, kept::without_trace(o)); });
}

bfs_result bfs(machine& m, const graph& g, std::int64_t source, const bfs_options& options) {
  place_options how;
  how.by_columns = bfs_detail::settle(m, options).options.engine == "vector_queue";
  return kept::run(bfs_search::prepare(kept::place(m, g, how), options), options.run,
                   [source](bfs_search& search) { return search.run(source); });
}

}  // namespace gossamer
