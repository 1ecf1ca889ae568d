#include "algorithm/engine_choice.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

namespace {

void check_name(const std::string& algorithm, const std::string& asked, bool has_async) {
  if (asked == "auto" || asked == "sync" || (asked == "async" && has_async)) return;
  if (asked == "async")
    throw not_compiled("engine 'async' of " + algorithm,
                       "it needs the distributed worklist, which this version runs no " +
                           algorithm + " on; there are auto, sync");
  throw usage_error(algorithm + ": unknown engine '" + asked + "' (there are auto, sync" +
                    (has_async ? ", async)" : "; not in this version: async)"));
}

}  // namespace

engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync) {
  check_name(algorithm, asked, !why_sync.empty());
  for (int r = 0; r < m.size(); ++r)
    if (m[r].is_cuda())
      throw not_compiled(algorithm + " on GPUs", "this version runs it on CPU ranks; rank " +
                                                     std::to_string(r) + " is " + m[r].name +
                                                     " (give the machine cpu)");
  if (asked != "auto") return {asked, "asked for"};
  return {"sync", why_sync.empty() ? "the only one in this version" : why_sync};
}

}  // namespace gossamer::algorithm_detail
