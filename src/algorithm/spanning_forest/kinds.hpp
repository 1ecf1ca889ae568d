// The engines of spanning forests, each defined in its folder.
#pragma once

#include "algorithm/spanning_forest/engine.hpp"

namespace gossamer::spanning_forest_detail {

const engine_kind& sync_kind();

}  // namespace gossamer::spanning_forest_detail
