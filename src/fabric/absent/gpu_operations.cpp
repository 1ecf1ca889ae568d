// Builds without CUDA: no machine has a GPU rank, so nothing here is reached; linking needs it.
#include "fabric/gpu_operations.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::gpu {

namespace {
[[noreturn]] void absent() {
  throw not_compiled("CUDA devices", "configure with -DGOSSAMER_CUDA=ON");
}
}  // namespace

void prepare() {
  absent();
}
void fill(void*, int, std::size_t, const stream&) {
  absent();
}
void raise(std::uint64_t*, std::uint64_t, bool, const stream&) {
  absent();
}
void raise_by_driver(std::uint64_t*, std::uint64_t, const stream&) {
  absent();
}
void raise_by_host(host_raise&, const stream&) {
  absent();
}
void wait(const device_guard&, const std::uint64_t*, std::uint64_t, int, std::uint32_t,
          std::uint64_t, const stream&) {
  absent();
}
void atomic(void*, int, bool, std::uint64_t, std::uint64_t, std::uint64_t*, const stream&) {
  absent();
}
void read_timer(std::uint64_t*, const stream&) {
  absent();
}

}  // namespace gossamer::gpu
