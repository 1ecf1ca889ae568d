// A fiber with a stack of its own for each list, switched by Boost.Context: what paper D's
// coroutines are, which may yield at any depth of calls. Here for comparison.
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <vector>

#include "algorithm/pointer_chase/ways.hpp"

namespace gossamer::pointer_chase {

namespace {
constexpr std::size_t stack_bytes = 16 << 10;
}

void by_fibers(std::span<list_node*> at, std::int64_t steps) {
  namespace context = boost::context;
  context::pooled_fixedsize_stack stacks(stack_bytes);
  std::vector<context::fiber> fibers;
  fibers.reserve(at.size());
  for (list_node*& place : at) {
    fibers.emplace_back(std::allocator_arg, stacks, [&place, steps](context::fiber&& back) {
      list_node* here = place;
      for (std::int64_t i = 0; i < steps; ++i) {
        here = here->next;
        __builtin_prefetch(here);
        back = std::move(back).resume();
      }
      place = here;
      return std::move(back);
    });
  }
  for (std::int64_t i = 0; i <= steps; ++i)
    for (context::fiber& f : fibers) f = std::move(f).resume();
}

}  // namespace gossamer::pointer_chase
