// Transport `mpi`: this program under `mpirun -n P`, one rank a process. Every process runs every
// test; one that fails anywhere fails the job. With GOSSAMER_MPI_SHARED=off all is messages.
#include <cstdlib>

#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(mpi, fabric, ::testing::Values("mpi:1"), name_of);

TEST(mpi, is_one_rank_a_process) {
  const machine m = machine::open("mpi:1");
  EXPECT_EQ(m.fabric(), "mpi");
  const char* processes = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (processes == nullptr) processes = std::getenv("PMI_SIZE");
  EXPECT_EQ(m.size(), processes != nullptr ? std::atoi(processes) : 1);
  int here = 0;
  for (int r = 0; r < m.size(); ++r) here += m.here(r) ? 1 : 0;
  EXPECT_EQ(here, 1);
  const char* shared = std::getenv("GOSSAMER_MPI_SHARED");
  const bool direct = shared == nullptr || std::string(shared) != "off";
  for (int r = 0; r + 1 < m.size(); ++r) {
    EXPECT_EQ(m.between(r, r + 1).load_store, direct);
    EXPECT_EQ(m.between(r, r + 1).proxied, !direct);
  }
}

}  // namespace gossamer::conformance
