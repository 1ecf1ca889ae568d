#include "algorithm/bfs/option_checks.hpp"

#include <algorithm>
#include <string>

#include "algorithm/bfs/program.hpp"
#include "algorithm/driver/balance_choice.hpp"
#include "algorithm/driver/priority_choice.hpp"
#include "algorithm/host_driven/drive.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::bfs_detail {

namespace {

void check_engine(const std::string& name) {
  if (name == "auto" || name == "sync" || find_program(name) != nullptr) return;
  throw usage_error("bfs: unknown engine '" + name + "' (there are auto, sync, " + program_names() +
                    ")");
}

/// An option of engine vector-queue alone; the first choice is every engine's.
void check_choice(const std::string& option, const std::string& value, const std::string& engine,
                  std::initializer_list<const char*> choices) {
  std::string all;
  for (const char* choice : choices) all += (all.empty() ? "" : ", ") + std::string(choice);
  require(std::find(choices.begin(), choices.end(), value) != choices.end(),
          "bfs: unknown " + option + " '" + value + "' (there are " + all + ")");
  require(value == *choices.begin() || engine == "vector-queue",
          "bfs: " + option + " '" + value + "' is for engine 'vector-queue'");
}

void check_choices(const bfs_options& options) {
  check_choice("transport", options.transport, options.engine, {"auto", "copy", "direct"});
  check_choice("results", options.results, options.engine,
               {"stay", "serial", "slices", "overlapped"});
  check_choice("duplicates", options.duplicates, options.engine, {"vector", "sort-unique"});
}

}  // namespace

algorithm_detail::engine_choice check_asked(const machine& m, const bfs_options& options) {
  check_engine(options.engine);
  check_choices(options);
  auto engine = engine_on(m, options.engine);
  if (engine.name == "host") {
    bool gpus = false;
    for (int r = 0; r < m.size(); ++r) gpus = gpus || m[r].is_cuda();
    algorithm_detail::require_gpus_for_host("bfs", gpus);
  }
  algorithm_detail::check_route("bfs", options, engine.name);
  algorithm_detail::check_balance("bfs", options.balance, engine.name, m);
  algorithm_detail::check_priority("bfs", options.priority, engine.name, m);
  return engine;
}

}  // namespace gossamer::bfs_detail
