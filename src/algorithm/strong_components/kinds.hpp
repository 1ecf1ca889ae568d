// The engines of strong components, each defined in its folder.
#pragma once

#include "algorithm/strong_components/engine.hpp"

namespace gossamer::strong_components_detail {

const engine_kind& sync_kind();

}  // namespace gossamer::strong_components_detail
