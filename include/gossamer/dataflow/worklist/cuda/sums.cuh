// Values that are sums: added to by anyone, emptied by whoever takes them.
//
// An operator says how much a sum is worth: level(vertex, sum), 0 for what is not worth work. The
// level only grows with the sum. Between two takes a sum only grows, by one atomic addition after
// the other, each of which returns what was there before. So each rise of the level has exactly one
// adder that brought it about. That adder lists the vertex by the new level: into the next queue,
// onto the pile, or for its owner. Nobody else looks at marks, which on hubs would cost as much as
// the additions.
//
// When a listed vertex's turn comes, its sum is taken if it is due, that is, worth work and with a
// level within the threshold. Else it is left alone: it was taken after it had been listed.
//
// Nothing is lost. Take an own vertex with a sum that is worth work, and the addition that raised
// it to its present level. Nobody has taken the sum since. The adder judged by the threshold of its
// time, which only moves outwards:
// - If the level is beyond the threshold, the adder made sure that the vertex is on the pile. Who
//   looks through the pile removes what is due or worth no work, and queues what is due.
// - Else it made sure that the vertex is in the next queue. Marks of that queue are cleared in the
//   next round alone. So the vertex's turn comes after a meeting that follows the addition, and it
//   is due then.
//
// For another rank's vertex take the addition that made the sum worth sending. The adder added,
// fenced, and then marked the vertex; the sender clears the mark, fences, and then takes. If the
// adder found no mark, it listed the vertex. If it found one, that is cleared later, and what the
// sender takes has the addition in it. A take too many sends a message of nothing. Nothing counts
// twice: what is taken is what the exchange returns.
#pragma once

#include <type_traits>

#include "gossamer/dataflow/worklist/cuda/values.cuh"

namespace gossamer::dataflow::cuda {

/// Adds, and says whether the caller has to list the vertex, whose level is `level` now. For
/// another rank's vertex only the first level counts: it is sent then, whatever more comes.
template <class Operator>
__device__ inline bool add_to_sum(const Operator& by, double* at, std::int64_t vertex,
                                  double incoming, bool here, int& level) {
  static_assert(std::is_same_v<typename Operator::value, double>);
  const double before = atomicAdd(at, incoming);
  // As the memory has rounded it: with a product fused into it, the sum could fall short of a level
  // that the next adder finds reached.
  level = by.level(vertex, __dadd_rn(before, incoming));
  const int was = by.level(vertex, before);
  return here ? level > was : was == 0 && level > 0;
}

/// Takes all that is there. The caller has seen what must not be left, so that comes with it.
__device__ inline double empty_sum(double* at) {
  return from_word<double>(atomicExch(word_at(at), 0ull));
}

/// Of an own row.
template <class View>
__device__ inline int level_of(const View& v, std::int64_t row) {
  const std::int64_t vertex = first_of(v) + row;
  return v.by.level(vertex, fresh(v.values + vertex));
}

/// Takes the sum of an own row whose turn has come, and returns what goes out along the row.
/// Nothing if the sum was taken since it was listed, or is not due yet: then it is on the pile.
template <class View, class Counts>
__device__ inline double take_sum(const View& v, double threshold, std::int64_t row,
                                  Counts& counts) {
  const int level = level_of(v, row);
  if (level == 0 || v.by.priority(level) > threshold) {
    --counts.items;  // the queue's length counts it
    return 0;
  }
  if (!mark(v.worked_mark, row)) ++counts.repeated;
  return v.by.leave(row, empty_sum(v.values + first_of(v) + row));
}

/// What this rank knows of when all is done; all threads of all blocks.
template <class View>
__device__ inline void add_left(const View& v) {
  const std::int64_t all = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  double left = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < v.vertices; i += all)
    left += __ldcg(v.values + i);
  for (int d = 16; d > 0; d /= 2) left += __shfl_xor_sync(whole_warp, left, d);
  if (lane_id() == 0 && left != 0) atomicAdd(&v.totals->left, left);
}

}  // namespace gossamer::dataflow::cuda
