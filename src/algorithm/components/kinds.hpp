// The engines of components, each defined in its folder.
#pragma once

#include "algorithm/components/engine.hpp"

namespace gossamer::components_detail {

const engine_kind& sync_kind();
const engine_kind& async_kind();
const engine_kind& host_kind();
const engine_kind& tasks_kind();
const engine_kind& routed_kind();

}  // namespace gossamer::components_detail
