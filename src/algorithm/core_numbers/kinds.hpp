// The engines of core numbers, each defined in its folder.
#pragma once

#include "algorithm/core_numbers/engine.hpp"

namespace gossamer::core_numbers_detail {

const engine_kind& sync_kind();

}  // namespace gossamer::core_numbers_detail
