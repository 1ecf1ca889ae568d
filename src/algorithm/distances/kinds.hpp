// The engines of distances, each defined in its folder.
#pragma once

#include "algorithm/distances/engine.hpp"

namespace gossamer::distances_detail {

const engine_kind& sync_kind();

}  // namespace gossamer::distances_detail
