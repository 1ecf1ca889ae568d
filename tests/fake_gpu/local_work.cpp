// What ranks of GPUs that are not there do by themselves in a collective: reductions, by the CPU in
// the order of their stream. Linked beside backend.cpp; a program that links it takes it
// instead of the library's own. Nothing runs as one kernel.
#include "collective/run/local_work.hpp"

#include <stdexcept>

#include "collective/kernel/command_list.hpp"
#include "collective/kernel/packed_hops.hpp"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"

namespace gossamer::collective_gpu {

namespace {
[[noreturn]] void no_kernels() {
  throw std::logic_error("a GPU that is not there runs no kernel");
}
const void* reached(const void* at) {
  return at == nullptr ? nullptr : fake_gpu::reach(at);
}
}  // namespace

void fold(element_type type, reduction op, const fold_work& work, const stream& on) {
  static_cast<fake_gpu::queue*>(on.native())->push([=] {
    fold_work here = work;
    here.to = fake_gpu::reach(work.to);
    here.from = reached(work.from);
    here.own = reached(work.own);
    fold_on_cpu(type, op, here, 1);
  });
}
void run(element_type, reduction, const command_list&, const device_guard&, const stream&) {
  no_kernels();
}
void run(element_type, reduction, const packed_hops&, const device_guard&, const stream&) {
  no_kernels();
}
memory_kind kind_of(const void* data) {
  return fake_gpu::owner_of(data) >= 0 ? memory_kind::device : memory_kind::pinned;
}

}  // namespace gossamer::collective_gpu
