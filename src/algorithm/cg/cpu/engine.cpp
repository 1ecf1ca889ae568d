// Conjugate gradient's passes on a CPU team.
//
// Rows are cut once into one range a thread with equal entries; every pass uses the same ranges, so
// a thread finds its vectors' parts in its own cache, and partial sums are added in thread order.
// Work is charged to the rank's clock as bytes and flops, which is free on real machines: doubles
// read and written, 12 bytes an entry of the matrix (value and column).
#include <algorithm>
#include <vector>

#include "algorithm/cg/engine.hpp"
#include "algorithm/driver/threads_worth.hpp"

namespace gossamer::cg_detail {

namespace {

class cpu_engine final : public cg_engine {
 public:
  cpu_engine(const local_matrix& part, const device& on)
      : part_(part),
        threads_(algorithm_detail::threads_worth(static_cast<std::int64_t>(part.columns.size()),
                                                 on.threads)) {
    const auto& offsets = part.offsets;
    cuts_.assign(static_cast<std::size_t>(threads_) + 1, part.rows);
    cuts_[0] = 0;
    for (int t = 1; t < threads_; ++t) {
      const std::int64_t wanted = offsets.back() / threads_ * t;
      const auto at = std::lower_bound(offsets.begin(), offsets.end(), wanted) - offsets.begin();
      cuts_[t] = std::clamp<std::int64_t>(at, cuts_[t - 1], part.rows);
    }
    partial_.resize(static_cast<std::size_t>(threads_));
  }

  void begin(rank& r, const window<double>& extended, std::span<const double> b,
             std::span<const double> x0) override {
    rank_ = &r;
    extended_ = extended.local().data();
    v_ =
        vectors::take(r, part_.rows, !part_.inverse_diagonal.empty(), extended_ + part_.own_offset);
    // First touched by the thread that will use them.
    pass(0, 0, [&](std::int64_t i) {
      v_.x[i] = x0.empty() ? 0 : x0[static_cast<std::size_t>(i)];
      v_.r[i] = b[static_cast<std::size_t>(i)];
      v_.p[i] = 0;
      v_.best[i] = 0;
    });
  }

  void expose_solution() override {
    pass(2, 0, [&](std::int64_t i) { v_.p[i] = v_.x[i]; });
  }
  void multiply() override {
    multiply_pass([](std::int64_t, double) { return 0.0; });
  }
  double multiply_and_dot() override {
    return multiply_pass([this](std::int64_t i, double sum) { return v_.p[i] * sum; });
  }
  double dot(vector_name a, vector_name b) override {
    const double* u = v_[a];
    const double* v = v_[b];
    return sum_pass(u == v ? 1 : 2, 2, [=](std::int64_t i) { return u[i] * v[i]; });
  }
  void axpy(double alpha, vector_name a, vector_name b) override {
    const double* u = v_[a];
    double* v = v_[b];
    pass(3, 2, [=](std::int64_t i) { v[i] += alpha * u[i]; });
  }
  void precondition() override {
    if (!v_.preconditioned()) return;
    const double* d = part_.inverse_diagonal.data();
    pass(3, 1, [=, this](std::int64_t i) { v_.z[i] = d[i] * v_.r[i]; });
  }
  void direct(double beta) override {
    pass(3, 2, [=, this](std::int64_t i) { v_.p[i] = v_.z[i] + beta * v_.p[i]; });
  }
  dot_pair update(double alpha) override {
    dot_pair sums;
    const double* d = part_.inverse_diagonal.data();
    if (!v_.preconditioned()) {
      sums.rr = sum_pass(6, 6, [=, this](std::int64_t i) {
        v_.x[i] += alpha * v_.p[i];
        const double residual = v_.r[i] - alpha * v_.q[i];
        v_.r[i] = residual;
        return residual * residual;
      });
      sums.rz = sums.rr;
      return sums;
    }
    sums.rz = sum_pass(8, 7, [=, this](std::int64_t i) {
      v_.x[i] += alpha * v_.p[i];
      const double residual = v_.r[i] - alpha * v_.q[i];
      v_.r[i] = residual;
      v_.z[i] = d[i] * residual;
      return residual * v_.z[i];
    });
    sums.rr = dot(vector_name::r, vector_name::r);
    return sums;
  }
  void pack(std::span<const std::int32_t> entries, std::span<double> into) override {
    for (std::size_t i = 0; i < entries.size(); ++i) into[i] = v_.p[entries[i]];
    rank_->charge(20.0 * static_cast<double>(entries.size()), 0);
  }
  void prepare_single_kernel(const layout&, bool) override {
    throw usage_error("cg: engine single_kernel needs a GPU for every rank");
  }
  void run_single_kernel(single_kernel_state&) override {}
  void keep_previous(double alpha) override {
    pass(3, 2, [=, this](std::int64_t i) { v_.best[i] = v_.x[i] - alpha * v_.p[i]; });
  }
  void download(std::span<double> into, bool kept) override {
    std::copy_n(kept ? v_.best : v_.x, part_.rows, into.begin());
  }

 private:
  void charge(double bytes, double flops) {
    rank_->charge(bytes * static_cast<double>(part_.rows), flops * static_cast<double>(part_.rows));
  }
  /// Calls f(thread) on the team.
  template <class F>
  void on_team(F f) {
    if (threads_ == 1) return f(0);
#pragma omp parallel for schedule(static, 1) num_threads(threads_)
    for (int t = 0; t < threads_; ++t) f(t);
  }
  template <class F>
  void pass(double doubles, double flops, F f) {
    on_team([&](int t) {
      for (std::int64_t i = cuts_[t]; i < cuts_[t + 1]; ++i) f(i);
    });
    charge(doubles * sizeof(double), flops);
  }
  template <class F>
  double sum_pass(double doubles, double flops, F f) {
    on_team([&](int t) {
      // Four sums, so that additions need not wait for each other.
      double sums[4] = {0, 0, 0, 0};
      std::int64_t i = cuts_[t];
      for (; i + 4 <= cuts_[t + 1]; i += 4)
        for (int k = 0; k < 4; ++k) sums[k] += f(i + k);
      for (; i < cuts_[t + 1]; ++i) sums[0] += f(i);
      partial_[static_cast<std::size_t>(t)].sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    });
    charge(doubles * sizeof(double), flops);
    return total();
  }
  template <class F>
  double multiply_pass(F extra) {
    const std::int64_t* offsets = part_.offsets.data();
    const std::int32_t* columns = part_.columns.data();
    const double* values = part_.values.data();
    const double* vector = extended_;
    on_team([&](int t) {
      double sum = 0;
      for (std::int64_t i = cuts_[t]; i < cuts_[t + 1]; ++i) {
        double a = 0, b = 0;
        std::int64_t k = offsets[i];
        for (; k + 2 <= offsets[i + 1]; k += 2) {
          a += values[k] * vector[columns[k]];
          b += values[k + 1] * vector[columns[k + 1]];
        }
        if (k < offsets[i + 1]) a += values[k] * vector[columns[k]];
        v_.q[i] = a + b;
        sum += extra(i, a + b);
      }
      partial_[static_cast<std::size_t>(t)].sum = sum;
    });
    const auto entries = static_cast<double>(part_.columns.size());
    rank_->charge(12 * entries + 24 * static_cast<double>(part_.rows), 2 * entries);
    return total();
  }
  [[nodiscard]] double total() const {
    double sum = 0;
    for (const auto& p : partial_) sum += p.sum;
    return sum;
  }

  struct alignas(64) line {
    double sum = 0;
  };
  const local_matrix& part_;
  const int threads_;
  std::vector<std::int64_t> cuts_;  ///< [threads + 1] rows
  std::vector<line> partial_;
  rank* rank_ = nullptr;
  double* extended_ = nullptr;
  vectors v_;
};

}  // namespace

std::unique_ptr<cg_engine> make_cpu_engine(const local_matrix& part, const device& on) {
  return std::make_unique<cpu_engine>(part, on);
}

}  // namespace gossamer::cg_detail
