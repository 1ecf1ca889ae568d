// Which process drives which GPU, for jobs described by hand (no GPU and no launcher needed).
#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/topology.hpp"
#include "machine/process_gpus.hpp"

namespace gossamer {
namespace {

/// Hosts are named by their lowest rank.
processes::job job_on(const std::vector<int>& hosts) {
  processes::job made;
  for (const int host : hosts) made.members.push_back({"cpu", 1, 0, host, host, 1});
  return made;
}

device gpu_of(int process, int group, const char* pci) {
  device d;
  d.kind = device_kind::cuda;
  d.ordinal = 0;
  d.pci = pci;
  d.process = process;
  d.memory_group = group;
  return d;
}

TEST(ProcessGpus, ProcessesOfAHostAreCountedInRankOrder) {
  const auto job = job_on({0, 1, 0, 1, 1});
  const int expected[] = {0, 0, 1, 1, 2};
  for (int rank = 0; rank < 5; ++rank) EXPECT_EQ(processes::local_rank(job, rank), expected[rank]);
}

TEST(ProcessGpus, SharersHaveTheSameBusIdOnTheSameHost) {
  const auto job = job_on({0, 0, 0, 3});
  // Ranks 0 and 2 share; rank 3's GPU has the same id, elsewhere.
  std::vector<device> gpus = {gpu_of(0, 0, "a"), gpu_of(1, 0, "b"), gpu_of(2, 0, "a"),
                              gpu_of(3, 3, "a")};
  processes::count_shares(job, gpus);
  const int share[] = {2, 1, 2, 1}, index[] = {0, 0, 1, 0};
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(gpus[r].share, share[r]) << r;
    EXPECT_EQ(gpus[r].share_index, index[r]) << r;
    EXPECT_EQ(gpus[r].own_engines, share[r] == 1) << r;
  }
}

TEST(ProcessGpus, LinksShareHostMemoryAloneAndKernelsWaitForNobody) {
  const auto a = gpu_of(0, 0, "a"), b = gpu_of(1, 0, "b"), far = gpu_of(2, 2, "a");
  const auto mode = configuration::peer_access::on;
  for (const device* to : {&b, &far}) {
    const link l = make_link(a, *to, mode);
    EXPECT_EQ(l.transport, "mpi");
    EXPECT_EQ(l.how, reach::none);
    EXPECT_FALSE(l.load_store);
    EXPECT_FALSE(l.atomic);
    EXPECT_TRUE(l.proxied);
    EXPECT_EQ(l.shares_host, to == &b);
  }
  const link own = make_link(a, a, mode);
  EXPECT_EQ(own.how, reach::self);
  EXPECT_TRUE(own.load_store && own.atomic && own.shares_host && !own.proxied);
  EXPECT_EQ(shared_kernels(a), sharing::in_turn);
}

TEST(ProcessGpus, OtherMachinesSendNoGpuMemory) {
  const auto m = machine::open("cpu:2x1");
  EXPECT_EQ(gpu_messages(m), "");
  EXPECT_GT(host_memory_here(m), 0);
}

}  // namespace
}  // namespace gossamer
