// What a schedule of very many ranks may take: a part has steps in proportion to the ranks, and
// the parts of all ranks have them to the square.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/collective/schedule.hpp"

namespace gossamer {

/// capacity_error, with the numbers, for `bytes` above `limit` (0 = host_memory_limit()).
void check_room(const collective_request& q, const char* what, std::size_t bytes,
                std::int64_t limit = 0);

}  // namespace gossamer
