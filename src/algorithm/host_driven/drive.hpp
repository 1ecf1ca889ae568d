// What drives a worklist on GPUs, as an algorithm's options say it: one kernel a GPU (engine
// async), or a host thread a GPU (engine host). Known without CUDA, for options and plans.
#pragma once

#include <string>

#include "algorithm/driver/memory_layout.hpp"
#include "algorithm/driver/vertex_worklist.hpp"
#include "algorithm/host_driven/route.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::algorithm_detail {

/// Alone, or with CPU ranks beside them, which engine host has.
inline bool has_gpus(const machine& m) {
  for (int r = 0; r < m.size(); ++r)
    if (m[r].is_cuda()) return true;
  return false;
}

struct list_drive {
  bool by_host = false;
  host_list_options options;  ///< name and delta are for either
};

/// `options`: an algorithm's, with `route`, `packet`, `balance` and `priority`; `engine`: that
/// runs, by its name. `delta`: width of the first window; 0: there are no windows.
template <class Options>
list_drive drive_of(const std::string& what, const Options& options, const std::string& engine,
                    double delta) {
  const bool by_host = engine == "host";
  if (!is_soft(options)) delta = 0;
  if (by_host && delta == 0) delta = one_window;  // a host thread has windows always
  return {by_host,
          {what, route_by_name(what, options.route), delta,
           static_cast<std::size_t>(options.packet), options.balance == "steal"}};
}

/// What lists and messages of a rank take, rows apart.
struct list_memory {
  std::int64_t work = 0;  ///< of its GPU: values, lists, marks
  arena_plan windows = {0, 0};
};

/// `lists`: what the plan calls the former.
inline void declare_list(memory_layout& layout, int rank, const list_memory& takes,
                         const std::string& lists, certainty rows) {
  layout.own(rank, lists, takes.work, rows);
  layout.window(rank, "messages", static_cast<std::int64_t>(takes.windows.native), rows);
  layout.host_window(rank, "messages", static_cast<std::int64_t>(takes.windows.host), rows);
}

}  // namespace gossamer::algorithm_detail
