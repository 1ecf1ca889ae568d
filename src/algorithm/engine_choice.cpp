#include "algorithm/engine_choice.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

namespace {

/// `m` has GPU ranks.
void check_gpus(const std::string& algorithm, const std::string& asked, const machine& m,
                const engines_offered& offered) {
  const char* mixed = nullptr;
  for (int r = 0; r < m.size(); ++r) {
    if (m[r].process >= 0) mixed = " on GPUs of MPI processes";
    if (!m[r].is_cuda()) mixed = " on CPUs and GPUs together";
  }
  if (mixed != nullptr)
    throw not_compiled(
        algorithm + mixed,
        std::string(offered.async_on_gpus ? "engines sync and async run" : "engine sync runs") +
            " on GPUs of one process (give the machine cuda), every engine on CPU ranks (cpu)");
  if (asked == "tasks" || (asked == "async" && !offered.async_on_gpus))
    throw not_compiled("engine '" + asked + "' of " + algorithm + " on GPUs",
                       std::string("GPUs run engine sync") +
                           (offered.async_on_gpus ? " and async; " : "; ") + asked +
                           " runs on CPU ranks (give the machine cpu)");
}

}  // namespace

engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync,
                            const engines_offered& offered) {
  require(
      asked == "auto" || asked == "sync" || asked == "async" || (offered.tasks && asked == "tasks"),
      algorithm + ": unknown engine '" + asked + "' (there are auto, sync, async" +
          (offered.tasks ? ", tasks)" : ")"));
  bool gpus = false;
  for (int r = 0; r < m.size(); ++r) gpus = gpus || m[r].is_cuda();
  if (gpus) check_gpus(algorithm, asked, m, offered);
  if (asked != "auto") return {asked, "asked for"};
  return {"sync", why_sync};
}

}  // namespace gossamer::algorithm_detail
