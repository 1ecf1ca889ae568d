// Engines and options of pagerank.
#include "algorithm/driver/option_table.hpp"
#include "algorithm/pagerank/kinds.hpp"
#include "gossamer/algorithm/pagerank.hpp"

namespace gossamer {

namespace pagerank_detail {

namespace {

constexpr algorithm_detail::kind_list kinds("pagerank",
                                            std::array{sync_kind, async_kind, host_kind});

}  // namespace

const engine_kind& kind_of(std::string_view name) {
  return kinds.named(name);
}

}  // namespace pagerank_detail

template <>
algorithm_detail::option_table<pagerank_options> algorithm_detail::make_table() {
  auto precision = option_of<&pagerank_options::precision>(
      {.name = "precision", .unit = "bits", .meaning = "of a rank: 32 or 64"});
  option_table<pagerank_options> table{
      "pagerank",
      pagerank_detail::kinds.infos(),
      {option_of<&pagerank_options::damping>({.name = "damping",
                                              .least = 0,
                                              .most = 1,
                                              .meaning = "share of steps that follow arcs"}),
       option_of<&pagerank_options::tolerance>(
           {.name = "tolerance",
            .least = 0,
            .unit = "1-norm",
            .meaning = "stop when ranks change by this at most in an iteration"}),
       option_of<&pagerank_options::most_iterations>(
           {.name = "max_iterations", .least = 0, .meaning = "stop after so many"}),
       precision,
       option_of<&pagerank_options::weighted>(
           {.name = "weighted", .meaning = "follow arcs in proportion to their weights"}),
       option_of<&pagerank_options::deterministic>(
           {.name = "deterministic",
            .meaning = "the same bits in every run; engine sync's always are"})}};
  table.options.push_back(option_of<&pagerank_options::steps>(
      {.name = "steps",
       .choices = {"auto", "power"},
       .meaning = "auto takes fewer iterations than power iteration on CPUs, power takes its own",
       .engines = {"sync"}}));
  append(table.options, worklist_options_of<pagerank_options>());
  table.options.push_back(option_of<&pagerank_options::residual>(
      {.name = "residual",
       .least = 0,
       .most = 1,
       .unit = "of the mean rank",
       .meaning = "leave a vertex alone while it waits for less; 0: by the tolerance",
       .engines = {"async", "host"}}));
  append(table.options, message_options<pagerank_options>({"host"}));
  append(table.options, placement_options<pagerank_options>());
  append(table.options, spill_option<pagerank_options>());
  return table;
}

}  // namespace gossamer
