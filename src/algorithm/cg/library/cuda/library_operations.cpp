// The handles and descriptors of one rank, made once, and the calls. All work stays in the rank's
// stream, results of dot products too.
#include "algorithm/cg/library/cuda/library_operations.hpp"

#include <limits>
#include <memory>
#include <vector>

#include "algorithm/cg/cuda/upload.hpp"
#include "algorithm/cg/library/cuda/library_functions.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer::cg_detail {

namespace {

/// cuSPARSE takes 32-bit offsets with 32-bit columns.
std::vector<std::int32_t> short_offsets(const local_matrix& part) {
  require(part.offsets.back() <= std::numeric_limits<std::int32_t>::max(),
          "cg: engine library takes at most 2^31 - 1 entries a rank; take more ranks, or engine "
          "fused");
  return {part.offsets.begin(), part.offsets.end()};
}

/// The generic algorithm that repeats bit for bit; the default one promises no order of its sums.
constexpr cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_CSR_ALG2;

/// What the libraries made, given back to them. They take and return memory of the GPU by
/// themselves.
struct handles {
  const library_functions& call = library_functions::get();
  cublasHandle_t blas = nullptr;
  cusparseHandle_t sparse = nullptr;
  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t from = nullptr, into = nullptr;

  handles() = default;
  handles(const handles&) = delete;
  handles& operator=(const handles&) = delete;
  ~handles() {
    forget_vectors();
    if (matrix != nullptr) static_cast<void>(call.destroy_matrix(matrix));
    if (sparse != nullptr) static_cast<void>(call.sparse_destroy(sparse));
    if (blas != nullptr) static_cast<void>(call.blas_destroy(blas));
  }
  /// When no run whose kernels wait for each other goes on.
  struct returner {
    void operator()(handles* made) const noexcept {
      when_clear([](int, void* h) noexcept { delete static_cast<handles*>(h); }, -1, made);
    }
  };
  void forget_vectors() {
    for (auto* v : {&from, &into}) {
      if (*v != nullptr) static_cast<void>(call.destroy_vector(*v));
      *v = nullptr;
    }
  }
};

class operations final : public library_operations {
 public:
  operations(const local_matrix& part, const device& on)
      : rows_(part.rows),
        extended_(part.extended),
        entries_(part.offsets.back()),
        ordinal_(on.ordinal),
        offsets_(cuda::upload(short_offsets(part), on)),
        columns_(cuda::upload(part.columns, on)),
        values_(cuda::upload(part.values, on)) {
    GOSSAMER_CHECK_CUBLAS(made_.call.blas_create(&made_.blas));
    GOSSAMER_CHECK_CUSPARSE(made_.call.sparse_create(&made_.sparse));
    if (rows_ == 0) return;
    GOSSAMER_CHECK_CUSPARSE(made_.call.create_csr(
        &made_.matrix, rows_, extended_, entries_, offsets_.data(), columns_.data(), values_.data(),
        CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  }

  void begin(double* extended, double* q, cudaStream_t on) override {
    GOSSAMER_CHECK_CUBLAS(made_.call.blas_set_stream(made_.blas, on));
    GOSSAMER_CHECK_CUSPARSE(made_.call.sparse_set_stream(made_.sparse, on));
    if (rows_ == 0) return;
    made_.forget_vectors();
    GOSSAMER_CHECK_CUSPARSE(made_.call.create_vector(&made_.from, extended_, extended, CUDA_R_64F));
    GOSSAMER_CHECK_CUSPARSE(made_.call.create_vector(&made_.into, rows_, q, CUDA_R_64F));
    if (buffer_.size() == 0) make_buffer();
    GOSSAMER_CHECK_CUSPARSE(made_.call.prepare_multiply(
        made_.sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, made_.matrix, made_.from, &zero,
        made_.into, CUDA_R_64F, algorithm, buffer_.data()));
  }

  void multiply() override {
    if (rows_ == 0) return;
    GOSSAMER_CHECK_CUSPARSE(made_.call.multiply(made_.sparse, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                &one, made_.matrix, made_.from, &zero, made_.into,
                                                CUDA_R_64F, algorithm, buffer_.data()));
  }

  // The result stays in the stream's order: with a pointer to the host the call would wait for it,
  // without a deadline.
  void dot(const double* a, const double* b, double* into) override {
    GOSSAMER_CHECK_CUBLAS(made_.call.blas_set_pointer_mode(made_.blas, CUBLAS_POINTER_MODE_DEVICE));
    GOSSAMER_CHECK_CUBLAS(made_.call.blas_dot(made_.blas, rows_, a, 1, b, 1, into));
  }
  void axpy(double alpha, const double* a, double* b) override {
    GOSSAMER_CHECK_CUBLAS(made_.call.blas_set_pointer_mode(made_.blas, CUBLAS_POINTER_MODE_HOST));
    GOSSAMER_CHECK_CUBLAS(made_.call.blas_axpy(made_.blas, rows_, &alpha, a, 1, b, 1));
  }

 private:
  static constexpr double one = 1, zero = 0;

  void make_buffer() {
    std::size_t bytes = 0;
    GOSSAMER_CHECK_CUSPARSE(made_.call.multiply_buffer(
        made_.sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, made_.matrix, made_.from, &zero,
        made_.into, CUDA_R_64F, algorithm, &bytes));
    buffer_ = buffer<std::byte>(memory_kind::device, ordinal_, bytes + 1);
  }

  const std::int64_t rows_, extended_, entries_;
  const int ordinal_;
  const buffer<std::int32_t> offsets_, columns_;
  const buffer<double> values_;
  buffer<std::byte> buffer_;
  const std::unique_ptr<handles, handles::returner> of_ours_{new handles};
  handles& made_ = *of_ours_;
};

}  // namespace

std::unique_ptr<library_operations> make_library_operations(const local_matrix& part,
                                                            const device& on) {
  const driver_pause pause;
  return std::make_unique<operations>(part, on);
}

}  // namespace gossamer::cg_detail
