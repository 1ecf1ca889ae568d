// Half of a job whose processes have different versions of the library: built twice, once with a
// version of its own.
//
//   mpirun -n 2 test_mpi_this_version : -n 1 test_mpi_other_version
#include <iostream>

#include "gossamer/base/error.hpp"
#include "gossamer/base/version.hpp"
#include "gossamer/machine/machine.hpp"

#ifdef GOSSAMER_TEST_OTHER_VERSION
const char* gossamer::version() noexcept {
  return "99.0";
}
#endif

int main() {
  try {
    gossamer::machine::open("mpi:1");
  } catch (const gossamer::usage_error& e) {
    std::cout << std::string(e.what()) + "\n" << std::flush;
    return 2;
  }
  std::cout << "nothing was thrown" << std::endl;
  return 1;
}
