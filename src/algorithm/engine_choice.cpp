#include "algorithm/engine_choice.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

namespace {

/// `m` has GPU ranks.
void check_gpus(const std::string& algorithm, const std::string& asked, const machine& m) {
  const char* mixed = nullptr;
  for (int r = 0; r < m.size(); ++r) {
    if (m[r].process >= 0) mixed = " on GPUs of MPI processes";
    if (!m[r].is_cuda()) mixed = " on CPUs and GPUs together";
  }
  if (mixed != nullptr)
    throw not_compiled(algorithm + mixed,
                       "engines sync and async run on GPUs of one process (give the machine "
                       "cuda), every engine on CPU ranks (cpu)");
  if (asked == "tasks")
    throw not_compiled("engine 'tasks' of " + algorithm + " on GPUs",
                       "GPUs run engine sync and async; tasks runs on CPU ranks (give the machine "
                       "cpu)");
}

}  // namespace

engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync, bool tasks) {
  require(asked == "auto" || asked == "sync" || asked == "async" || (tasks && asked == "tasks"),
          algorithm + ": unknown engine '" + asked + "' (there are auto, sync, async" +
              (tasks ? ", tasks)" : ")"));
  bool gpus = false;
  for (int r = 0; r < m.size(); ++r) gpus = gpus || m[r].is_cuda();
  if (gpus) check_gpus(algorithm, asked, m);
  if (asked != "auto") return {asked, "asked for"};
  return {"sync", why_sync};
}

}  // namespace gossamer::algorithm_detail
