// All ranks see the same sums, so each takes every decision by itself.
//
// fused:     q = A p with p'q; update x, r, z with r'z and r'r; p = z + beta p. Two allreduces
//            (three with a preconditioner), three passes over the vectors.
// published: rho = r'z; p = z + beta p; q = A p; p'q; x += alpha p; r -= alpha q; r'r. Three dot
//            products, three vector updates, three allreduces: paper E's counts.
#include "algorithm/cg/iteration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gossamer/fabric/trace.hpp"

namespace gossamer::cg_detail {

namespace {

class solver {
 public:
  solver(rank& r, cg_engine& engine, vector_exchange& exchange, scalar_plan<double>& agreement,
         const layout& l, const cg_options& options, method how)
      : rank_(r),
        engine_(engine),
        exchange_(exchange),
        agreement_(agreement),
        layout_(l),
        options_(options),
        how_(how) {}

  outcome run(bool zero_start) {
    if (how_ == method::single_kernel) engine_.prepare_single_kernel(layout_, options_.jacobi);
    const double from = rank_.clock();
    first_residual(zero_start);
    const double goal = options_.exactly ? -1
                                         : std::max(options_.tolerance * result_.right_side_norm,
                                                    options_.absolute);
    const std::int64_t most = options_.exactly
                                  ? *options_.exactly
                                  : options_.most_iterations.value_or(10 * layout_.first.back());
    how_ == method::single_kernel ? loop_in_one_kernel(goal, most) : loop(goal, most);
    finish();
    result_.seconds = rank_.clock() - from;
    trace_run(rank_, "cg", from, result_.seconds);
    return result_;
  }

 private:
  static constexpr const char* names[operations] = {"spmv", "dot", "axpy", "exchange", "allreduce"};

  template <class F>
  auto timed(operation what, F f) {
    const char* const name = names[static_cast<std::size_t>(what)];
    if (what == operation::exchange || what == operation::allreduce) {
      const trace_span span(rank_, name, trace_class::exchange);
      return watched(what, f);
    }
    const trace_span span(rank_, name, rank_.stream());
    return watched(what, f);
  }
  template <class F>
  auto watched(operation what, F& f) {
    struct stopwatch {
      solver& s;
      operation what;
      double from;
      ~stopwatch() { s.result_.times[static_cast<std::size_t>(what)] += s.rank_.clock() - from; }
    } const watch{*this, what, rank_.clock()};
    return f();
  }
  double agree(double mine) {
    return timed(operation::allreduce, [&] { return agreement_.allreduce(mine, reduction::sum); });
  }
  double dot(vector_name a, vector_name b) {
    return agree(timed(operation::dot, [&] { return engine_.dot(a, b); }));
  }
  void axpy(double alpha, vector_name a, vector_name b) {
    timed(operation::axpy, [&] { engine_.axpy(alpha, a, b); });
  }
  void direct(double beta) {
    timed(operation::axpy, [&] { engine_.direct(beta); });
  }
  void exchange() {
    timed(operation::exchange, [&] { exchange_.exchange(); });
  }
  void release() {
    timed(operation::exchange, [&] { exchange_.release(); });
  }

  /// r = b - A x0.
  void first_residual(bool zero_start) {
    result_.right_side_norm = std::sqrt(dot(vector_name::r, vector_name::r));  // r is b so far
    if (!zero_start) {
      timed(operation::axpy, [&] { engine_.expose_solution(); });
      exchange();
      timed(operation::spmv, [&] { engine_.multiply(); });
      axpy(-1, vector_name::q, vector_name::r);
    }
    timed(operation::axpy, [&] { engine_.precondition(); });
    sums_.rr = dot(vector_name::r, vector_name::r);
    release();
    result_.residual = std::sqrt(sums_.rr);
  }

  void loop_in_one_kernel(double goal, std::int64_t most) {
    single_kernel_state s;
    s.goal = goal;
    s.most = most;
    engine_.run_single_kernel(s);
    result_.iterations = s.iterations;
    result_.residual = s.residual;
    result_.negative_curvature = s.negative_curvature;
    result_.curvature = s.curvature;
    result_.not_finite = s.not_finite;
    result_.converged = goal >= 0 && s.not_finite < 0 && s.residual <= goal;
    kept_ = s.kept != 0;
    best_ = s.best;
  }

  void loop(double goal, std::int64_t most) {
    sums_.rz = dot(vector_name::r, vector_name::z);
    double beta = 0;
    track_best();
    while (!finished(goal, most)) {
      const trace_level traced(rank_, "iteration", result_.iterations);
      direct(beta);
      exchange();
      const double curvature = multiply();
      release();
      // Where r is exactly zero there is no direction left, and nothing to divide by.
      const bool still = options_.exactly && sums_.rz == 0;
      if (!still && !(curvature > 0)) {
        if (std::isfinite(curvature)) {
          result_.negative_curvature = result_.iterations;
          result_.curvature = curvature;
        } else {
          result_.not_finite = result_.iterations;
        }
        return;
      }
      const double alpha = still ? 0 : sums_.rz / curvature;
      const double before = sums_.rz;
      how_ == method::published ? update_published(alpha) : update_fused(alpha);
      beta = still ? 0 : sums_.rz / before;
      ++result_.iterations;
      result_.residual = std::sqrt(sums_.rr);
      if (!options_.exactly) keep_best(alpha);
    }
    result_.converged = !options_.exactly && result_.residual <= goal;
  }

  [[nodiscard]] bool finished(double goal, std::int64_t most) {
    if (!std::isfinite(sums_.rr) || !std::isfinite(sums_.rz)) {
      result_.not_finite = result_.iterations;
      return true;
    }
    return result_.residual <= goal || result_.iterations >= most;
  }
  double multiply() {
    if (how_ != method::published)
      return agree(timed(operation::spmv, [&] { return engine_.multiply_and_dot(); }));
    timed(operation::spmv, [&] { engine_.multiply(); });
    return dot(vector_name::p, vector_name::q);
  }
  void update_fused(double alpha) {
    const dot_pair mine = timed(operation::axpy, [&] { return engine_.update(alpha); });
    sums_.rz = agree(mine.rz);
    // Without a preconditioner z is r; otherwise the residual's norm is a second sum.
    sums_.rr = options_.jacobi ? agree(mine.rr) : sums_.rz;
  }
  void update_published(double alpha) {
    axpy(alpha, vector_name::p, vector_name::x);
    axpy(-alpha, vector_name::q, vector_name::r);
    timed(operation::axpy, [&] { engine_.precondition(); });
    sums_.rr = dot(vector_name::r, vector_name::r);
    sums_.rz = dot(vector_name::r, vector_name::z);
  }
  // The residual's norm may grow on its way down. The iterate before the first growth after a new
  // minimum is the best one, and is x - alpha p while p is still there.
  void track_best() { best_ = previous_ = result_.residual; }
  void keep_best(double alpha) {
    if (result_.residual > previous_ && previous_ <= best_) {
      timed(operation::axpy, [&] { engine_.keep_previous(alpha); });
      best_ = previous_;
      kept_ = true;
    } else if (result_.residual < best_) {
      best_ = result_.residual;
      kept_ = false;
    }
    previous_ = result_.residual;
  }

  void finish() {
    if (result_.converged || !kept_ || !(best_ < result_.residual)) return;
    result_.kept = true;
    result_.residual = best_;
  }

  rank& rank_;
  cg_engine& engine_;
  vector_exchange& exchange_;
  scalar_plan<double>& agreement_;
  const layout& layout_;
  const cg_options& options_;
  const method how_;
  outcome result_;
  dot_pair sums_;
  bool kept_ = false;
  double best_ = 0, previous_ = 0;
};

}  // namespace

outcome iterate(rank& r, cg_engine& engine, vector_exchange& exchange,
                scalar_plan<double>& agreement, const layout& l, const cg_options& options,
                bool zero_start, method how) {
  return solver(r, engine, exchange, agreement, l, options, how).run(zero_start);
}

}  // namespace gossamer::cg_detail
