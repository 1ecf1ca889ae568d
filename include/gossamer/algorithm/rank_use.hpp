// Which of a machine's ranks an algorithm works on.
#pragma once

#include <cstdint>

namespace gossamer {

enum class rank_use : std::uint8_t {
  automatic,  ///< of GPUs only one where several would take longer to agree than they save
  all
};

}  // namespace gossamer
