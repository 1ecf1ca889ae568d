// The engines of communities, each defined in its folder.
#pragma once

#include "algorithm/communities/engine.hpp"

namespace gossamer::communities_detail {

const engine_kind& sync_kind();

}  // namespace gossamer::communities_detail
