#include "algorithm/engine_choice.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m) {
  if (asked == "async")
    throw not_compiled("engine 'async' of " + algorithm,
                       "it needs the distributed worklist, which this version runs no " +
                           algorithm + " on; there are auto, sync");
  if (asked != "auto" && asked != "sync")
    throw usage_error(algorithm + ": unknown engine '" + asked +
                      "' (there are auto, sync; not in this version: async)");
  for (int r = 0; r < m.size(); ++r)
    if (m[r].is_cuda())
      throw not_compiled(algorithm + " on GPUs", "this version runs it on CPU ranks; rank " +
                                                     std::to_string(r) + " is " + m[r].name +
                                                     " (give the machine cpu)");
  return {"sync", asked == "sync" ? "asked for" : "the only one in this version"};
}

}  // namespace gossamer::algorithm_detail
