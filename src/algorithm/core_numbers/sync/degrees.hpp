// Degrees that core numbers begin with, and the rows they are counted from; they stay with the
// graph.
#pragma once

#include <memory>

#include "algorithm/core_numbers/engine.hpp"
#include "algorithm/layouts/simple_degrees.hpp"

namespace gossamer::core_numbers_detail {

/// `seconds`: what counting took; 0 where they were there.
std::shared_ptr<const algorithm_detail::simple_degrees> degrees_of(const preparation& from,
                                                                   double& seconds);

}  // namespace gossamer::core_numbers_detail
