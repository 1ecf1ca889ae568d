// Sets up and launches the kernel of single_kernel.cuh.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "algorithm/cg/single_kernel/cuda/single_kernel.cuh"
#include "algorithm/cg/single_kernel/cuda/single_kernel.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::cg_detail {

namespace cuda {

namespace {

using algorithm_detail::cuda::grid_sums_words, algorithm_detail::cuda::most_blocks,
    algorithm_detail::cuda::most_sums;

constexpr std::int64_t iterations_a_launch = 256;
static_assert(grid_sums_words == single_kernel_words && sizeof(z_message) <= single_kernel_message);

template <class T>
T* placed(rank& r, const std::vector<T>& from) {
  const auto there = r.scratch<T>(from.size());
  if (!from.empty()) copy_bytes(there.data(), from.data(), there.size_bytes());
  return there.data();
}
template <class T>
T* zeroed(rank& r, std::size_t n) {
  const auto there = r.scratch<T>(n);
  r.fill(there.data(), 0, there.size_bytes());
  return there.data();
}

std::vector<z_message> messages(rank& r, const layout& l, const window<double>& z) {
  std::vector<z_message> all;
  const auto add = [&](int peer, std::int64_t at, const std::int32_t* entries, std::int64_t count) {
    double* theirs = z.direct(peer).data() + at;
    const std::int64_t second = l.parts[static_cast<std::size_t>(peer)].extended;
    all.push_back({{theirs, theirs + second}, entries, count});
  };
  const auto self = static_cast<std::size_t>(r.id());
  if (l.halo) {
    for (const auto& m : l.sends[self])
      add(m.peer, m.at, placed(r, m.entries), static_cast<std::int64_t>(m.entries.size()));
    return all;
  }
  const auto& part = l.parts[self];
  for (int i = 1; i < r.size(); ++i)
    add((r.id() + i) % r.size(), part.first_row, nullptr, part.rows);
  return all;
}

void launch(rank& r, const single_kernel_work& work) {
  with_rows<4>(work.matrix, [&]<class Rows>(Rows) {
    int resident = 0;
    GOSSAMER_CHECK_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, cg_kernel<Rows>, loop_threads, 0));
    const auto& on = r.dev();
    const std::int64_t most = std::int64_t{resident} * std::max(1, on.units / on.share);
    const std::int64_t wanted = (work.matrix.rows * Rows::lanes + loop_threads - 1) / loop_threads;
    const auto blocks = static_cast<unsigned>(
        std::clamp<std::int64_t>(wanted, 1, std::min<std::int64_t>(most, most_blocks)));
    cg_kernel<Rows>
        <<<blocks, loop_threads, 0, static_cast<cudaStream_t>(r.stream().native())>>>(work);
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
  });
}

}  // namespace

struct single_kernel::parts {
  rank* on;
  const double* first_residual;
  double* extended;
  single_kernel_work work{};
};

single_kernel::single_kernel(rank& r, const layout& l, const device_rows& matrix,
                             const double* inverse, bool jacobi, const vectors& v, double* extended)
    : parts_(std::make_unique<parts>(parts{&r, v.r, extended})) {
  const auto& part = l.parts[static_cast<std::size_t>(r.id())];
  const auto length = static_cast<std::size_t>(part.extended);
  const auto z = r.make_window<double>(2 * length);
  r.fill(z.local().data(), 0, z.local().size_bytes());
  auto& w = parts_->work;
  w.matrix = matrix;
  w.own = part.own_offset;
  w.extended = part.extended;
  w.inverse = inverse;
  w.preconditioned = jacobi;
  w.x = v.x;
  w.q = v.q;
  w.best = v.best;
  w.p[0] = extended;
  w.p[1] = zeroed<double>(r, length);
  for (int i = 0; i < 2; ++i) {
    w.z[i] = z.local().data() + static_cast<std::size_t>(i) * length;
    w.r[i] = w.z[i] + w.own;
  }
  if (w.preconditioned) {
    w.r[0] = v.r;
    w.r[1] = r.scratch<double>(static_cast<std::size_t>(w.matrix.rows)).data();
  }
  const auto sends = messages(r, l, z);
  w.messages = placed(r, sends);
  w.message_count = static_cast<int>(sends.size());
  w.iterations = iterations_a_launch;
  w.state = r.scratch<single_kernel_state>(1).data();
  w.sums = {zeroed<std::uint64_t>(r, 2 * most_sums * most_blocks * 2),
            zeroed<std::uint64_t>(r, 2 * most_sums * 2)};
  w.across = make_device_scalar<double>(r);
  w.guard = r.guard();
  r.synchronize();
  r.barrier();  // nobody writes to a vector that its owner still clears
}

single_kernel::~single_kernel() = default;

void single_kernel::run(single_kernel_state& state) {
  rank& r = *parts_->on;
  const auto& w = parts_->work;
  // The exchange before the first residual used it.
  r.fill(parts_->extended, 0, static_cast<std::size_t>(w.extended) * sizeof(double));
  if (!w.preconditioned && w.matrix.rows != 0)
    GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(
        w.r[0], parts_->first_residual, static_cast<std::size_t>(w.matrix.rows) * sizeof(double),
        cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(r.stream().native())));
  r.synchronize();
  copy_bytes(w.state, &state, sizeof state);
  while (state.done == 0) {
    launch(r, w);
    r.synchronize();
    copy_bytes(&state, w.state, sizeof state);
  }
}

}  // namespace cuda

}  // namespace gossamer::cg_detail
