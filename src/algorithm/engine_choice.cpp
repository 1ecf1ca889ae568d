#include "algorithm/engine_choice.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

namespace {

/// `m` has GPU ranks.
void check_gpus(const std::string& algorithm, const std::string& asked, const machine& m,
                gpu_engines on_gpus) {
  const char* mixed = nullptr;
  for (int r = 0; r < m.size(); ++r) {
    if (m[r].process >= 0) mixed = " on GPUs of MPI processes";
    if (!m[r].is_cuda()) mixed = " on CPUs and GPUs together";
  }
  if (mixed != nullptr)
    throw not_compiled(
        algorithm + mixed,
        std::string(on_gpus == gpu_engines::both ? "both engines run" : "engine sync runs") +
            " on GPUs of one process (give the machine cuda), both "
            "engines on CPU ranks (cpu)");
  if (asked == "async" && on_gpus == gpu_engines::sync)
    throw not_compiled("engine 'async' of " + algorithm + " on GPUs",
                       "GPUs run engine sync; async runs on CPU ranks (give the machine cpu)");
}

}  // namespace

engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync, gpu_engines on_gpus) {
  require(asked == "auto" || asked == "sync" || asked == "async",
          algorithm + ": unknown engine '" + asked + "' (there are auto, sync, async)");
  bool gpus = false;
  for (int r = 0; r < m.size(); ++r) gpus = gpus || m[r].is_cuda();
  if (gpus) check_gpus(algorithm, asked, m, on_gpus);
  if (asked != "auto") return {asked, "asked for"};
  return {"sync", why_sync};
}

}  // namespace gossamer::algorithm_detail
