// A directed graph's arcs reversed, which stay with it.
#pragma once

#include <memory>

#include "algorithm/strong_components/engine.hpp"

namespace gossamer::strong_components_detail {

/// Null of a symmetric graph. `seconds`: what reversing took; 0 where they were there.
std::shared_ptr<const graph> reversed_of(const preparation& from, double& seconds);

}  // namespace gossamer::strong_components_detail
