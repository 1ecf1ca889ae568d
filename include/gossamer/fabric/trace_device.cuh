// Device side of trace.hpp: how a kernel that runs for long writes its phases. Included from .cu
// files only.
//
//   __global__ void traverse(…, phase_log log) {
//     for (…; ++level) {
//       device_phase expanding(log, phase::expand, level);   // by the thread that speaks for all
//       …
//       expanding.end();
//
// On the host, `trace_phases(r, names)` gives the log. If nothing is recorded, the log is empty and
// a phase costs one branch on a register. Otherwise a phase costs two reads of the global timer (32
// ns steps on H200, at least that far apart), one atomic on a word of the GPU's own memory and 40
// bytes stored. One thread does that, without a barrier: the times are that thread's. A phase that
// all blocks take part in is best written after the barrier that ends it, by one block.
#pragma once

#include <cstdint>
#include <cuda/atomic>

#include "gossamer/fabric/trace.hpp"
#include "gossamer/fabric/window_device.cuh"

namespace gossamer {

/// Writes one record; dropped, and counted, where the log is full.
__device__ inline void log_phase(const phase_log& log, const phase_record& record) {
  if (log.records == nullptr) return;
  cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device> written(*log.written);
  const std::uint32_t at = written.fetch_add(1, cuda::memory_order_relaxed);
  if (at < log.capacity) log.records[at] = record;
}

/// One phase of the calling thread: begins when it is made, ends at end().
class device_phase {
 public:
  /// `phase`: index into the names that the host gave.
  __device__ device_phase(const phase_log& log, int phase, int level = -1) : log_(log) {
    if (log_.records == nullptr) return;
    record_.phase = phase;
    record_.level = level;
    record_.begin = device_detail::global_timer();
  }
  /// For a copy: what was sent to whom. For a wait: who was waited for.
  __device__ void with(int peer, std::int64_t bytes = 0) {
    record_.peer = peer;
    record_.bytes = bytes;
  }
  __device__ void end() {
    if (log_.records == nullptr) return;
    record_.end = device_detail::global_timer();
    log_phase(log_, record_);
  }

 private:
  const phase_log log_;
  phase_record record_;
};

}  // namespace gossamer
