// Transport `mpi`: this program under `mpirun -n P`, one rank a process. Every process runs every
// test; one that fails anywhere fails the job. With GOSSAMER_MPI_SHARED=off all is messages.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "conformance/fabric_suite.hpp"
#include "gossamer/base/wait.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(mpi, fabric, ::testing::Values("mpi:1"), spec_name<std::string>);

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

// The last rank computes for a second without a fabric call, while rank 0 asks for tickets there.
TEST(mpi, a_rank_that_computes_is_served_by_memory_or_a_progress_thread) {
  machine m = machine::open("mpi:1");
  if (m.size() == 1) GTEST_SKIP() << "one rank asks nobody";
  const char* progress = std::getenv("GOSSAMER_MPI_PROGRESS");
  const bool served = m.between(0, m.size() - 1).load_store ||
                      (progress != nullptr && std::string(progress) == "on");
  m.run([&](rank& r) {
    const int desk = r.size() - 1;
    auto w = r.make_window<std::uint64_t>(1);
    r.fill(w.local().data(), 0, sizeof(std::uint64_t));
    r.barrier();
    const auto begin = steady::now();
    if (r.id() == desk) {
      while (steady::now() - begin < 1s) continue;
    } else if (r.id() == 0) {
      // The quickest of some: this process, too, may have to wait for a core.
      auto quickest = std::chrono::nanoseconds::max();
      for (std::uint64_t i = 0; i < 5; ++i) {
        const auto from = steady::now();
        EXPECT_EQ(r.fetch_add(w, desk, 0, 1), i);
        quickest = std::min<std::chrono::nanoseconds>(quickest, steady::now() - from);
        if (!served) break;
      }
      if (served) {
        EXPECT_LT(quickest, 50ms);
      }
      // By messages alone about a second, unless the request met the other still in its barrier.
      std::cout << "fetch_add on a rank that computes: "
                << std::chrono::duration<double, std::milli>(quickest).count() << " ms\n";
    }
    r.barrier();
  });
}

}  // namespace gossamer::conformance
