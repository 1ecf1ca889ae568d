#include "algorithm/engine_choice.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

namespace {

/// What runs on GPUs beside sync and async: "" = nothing.
std::string on_gpus(const std::string& further) {
  return further.empty() ? "sync and async" : "sync, async and " + further;
}

/// `m` has GPU ranks.
void check_gpus(const std::string& algorithm, const std::string& asked, const machine& m,
                const std::string& further) {
  const char* mixed = nullptr;
  for (int r = 0; r < m.size(); ++r) {
    if (m[r].process >= 0) mixed = " on GPUs of MPI processes";
    if (!m[r].is_cuda()) mixed = " on CPUs and GPUs together";
  }
  if (mixed != nullptr)
    throw not_compiled(algorithm + mixed,
                       "engines " + on_gpus(further) +
                           " run on GPUs of one process (give the machine cuda), every engine on "
                           "CPU ranks (cpu)" +
                           (further == "routed" ? ", routed on all together" : ""));
  if (asked != "auto" && asked != "sync" && asked != "async" && asked != further)
    throw not_compiled("engine '" + asked + "' of " + algorithm + " on GPUs",
                       "GPUs run engine " + on_gpus(further) + "; " + asked +
                           " runs on CPU ranks (give the machine cpu)");
}

}  // namespace

engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync,
                            std::initializer_list<std::string_view> further) {
  bool known = asked == "auto" || asked == "sync" || asked == "async";
  std::string names = "auto, sync, async", also_on_gpus;
  for (const std::string_view engine : further) {
    known = known || asked == engine;
    if (engine == "host" || engine == "routed") also_on_gpus = engine;
    names.append(", ").append(engine);
  }
  require(known, algorithm + ": unknown engine '" + asked + "' (there are " + names + ")");
  bool gpus = false;
  for (int r = 0; r < m.size(); ++r) gpus = gpus || m[r].is_cuda();
  if (gpus) check_gpus(algorithm, asked, m, also_on_gpus);
  require(gpus || asked != "host",
          algorithm +
              ": engine 'host' is host threads that drive GPUs, and this machine has none "
              "(give it cuda; CPU ranks run the same worklist as engine async)");
  if (asked != "auto") return {asked, "asked for"};
  return {"sync", why_sync};
}

}  // namespace gossamer::algorithm_detail
