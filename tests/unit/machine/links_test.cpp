// The table of links, for devices described by hand (no GPU needed), and machines that open.
#include <gtest/gtest.h>

#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/topology.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

using configuration::peer_access;
constexpr peer_access modes[] = {peer_access::on, peer_access::no_atomics, peer_access::off};

device cpu(int threads) {
  device d;
  d.threads = threads;
  return d;
}

device gpu(int ordinal, int share = 1, int index = 0) {
  device d;
  d.kind = device_kind::cuda;
  d.ordinal = ordinal;
  d.share = share;
  d.share_index = index;
  return d;
}

void expect(const link& l, reach how, const char* transport, bool load_store, bool atomic,
            bool proxied) {
  EXPECT_EQ(l.how, how);
  EXPECT_EQ(l.transport, transport);
  EXPECT_EQ(l.load_store, load_store);
  EXPECT_EQ(l.atomic, atomic);
  EXPECT_EQ(l.proxied, proxied);
}

TEST(Links, CpuPairsShareMemory) {
  for (const auto peer : modes)
    expect(make_link(cpu(1), cpu(4), peer), reach::host, "threads", true, true, false);
}

TEST(Links, SameGpuIsOneMemory) {
  expect(make_link(gpu(0), gpu(0), peer_access::on), reach::self, "peer", true, true, false);
  expect(make_link(gpu(0, 2, 0), gpu(0, 2, 1), peer_access::on), reach::self, "peer", true, true,
         false);
}

TEST(Links, PeerOffForcesSharersApartButNotARankFromItself) {
  expect(make_link(gpu(0, 2, 0), gpu(0, 2, 1), peer_access::off), reach::none, "pinned", false,
         false, true);
  expect(make_link(gpu(0, 2, 1), gpu(0, 2, 1), peer_access::off), reach::self, "peer", true, true,
         false);
}

TEST(Links, WithoutAtomicsSharersAskTheOwnerButNotARankItself) {
  const auto mode = peer_access::no_atomics;
  expect(make_link(gpu(0, 2, 0), gpu(0, 2, 1), mode), reach::self, "peer", true, false, true);
  expect(make_link(gpu(0, 2, 1), gpu(0, 2, 1), mode), reach::self, "peer", true, true, false);
}

TEST(Links, GpusWithoutPeerAccessGoThroughPinnedMemory) {
  // Ordinals that no host has, so that no pair of them has peer access.
  for (const auto peer : modes)
    expect(make_link(gpu(1000), gpu(1001), peer), reach::none, "pinned", false, false, true);
}

TEST(Links, CpuAndGpu) {
  expect(make_link(cpu(1), gpu(1000), peer_access::on), reach::host, "peer", false, false, true);
  expect(make_link(gpu(1000), cpu(1), peer_access::on), reach::host, "peer", true, false, false);
}

TEST(Links, ReachHasNames) {
  EXPECT_EQ(to_string(reach::self), "self");
  EXPECT_EQ(to_string(reach::nvlink), "nvlink");
  EXPECT_EQ(to_string(reach::pcie), "pcie");
  EXPECT_EQ(to_string(reach::host), "host");
  EXPECT_EQ(to_string(reach::none), "none");
}

TEST(Links, KernelsOfRanksThatShareAGpu) {
  EXPECT_EQ(to_string(sharing::alone), "run alone");
  EXPECT_EQ(to_string(sharing::together), "run together");
  EXPECT_EQ(to_string(sharing::in_turn), "take turns");
  EXPECT_EQ(shared_kernels(cpu(4)), sharing::alone);
  EXPECT_EQ(shared_kernels(gpu(1000)), sharing::alone);  // needs no trial, nor the device
  const testing::scoped_variable off("GOSSAMER_SHARED_KERNELS", "off");
  EXPECT_EQ(shared_kernels(gpu(1000, 2, 1)), sharing::in_turn);
  EXPECT_EQ(shared_kernels(gpu(1000)), sharing::alone);
}

TEST(Machine, OpensCpuRanks) {
  const auto m = machine::open("cpu:3x2");
  EXPECT_EQ(m.size(), 3);
  EXPECT_EQ(m.spec(), "cpu:3x2");
  EXPECT_EQ(m.fabric(), "threads");
  EXPECT_TRUE(m.all_direct());
  EXPECT_EQ(m[2].threads, 2);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ(m.between(i, j).how, i == j ? reach::self : reach::host);
}

TEST(Machine, OneRankHasAFabricToo) {
  EXPECT_EQ(machine::open("cpu").fabric(), "threads");
}

TEST(Machine, MovesKeepTheState) {
  auto m = machine::open("cpu:2");
  auto moved = std::move(m);
  EXPECT_EQ(moved.size(), 2);
  moved = machine::open("cpu:1x1");
  EXPECT_EQ(moved.size(), 1);
}

TEST(Machine, NoSuchRank) {
  const auto m = machine::open("cpu:2x1");
  for (int wrong : {-1, 2}) {
    const std::string expected =
        "machine 'cpu:2x1': no rank " + std::to_string(wrong) + ", it has 2";
    try {
      static_cast<void>(m.between(0, wrong));
      FAIL() << "accepted";
    } catch (const usage_error& e) {
      EXPECT_EQ(e.what(), expected);
    }
    EXPECT_THROW(static_cast<void>(m[wrong]), usage_error);
  }
}

TEST(Machine, DescribesRanksAndPairs) {
  const std::string text = describe(machine::open("cpu:1x1+cpu:1x2"));
  EXPECT_NE(text.find("rank 0: " + host().name + ", 1 thread\n"), std::string::npos) << text;
  EXPECT_NE(text.find("rank 1: " + host().name + ", 2 threads\n"), std::string::npos) << text;
  EXPECT_NE(text.find("host, transport threads: 0->1 1->0\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace gossamer
