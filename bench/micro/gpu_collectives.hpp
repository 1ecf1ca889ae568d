// What the parts of bench_gpu_collectives share: a case, and operations timed in captured graphs.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/collective/schedule.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::bench {

struct measurement {
  std::string operation, algorithm, by;  ///< by: one_kernel, steps, library, nccl, …
  std::size_t bytes = 0;                 ///< as in rules: the vector, or one rank's block
  double microseconds = 0;               ///< of one operation, slowest rank, median of launches
  int pieces = 0;                        ///< plan_options::segments; 0 = the algorithm's choice
};

/// Enqueues operation `k` of a chain into the stream. Chains with roots change them, so that no
/// rank can run ahead of the others: operation k + 1 starts where operation k ends.
using enqueue = std::function<void(int k, cudaStream_t on)>;

/// Microseconds of one of `operations` dependent operations, all in one captured graph: the median
/// of `launches` of the slowest rank's time. Collective; the same on every rank.
double time_in_graph(rank& r, const enqueue& one, int operations, int launches);
/// The same without a graph.
double time_in_stream(rank& r, const enqueue& one, int operations, int rounds);

/// Elements of the two buffers of an operation on doubles.
struct extent {
  std::size_t in, out;
};
extent extent_of(collective_op op, int ranks, std::size_t count);

/// NCCL on the same ranks; only where it was found at configuration.
class rival {
 public:
  static bool compiled_in();
  static std::string version();
  explicit rival(rank& r);
  rival(const rival&) = delete;
  ~rival();
  /// Operation `k` of a chain; gather, scatter and all_to_all as grouped sends and receives.
  void enqueue(collective_op op, int root, const double* in, double* out, std::size_t count,
               cudaStream_t on);

 private:
  void* communicator_ = nullptr;
  int id_, ranks_;
};

/// Microseconds of one allreduce of 8 bytes called from inside a kernel, of `calls` in a row.
double time_in_kernel(rank& r, int calls);
/// Bytes per second from this rank's memory to rank 1's, by a kernel's stores and by the fabric's
/// put (copy engine), alone on the wire; the same on every rank.
double store_rate(rank& r, std::size_t bytes);
double put_rate(rank& r, std::size_t bytes);

}  // namespace gossamer::bench
