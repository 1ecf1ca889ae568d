// Plans in captured graphs: every replay is an epoch, and epochs of replays and of calls mix.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/collective/plan.hpp"
#include "gossamer/machine/memory.hpp"
#include "spec_name.hpp"
#include "unit/collective/collective_fixture.hpp"

namespace gossamer {
namespace {

class plans_graph_gpu : public ::testing::TestWithParam<const char*> {};

/// out = the sum over ranks of x, then x = out, three times in one graph: x grows by p^3.
void replay_allreduce(rank& r) {
  const auto x = r.scratch<double>(5), sum = r.scratch<double>(5);
  const std::vector<double> ones(5, 1.0);
  copy_bytes(x.data(), ones.data(), sizeof(double) * ones.size());
  plan_options o;
  o.runner = plan_runner::one_kernel;
  auto plan = plan_allreduce<double>(r, x, sum, reduction::sum, o);
  const auto on = static_cast<cudaStream_t>(r.stream().native());
  const auto step = [&] {
    plan.run();
    GOSSAMER_CHECK_CUDA(
        cudaMemcpyAsync(x.data(), sum.data(), x.size_bytes(), cudaMemcpyDeviceToDevice, on));
  };
  GOSSAMER_CHECK_CUDA(cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < 3; ++i) step();
  cudaGraph_t graph = nullptr;
  GOSSAMER_CHECK_CUDA(cudaStreamEndCapture(on, &graph));
  cudaGraphExec_t exec = nullptr;
  GOSSAMER_CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  for (int replay = 0; replay < 2; ++replay) GOSSAMER_CHECK_CUDA(cudaGraphLaunch(exec, on));
  step();
  GOSSAMER_CHECK_CUDA(cudaGraphLaunch(exec, on));
  r.synchronize();
  std::vector<double> host(5);
  copy_bytes(host.data(), x.data(), x.size_bytes());
  double expected = 1;
  for (int i = 0; i < 10; ++i) expected *= r.size();
  EXPECT_EQ(host, std::vector<double>(5, expected));
  GOSSAMER_CHECK_CUDA(cudaGraphExecDestroy(exec));
  GOSSAMER_CHECK_CUDA(cudaGraphDestroy(graph));
}

TEST_P(plans_graph_gpu, replays_are_epochs) {
  std::unique_ptr<machine> m;
  try {
    m = std::make_unique<machine>(machine::open(GetParam()));
  } catch (const usage_error& e) {
    GTEST_SKIP() << e.what();
  }
  if (!m->all_direct()) GTEST_SKIP() << "not every pair is direct";
  m->run(replay_allreduce, bounded());
}

INSTANTIATE_TEST_SUITE_P(specs, plans_graph_gpu,
                         ::testing::Values("cuda:0", "cuda:0*3", "cuda:0-1", "cuda:0-3"),
                         testing_machines::spec_name<const char*>);

}  // namespace
}  // namespace gossamer
