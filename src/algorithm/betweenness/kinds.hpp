// The engines of betweenness, each defined in its folder.
#pragma once

#include "algorithm/betweenness/engine.hpp"

namespace gossamer::betweenness_detail {

const engine_kind& sync_kind();

}  // namespace gossamer::betweenness_detail
