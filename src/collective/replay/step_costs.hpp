// What a rank's steps cost on a modelled system, by the memories that they touch: the same as
// running the plan costs on the fabric `sim`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/collective/replay.hpp"
#include "gossamer/collective/schedule.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer::model {

class step_costs {
 public:
  /// `native`: the memory of input and output. `on` must outlive it.
  step_costs(const schedule& what, const system& on, memory native)
      : system_(on),
        element_(what.request().element),
        reduces_on_host_(what.host_scratch()),
        native_(native),
        scratch_(what.host_scratch() ? memory::host : native) {}

  /// Of the call, before the first step.
  [[nodiscard]] time_parts of_start(const rank_schedule& part) const {
    time_parts p;
    p.software = system_.software.call;
    // As the runner has it: a CPU that reduces fetches its own operand first.
    if (reduces_on_host_)
      for (const auto& s : part.steps)
        if (s.kind == step_kind::reduce && s.own_part >= 0 && s.own.in != buffer_id::scratch)
          p.copying += copy_seconds(native_, scratch_, s.count * element_);
    return p;
  }

  /// Of a copy or a reduction.
  [[nodiscard]] time_parts of_work(const step& s) const {
    time_parts p;
    const std::size_t bytes = s.count * element_;
    if (s.kind == step_kind::copy) {
      p.copying = copy_seconds(memory_of(s.from), memory_of(s.to), bytes);
      return p;
    }
    const bool on_host = reduces_on_host_ || native_ == memory::host;
    const auto& by = on_host ? system_.processor : system_.kernel;
    p.computing = by.seconds(static_cast<double>(bytes) * (s.parts + 1),
                             static_cast<double>(s.count) * (s.parts - 1));
    if (reduces_on_host_ && s.to.in != buffer_id::scratch)
      p.copying = copy_seconds(scratch_, memory_of(s.to), bytes);
    return p;
  }

  /// Bytes that a put of data, or of a signal alone, moves.
  [[nodiscard]] std::size_t bytes_of(const step& s) const {
    return s.count != 0 ? s.count * element_ : sizeof(std::uint64_t);
  }
  /// How rank r's put s is moved.
  [[nodiscard]] const transfer_kind& kind_of(int r, const step& s) const {
    const bool data = s.count != 0;
    return system_.kind_of(data ? memory_of(s.from) : memory::host,
                           data ? memory_of(s.to) : scratch_, bytes_of(s), r == s.peer);
  }

 private:
  [[nodiscard]] memory memory_of(const buffer_place& p) const {
    return p.in == buffer_id::scratch ? scratch_ : native_;
  }
  [[nodiscard]] double copy_seconds(memory from, memory to, std::size_t bytes) const {
    if (bytes == 0) return 0;
    const auto& k = system_.kind_of(from, to, bytes, true);
    return k.start + k.setup + k.latency + static_cast<double>(bytes) / k.bandwidth;
  }

  const system& system_;
  std::size_t element_;
  bool reduces_on_host_;
  memory native_, scratch_;
};

}  // namespace gossamer::model
