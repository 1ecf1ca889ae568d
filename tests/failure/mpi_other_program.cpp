// Half of a job whose ranks run different programs: built twice, once with an operation more.
//
//   mpirun -n 1 test_mpi_this_program : -n 1 test_mpi_other_program
#include <iostream>

#include "gossamer/base/error.hpp"
#include "gossamer/task/global_tasks.hpp"

using namespace gossamer;

namespace {

task<> nothing_much(global_tasks& g) {
  co_await g.post_on(0, [](global_tasks&) {});
#ifdef GOSSAMER_TEST_OTHER_PROGRAM
  co_await g.call_on(0, [](global_tasks& there) { return there.id(); });
#endif
}

}  // namespace

int main() {
  machine m = machine::open("mpi:1");
  try {
    m.run([](rank& r) {
      global_tasks g(r);
      g.run(nothing_much(g));
    });
  } catch (const error& e) {
    std::cout << e.what() << std::endl;
    return 0;
  }
  std::cout << "nothing was thrown" << std::endl;
  return 1;
}
