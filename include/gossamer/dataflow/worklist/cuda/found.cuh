// Between two rounds one thread makes what was found the next round's work.
#pragma once

#include "gossamer/collective/termination.hpp"
#include "gossamer/dataflow/worklist/cuda/row_queue.cuh"
#include "gossamer/dataflow/worklist/cuda/values.cuh"

namespace gossamer::dataflow::cuda {

/// `s.next`: what the round was. `complete`: nothing more comes into the next queue.
template <class View>
__device__ inline void adopt_found(const View& v, list_state& s, bool complete = true) {
  list_sums& found = *v.sums;
  if (s.next == list_phase::work) {
    // What offers along arcs left out has been counted before.
    if (s.rest == 0) s.items += s.queued + (s.longs >> long_count_bit);
    s.stepped += found.stepped;
    ++s.rounds;
  }
  const unsigned long long queued = found.queued, longs = found.longs;
  if (s.next == list_phase::wait) {
    ++s.waits;
  } else if (complete) {
    s.which ^= 1;
    s.queued = queued;
    s.longs = longs;
  }
  if (s.next == list_phase::split) {
    s.pile ^= 1;
    s.far = found.far;
  } else {
    s.far += found.far;
    s.deferred += found.far;
  }
  if (s.next == list_phase::split || s.next == list_phase::begin)
    s.nearest = found.nearest != 0 ? priority_of(found.nearest) : nothing_deferred;
  else if (found.far + found.nearer != 0 && s.threshold < s.nearest)
    s.nearest = s.threshold;  // or somewhat more: the next split will know
  if (s.far == 0) s.nearest = nothing_deferred;
  for (int r = 0; has_others(v) && r < v.ranks; ++r) {
    s.appended[r] += found.out[r];
    if (s.next != list_phase::work && s.next != list_phase::exchange) continue;
    s.sent[r] += s.to_send[r];
    s.received[r] += s.to_take[r];
    s.to_send[r] = s.to_take[r] = 0;
  }
  found = {};
  if (complete) return;
  found.queued = queued;
  found.longs = longs;
}

}  // namespace gossamer::dataflow::cuda
