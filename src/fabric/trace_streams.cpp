// Streams and kernels of a GPU on the host's clock. The GPU has two clocks: that of events and the
// global timer that kernels read. Both are related to the host's once a run, by a kernel that reads
// the timer with an event behind it. The error is what the host takes to see the end of that
// kernel, a few microseconds, and is the same for all events of the rank.
#include "fabric/trace_streams.hpp"

#include <limits>

#include "fabric/gpu_operations.hpp"

namespace gossamer {

namespace {
constexpr std::size_t moments_in_streams = 8192;  // pairs: creating them takes some milliseconds
constexpr std::size_t phases_of_kernels = 1 << 16;
constexpr int readings = 5;  // of the timer; the first ones load what they need
}  // namespace

trace_recorder::device_side::device_side(const device& d)
    : ordinal(d.ordinal),
      what(moments_in_streams),
      log(memory_kind::device, d.ordinal, phases_of_kernels),
      written(memory_kind::device, d.ordinal, 1),
      timer(memory_kind::pinned, d.ordinal, 1),
      base(d.ordinal) {
  moments.reserve(2 * moments_in_streams);
  for (std::size_t i = 0; i < 2 * moments_in_streams; ++i) moments.emplace_back(d.ordinal);
}

void trace_recorder::relate_clocks() {
  if (!device_) return;
  auto& d = *device_;
  const std::uint32_t none = 0;
  copy_bytes(d.written.data(), &none, sizeof none, main(), copier::engine);
  d.timer_to_host = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < readings; ++i) {
    gpu::read_timer(d.timer.data(), main());
    d.base.record(main());
    rank_->synchronize();
    // The host sees the end late, never early: the smallest difference is the best.
    const auto here = static_cast<std::int64_t>(now() * 1e9);
    const auto there = static_cast<std::int64_t>(*d.timer.data());
    d.timer_to_host = std::min(d.timer_to_host, here - there);
  }
  const auto last = static_cast<std::int64_t>(*d.timer.data());
  d.base_at = 1e-9 * static_cast<double>(last + d.timer_to_host);
}

int trace_recorder::open(const stream& on) {
  auto& d = *device_;
  if (d.used == d.what.size() || on.ordinal() != d.ordinal) return -1;
  d.moments[2 * d.used].record(on);
  return static_cast<int>(d.used++);
}

void trace_recorder::close(int opened, const trace_event& e, const stream& on) {
  if (opened < 0) {
    ++dropped_;
    return;
  }
  auto& d = *device_;
  const auto i = static_cast<std::size_t>(opened);
  d.moments[2 * i + 1].record(on);
  d.what[i] = e;
  d.what[i].on = &on == &main() ? trace_track::stream : trace_track::beside;
}

void trace_recorder::settle() {
  if (device_) {
    auto& d = *device_;
    for (std::size_t i = 0; i < d.used; ++i) {
      const event &begin = d.moments[2 * i], &end = d.moments[2 * i + 1];
      if (!begin.done() || !end.done()) {  // in a stream that nobody has waited for
        ++dropped_;
        continue;
      }
      trace_event e = d.what[i];
      e.begin = d.base_at + 1e-3 * begin.milliseconds_since(d.base);
      e.end = d.base_at + 1e-3 * end.milliseconds_since(d.base);
      add(e);
    }
    d.used = 0;
    if (!names_.empty()) {
      // Beside kernels of other ranks, which may still run: in this rank's stream, by the engine.
      copy_bytes(&written_, d.written.data(), sizeof written_, main(), copier::engine);
      rank_->synchronize();
      const auto kept = std::min<std::size_t>(written_, records_.size());
      if (kept > 0)
        copy_bytes(records_.data(), d.log.data(), kept * sizeof(phase_record), main(),
                   copier::engine);
      rank_->synchronize();
    }
  }
  settle_phases();
}

}  // namespace gossamer
