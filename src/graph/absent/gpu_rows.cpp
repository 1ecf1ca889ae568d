// Rows made on a GPU, in a build without CUDA: says how to get them.
#include "gossamer/graph/gpu_rows.hpp"

namespace gossamer {

namespace {

[[noreturn]] void refuse() {
  throw not_compiled("generating on a GPU", "configure with -DGOSSAMER_CUDA=ON");
}

}  // namespace

template <class Id>
gpu_rows<Id>::gpu_rows(const device&, const generator_spec&, std::int64_t, std::int64_t) {
  refuse();
}
template <class Id>
void gpu_rows<Id>::count(const alive&) {
  refuse();
}
template <class Id>
void gpu_rows<Id>::put(const alive&) {
  refuse();
}
template <class Id>
void gpu_rows<Id>::finish(const alive&) {
  refuse();
}
template <class Id>
std::int64_t gpu_rows<Id>::sorting_bytes(std::int64_t, std::int64_t) {
  return 0;
}

template class gpu_rows<vertex32>;
template class gpu_rows<vertex64>;

}  // namespace gossamer
