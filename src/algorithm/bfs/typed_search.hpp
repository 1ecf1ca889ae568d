// A search of one id width: engines made once, then for every source the level loop on each rank,
// in step, or the rank's whole search.
//
// Between two levels all ranks know the same two sums (vertices and arcs of the next frontier), so
// each chooses the same direction and the same end by itself.
#pragma once

#include <memory>
#include <vector>

#include "algorithm/bfs/engine.hpp"
#include "algorithm/bfs/gather.hpp"
#include "algorithm/bfs/rank_search.hpp"
#include "algorithm/bfs/sync/policy.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail {

/// Engines of one id width, or whole searches, one a rank.
template <class Id>
class typed_search {
 public:
  typed_search(const placed_graph& g, const bfs_options& options) : graph_(g), options_(options) {
    const machine& m = g.on();
    const engine_functions* functions = functions_of(options.engine);
    for (int r = 0; r < m.size(); ++r) {
      engines_.push_back(nullptr);
      searches_.push_back(nullptr);
      if (!m.here(r)) continue;
      if (functions != nullptr) {
        searches_.back() = make_search<Id>(*functions, g, r, options);
        continue;
      }
      if (steps_alone(m) && !m[r].is_cuda()) {
        searches_.back() = make_cpu_solo<Id>(g, options);
        continue;
      }
      engines_.back() =
          m[r].is_cuda() ? make_cuda_engine<Id>(g, r, options) : make_cpu_engine<Id>(g, r, options);
    }
  }

  void run(rank& r, std::int64_t placed_source, std::vector<rank_outcome>& outcomes) {
    rank_outcome& out = outcomes[r.id()];
    const ownership& owners = graph_.owners();
    const bool here = owners.owner(placed_source) == r.id();
    const std::int64_t local = here ? owners.local(placed_source) : -1;
    result_windows<Id> results;
    if (!r.owner().all_here()) results = make_result_windows<Id>(r, owners);
    if (searches_[r.id()] != nullptr)
      run_search(r, *searches_[r.id()], local, out);
    else
      run_levels(r, *engines_[r.id()], local, out);
    out.part.rank = r.id();
    if (!r.owner().all_here()) gather_outcomes(r, owners, results, outcomes);
  }

 private:
  void run_search(rank& r, rank_search<Id>& search, std::int64_t local, rank_outcome& out) {
    window<std::int32_t> all_depths;
    if (options_.deterministic) all_depths = make_depths(r);
    search.begin(r, local);
    const double begin = r.clock();
    search.traverse(r, out.ran);
    out.total = out.ran.seconds >= 0 ? out.ran.seconds : r.clock() - begin;
    if (options_.deterministic) {
      const trace_span span(r, "smallest parents");
      const double from = r.clock();
      search.smallest_parents(r, all_depths);
      out.deterministic = r.clock() - from;
      out.total += out.deterministic;
    }
    out.sent = search.sent();
    // Of what was not told apart there is no phase.
    out.exchange = out.sent.out.seconds;
    out.agree = out.sent.flag.seconds;
    trace_run(r, "bfs", out.ran.began >= 0 ? out.ran.began : begin, out.total);
    out.part = search.take_part();
  }

  window<std::int32_t> make_depths(rank& r) {
    return r.make_window<std::int32_t>(static_cast<std::size_t>(graph_.owners().placed()));
  }

  void run_levels(rank& r, bfs_engine<Id>& engine, std::int64_t local, rank_outcome& out) {
    const int p = r.size();
    exchange<Id> ex;
    const bool exchanges = !steps_alone(graph_.on());
    if (exchanges) {
      algorithm_detail::array_list taken(r);
      ex.list(taken, graph_.owners().local_size(r.id()), graph_.owners().placed(), p);
    }
    window<std::int32_t> all_depths;
    if (options_.deterministic) all_depths = make_depths(r);
    if (exchanges) {
      scalar_plan<std::int64_t> plan(r);
      r.barrier();
      return step_levels(r, engine, &ex, plan, local, all_depths, out);
    }
    alone agreement;
    step_levels(r, engine, nullptr, agreement, local, all_depths, out);
  }

  /// Agreement with nobody.
  struct alone {
    std::int64_t allreduce(std::int64_t value, reduction) { return value; }
    [[nodiscard]] static std::int64_t messages() { return 0; }
    [[nodiscard]] static std::int64_t bytes() { return 0; }
  };

  template <class Agreement>
  void step_levels(rank& r, bfs_engine<Id>& engine, const exchange<Id>* ex, Agreement& agreement,
                   std::int64_t local, const window<std::int32_t>& all_depths, rank_outcome& out) {
    direction_policy policy(options_, graph_.vertices(), graph_.arcs(), graph_.has_in_adjacency());
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
    step_result frontier = agree(engine.begin(r, ex, local));
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
  std::vector<std::unique_ptr<rank_search<Id>>> searches_;
};

}  // namespace gossamer::bfs_detail
