// Without Boost.Context there are no fibers to compare with.
#include "algorithm/pointer_chase/ways.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::pointer_chase {

void by_fibers(std::span<list_node*>, std::int64_t) {
  throw not_compiled("fibers", "configure with -DGOSSAMER_BOOST_CONTEXT=ON");
}

}  // namespace gossamer::pointer_chase
