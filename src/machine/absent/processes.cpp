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
const job& join() {
  throw not_compiled("ranks as MPI processes (mpi)", "configure with -DGOSSAMER_MPI=ON");
}
void lost_one() noexcept {}

}  // namespace gossamer::processes
