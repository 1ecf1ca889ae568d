// The engines of shortest paths, each defined in its folder.
#pragma once

#include "algorithm/sssp/engine.hpp"

namespace gossamer::sssp_detail {

const engine_kind& sync_kind();
const engine_kind& async_kind();
const engine_kind& host_kind();
const engine_kind& tasks_kind();

}  // namespace gossamer::sssp_detail
