// How searches do what they have in common. A driver defines search_state<Search>, made by
//     static std::unique_ptr<search_state> made(machine&, const graph&, const Options&)
// and planned by `plan` of a graph or its shape, and instantiates prepared_search<Search, Options>.
#pragma once

#include <memory>

#include "algorithm/driver/prepared.hpp"
#include "gossamer/algorithm/prepared_search.hpp"

namespace gossamer {

template <class Search, class Options>
prepared_search<Search, Options>::prepared_search(machine& all, const graph& g,
                                                  const Options& options)
    : state_(state::made(all, g, options)) {}

template <class Search, class Options>
prepared_search<Search, Options>::~prepared_search() = default;
template <class Search, class Options>
prepared_search<Search, Options>::prepared_search(prepared_search&&) noexcept = default;

template <class Search, class Options>
memory_plan prepared_search<Search, Options>::plan(const machine& all, const graph& g,
                                                   const Options& options) {
  return state::plan(all, g, options);
}

template <class Search, class Options>
memory_plan prepared_search<Search, Options>::plan(const machine& all, const graph_shape& g,
                                                   const Options& options) {
  return state::plan(all, g, options);
}

template <class Search, class Options>
void prepared_search<Search, Options>::follow(const run_options& how) {
  state_->options.run.follow(how);
}

template <class Search, class Options>
std::shared_ptr<Search> prepared_search<Search, Options>::prepare(machine& all, const graph& g,
                                                                  const Options& options) {
  return algorithm_detail::kept_search<Search>(all, g, options);
}

namespace algorithm_detail {

/// What a search, kept or new, gives when it runs with these.
template <class Search, class Options, class... Given>
auto run_kept(machine& m, const graph& g, const Options& options, const Given&... given) {
  return kept::run(Search::prepare(m, g, options), options.run,
                   [&](Search& search) { return search.run(given...); });
}

}  // namespace algorithm_detail

}  // namespace gossamer
