// Machine specs: every form that is accepted, and the message of every form that is not.
#include "gossamer/machine/spec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gossamer/base/error.hpp"
#include "message_of.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

using testing::scoped_variable;

std::string message_of(const std::string& spec) {
  return gossamer::message_of<usage_error>([&] { resolve_spec(spec); });
}

std::vector<int> ordinals(const std::vector<device>& ranks) {
  std::vector<int> list;
  for (const device& d : ranks) list.push_back(d.ordinal);
  return list;
}

TEST(Spec, CpuIsOneRankOfAllCores) {
  const auto ranks = resolve_spec("cpu");
  ASSERT_EQ(ranks.size(), 1U);
  EXPECT_EQ(ranks[0].kind, device_kind::cpu);
  EXPECT_EQ(ranks[0].ordinal, -1);
  EXPECT_EQ(ranks[0].threads, host().cores);
  EXPECT_EQ(ranks[0].units, host().cores);
  EXPECT_EQ(ranks[0].name, host().name);
  EXPECT_GT(ranks[0].memory, 0);
}

TEST(Spec, CpuRanksShareTheCores) {
  for (int p : {1, 2, 3, 17}) {
    const auto ranks = resolve_spec("cpu:" + std::to_string(p));
    ASSERT_EQ(ranks.size(), static_cast<std::size_t>(p));
    for (const device& d : ranks) EXPECT_EQ(d.threads, std::max(1, host().cores / p));
  }
}

TEST(Spec, CpuRanksAndThreads) {
  const auto ranks = resolve_spec("cpu:3x5");
  ASSERT_EQ(ranks.size(), 3U);
  for (const device& d : ranks) {
    EXPECT_EQ(d.threads, 5);
    EXPECT_EQ(d.units, std::min(5, host().cores));
  }
}

TEST(Spec, SumKeepsTheOrder) {
  const auto ranks = resolve_spec("cpu:1x3+cpu:2x1+cpu:1x2");
  ASSERT_EQ(ranks.size(), 4U);
  EXPECT_EQ(ranks[0].threads, 3);
  EXPECT_EQ(ranks[1].threads, 1);
  EXPECT_EQ(ranks[2].threads, 1);
  EXPECT_EQ(ranks[3].threads, 2);
}

TEST(Spec, AutoTakesEveryGpuElseTheCpu) {
  const scoped_variable unset("GOSSAMER_MACHINE", nullptr);
  const auto ranks = resolve_spec("auto");
  const auto gpus = cuda_devices();
  if (gpus.empty()) {
    ASSERT_EQ(ranks.size(), 1U);
    EXPECT_EQ(ranks[0].threads, host().cores);
  } else {
    EXPECT_EQ(ordinals(ranks), ordinals(gpus));
  }
}

TEST(Spec, AutoHonoursTheEnvironment) {
  const scoped_variable set("GOSSAMER_MACHINE", "cpu:3x1");
  EXPECT_EQ(resolve_spec("auto").size(), 3U);
  EXPECT_EQ(resolve_spec("cpu:2").size(), 2U) << "an explicit spec wins";
}

TEST(Spec, AutoInTheEnvironmentIsTheDefault) {
  const scoped_variable set("GOSSAMER_MACHINE", "auto");
  EXPECT_GE(resolve_spec("auto").size(), 1U);
}

TEST(Spec, BadEnvironmentIsNamed) {
  const scoped_variable set("GOSSAMER_MACHINE", "cpu:0");
  EXPECT_EQ(message_of("auto"), "GOSSAMER_MACHINE: machine spec 'cpu:0': at least one rank");
}

TEST(Spec, MalformedCpu) {
  const std::string form = "expected cpu, cpu:P or cpu:PxT (P ranks of T threads each)";
  for (const std::string spec : {"cpu:", "cpu:x", "cpu:2x", "cpu:x2", "cpu:two", "cpu:-1",
                                 "cpu:1x2x3", "cpu: 2", "cpu:2 ", "cpu:1.5", "cpu:99999999999"})
    EXPECT_EQ(message_of(spec), "machine spec '" + spec + "': " + form);
}

TEST(Spec, CpuOutOfRange) {
  EXPECT_EQ(message_of("cpu:0"), "machine spec 'cpu:0': at least one rank");
  EXPECT_EQ(message_of("cpu:0x4"), "machine spec 'cpu:0x4': at least one rank");
  EXPECT_EQ(message_of("cpu:2x0"), "machine spec 'cpu:2x0': at least one thread a rank");
  EXPECT_EQ(message_of("cpu:5000"), "machine spec 'cpu:5000': at most 4096 ranks");
  EXPECT_EQ(message_of("cpu:1x5000"), "machine spec 'cpu:1x5000': at most 4096 threads a rank");
  EXPECT_EQ(message_of("cpu:4096x1+cpu"), "machine spec 'cpu:4096x1+cpu': at most 4096 ranks");
}

TEST(Spec, IsShownOnOneLine) {
  EXPECT_EQ(message_of("c\npu"),
            "machine spec 'c?pu': unknown kind 'c?pu', expected auto, cpu, cuda, mpi or sim");
  EXPECT_EQ(message_of("cpu:0" + std::string(10000, ' ')).find("machine spec 'cpu:0  "), 0u);
  for (const std::string start : {"", "cpu:", "cuda:", "cuda:0-1-", "sim:", "sim:h200,ranks=",
                                  "sim:h200,", "sim:h200,network.", "mpi:"})
    EXPECT_LT(
        gossamer::message_of<error>([&] { resolve_spec(start + std::string(10000, 'x')); }).size(),
        700u)
        << start;
}

TEST(Spec, PathsAreShownOnOneLine) {
  EXPECT_EQ(gossamer::message_of<input_error>([] { resolve_spec("sim:a\n\x1b/b.toml"); })
                .find("a?"
                      "?/b.toml: cannot be opened: "),
            0u);
  EXPECT_LT(gossamer::message_of<input_error>([] {
              resolve_spec("sim:/" + std::string(10000, 'x'));
            }).size(),
            1100u);
}

TEST(Spec, TheOffendingPartIsNamed) {
  EXPECT_EQ(message_of("cpu:2+cpu:0"), "machine spec 'cpu:0': at least one rank");
  EXPECT_EQ(message_of("cpu+tpu:1"),
            "machine spec 'tpu:1': unknown kind 'tpu', expected auto, cpu, cuda, mpi or sim");
}

TEST(Spec, EmptyAndUnknown) {
  EXPECT_EQ(message_of(""), "machine spec '': empty, expected auto, cpu, cuda, mpi or sim");
  for (const std::string spec : {"+", "cpu+", "+cpu", "cpu++cpu"})
    EXPECT_EQ(message_of(spec), "machine spec '" + spec + "': a part is empty");
  EXPECT_EQ(message_of("CPU"),
            "machine spec 'CPU': unknown kind 'CPU', expected auto, cpu, cuda, mpi or sim");
  EXPECT_EQ(message_of("auto+cpu"),
            "machine spec 'auto': auto stands alone, without arguments or other parts");
  EXPECT_EQ(message_of("auto:2"),
            "machine spec 'auto:2': auto stands alone, without arguments or other parts");
}

TEST(Spec, OtherBuildsAreNamedWithTheirOption) {
  const auto lacks = [](const char* spec, const char* option) {
    try {
      resolve_spec(spec);
      FAIL() << spec << " accepted";
    } catch (const not_compiled& e) {
      EXPECT_NE(std::string(e.what()).find(option), std::string::npos) << e.what();
    }
  };
#ifndef GOSSAMER_TEST_MPI
  lacks("mpi", "-DGOSSAMER_MPI=ON");
  lacks("cpu+mpi", "-DGOSSAMER_MPI=ON");
#endif
  lacks("nvshmem", "not in this version");
}

#ifdef GOSSAMER_TEST_MPI
TEST(Spec, MpiWithoutALauncherIsOneRank) {
  const auto ranks = resolve_spec("mpi");
  ASSERT_EQ(ranks.size(), 1u);
  EXPECT_EQ(ranks[0].process, 0);
  EXPECT_EQ(ranks[0].threads, host().cores);
  EXPECT_EQ(resolve_spec("mpi:3").at(0).threads, 3);
  for (const char* bad : {"mpi:", "mpi:x", "mpi:1x2", "mpi:-1", "mpi:cuda:0", "mpi:cuda*2"})
    EXPECT_EQ(message_of(bad),
              "machine spec '" + std::string(bad) +
                  "': expected mpi, mpi:T (T threads a rank) or mpi:cuda (a GPU a rank)");
  EXPECT_EQ(message_of("mpi:0"), "machine spec 'mpi:0': at least one thread a rank");
  EXPECT_EQ(message_of("mpi:5000"), "machine spec 'mpi:5000': at most 4096 threads a rank");
  EXPECT_EQ(message_of("cpu+mpi"),
            "machine spec 'cpu+mpi': mpi stands alone: every rank is a process");
}

TEST(Spec, GpusOfProcessesWithoutALauncher) {
  EXPECT_EQ(message_of("cpu+mpi:cuda"),
            "machine spec 'cpu+mpi:cuda': mpi stands alone: every rank is a process");
  const std::string reason = cuda_unavailable_reason();
  if (reason == "not compiled in") {
    EXPECT_EQ(message_of("mpi:cuda"),
              "CUDA devices not compiled in: configure with -DGOSSAMER_CUDA=ON");
  } else if (!reason.empty()) {
    EXPECT_EQ(message_of("mpi:cuda"),
              "machine spec 'mpi:cuda': the host of process 0 has no CUDA device (" + reason + ")");
  } else {
    const auto ranks = resolve_spec("mpi:cuda");
    ASSERT_EQ(ranks.size(), 1u);
    EXPECT_EQ(ranks[0].process, 0);
    EXPECT_EQ(ranks[0].ordinal, 0);
    EXPECT_EQ(ranks[0].share, 1);
  }
}
#endif

TEST(Spec, MalformedCudaReadsTheSameOnEveryMachine) {
  for (const std::string item : {"", "x", "0-", "-1", "0--1", "0*", "*2", "0*2*3", "0-1-2", "0x2"})
    EXPECT_EQ(
        message_of("cuda:" + item),
        "machine spec 'cuda:" + item +
            "': expected cuda or cuda:LIST, for example cuda:0-3, cuda:0,2 or cuda:0*3, got '" +
            item + "'");
  EXPECT_EQ(
      message_of("cuda:0,,1"),
      "machine spec 'cuda:0,,1': expected cuda or cuda:LIST, for example cuda:0-3, cuda:0,2 or "
      "cuda:0*3, got ''");
  EXPECT_EQ(message_of("cuda:3-1"), "machine spec 'cuda:3-1': the range '3-1' is empty");
  EXPECT_EQ(message_of("cuda:0*0"), "machine spec 'cuda:0*0': at least one rank a GPU");
  EXPECT_EQ(message_of("cuda:0*5000"), "machine spec 'cuda:0*5000': at most 4096 ranks");
}

TEST(Spec, CudaWithoutGpuSaysWhy) {
  if (!cuda_devices().empty()) GTEST_SKIP() << "this host has a GPU";
  const std::string reason = cuda_unavailable_reason();
  ASSERT_FALSE(reason.empty());
  for (const std::string spec : {"cuda", "cuda:0", "cuda:0*3"}) {
    const std::string expected =
        reason == "not compiled in"
            ? "CUDA devices not compiled in: configure with -DGOSSAMER_CUDA=ON"
            : "machine spec '" + spec + "': this host has no CUDA device (" + reason + ")";
    EXPECT_EQ(message_of(spec), expected);
    EXPECT_EQ(message_of("cpu+" + spec), expected);
  }
}

TEST(Spec, CudaThatIsNotThere) {
  const auto gpus = cuda_devices();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: " << cuda_unavailable_reason();
  const std::string count = std::to_string(gpus.size());
  const std::string has = gpus.size() == 1
                              ? "1 CUDA device (0)"
                              : count + " CUDA devices (0-" + std::to_string(gpus.size() - 1) + ")";
  for (const std::string& spec : {"cuda:" + count, "cuda:0-" + count, "cuda:0," + count + "*2"})
    EXPECT_EQ(message_of(spec), "machine spec '" + spec + "': this host has " + has);
}

TEST(Spec, CudaForms) {
  const auto gpus = cuda_devices();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: " << cuda_unavailable_reason();
  EXPECT_EQ(ordinals(resolve_spec("cuda")), ordinals(gpus));
  EXPECT_EQ(ordinals(resolve_spec("cuda:0-" + std::to_string(gpus.size() - 1))), ordinals(gpus));
  EXPECT_EQ(ordinals(resolve_spec("cpu:1x2+cuda:0")), (std::vector<int>{-1, 0}));
  for (const char* spec : {"cuda:0*3", "cuda:0,0,0", "cuda:0*2+cuda:0", "cuda:0+cpu+cuda:0*2"}) {
    int index = 0;
    for (const device& d : resolve_spec(spec)) {
      if (!d.is_cuda()) continue;
      EXPECT_EQ(d.ordinal, 0);
      EXPECT_EQ(d.share, 3) << spec;
      EXPECT_EQ(d.share_index, index++) << spec;
      EXPECT_EQ(d.threads, 1);
      EXPECT_GT(d.units, 0);
      EXPECT_GT(d.memory, 0);
      EXPECT_FALSE(d.pci.empty());
    }
    EXPECT_EQ(index, 3);
  }
}

}  // namespace
}  // namespace gossamer
