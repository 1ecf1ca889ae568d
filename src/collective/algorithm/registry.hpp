// The table of algorithms: name, description, and the function that writes one rank's part.
#pragma once

#include <span>

#include "collective/algorithm/builder.hpp"
#include "gossamer/collective/schedule.hpp"

namespace gossamer {

/// Position of an algorithm among all, those of libraries last; throws usage_error that lists the
/// operation's names, without `libraries` only those that have steps.
std::size_t find_algorithm(collective_op op, std::string_view name, bool libraries = true);
const algorithm_info& algorithm_at(std::size_t index);
using algorithm_function = void (*)(builder&);
/// nullptr = a library runs it.
algorithm_function algorithm_code(std::size_t index);

}  // namespace gossamer
