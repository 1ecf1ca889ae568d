// Engines and options of bfs.
#include "algorithm/driver/tables.hpp"

namespace gossamer {

namespace algorithm_detail {

namespace {

option_table<bfs_options> make_bfs_table() {
  option_table<bfs_options> table{
      "bfs",
      {{.name = "sync",
        .meaning = "levels that the host steps, down from queues or up over bitmaps",
        .chosen = "where single_kernel does not run",
        .mixed = true,
        .gpus_of_processes = true},
       {.name = "single_kernel",
        .meaning = "one kernel on each GPU runs all levels, no host between them",
        .chosen = "on GPUs that address each other and run their kernels together",
        .cpus = false},
       {.name = "async",
        .meaning = "no levels: a distributed worklist in the rough order of depths"},
       {.name = "host",
        .meaning = "the worklist of async, each round launched and each message sent by the host",
        .cpus = false},
       {.name = "tasks",
        .meaning = "levels by tasks that wait for memory and messages, one thread a rank",
        .gpus = false},
       {.name = "published",
        .meaning = "paper B's, with messages of fixed size, for comparison",
        .gpus = false},
       {.name = "vector-queue",
        .meaning = "paper A's, whose work memory does not depend on the number of arcs",
        .mixed = true,
        .gpus_of_processes = true}},
      {option_of<&bfs_options::direction>(
           {.name = "direction",
            .choices = {"auto", "top-down", "bottom-up"},
            .meaning = "from the frontier to its neighbours, or from the unreached to theirs"}),
       option_of<&bfs_options::alpha>(
           {.name = "alpha",
            .meaning = "turns bottom-up when frontier arcs exceed unexplored ones over alpha"}),
       option_of<&bfs_options::beta>(
           {.name = "beta",
            .meaning = "turns top-down again when the frontier has fewer than vertices over beta"}),
       option_of<&bfs_options::deterministic>(
           {.name = "deterministic",
            .meaning = "the parent of every vertex is the smallest possible one"}),
       option_of<&bfs_options::transport>(
           {.name = "transport",
            .choices = {"auto", "copy", "direct"},
            .meaning = "how queues of other ranks are reached: copied, or read where they are",
            .engines = {"vector-queue"}}),
       option_of<&bfs_options::results>(
           {.name = "results",
            .choices = {"stay", "serial", "slices", "overlapped"},
            .meaning = "whether parents and depths stay on their ranks, or how the host gets them",
            .engines = {"vector-queue"}}),
       option_of<&bfs_options::duplicates>({.name = "duplicates",
                                            .choices = {"vector", "sort-unique"},
                                            .meaning = "how two parents of a vertex are told apart",
                                            .engines = {"vector-queue"}})}};
  append(table.options, worklist_options_of<bfs_options>({"async"}, false));
  append(table.options, message_options<bfs_options>({"host"}));
  return table;
}

}  // namespace

const option_table<bfs_options>& bfs_table() {
  static const option_table<bfs_options> table = make_bfs_table();
  return table;
}

}  // namespace algorithm_detail

template <>
bfs_options options_from(std::span<const std::pair<std::string, option_value>> named) {
  return algorithm_detail::from_values(algorithm_detail::bfs_table(), named);
}

}  // namespace gossamer
