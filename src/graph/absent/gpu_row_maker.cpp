// Rows made on a GPU, in a build without CUDA: says how to get them.
#include "gossamer/graph/gpu_row_maker.hpp"

namespace gossamer {

namespace {

[[noreturn]] void refuse() {
  throw not_compiled("generating on a GPU", "configure with -DGOSSAMER_CUDA=ON");
}

}  // namespace

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): there is never one
template <class Id>
gpu_row_maker<Id>::gpu_row_maker(const device&, const generator_spec&, std::int64_t, std::int64_t) {
  refuse();
}
template <class Id>
void gpu_row_maker<Id>::count(const alive&) {
  refuse();
}
template <class Id>
void gpu_row_maker<Id>::put(const alive&) {
  refuse();
}
template <class Id>
void gpu_row_maker<Id>::finish(const alive&) {
  refuse();
}
template <class Id>
std::int64_t gpu_row_maker<Id>::sorting_bytes(std::int64_t, std::int64_t) {
  return 0;
}

template class gpu_row_maker<vertex32>;
template class gpu_row_maker<vertex64>;

}  // namespace gossamer
