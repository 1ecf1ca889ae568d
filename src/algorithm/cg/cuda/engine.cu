// Conjugate gradient's passes on a GPU: one kernel a pass, in the rank's stream; a sum costs a
// second small kernel that writes it to pinned host memory, and a wait for the stream. With
// `libraries` the operations that NVIDIA's libraries have are theirs.
//
// The multiplication is our own because p'q rides on it: after a library's SpMV a dot product would
// read q and p again, 16 bytes a row.
#include <cuda_runtime.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "algorithm/cg/cuda/device_matrix.hpp"
#include "algorithm/cg/cuda/passes.cuh"
#include "algorithm/cg/engine.hpp"
#include "algorithm/cg/library/cuda/library_operations.hpp"
#include "algorithm/cg/single_kernel/cuda/single_kernel.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/executor_cuda.cuh"

namespace gossamer::cg_detail {

namespace cuda {

namespace {

/// plain_update with z = d r; partial sums of r'z, then of r'r.
__global__ void __launch_bounds__(block_size)
    scaled_update_kernel(std::int64_t n, plain_update update, const double* d, double* z,
                         double* partial) {
  double rz = 0, rr = 0;
  const std::int64_t step = std::int64_t{gridDim.x} * block_size;
  for (std::int64_t i = std::int64_t{blockIdx.x} * block_size + threadIdx.x; i < n; i += step) {
    rr += update(i);
    z[i] = d[i] * update.r[i];
    rz += update.r[i] * z[i];
  }
  rz = block_sum(rz);
  rr = block_sum(rr);
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = rz;
  partial[most_blocks + blockIdx.x] = rr;
}

}  // namespace

}  // namespace cuda

namespace {

using namespace cuda;

static_assert(2 * most_blocks <= gpu_partial_sums);

class cuda_engine final : public cg_engine {
 public:
  cuda_engine(const local_matrix& part, const device& on, bool libraries)
      : rows_(part.rows),
        own_offset_(part.own_offset),
        units_(std::max(1, on.units / on.share)),
        on_(on),
        library_(libraries ? make_library_operations(part, on) : nullptr),
        inverse_(upload(part.inverse_diagonal, on)) {
    if (!libraries) matrix_.emplace(part, on);
  }

  void begin(rank& r, const window<double>& extended, std::span<const double> b,
             std::span<const double> x0) override {
    rank_ = &r;
    extended_ = extended.local().data();
    v_ = vectors::take(r, rows_, inverse_.size() != 0, extended_ + own_offset_);
    partial_ = r.scratch<double>(gpu_partial_sums).data();
    sums_ = r.scratch<double>(2, home::host).data();
    const std::size_t bytes = static_cast<std::size_t>(rows_) * sizeof(double);
    r.fill(v_.x, 0, bytes);
    r.synchronize();
    if (!x0.empty()) copy_bytes(v_.x, x0.data(), bytes);
    if (rows_ != 0) copy_bytes(v_.r, b.data(), bytes);
    if (library_) begin_library();
  }

  void expose_solution() override {
    if (rows_ == 0) return;
    GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(v_.p, v_.x,
                                        static_cast<std::size_t>(rows_) * sizeof(double),
                                        cudaMemcpyDeviceToDevice, native()));
  }
  void multiply() override { library_ ? library_->multiply() : launch_multiply(false); }
  double multiply_and_dot() override {
    launch_multiply(true);
    return total(multiply_blocks_, 1);
  }
  double dot(vector_name a, vector_name b) override {
    if (!library_) return sum(product{v_[a], v_[b]});
    library_->dot(v_[a], v_[b], sums_);
    rank_->synchronize();
    return sums_[0];
  }
  void axpy(double alpha, vector_name a, vector_name b) override {
    library_ ? library_->axpy(alpha, v_[a], v_[b]) : pass(add_scaled{alpha, v_[a], v_[b]});
  }
  void precondition() override {
    if (v_.preconditioned()) pass(scale{inverse_.data(), v_.r, v_.z});
  }
  void direct(double beta) override { pass(new_direction{beta, v_.z, v_.p}); }
  dot_pair update(double alpha) override {
    const plain_update step{alpha, v_.p, v_.q, v_.x, v_.r};
    if (!v_.preconditioned()) {
      const double rr = sum(step);
      return {rr, rr};
    }
    const int blocks = blocks_for(rows_);
    scaled_update_kernel<<<blocks, block_size, 0, native()>>>(rows_, step, inverse_.data(), v_.z,
                                                              partial_);
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
    total(blocks, 2);
    return {sums_[0], sums_[1]};
  }
  void pack(std::span<const std::int32_t> entries, std::span<double> into) override {
    for_each(cuda_stream(rank_->stream()), static_cast<std::int64_t>(entries.size()),
             gather{on_device(entries), v_.p, into.data()});
  }
  void prepare_single_kernel(const layout& l, bool jacobi) override {
    single_ = std::make_unique<single_kernel>(
        *rank_, l, matrix_->rows(), jacobi ? inverse_.data() : nullptr, jacobi, v_, extended_);
  }
  void run_single_kernel(single_kernel_state& state) override { single_->run(state); }
  void keep_previous(double alpha) override { pass(step_back{alpha, v_.x, v_.p, v_.best}); }
  void download(std::span<double> into, bool kept) override {
    rank_->synchronize();
    if (rows_ != 0) copy_bytes(into.data(), kept ? v_.best : v_.x, into.size() * sizeof(double));
  }

 private:
  /// A list of entries in this GPU's memory; uploaded at its first use and kept with the matrix.
  const std::int32_t* on_device(std::span<const std::int32_t> entries) {
    for (const auto& known : lists_)
      if (known.host == entries.data()) return known.there.data();
    rank_->synchronize();
    lists_.push_back({entries.data(), upload(std::vector(entries.begin(), entries.end()), on_)});
    return lists_.back().there.data();
  }
  [[nodiscard]] cudaStream_t native() const {
    return static_cast<cudaStream_t>(rank_->stream().native());
  }
  /// Eight blocks of 256 threads fill a multiprocessor.
  [[nodiscard]] int blocks_for(std::int64_t threads) const {
    const std::int64_t wanted = (threads + block_size - 1) / block_size;
    return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, std::min(most_blocks, 8 * units_)));
  }
  /// Only a launch loads a library's kernels, which must be before any rank waits in its stream
  /// (gossamer/machine/kernels.cuh): so the first solve among ranks launches each once for nothing.
  /// q is written before it is read.
  void begin_library() {
    library_->begin(extended_, v_.q, native());
    if (library_loaded_ || rank_->size() == 1) return;
    library_loaded_ = true;
    library_->multiply();
    library_->axpy(1, v_.r, v_.q);
    library_->dot(v_.r, v_.r, sums_);
    rank_->synchronize();
  }
  template <class F>
  void pass(F f) {
    for_each(cuda_stream(rank_->stream()), rows_, f);
  }
  template <class F>
  double sum(F f) {
    const int blocks = blocks_for(rows_);
    sum_kernel<<<blocks, block_size, 0, native()>>>(rows_, f, partial_);
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
    return total(blocks, 1);
  }
  double total(int blocks, int sets) {
    algorithm_detail::cuda::total_kernel<<<1, block_size, 0, native()>>>(partial_, blocks, sets,
                                                                         sums_);
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
    rank_->synchronize();
    return sums_[0];
  }
  void launch_multiply(bool dot) {
    with_rows<8>(matrix_->rows(), [&]<class Rows>(Rows) {
      multiply_blocks_ = blocks_for(rows_ * Rows::lanes);
      multiply_kernel<Rows><<<multiply_blocks_, block_size, 0, native()>>>(
          matrix_->rows(), extended_, v_.p, v_.q, dot, partial_);
      GOSSAMER_CHECK_CUDA(cudaGetLastError());
    });
  }

  struct list {
    const std::int32_t* host;
    buffer<std::int32_t> there;
  };
  const std::int64_t rows_, own_offset_;
  const int units_;
  const device on_;
  const std::unique_ptr<library_operations> library_;  ///< null: passes of our own
  std::optional<device_matrix> matrix_;                ///< nothing when the libraries have it
  const buffer<double> inverse_;
  bool library_loaded_ = false;
  std::vector<list> lists_;
  rank* rank_ = nullptr;
  int multiply_blocks_ = 1;
  double *extended_ = nullptr, *partial_ = nullptr, *sums_ = nullptr;
  vectors v_;
  std::unique_ptr<single_kernel> single_;
};

}  // namespace

std::string lacks_gpu_engines() {
  return {};
}

std::unique_ptr<cg_engine> make_cuda_engine(const local_matrix& part, const device& on,
                                            bool libraries) {
  int before = 0;
  GOSSAMER_CHECK_CUDA(cudaGetDevice(&before));
  GOSSAMER_CHECK_CUDA(cudaSetDevice(on.ordinal));
  auto made = std::make_unique<cuda_engine>(part, on, libraries);
  GOSSAMER_CHECK_CUDA(cudaSetDevice(before));
  return made;
}

}  // namespace gossamer::cg_detail
