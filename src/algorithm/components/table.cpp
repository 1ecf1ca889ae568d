// Engines and options of components.
#include "algorithm/driver/tables.hpp"

namespace gossamer {

namespace algorithm_detail {

namespace {

option_table<components_options> make_components_table() {
  option_table<components_options> table{
      "components",
      {{.name = "sync",
        .meaning = "hook and compress, then merge by pairs of ranks",
        .chosen = "always"},
       {.name = "async",
        .meaning = "no phases: the smallest label spreads by a distributed worklist"},
       {.name = "host",
        .meaning = "the worklist of async, each round launched and each message sent by the host",
        .cpus = false},
       {.name = "tasks",
        .meaning = "a forest a rank, joined by tasks that wait for memory and messages",
        .gpus = false},
       {.name = "routed",
        .meaning = "edges go to whichever rank is free, labels merge in a tree of ranks",
        .mixed = true}},
      {option_of<&components_options::deterministic>(
          {.name = "deterministic", .meaning = "the same labels in every run, as they are"})}};
  append(table.options, worklist_options_of<components_options>({"async"}, false));
  append(table.options, message_options<components_options>({"routed", "host"}));
  append(table.options, placement_options<components_options>());
  return table;
}

}  // namespace

const option_table<components_options>& components_table() {
  static const option_table<components_options> table = make_components_table();
  return table;
}

}  // namespace algorithm_detail

template <>
components_options options_from(std::span<const std::pair<std::string, option_value>> named) {
  return algorithm_detail::from_values(algorithm_detail::components_table(), named);
}

}  // namespace gossamer
