// The engines of triangles, each defined in its folder.
#pragma once

#include "algorithm/triangles/engine.hpp"

namespace gossamer::triangles_detail {

const engine_kind& sync_kind();

}  // namespace gossamer::triangles_detail
