// Ranks and jumps between the order of vertices, which callers know, and that of slots.
#pragma once

#include <cstdint>
#include <span>

#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/executor_cuda.cuh"
#include "gossamer/machine/memory.hpp"

namespace gossamer::pagerank_detail::cuda {

/// to[slot[v]] = from[v].
template <class To>
struct into_slots {
  const vertex32* slot;
  const double* from;
  To* to;
  __device__ void operator()(std::int64_t v) const { to[slot[v]] = static_cast<To>(from[v]); }
};

/// to[v] = from[slot[v]].
template <class Value>
struct out_of_slots {
  const vertex32* slot;
  const Value* from;
  Value* to;
  __device__ void operator()(std::int64_t v) const { to[v] = from[slot[v]]; }
};

template <class Value>
struct all_alike {
  Value value;
  Value* to;
  __device__ void operator()(std::int64_t s) const { to[s] = value; }
};

/// What goes in by vertex, on its way in `room` (as many doubles as there are vertices), and comes
/// out by vertex.
class vertex_order {
 public:
  vertex_order(rank& r, const vertex32* slot, std::int64_t vertices, void* room)
      : rank_(r), slot_(slot), vertices_(vertices), room_(room) {}

  template <class To>
  void take(std::span<const double> values, To* by_slot) {
    auto* by_vertex = static_cast<double*>(room_);
    copy_bytes(by_vertex, values.data(), values.size_bytes());
    each(into_slots<To>{slot_, by_vertex, by_slot});
  }
  template <class Value>
  void fill(Value value, Value* by_slot) {
    each(all_alike<Value>{value, by_slot});
  }
  template <class Value>
  void give(const Value* by_slot, Value* by_vertex) {
    each(out_of_slots<Value>{slot_, by_slot, by_vertex});
  }

 private:
  /// Waited for: copies know nothing of streams.
  template <class F>
  void each(const F& f) {
    for_each(cuda_stream(rank_.stream()), vertices_, f);
    rank_.synchronize();
  }

  rank& rank_;
  const vertex32* slot_;
  const std::int64_t vertices_;
  void* const room_;
};

}  // namespace gossamer::pagerank_detail::cuda
