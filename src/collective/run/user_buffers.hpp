// The caller's buffers as a plan's actions address them.
//
// Bounce buffers: a reduction needs operands that whoever computes it can address. A kernel cannot
// read pageable host memory, and a CPU that reduces for a GPU rank cannot read device memory; the
// caller's buffer is then replaced by one that can be read, copied in before and out after.
//
// Pageable memory: the driver moves it on the calling thread, after what the stream has queued and
// with the context locked. If that is a wait for a rank on the same GPU, whose thread then cannot
// launch what would end it, nothing moves any more. So the stream is drained first (`settle`), by a
// wait that has a deadline and leaves the driver free.
#pragma once

#include <cstddef>

#include "collective/run/plan_state.hpp"

namespace gossamer {

struct user_buffers {
  user_buffers(const collective_plan::state& plan, int rank, const plan_detail::buffers& user);

  /// For GPU ranks that reduce: replaces what whoever computes cannot address.
  void bounce(const collective_plan::state& plan, int rank);
  [[nodiscard]] bool pageable() const { return in_pageable || out_pageable; }
  /// True when the step itself reads or writes the caller's pageable memory.
  [[nodiscard]] bool pageable_in(const step& s) const;

  std::size_t input_bytes, output_bytes;
  std::byte *input, *output;  ///< of the bounce buffers where there are some
  bool in_bounced = false, out_bounced = false;
  bool in_pageable = false, out_pageable = false;  ///< the caller's
};

}  // namespace gossamer
