// Builds without CUDA: no rank is a GPU, so nothing here is ever reached but kind_of.
#include "collective/run/local_work.hpp"
#include "collective/kernel/command_list.hpp"
#include "collective/kernel/packed_hops.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::collective_gpu {

namespace {
[[noreturn]] void absent() {
  throw not_compiled("CUDA devices", "configure with -DGOSSAMER_CUDA=ON");
}
}  // namespace

void fold(element_type, reduction, const fold_work&, const stream&) {
  absent();
}
void run(element_type, reduction, const command_list&, const device_guard&, const stream&) {
  absent();
}
void run(element_type, reduction, const packed_hops&, const device_guard&, const stream&) {
  absent();
}
memory_kind kind_of(const void*) {
  return memory_kind::host;
}

}  // namespace gossamer::collective_gpu
