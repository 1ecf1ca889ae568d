// Refuses schedules that would take more memory than there is.
#include "collective/schedule/room.hpp"

#include <string>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/memory_limit.hpp"

namespace gossamer {

void check_room(const collective_request& q, const char* what, std::size_t bytes,
                std::int64_t limit) {
  if (limit == 0) limit = host_memory_limit().bytes;
  if (static_cast<std::int64_t>(bytes) <= limit) return;
  throw capacity_error(std::string(name_of(q.op)) + " of " + std::to_string(q.ranks) + " ranks: " +
                       what + " takes more than " + configuration::format_bytes(limit));
}

}  // namespace gossamer
