// All lists in one loop: each next node is fetched while the other lists have their turn.
#include "algorithm/pointer_chase/ways.hpp"

namespace gossamer::pointer_chase {

void by_loop(std::span<list_node*> at, std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i) {
    for (list_node*& here : at) {
      list_node* const next = here->next;
      __builtin_prefetch(next);
      here = next;
    }
  }
}

}  // namespace gossamer::pointer_chase
