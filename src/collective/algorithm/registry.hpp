// The table of algorithms: name, description, and the function that writes one rank's part.
#pragma once

#include <span>

#include "collective/algorithm/builder.hpp"
#include "gossamer/collective/schedule.hpp"

namespace gossamer {

/// Position in collective_algorithms(); throws usage_error that lists the operation's names.
std::size_t find_algorithm(collective_op op, std::string_view name);
using algorithm_function = void (*)(builder&);
algorithm_function algorithm_code(std::size_t index);

}  // namespace gossamer
