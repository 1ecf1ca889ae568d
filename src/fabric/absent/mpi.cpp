// A build without MPI: no such machine can be opened, so nothing here is reached but by mistake.
#include "fabric/carrier.hpp"
#include "fabric/channel.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::mpi {

namespace {
[[noreturn]] void absent() {
  throw not_compiled("ranks as MPI processes (mpi)", "configure with -DGOSSAMER_MPI=ON");
}
}  // namespace

std::unique_ptr<carrier> make_carrier(machine&) {
  absent();
}
std::unique_ptr<channel> make(const machine&, fabric_resources&, int, int) {
  absent();
}

}  // namespace gossamer::mpi
