#include "algorithm/engine_choice.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync) {
  require(asked == "auto" || asked == "sync" || asked == "async",
          algorithm + ": unknown engine '" + asked + "' (there are auto, sync, async)");
  for (int r = 0; r < m.size(); ++r)
    if (m[r].is_cuda())
      throw not_compiled(algorithm + " on GPUs", "this version runs it on CPU ranks; rank " +
                                                     std::to_string(r) + " is " + m[r].name +
                                                     " (give the machine cpu)");
  if (asked != "auto") return {asked, "asked for"};
  return {"sync", why_sync};
}

}  // namespace gossamer::algorithm_detail
