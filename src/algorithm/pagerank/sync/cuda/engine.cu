// Sets up and launches the iteration on a GPU: one kernel (loop.cuh) where kernels of all ranks
// reach each other, else a kernel a step (steps.cuh).
#include <cuda_runtime.h>

#include <algorithm>
#include <span>
#include <utility>

#include "algorithm/pagerank/sync/cuda/device_rows.hpp"
#include "algorithm/pagerank/sync/cuda/loop.cuh"
#include "algorithm/pagerank/sync/cuda/steps.cuh"
#include "algorithm/pagerank/sync/cuda/vertex_order.cuh"
#include "algorithm/pagerank/sync/gpu_engine.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::pagerank_detail {

namespace cuda {

namespace {

static_assert(algorithm_detail::cuda::grid_sums_words == gpu_sum_words &&
              std::size_t{4} * most_blocks == gpu_partial_sums &&
              sizeof(loop_state) <= gpu_state_bytes);

/// Launches take some 50 ms at most, so that a cancelled run ends soon. The same on every rank.
std::int64_t iterations_a_launch(std::int64_t vertices, std::int64_t arcs, int ranks) {
  constexpr double launch = 0.05, arcs_a_second = 1e11, fewest_seconds = 1e-5;
  const double each = static_cast<double>(vertices + arcs) / arcs_a_second / ranks + fewest_seconds;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(launch / each));
}

template <class Value, bool Weighted>
class engine final : public gpu_engine<Value> {
 public:
  engine(device_rows<Value> rows, const device& on, const pagerank_options& options,
         bool one_kernel)
      : options_(options),
        on_(on),
        iterations_(
            iterations_a_launch(rows.work().vertices, rows.arcs_of_all(), rows.work().ranks)),
        one_kernel_(one_kernel),
        there_(std::move(rows)),
        before_(on.ordinal),
        after_(on.ordinal) {
    const current_device here(on.ordinal);
    if (one_kernel) {
      constexpr auto kernel = loop_kernel<Value, Weighted>;
      if (there_.work().hubs_each != 0 && room_for_hubs(kernel)) shared_bytes_ = hub_bytes;
      blocks_ = blocks_of(kernel, loop_threads);
      return;
    }
    blocks_ = blocks_of(step_kernel<Value, Weighted>, block_size);
  }

  outcome iterate(rank& r, std::span<Value> ranks, std::span<const double> jumps) override {
    const auto offers = r.make_window<Value>(static_cast<std::size_t>(2 * there_.work().vertices));
    pull_work<Value> w = work(r, offers);
    w.ranked = placed(r, ranks.data(), ranks.size());
    w.jumps = jumps.empty() ? nullptr : placed(r, jumps.data(), jumps.size());
    const outcome out = iterated(r, w, offers);
    if (there_.rows() != 0) copy_bytes(ranks.data(), w.ranked, ranks.size_bytes());
    return out;
  }

  outcome iterate(rank& r, std::span<const double> start, std::span<const double> jumps,
                  Value* ranks) override {
    const std::int64_t n = there_.rows();
    const auto size = static_cast<std::size_t>(n);
    const auto offers = r.make_window<Value>(2 * size);
    static_assert(2 * sizeof(Value) >= sizeof(double));
    vertex_order order(r, there_.slots(), n, offers.local().data());  // before and after offers
    pull_work<Value> w = work(r, offers);
    w.ranked = r.scratch<Value>(size).data();
    if (start.empty())
      order.fill(static_cast<Value>(1 / static_cast<double>(n)), w.ranked);
    else
      order.take(start, w.ranked);
    if (!jumps.empty()) {
      auto* by_slot = r.scratch<double>(size).data();
      order.take(jumps, by_slot);
      w.jumps = by_slot;
    }
    const outcome out = iterated(r, w, offers);
    order.give(w.ranked, ranks);
    return out;
  }

 private:
  outcome iterated(rank& r, const pull_work<Value>& w, const window<Value>& offers) {
    const double begin = r.clock();
    const outcome out = one_kernel_ ? in_one_kernel(r, w) : in_steps(r, w, offers);
    trace_run(r, "pagerank", begin, out.seconds);
    return out;
  }

  template <class T>
  static T* placed(rank& r, const T* from, std::size_t n) {
    const auto there = r.scratch<T>(n);
    if (n != 0) copy_bytes(there.data(), from, there.size_bytes());
    return there.data();
  }
  template <class T>
  static T* zeroed(rank& r, std::size_t n) {
    const auto there = r.scratch<T>(n);
    r.fill(there.data(), 0, there.size_bytes());
    return there.data();
  }
  [[nodiscard]] static cudaStream_t stream_of(rank& r) {
    return static_cast<cudaStream_t>(r.stream().native());
  }

  /// Without ranks and jumps.
  pull_work<Value> work(rank& r, const window<Value>& offers) const {
    pull_work<Value> w = there_.work();
    if (!one_kernel_) w.wanted = nullptr;
    if (shared_bytes_ == 0) w.hubs_each = 0;
    w.chunk_sums = r.scratch<double>(static_cast<std::size_t>(there_.chunks())).data();
    w.offers = offers.local().data();
    w.peers = device_handle(offers).peers;
    w.damping = options_.damping;
    return w;
  }

  /// Whether a block, which fills a multiprocessor, can have hub_bytes of shared memory.
  template <class Kernel>
  static bool room_for_hubs(Kernel kernel) {
    const auto resident = [&](int bytes) {
      int blocks = 0;
      GOSSAMER_CHECK_CUDA(
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, loop_threads, bytes));
      return blocks;
    };
    // Refused where a block cannot have so much.
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, hub_bytes) !=
        cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      return false;
    }
    return resident(hub_bytes) > 0;
  }

  /// As many as run at a time, or as there are tiles.
  template <class Kernel>
  [[nodiscard]] unsigned blocks_of(Kernel kernel, int threads) const {
    int resident = 0;
    GOSSAMER_CHECK_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared_bytes_));
    const std::int64_t most = std::int64_t{resident} * std::max(1, on_.units / on_.share);
    const std::int64_t wanted = (there_.tiles() * 32 + threads - 1) / threads;
    return static_cast<unsigned>(
        std::clamp<std::int64_t>(wanted, 1, std::min<std::int64_t>(most, most_blocks)));
  }

  outcome in_one_kernel(rank& r, const pull_work<Value>& pull) {
    loop_work<Value> w{};
    w.pull = pull;
    w.iterations = iterations_;
    w.state = r.scratch<loop_state>(1).data();
    w.barrier = zeroed<std::uint32_t>(r, 2);
    w.sums = {zeroed<std::uint64_t>(r, gpu_sum_words),
              zeroed<std::uint64_t>(r, 2 * algorithm_detail::cuda::most_sums * 2)};
    w.across = make_device_scalar<double>(r);
    w.guard = r.guard();
    loop_state state;
    state.tolerance = options_.tolerance;
    state.most = options_.most_iterations;
    copy_bytes(w.state, &state, sizeof state);
    r.synchronize();
    r.barrier();  // all begin together
    before_.record(r.stream());
    while (state.done == 0) {
      {
        const trace_span span(r, "pull", r.stream());
        loop_kernel<Value, Weighted><<<blocks_, loop_threads, shared_bytes_, stream_of(r)>>>(w);
        GOSSAMER_CHECK_CUDA(cudaGetLastError());
        after_.record(r.stream());
      }
      r.synchronize();
      copy_bytes(&state, w.state, sizeof state);
    }
    outcome out;
    out.iterations = state.iterations;
    out.change = state.change;
    out.converged = state.iterations > 0 && state.change <= options_.tolerance;
    out.seconds = after_.milliseconds_since(before_) / 1e3;
    return out;
  }

  /// One step, and its sums over this rank's rows.
  void launch(rank& r, const pull_work<Value>& w, pull_step step, int from, double dangling,
              int set) {
    step_kernel<Value, Weighted>
        <<<blocks_, block_size, 0, stream_of(r)>>>(w, step, from, dangling, partial_, set);
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
  }
  void total(rank& r, int sets) {
    algorithm_detail::cuda::total_kernel<<<1, block_size, 0, stream_of(r)>>>(
        partial_, static_cast<int>(blocks_), sets, sums_);
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
  }

  outcome in_steps(rank& r, const pull_work<Value>& w, const window<Value>& offers) {
    partial_ = r.scratch<double>(gpu_partial_sums).data();
    sums_ = r.scratch<double>(4, home::host).data();
    scalar_plan<double> plan(r);
    outcome out;
    // Everything that was put before has arrived everywhere once all have agreed.
    const auto exchange = [&](std::int64_t buffer) {
      const double from = r.clock();
      const std::int64_t at = buffer * w.vertices + w.first;
      const auto own =
          offers.local().subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(w.rows));
      for (int i = 1; i < r.size() && w.rows != 0; ++i)
        r.put(offers, (r.id() + i) % r.size(), static_cast<std::size_t>(at), own);
      r.quiet();
      out.gather += r.clock() - from;
    };
    const auto sum = [&](double value) {
      if (r.size() == 1) return value;
      const double from = r.clock();
      const double all = plan.allreduce(value, reduction::sum);
      out.agree += r.clock() - from;
      return all;
    };
    r.synchronize();
    r.barrier();
    before_.record(r.stream());
    launch(r, w, pull_step::begin, 1, 0, 0);
    total(r, 2);
    r.synchronize();
    exchange(0);
    double dangling = sum(sums_[1]);
    while (!out.converged && out.iterations < options_.most_iterations) {
      const int from = static_cast<int>(out.iterations & 1);
      const bool splits = w.class_end[split] > 0;
      {
        const trace_span span(r, "pull", r.stream());
        launch(r, w, pull_step::rows, from, dangling, 0);
        if (splits) launch(r, w, pull_step::split_rows, from, dangling, 2);
        total(r, splits ? 4 : 2);
      }
      r.synchronize();
      const double change = sums_[0] + (splits ? sums_[2] : 0);
      const double left = sums_[1] + (splits ? sums_[3] : 0);
      exchange(from ^ 1);
      out.change = sum(change);
      dangling = sum(left);
      ++out.iterations;
      out.converged = out.change <= options_.tolerance;
      r.progress();
    }
    after_.record(r.stream());
    r.synchronize();
    out.seconds = after_.milliseconds_since(before_) / 1e3;
    return out;
  }

  const pagerank_options options_;
  const device on_;
  const std::int64_t iterations_;
  const bool one_kernel_;
  const device_rows<Value> there_;
  event before_, after_;
  unsigned blocks_ = 1;
  int shared_bytes_ = 0;
  double *partial_ = nullptr, *sums_ = nullptr;
};

}  // namespace

}  // namespace cuda

namespace {

template <class Value>
std::unique_ptr<gpu_engine<Value>> engine_for(cuda::device_rows<Value> rows, const device& on,
                                              const pagerank_options& options, bool one_kernel) {
  if (options.weighted)
    return std::make_unique<cuda::engine<Value, true>>(std::move(rows), on, options, one_kernel);
  return std::make_unique<cuda::engine<Value, false>>(std::move(rows), on, options, one_kernel);
}

}  // namespace

template <class Value>
std::unique_ptr<gpu_engine<Value>> make_gpu_engine(const gpu_rows<Value>& rows, int rank,
                                                   const device& on,
                                                   const pagerank_options& options, bool one_kernel,
                                                   const memory_plan& needs) {
  return engine_for(cuda::device_rows<Value>(rows, rank, on, needs), on, options, one_kernel);
}

template <class Value>
std::unique_ptr<gpu_engine<Value>> make_gpu_engine(std::shared_ptr<const rows_on_gpu<Value>> rows,
                                                   const device& on,
                                                   const pagerank_options& options,
                                                   bool one_kernel) {
  return engine_for(cuda::device_rows<Value>(std::move(rows)), on, options, one_kernel);
}

#define GOSSAMER_MAKE_ENGINE(Value)                                              \
  template std::unique_ptr<gpu_engine<Value>> make_gpu_engine(                   \
      const gpu_rows<Value>&, int, const device&, const pagerank_options&, bool, \
      const memory_plan&);                                                       \
  template std::unique_ptr<gpu_engine<Value>> make_gpu_engine(                   \
      std::shared_ptr<const rows_on_gpu<Value>>, const device&, const pagerank_options&, bool);
GOSSAMER_MAKE_ENGINE(float)
GOSSAMER_MAKE_ENGINE(double)
#undef GOSSAMER_MAKE_ENGINE

}  // namespace gossamer::pagerank_detail
