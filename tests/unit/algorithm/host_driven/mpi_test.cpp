// The host thread's loop on ranks that are processes, under `mpirun -n P`: links and reports cross
// processes, by memory that they share or by messages.
#include "unit/algorithm/host_driven/slow_lists.hpp"

namespace gossamer::testing_host_loop {
namespace {

class HostLoopOnProcesses : public on_machine_and_route {};

TEST_P(HostLoopOnProcesses, AgreesWithDijkstra) {
  agree_with_dijkstra<slow_distances>(16, 20);
}

TEST_P(HostLoopOnProcesses, SumsAreNeitherLostNorDoubled) {
  keep_sums<slow_sums>(16);
}

INSTANTIATE_TEST_SUITE_P(Machines, HostLoopOnProcesses,
                         ::testing::Combine(::testing::Values("mpi:1"),
                                            ::testing::Values(message_route::direct,
                                                              message_route::ring)));

}  // namespace
}  // namespace gossamer::testing_host_loop
