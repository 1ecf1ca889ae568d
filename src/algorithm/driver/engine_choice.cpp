#include "algorithm/driver/engine_choice.hpp"

#include <algorithm>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

namespace {

bool is_one_of(const std::vector<std::string>& engines, const std::string& name) {
  return std::find(engines.begin(), engines.end(), name) != engines.end();
}

/// What runs on GPUs: sync, async, and what else of an algorithm's does.
std::string on_gpus(const std::vector<std::string>& further) {
  std::string names = further.empty() ? "sync" : "sync, async";
  for (std::size_t i = 0; i + 1 < further.size(); ++i) names += ", " + further[i];
  return names + " and " + (further.empty() ? "async" : further.back());
}

/// `m` has GPU ranks.
void check_gpus(const std::string& algorithm, const std::string& asked, const machine& m,
                const std::vector<std::string>& further) {
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
                           (is_one_of(further, "routed") ? ", routed on all together" : ""));
  if (asked != "auto" && asked != "sync" && asked != "async" && !is_one_of(further, asked))
    throw not_compiled("engine '" + asked + "' of " + algorithm + " on GPUs",
                       "GPUs run engine " + on_gpus(further) + "; " + asked +
                           " runs on CPU ranks (give the machine cpu)");
}

}  // namespace

void require_gpus_for_host(const std::string& algorithm, bool gpus) {
  require(gpus, algorithm +
                    ": engine 'host' is host threads that drive GPUs, and this machine has none "
                    "(give it cuda; CPU ranks run the same worklist as engine async)");
}

engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync,
                            std::initializer_list<std::string_view> further) {
  bool known = asked == "auto" || asked == "sync" || asked == "async";
  std::string names = "auto, sync, async";
  std::vector<std::string> also_on_gpus;
  for (const std::string_view engine : further) {
    known = known || asked == engine;
    if (engine == "host" || engine == "routed") also_on_gpus.emplace_back(engine);
    names.append(", ").append(engine);
  }
  require(known, algorithm + ": unknown engine '" + asked + "' (there are " + names + ")");
  bool gpus = false;
  for (int r = 0; r < m.size(); ++r) gpus = gpus || m[r].is_cuda();
  if (gpus) check_gpus(algorithm, asked, m, also_on_gpus);
  if (asked == "host") require_gpus_for_host(algorithm, gpus);
  if (asked != "auto") return {asked, "asked for"};
  return {"sync", why_sync};
}

}  // namespace gossamer::algorithm_detail
