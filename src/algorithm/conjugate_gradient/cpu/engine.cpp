// Conjugate gradient's passes on a CPU team.
//
// Rows are cut once into one range a thread with equal entries; every pass uses the same ranges, so
// a thread finds its vectors' parts in its own cache, and partial sums are added in thread order.
// Work is charged to the rank's clock as bytes and flops, which is free on real machines: doubles
// read and written, 12 bytes an entry of the matrix (value and column).
#include <algorithm>
#include <vector>

#include "algorithm/conjugate_gradient/engine.hpp"

namespace gossamer::cg_detail {

namespace {

class cpu_engine final : public cg_engine {
 public:
  cpu_engine(const local_matrix& part, const device& on) : part_(part), threads_(on.threads) {
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
    p_ = extended_ + part_.own_offset;
    const auto rows = static_cast<std::size_t>(part_.rows);
    x_ = r.scratch<double>(rows).data();
    r_ = r.scratch<double>(rows).data();
    q_ = r.scratch<double>(rows).data();
    best_ = r.scratch<double>(rows).data();
    z_ = part_.inverse_diagonal.empty() ? r_ : r.scratch<double>(rows).data();
    // First touched by the thread that will use them.
    pass(0, 0, [&](std::int64_t i) {
      x_[i] = x0.empty() ? 0 : x0[static_cast<std::size_t>(i)];
      r_[i] = b[static_cast<std::size_t>(i)];
      p_[i] = 0;
      best_[i] = 0;
    });
  }

  void expose_solution() override {
    pass(2, 0, [&](std::int64_t i) { p_[i] = x_[i]; });
  }
  void multiply() override {
    multiply_pass([](std::int64_t, double) { return 0.0; });
  }
  double multiply_and_dot() override {
    return multiply_pass([this](std::int64_t i, double sum) { return p_[i] * sum; });
  }
  double dot(vector_name a, vector_name b) override {
    const double* u = data(a);
    const double* v = data(b);
    return sum_pass(u == v ? 1 : 2, 2, [=](std::int64_t i) { return u[i] * v[i]; });
  }
  void axpy(double alpha, vector_name a, vector_name b) override {
    const double* u = data(a);
    double* v = data(b);
    pass(3, 2, [=](std::int64_t i) { v[i] += alpha * u[i]; });
  }
  void precondition() override {
    if (z_ == r_) return;
    const double* d = part_.inverse_diagonal.data();
    pass(3, 1, [=, this](std::int64_t i) { z_[i] = d[i] * r_[i]; });
  }
  void direct(double beta) override {
    pass(3, 2, [=, this](std::int64_t i) { p_[i] = z_[i] + beta * p_[i]; });
  }
  dot_pair update(double alpha) override {
    dot_pair sums;
    const double* d = part_.inverse_diagonal.data();
    if (z_ == r_) {
      sums.rr = sum_pass(6, 6, [=, this](std::int64_t i) {
        x_[i] += alpha * p_[i];
        const double residual = r_[i] - alpha * q_[i];
        r_[i] = residual;
        return residual * residual;
      });
      sums.rz = sums.rr;
      return sums;
    }
    sums.rz = sum_pass(8, 7, [=, this](std::int64_t i) {
      x_[i] += alpha * p_[i];
      const double residual = r_[i] - alpha * q_[i];
      r_[i] = residual;
      z_[i] = d[i] * residual;
      return residual * z_[i];
    });
    sums.rr = dot(vector_name::r, vector_name::r);
    return sums;
  }
  void pack(std::span<const std::int32_t> entries, std::span<double> into) override {
    for (std::size_t i = 0; i < entries.size(); ++i) into[i] = p_[entries[i]];
    rank_->charge(20.0 * static_cast<double>(entries.size()), 0);
  }
  void keep_previous(double alpha) override {
    pass(3, 2, [=, this](std::int64_t i) { best_[i] = x_[i] - alpha * p_[i]; });
  }
  void download(std::span<double> into, bool kept) override {
    std::copy_n(kept ? best_ : x_, part_.rows, into.begin());
  }

 private:
  double* data(vector_name v) {
    switch (v) {
      case vector_name::x:
        return x_;
      case vector_name::r:
        return r_;
      case vector_name::z:
        return z_;
      case vector_name::p:
        return p_;
      case vector_name::q:
        break;
    }
    return q_;
  }
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
        q_[i] = a + b;
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
  double *extended_ = nullptr, *x_ = nullptr, *r_ = nullptr, *z_ = nullptr, *p_ = nullptr,
         *q_ = nullptr, *best_ = nullptr;
};

}  // namespace

std::size_t engine_bytes(const local_matrix& part, bool jacobi) {
  // x, r, q, best and z, each aligned to 256 bytes by the arena; a GPU's partial sums.
  return static_cast<std::size_t>(jacobi ? 5 : 4) *
             (static_cast<std::size_t>(part.rows) * sizeof(double) + 256) +
         std::size_t{64} * 1024;
}

std::unique_ptr<cg_engine> make_cpu_engine(const local_matrix& part, const device& on) {
  return std::make_unique<cpu_engine>(part, on);
}

}  // namespace gossamer::cg_detail
