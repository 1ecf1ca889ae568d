// An illegal access in one rank's kernel: every rank's wait ends, the run says which call met it,
// and the machine refuses to go on. Each case runs in a process of its own (a death test that
// starts the program again), since the device is lost for the process.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "failure/bad_kernel.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/spec.hpp"
#include "spec_name.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

enum class wait_by { barrier, stream, host_signal };

bool fails(bool ok, const char* what) {
  if (!ok) std::fprintf(stderr, "not as it should be: %s\n", what);
  return !ok;
}

// Runs in the child; 0 = everything was as it should be.
int lose_a_device(const std::string& spec, wait_by how) {
  auto m = machine::open(spec);
  run_options options;
  options.deadline = 20s;
  std::atomic<int> ended{0};
  int bad = 0;
  const auto began = std::chrono::steady_clock::now();
  try {
    m.run(
        [&](rank& r) {
          const bool culprit = r.id() == r.size() - 1;
          try {
            auto flags = r.make_signals(2);
            if (culprit) {
              queue_illegal_access(r);
              r.synchronize();
            } else if (how == wait_by::stream) {
              r.wait_signal(flags[0], 1);
              r.synchronize();
            } else if (how == wait_by::host_signal) {
              r.wait_any(flags, 0, 2, 1);
            } else {
              r.barrier();
            }
          } catch (const error&) {
            // Which call tells a rank is left open: one that shares the GPU may still be in
            // make_signals when the fault comes.
            if (!culprit) ++ended;
            throw;
          }
        },
        options);
    bad += fails(false, "the run threw");
  } catch (const foreign_error& e) {
    bad += fails(e.device_lost(), "device_lost()");
    std::fprintf(stderr, "thrown: %s\n", e.what());
  } catch (const error& e) {
    std::fprintf(stderr, "thrown: %s\n", e.what());
    bad += fails(false, "the run threw a foreign_error");
  }
  bad += fails(ended == m.size() - 1, "every other rank returned with an error");
  // A GPU reports a fault only when its running kernels end: those of ranks that share it and wait
  // in the stream end at their deadline. Everyone else is told long before.
  const bool shared = m[0].is_cuda() && m.size() > 1 && m[0].ordinal == m[m.size() - 1].ordinal;
  const auto limit = shared && how == wait_by::stream ? *options.deadline + 10s : 15s;
  bad += fails(std::chrono::steady_clock::now() - began < limit, "it did so in time");
  try {
    m.run([](rank&) {}, options);
    bad += fails(false, "the next run was refused");
  } catch (const foreign_error& e) {
    std::fprintf(stderr, "next: %s\n", e.what());
    bad += fails(e.device_lost(), "device_lost() of the next run");
  }
  return bad;
}

class lost_device : public ::testing::TestWithParam<std::string> {};

TEST_P(lost_device, ends_every_rank_and_the_machine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  try {
    static_cast<void>(resolve_spec(GetParam()));
  } catch (const usage_error& e) {
    GTEST_SKIP() << e.what();
  }
  for (const auto how : {wait_by::barrier, wait_by::stream, wait_by::host_signal})
    EXPECT_EXIT(std::exit(lose_a_device(GetParam(), how)), ::testing::ExitedWithCode(0),
                "thrown: .*cuda.*next: this machine lost a device in an earlier run");
}

#if defined(GOSSAMER_TEST_MULTIGPU)
INSTANTIATE_TEST_SUITE_P(multi, lost_device, ::testing::Values("cuda:0-1", "cpu:1x1+cuda:0-1"),
                         testing_machines::spec_name<std::string>);
#else
INSTANTIATE_TEST_SUITE_P(one, lost_device,
                         ::testing::Values("cuda:0", "cuda:0*3", "cpu:2x1+cuda:0"),
                         testing_machines::spec_name<std::string>);
#endif

}  // namespace
}  // namespace gossamer
