// Times chains of operations on GPUs, captured into a graph or not (gpu_collectives.hpp).
#include <algorithm>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gpu_collectives.hpp"

namespace gossamer::bench {

namespace {

/// Median over `rounds` of the slowest rank's time for `work`, in microseconds on the devices'
/// clocks; the first rounds warm up.
double median_of_slowest(rank& r, int rounds, const std::function<void(cudaStream_t)>& work) {
  const auto on = static_cast<cudaStream_t>(r.stream().native());
  scalar_plan<double> slowest(r);
  event begin(r.dev().ordinal), end(r.dev().ordinal);
  std::vector<double> times;
  for (int i = -2; i < rounds; ++i) {
    r.synchronize();
    slowest.allreduce(0, reduction::max);  // all start together
    begin.record(r.stream());
    work(on);
    end.record(r.stream());
    r.synchronize();
    const double time = slowest.allreduce(end.milliseconds_since(begin) * 1e3, reduction::max);
    if (i >= 0) times.push_back(time);
  }
  std::ranges::nth_element(times, times.begin() + rounds / 2);
  return times[static_cast<std::size_t>(rounds) / 2];
}

}  // namespace

double time_in_graph(rank& r, const enqueue& one, int operations, int launches) {
  const auto on = static_cast<cudaStream_t>(r.stream().native());
  r.synchronize();
  GOSSAMER_CHECK_CUDA(cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal));
  for (int k = 0; k < operations; ++k) one(k, on);
  cudaGraph_t graph = nullptr;
  GOSSAMER_CHECK_CUDA(cudaStreamEndCapture(on, &graph));
  cudaGraphExec_t exec = nullptr;
  GOSSAMER_CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  GOSSAMER_CHECK_CUDA(cudaGraphUpload(exec, on));
  const double time = median_of_slowest(
      r, launches, [&](cudaStream_t s) { GOSSAMER_CHECK_CUDA(cudaGraphLaunch(exec, s)); });
  GOSSAMER_CHECK_CUDA(cudaGraphExecDestroy(exec));
  GOSSAMER_CHECK_CUDA(cudaGraphDestroy(graph));
  return time / operations;
}

double time_in_stream(rank& r, const enqueue& one, int operations, int rounds) {
  const auto all = [&](cudaStream_t s) {
    for (int k = 0; k < operations; ++k) one(k, s);
  };
  return median_of_slowest(r, rounds, all) / operations;
}

extent extent_of(collective_op op, int ranks, std::size_t count) {
  const std::size_t all = count * static_cast<std::size_t>(ranks);
  switch (op) {
    case collective_op::scatter:
    case collective_op::reduce_scatter:
      return {all, count};
    case collective_op::gather:
    case collective_op::allgather:
      return {count, all};
    case collective_op::all_to_all:
      return {all, all};
    default:
      return {count, count};
  }
}

}  // namespace gossamer::bench
