// A build without MPI.
#include "machine/processes.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::processes {

bool compiled() noexcept {
  return false;
}
bool launched() noexcept {
  return false;
}
namespace {
[[noreturn]] void absent() {
  throw not_compiled("ranks as MPI processes (mpi)", "configure with -DGOSSAMER_MPI=ON");
}
}  // namespace
const job& join() {
  absent();
}
std::vector<std::byte> gather(std::span<const std::byte>) {
  absent();
}
bool takes_gpu_memory() {
  return false;
}
std::string lost(int, std::chrono::nanoseconds) {
  return {};
}
void lost_one() noexcept {}

}  // namespace gossamer::processes
