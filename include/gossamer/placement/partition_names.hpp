// What place_options::partition may be called.
#pragma once

#include <string>

namespace gossamer {

/// usage_error that lists the names unless `name` is one of them.
void check_partition(const std::string& name);

}  // namespace gossamer
