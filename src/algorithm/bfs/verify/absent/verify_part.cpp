// Checking a tree on GPUs, in a build without CUDA, where no machine has one.
#include "algorithm/bfs/verify/verify_part.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::bfs_detail::cuda {

namespace {

[[noreturn]] void refuse() {
  throw not_compiled("checking trees on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

}  // namespace

template <class Id, class Level>
void narrow_depths(rank&, const part_view<Id, Level>&, Level*) {
  refuse();
}
template <class Id, class Level>
std::int64_t first_fault(rank&, const part_view<Id, Level>&, bool) {
  refuse();
}
std::int64_t deepest(rank&, const std::int32_t*, std::int64_t) {
  refuse();
}
std::int64_t ends_of_reached(rank&, const std::int32_t*, const std::int64_t*, std::int64_t) {
  refuse();
}

GOSSAMER_VERIFY_PARTS

}  // namespace gossamer::bfs_detail::cuda
