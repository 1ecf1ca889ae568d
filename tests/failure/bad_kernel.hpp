// A kernel that stores to an address nobody owns, behind a plain C++ function.
#pragma once

#include "gossamer/fabric/rank.hpp"

namespace gossamer {

/// Queues it in r.stream(); the device is lost for this process once it has run.
void queue_illegal_access(rank& r);

}  // namespace gossamer
