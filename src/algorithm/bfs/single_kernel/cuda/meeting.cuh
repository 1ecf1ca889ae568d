// Where all blocks of the running kernel, and of all ranks' kernels, meet at the end of a step and
// learn what it found.
#pragma once

#include "algorithm/bfs/single_kernel/cuda/found.cuh"
#include "algorithm/bfs/single_kernel/cuda/peers.cuh"
#include "algorithm/bfs/single_kernel/cuda/phases.hpp"
#include "gossamer/dataflow/worklist/cuda/meeting.cuh"
#include "gossamer/fabric/trace_device.cuh"

namespace gossamer::bfs_detail::cuda {

/// Sums of consecutive steps lie in three places in turn. One is read after a meeting while the
/// next step already adds to the second. The third, which nobody reads any more, is zeroed.
///
/// The last block to come opens the meeting; with several ranks its first warp speaks for the rank.
/// Blocks of one GPU meet by fences of the device's scope. Only that warp has fences of the
/// system's scope, on either side of its exchange: causality does the rest.
template <class Id, bool Multi>
class meeting_place {
 public:
  __device__ meeting_place(const search_view<Id>& v, const peers_view<Id>& p,
                           std::uint32_t meetings)
      : v_(v), p_(p), meetings_(meetings) {
    if (speaks()) since() = device_detail::global_timer();
  }

  /// Where to add what this step finds.
  [[nodiscard]] __device__ level_sums* now() const { return v_.sums + meetings_ % 3; }
  [[nodiscard]] __device__ std::uint32_t meetings() const { return meetings_; }

  /// All threads of all blocks. Everything written before is seen by all after; `found` (shared
  /// memory) is what was added. `delivers`: messages were posted, and mail says how many. `what`
  /// was done since the last one, for `level`. False: a wait ran out or the run is over, every
  /// block leaves.
  __device__ bool meet(search_phase what, long long level, level_sums& found,
                       bool delivers = false) {
    level_sums* added = now();
    ++meetings_;
    __shared__ bool alive, last;
    __syncthreads();
    if (speaks()) note(what, level);
    if (threadIdx.x == 0) {
      last = dataflow::cuda::arrive(v_.arrived, meetings_);
      alive = last || dataflow::cuda::await_meeting(v_.arrived, meetings_, v_.guard);
    }
    if constexpr (Multi) {
      __syncthreads();
      if (last && threadIdx.x < 32 && !exchange(added, delivers) && threadIdx.x == 0) alive = false;
    }
    if (threadIdx.x == 0) {
      if (last && alive) {
        v_.sums[(meetings_ + 1) % 3] = {};
        dataflow::cuda::hold(v_.arrived, meetings_);
      }
      found = {__ldcg(&added->queued), __ldcg(&added->longs),    __ldcg(&added->arcs),
               __ldcg(&added->levels), __ldcg(&added->vertices), __ldcg(&added->all_arcs)};
      if constexpr (!Multi) {
        found.vertices = found.queued + (found.longs >> long_count_bit);
        found.all_arcs = found.arcs;
      }
    }
    if (speaks()) note(search_phase::agree, level);
    __syncthreads();
    return alive;
  }
  /// A meeting that leaves what the last one found.
  __device__ bool pause(search_phase what, long long level) {
    __shared__ level_sums nothing;
    return meet(what, level, nothing);
  }
  /// Traced, and the thread that writes the trace: what it has done since it last called.
  [[nodiscard]] __device__ bool speaks() const {
    return v_.phases.records != nullptr && blockIdx.x == 0 && threadIdx.x == 0;
  }
  __device__ void note(search_phase what, long long level) {
    phase_record record;
    record.begin = since();
    record.end = since() = device_detail::global_timer();
    record.phase = static_cast<std::int32_t>(what);
    record.level = static_cast<std::int32_t>(level);
    log_phase(v_.phases, record);
  }

 private:
  /// Shared, as a register would be lost to threads that never write a trace.
  __device__ static unsigned long long& since() {
    __shared__ unsigned long long at;
    return at;
  }
  __device__ static void fence() {
    __syncwarp();
    ::cuda::atomic_thread_fence(::cuda::memory_order_acq_rel, ::cuda::thread_scope_system);
    __syncwarp();
  }
  /// Vertices in the upper bits, arcs in sixteens below: directions need no more than this one
  /// word.
  static constexpr int arcs_unit = 16;
  /// One warp. What all ranks found goes into `added`.
  __device__ bool exchange(level_sums* added, bool delivers) {
    if (delivers) deliver();
    fence();
    const std::uint64_t vertices =
        __ldcg(&added->queued) + (__ldcg(&added->longs) >> long_count_bit);
    const std::uint64_t arcs = (__ldcg(&added->arcs) + arcs_unit - 1) / arcs_unit;
    bool ok = true;
    std::uint64_t all = 0;
    {
      scalar_caller<std::uint64_t> across(p_.across);
      all = across.allreduce(vertices << 32 | arcs, device_sum{}, ok);
    }
    fence();
    if (lane_id() == 0) {
      added->vertices = all >> 32;
      added->all_arcs = (all & 0xffffffffu) * arcs_unit;
    }
    return ok;
  }
  __device__ void deliver() {
    for (int d = static_cast<int>(lane_id()); d < p_.ranks; d += 32) {
      if (d == p_.me) continue;
      const unsigned long long n = __ldcg(p_.posted + d);
      p_.posted[d] = 0;
      device_detail::store_relaxed(p_.mail.at(d) + p_.me, mail_of(meetings_, n));
      if (n == 0) continue;
      atomicAdd(p_.sent, 1ull);
      atomicAdd(p_.sent + 1, n * sizeof(message<Id>));
    }
  }

  const search_view<Id>& v_;
  const peers_view<Id>& p_;
  std::uint32_t meetings_;
};

}  // namespace gossamer::bfs_detail::cuda
