#include "algorithm/driver/priority_choice.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

bool soft_priority(const std::string& algorithm, const std::string& priority) {
  require(priority == "soft" || priority == "none",
          algorithm + ": there is no priority '" + priority + "': soft and none are");
  return priority == "soft";
}

void check_priority(const std::string& algorithm, const std::string& priority,
                    const std::string& engine, const machine& m) {
  if (soft_priority(algorithm, priority)) return;
  require(engine == "async",
          algorithm + ": priority 'none' is of engine 'async', and this is '" + engine + "'");
  if (m[0].is_cuda())
    throw not_compiled("priority 'none' of " + algorithm + " on GPUs",
                       "it is for CPU and modelled ranks");
}

}  // namespace gossamer::algorithm_detail
