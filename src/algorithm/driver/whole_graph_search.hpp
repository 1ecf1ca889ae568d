// Searches whose engines read a graph as it is, on ranks of one process: how they are checked,
// planned and made. A driver derives search_state<Search> from this, and says in it where its
// search differs; what every driver must say is
//     template <class Graph>  // a graph or its shape
//     static memory_layout layout(const machine&, const Graph&, const Options&)
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "algorithm/driver/prepared_search.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

/// `KindOf`: the engine_kind of a name.
template <class Search, class Options, auto KindOf>
struct whole_graph_state : prepared<Options> {
  using own = search_state<Search>;
  using engine_type = typename std::remove_cvref_t<decltype(KindOf({}))>::engine_type;

  graph of;  ///< what the engine reads
  std::unique_ptr<engine_type> engine_made;

  whole_graph_state(machine& all, const graph& g, settled<Options> asked, chosen_ranks chosen)
      : prepared<Options>(all, g, std::move(asked), std::move(chosen)),
        of(own::read(g, this->options)) {}

  static std::unique_ptr<own> made(machine& all, const graph& g, const Options& given) {
    auto asked = own::settled_on(all, given);
    const std::string& name = table_of<Options>().algorithm;
    g.require_here();
    require(!g.offsets.empty(), name + ": the graph has no offsets, not even of no vertices");
    own::check(g, asked.options);
    auto ranks = ranks_of(all, asked.options, g.symmetric);
    auto made = std::make_unique<own>(all, g, std::move(asked), std::move(ranks));
    const auto layout = own::layout(*made->on, made->of, made->options);
    layout.plan(made->options.memory).check();
    own::check_values(made->of, made->options);
    made->options.run.arenas = layout.arenas();
    made->engine_made = KindOf(made->engine.name).make({*made->on, made->of, made->options});
    return made;
  }

  /// `g`: a graph or its shape.
  template <class Graph>
  static memory_plan plan(const machine& all, const Graph& g, const Options& given) {
    const auto options = own::settled_on(all, given).options;
    const auto ranks = ranks_of(all, options, g.symmetric);
    return own::layout(ranks.of(all), g, options).plan(options.memory);
  }

  /// To the trace of a run that has ended.
  template <class Result>
  void describe(const Result& of_run, const char* what, std::int64_t count) const {
    if (this->options.run.trace)
      this->options.run.trace->describe(table_of<Options>().algorithm, of_run.milliseconds,
                                        {{what, count}}, of_run.engine);
  }

  // --- what a driver may say in another way ------------------------------------------------------

  static settled<Options> settled_on(const machine& all, const Options& asked) {
    return settle(asked, all);
  }
  /// usage_error for a graph that the search cannot be of.
  static void check(const graph&, const Options&) {}
  /// Of a machine of GPUs: why the first of several ranks works alone; empty where all work.
  static std::string why_one(const machine&, const Options&, [[maybe_unused]] bool symmetric) {
    return {};
  }
  /// Most have no use for weights.
  static graph read(graph g, const Options&) {
    g.weights = {};
    return g;
  }
  /// Once there is memory: arc_error for what no weight may be.
  static void check_values(const graph&, const Options&) {}

 protected:
  static chosen_ranks ranks_of(const machine& all, const Options& options, bool symmetric) {
    const std::string why = all[0].is_cuda() ? own::why_one(all, options, symmetric) : "";
    return {all, rank_use::automatic, why};
  }
};

}  // namespace gossamer::algorithm_detail
