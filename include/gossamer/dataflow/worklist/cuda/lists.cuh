// Where a changed vertex goes: into the next queue, onto the pile of deferred ones, or, if another
// rank owns it, into the list for that rank. One warp's side; whole warps call.
#pragma once

#include "gossamer/dataflow/worklist/cuda/row_queue.cuh"
#include "gossamer/dataflow/worklist/cuda/values.cuh"

namespace gossamer::dataflow::cuda {

/// What a warp gathers in shared memory before it takes places in the lists.
struct list_slots {
  std::int32_t near[warp_queue::capacity], far[warp_queue::capacity];
  std::int32_t out[64];
};

/// The nearest of all lanes' deferred vertices; whole warps.
__device__ inline void add_nearest(list_sums* sums, unsigned long long nearest) {
  for (int d = 16; d > 0; d /= 2) nearest = max(nearest, __shfl_xor_sync(whole_warp, nearest, d));
  if (lane_id() == 0 && nearest != 0) atomicMax(&sums->nearest, nearest);
}

template <class View>
__device__ inline int owner_of(const View& v, std::int64_t vertex) {
  int owner = 0;
  while (vertex >= v.starts[owner + 1]) ++owner;
  return owner;
}

/// Which list a vertex of another rank goes to: its owner's, unless the view sends by another rank.
template <class View>
__device__ inline int list_of(const View& v, std::int64_t vertex) {
  if constexpr (requires { v.way; })
    return v.way[owner_of(v, vertex)];
  else
    return owner_of(v, vertex);
}

template <class View>
class changed_vertices {
 public:
  __device__ changed_vertices(const View& v, const list_state& s, list_slots& slots)
      : v_(v),
        s_(s),
        near_mark_(v.near_mark[s.which ^ 1]),
        begin_(first_of(v)),
        near_(v, v.queue[s.which ^ 1], v.sums, slots.near),
        far_(slots.far),
        out_(slots.out) {}

  [[nodiscard]] __device__ bool own(std::int64_t vertex) const {
    return !has_others(v_) ||
           static_cast<std::uint64_t>(vertex - begin_) < static_cast<std::uint64_t>(v_.rows);
  }

  /// A lane's vertex whose value has become one of `priority`, if `changed`.
  __device__ void put(bool changed, std::int32_t vertex, double priority) {
    const bool mine = changed && own(vertex);
    put_here(mine, vertex, priority);
    if (has_others(v_)) put_there(changed && !mine, vertex);
  }
  __device__ void put_here(bool mine, std::int32_t vertex, double priority) {
    const auto row = static_cast<std::int32_t>(vertex - begin_);
    const bool near = mine && priority <= s_.threshold, far = mine && !near;
    near_.add(near && mark(near_mark_, row), row);
    const bool first = far && mark(v_.far_mark, row);
    nearer_ = nearer_ || (far && !first);
    far_.push(first, row, pile(), &v_.sums->far);
  }
  __device__ void finish() {
    if (__any_sync(whole_warp, nearer_) != 0 && lane_id() == 0) atomicOr(&v_.sums->nearer, 1ull);
    near_.finish();
    far_.flush(pile(), &v_.sums->far);
    if (has_others(v_)) flush_out();
  }

  // While the pile is looked through nothing else is done, and no vertex is on it twice.

  __device__ void revive(bool mine, std::int32_t row) { near_.add(mine, row); }
  __device__ void leave(bool mine, std::int32_t row, std::int32_t* rest) {
    far_.push(mine, row, rest, &v_.sums->far);
  }
  __device__ void finish_split(std::int32_t* rest) {
    near_.finish();
    far_.flush(rest, &v_.sums->far);
  }

 private:
  [[nodiscard]] __device__ std::int32_t* pile() const { return v_.pile[s_.pile] + s_.far; }

  /// The mark is set after the value has changed, and the sender clears it before it reads the
  /// value. So whoever finds it set knows that the message will have his value. Fences are dear, so
  /// several vertices share one.
  __device__ void put_there(bool theirs, std::int32_t vertex) {
    const unsigned who = __ballot_sync(whole_warp, theirs);
    if (who == 0) return;
    if (theirs) out_[out_filled_ + __popc(who & lanes_below())] = vertex;
    out_filled_ += __popc(who);
    if (out_filled_ > 32) flush_out();
  }
  __device__ void flush_out() {
    if (out_filled_ == 0) return;
    __syncwarp();
    if (!v_.in_step) __threadfence();  // else nobody sends before all have met
    for (int first = 0; first < out_filled_; first += 32) {
      const int i = first + static_cast<int>(lane_id());
      const std::int32_t vertex = i < out_filled_ ? out_[i] : 0;
      append(v_, s_, i < out_filled_ && mark(v_.out_mark, vertex), vertex);
    }
    __syncwarp();
    out_filled_ = 0;
  }
  /// Places in the lists of the vertices' owners.
  __device__ static void append(const View& v, const list_state& s, bool mine,
                                std::int32_t vertex) {
    const int list = mine ? list_of(v, vertex) : 0;
    unsigned left = __ballot_sync(whole_warp, mine);
    while (left != 0) {
      const int leader = __ffs(static_cast<int>(left)) - 1;
      const int to = __shfl_sync(whole_warp, list, leader);
      const bool here = mine && list == to;
      const unsigned who = __ballot_sync(whole_warp, here);
      unsigned long long at = 0;
      if (static_cast<int>(lane_id()) == leader)
        at = atomicAdd(&v.sums->out[to], static_cast<unsigned long long>(__popc(who)));
      at = __shfl_sync(whole_warp, at, leader) + __popc(who & lanes_below());
      if (here) v.out[to][(s.appended[to] + at) & v.out_mask[to]] = vertex;
      left &= ~who;
    }
  }

  const View& v_;
  const list_state& s_;
  std::uint32_t* near_mark_;
  const std::int64_t begin_;
  found_rows<View, list_sums, true> near_;
  warp_queue_of<true> far_;
  std::int32_t* out_;
  int out_filled_ = 0;   // the same in all lanes
  bool nearer_ = false;  // this lane's: something in the pile has become better
};

}  // namespace gossamer::dataflow::cuda
