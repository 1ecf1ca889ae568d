// What the drivers of algorithms have in common. A search is prepared for a graph once: engine and
// ranks are chosen, memory is planned and refused, the graph is placed, processes agree. Then it
// runs as often as it is asked to.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/driver/chosen_ranks.hpp"
#include "algorithm/driver/common_terms.hpp"
#include "algorithm/driver/memory_layout.hpp"
#include "algorithm/driver/option_table.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/graph/mapped_file.hpp"
#include "gossamer/placement/kept.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::algorithm_detail {

/// What was asked for, and where it runs.
template <class Options>
struct prepared {
  graph_file file;
  chosen_ranks ranks;
  machine* on;
  Options options;  ///< the engine by its name
  engine_choice engine;

  prepared(machine& all, const graph& g, settled<Options> asked, chosen_ranks chosen)
      : file(g),
        ranks(std::move(chosen)),
        on(&ranks.of(all)),
        options(std::move(asked.options)),
        engine(std::move(asked.engine)) {}
  ~prepared() = default;
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;

  /// Of a run that begins now; input_error where the graph's file has changed. Who runs checks the
  /// file once more when the run has ended.
  template <class Result>
  [[nodiscard]] Result result() const {
    file.check();
    Result result;
    result.engine = engine.name;
    result.engine_reason = engine.reason;
    result.ranks_used = on->size();
    result.ranks_reason = ranks.reason();
    return result;
  }
};

/// Sets arenas of `options.run`, and what processes must have been given alike: `terms` and these.
template <class Options>
void agree_on(common_terms& terms, Options& options, const memory_layout& layout) {
  options.run.arenas = layout.arenas();
  add_terms(terms, options);
  options.run.terms = terms.add("engine", options.engine).all();
}

/// What lies where, and what it takes.
struct laid_out {
  std::shared_ptr<const placed_graph> placed;  ///< null: engines lay rows out themselves
  memory_plan needs;
};

/// Plans on `m` and refuses what does not fit; places `g` if `how` says so; sets arenas and terms
/// of `options.run`. layout_of(m, p, options) is found beside Problem.
template <class Options, class Problem>
laid_out plan_and_place(machine& m, const graph& g, Options& options, Problem p,
                        std::optional<place_options> how) {
  laid_out laid{nullptr, layout_of(m, p, options).plan(options.memory, options.spill)};
  laid.needs.check();
  auto terms = common_terms(m, table_of<Options>().algorithm, options.run.cancel);
  terms.graph(g);
  if (how) {
    how->columns_on_gpu = laid.needs.columns_on_gpu();
    laid.placed = kept::place(m, g, *how);
    terms.layout(*laid.placed);
    if (p.rows.rows_are != certainty::exact) {  // METIS's shares are known now
      p.rows = rows_of(*laid.placed);
      layout_of(m, p, options).plan(options.memory, options.spill).check();
    }
  }
  agree_on(terms, options, layout_of(m, p, options));
  return laid;
}

/// The search that is kept for these options, or a new one.
template <class Search, class Options>
std::shared_ptr<Search> kept_search(machine& all, const graph& g, const Options& o) {
  std::vector<std::int32_t> part_of;
  if constexpr (requires { o.part_of; }) part_of = o.part_of;
  std::int64_t sources = 0;
  if constexpr (requires { o.sources; }) sources = o.sources;
  return kept::alone<Search>(all, g,
                             kept::text(table_of<Options>().algorithm, kept_text(o), part_of,
                                        sources, configuration::memory()),
                             [&](const graph& bare) {
                               return std::make_shared<Search>(all, bare, kept::without_trace(o));
                             });
}

}  // namespace gossamer::algorithm_detail
