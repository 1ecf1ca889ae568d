// One operation on doubles with the plans of all its roots, and what it must give: what
// bench_gpu_collectives measures, compared with the sequential result.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/plan.hpp"
#include "gossamer/machine/memory.hpp"
#include "gpu_collectives.hpp"

namespace gossamer::bench {

inline bool has_root(collective_op op) {
  return op == collective_op::broadcast || op == collective_op::scatter ||
         op == collective_op::gather || op == collective_op::reduce;
}

/// Roots of a chain: from one operation to the next by strides of 1, 2, … p - 1 in turn, so that
/// every pair of neighbours occurs and no algorithm's own order is favoured.
inline int root_of(int k, int ranks) {
  int root = 0;
  for (int i = 0; i < k; ++i) root = (root + 1 + i % std::max(ranks - 1, 1)) % ranks;
  return root;
}

/// What rank `r` contributes at element `i`; sums of a few are exact.
inline double contribution(int r, std::size_t i) {
  return static_cast<double>((static_cast<std::size_t>(r) * 7919 + i * 31) % 1021);
}

/// One operation with all its roots' plans, on its own buffers.
struct chain {
  collective_op op;
  std::size_t count;
  std::span<double> in;
  window<double> out;
  std::vector<collective_plan> plans;  ///< by root

  chain(rank& r, collective_op what, std::size_t n, const plan_options& how) : op(what), count(n) {
    const auto e = extent_of(op, r.size(), n);
    in = r.scratch<double>(e.in);
    out = r.make_window<double>(e.out);
    std::vector<double> host(e.in);
    for (std::size_t i = 0; i < e.in; ++i) host[i] = contribution(r.id(), i);
    copy_bytes(in.data(), host.data(), in.size_bytes());
    for (int root = 0; root < (has_root(op) ? r.size() : 1); ++root)
      plans.push_back(plan_collective<double>(r, op, root, n, in, out, reduction::sum, how));
  }
  void run(int root) { plans[static_cast<std::size_t>(root) % plans.size()].run(); }

  [[nodiscard]] double expected(int self, int ranks, std::size_t i) const {
    double sum = 0;
    switch (op) {
      case collective_op::broadcast:
        return contribution(0, i);
      case collective_op::scatter:
        return contribution(0, static_cast<std::size_t>(self) * count + i);
      case collective_op::gather:
      case collective_op::allgather:
        return contribution(static_cast<int>(i / count), i % count);
      default:
        for (int r = 0; r < ranks; ++r) sum += contribution(r, i);
        return sum;
    }
  }
  /// One operation from root 0, compared with what it must give.
  void verify(rank& r) {
    if (op == collective_op::broadcast && r.id() == 0)
      copy_bytes(out.local().data(), in.data(), in.size_bytes());
    r.synchronize();
    run(0);
    r.synchronize();
    if (r.id() != 0 && (op == collective_op::gather || op == collective_op::reduce)) return;
    // All of a short result; of a long one pieces from everywhere, the last element among them.
    constexpr std::size_t piece = 1 << 16, pieces = 64;
    const std::size_t n = out.local().size(), step = std::max(piece, n / pieces);
    for (std::size_t at = 0; at < n; at += step) {
      const std::size_t begin = at + step >= n && n > piece ? n - piece : at;
      std::vector<double> got(std::min(piece, n - begin));
      copy_bytes(got.data(), out.local().data() + begin, got.size() * sizeof(double));
      for (std::size_t i = 0; i < got.size(); ++i)
        if (got[i] != expected(r.id(), r.size(), begin + i))
          throw verification_error(std::string(name_of(op)) + ": wrong element " +
                                   std::to_string(begin + i));
    }
  }
};

}  // namespace gossamer::bench
