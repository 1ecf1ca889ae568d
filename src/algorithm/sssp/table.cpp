// Engines and options of sssp.
#include "algorithm/driver/tables.hpp"

namespace gossamer {

namespace algorithm_detail {

namespace {

option_table<sssp_options> make_sssp_table() {
  option_table<sssp_options> table{
      "sssp",
      {{.name = "sync",
        .meaning = "delta-stepping: buckets of distances, one after the other",
        .chosen = "on CPU ranks, and on GPUs unless all of several are asked for"},
       {.name = "async",
        .meaning = "no buckets: a distributed worklist in the rough order of distances",
        .chosen = "where all of several GPUs are asked for, and their kernels run together"},
       {.name = "host",
        .meaning = "the worklist of async, each round launched and each message sent by the host",
        .chosen = "where all of several GPUs are asked for, and their kernels take turns",
        .cpus = false},
       {.name = "tasks",
        .meaning = "delta-stepping by tasks that wait for memory and messages, one thread a rank",
        .gpus = false}},
      {option_of<&sssp_options::delta>(
           {.name = "delta",
            .unit = "unit of weights",
            .meaning = "width of a bucket, or of the worklist's first window; without it chosen"}),
       option_of<&sssp_options::parents>(
           {.name = "parents", .meaning = "find a tree of shortest paths, too"}),
       option_of<&sssp_options::deterministic>(
           {.name = "deterministic", .meaning = "the same parents in every run, as they are"})}};
  append(table.options, worklist_options_of<sssp_options>({"async", "host"}, true));
  append(table.options, message_options<sssp_options>({"host"}));
  append(table.options, placement_options<sssp_options>());
  return table;
}

}  // namespace

const option_table<sssp_options>& sssp_table() {
  static const option_table<sssp_options> table = make_sssp_table();
  return table;
}

}  // namespace algorithm_detail

template <>
sssp_options options_from(std::span<const std::pair<std::string, option_value>> named) {
  return algorithm_detail::from_values(algorithm_detail::sssp_table(), named);
}

}  // namespace gossamer
