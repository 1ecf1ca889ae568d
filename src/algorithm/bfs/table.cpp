// Engines and options of bfs.
#include "algorithm/bfs/async/async.hpp"
#include "algorithm/bfs/published/published.hpp"
#include "algorithm/bfs/rank_search.hpp"
#include "algorithm/bfs/tasks/tasks.hpp"
#include "algorithm/bfs/vector_queue/vector_queue.hpp"
#include "algorithm/driver/one_kernel.hpp"
#include "algorithm/driver/option_table.hpp"
#include "gossamer/algorithm/bfs.hpp"

namespace gossamer {

namespace bfs_detail {

namespace {

struct engine {
  engine_info info;
  const engine_functions* functions;  ///< null: the driver steps levels
};

const std::vector<engine>& engines() {
  static const std::vector<engine> all = {
      {{.name = "sync",
        .meaning = "levels that the host steps, down from queues or up over bitmaps",
        .chosen = "where single_kernel does not run",
        .mixed = true,
        .gpus_of_processes = true},
       nullptr},
      {{.name = "single_kernel",
        .meaning = "one kernel on each GPU runs all levels, no host between them",
        .chosen = "on GPUs that address each other and run their kernels together",
        .cpus = false},
       &single_kernel_engine},
      {{.name = "async",
        .meaning = "no levels: a distributed worklist in the rough order of depths"},
       &async_engine},
      {{.name = "host",
        .meaning = "the worklist of async, each round launched and each message sent by the host",
        .cpus = false,
        .gpus_of_processes = true},
       &host_engine},
      {{.name = "tasks",
        .meaning = "levels by tasks that wait for memory and messages, one thread a rank",
        .gpus = false},
       &tasks_engine},
      {{.name = "published",
        .meaning = "paper B's, with messages of fixed size, for comparison",
        .mixed = true,
        .gpus_of_processes = true},
       &published_engine},
      {{.name = "vector_queue",
        .meaning = "paper A's, whose work memory does not depend on the number of arcs",
        .mixed = true,
        .gpus_of_processes = true},
       &vector_queue_engine}};
  return all;
}

}  // namespace

const engine_functions* functions_of(std::string_view name) {
  for (const engine& e : engines())
    if (e.info.name == name) return e.functions;
  return nullptr;
}

algorithm_detail::settled<bfs_options> settle(const machine& m, const bfs_options& asked) {
  return algorithm_detail::settle(asked, m,
                                  [&](const bfs_options&) -> algorithm_detail::engine_choice {
                                    const std::string lacks = lacks_for_one_kernel(m);
                                    if (lacks.empty())
                                      return {"single_kernel", "chosen, no host between levels"};
                                    return {"sync", "chosen, single_kernel needs " + lacks};
                                  });
}

}  // namespace bfs_detail

template <>
algorithm_detail::option_table<bfs_options> algorithm_detail::make_table() {
  option_table<bfs_options> table{
      "bfs",
      {},
      {option_of<&bfs_options::direction>(
           {.name = "direction",
            .choices = {"auto", "top-down", "bottom-up"},
            .meaning = "from the frontier to its neighbours, or from the unreached to theirs"}),
       option_of<&bfs_options::alpha>(
           {.name = "alpha",
            .meaning = "turns bottom-up when frontier arcs exceed unexplored ones over alpha; "
                       "15 is less for single_kernel where no row is long"}),
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
            .engines = {"vector_queue"}}),
       option_of<&bfs_options::results>(
           {.name = "results",
            .choices = {"stay", "serial", "slices", "overlapped"},
            .meaning = "whether parents and depths stay on their ranks, or how the host gets them",
            .engines = {"vector_queue"}}),
       option_of<&bfs_options::label_bytes>(
           {.name = "label_bytes",
            .unit = "bytes",
            .meaning =
                "of a parent on its way to the host, 4 or 8; 0: 8 with serial, as published, "
                "else an id's",
            .engines = {"vector_queue"}}),
       option_of<&bfs_options::duplicates>({.name = "duplicates",
                                            .choices = {"vector", "sort-unique"},
                                            .meaning = "how two parents of a vertex are told apart",
                                            .engines = {"vector_queue"}})}};
  for (const auto& e : bfs_detail::engines()) table.engines.push_back(e.info);
  append(table.options, worklist_options_of<bfs_options>());
  append(table.options, message_options<bfs_options>({"host"}));
  return table;
}

}  // namespace gossamer
