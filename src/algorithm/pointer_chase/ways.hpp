// One rank's walk, in three ways. Each goes `steps` nodes on from every place of `at`.
#pragma once

#include <span>

#include "gossamer/algorithm/pointer_chase.hpp"

namespace gossamer::pointer_chase {

void by_loop(std::span<list_node*> at, std::int64_t steps);
void by_tasks(std::span<list_node*> at, std::int64_t steps, const chase_options& options);
/// not_compiled without Boost.Context.
void by_fibers(std::span<list_node*> at, std::int64_t steps);

}  // namespace gossamer::pointer_chase
