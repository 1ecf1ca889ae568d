// Which engine runs an algorithm, and why.
#pragma once

#include <string>

namespace gossamer::algorithm_detail {

/// An engine, and the reason for it in words.
struct engine_choice {
  std::string name, reason;
};

}  // namespace gossamer::algorithm_detail
