// The engines of random walks, each defined in its folder.
#pragma once

#include "algorithm/random_walks/engine.hpp"

namespace gossamer::random_walks_detail {

const engine_kind& sync_kind();

}  // namespace gossamer::random_walks_detail
