// Looks up what memory the caller's buffers lie in, and takes bounce buffers from scratch for those
// that whoever computes cannot address.
#include "collective/run/user_buffers.hpp"

#include <algorithm>

namespace gossamer {

user_buffers::user_buffers(const collective_plan::state& plan, int rank,
                           const plan_detail::buffers& user)
    : input_bytes(plan.what.input_size(rank) * plan.what.request().element),
      output_bytes(plan.what.output_size(rank) * plan.what.request().element),
      input(static_cast<std::byte*>(const_cast<void*>(user.input))),
      output(static_cast<std::byte*>(user.output)) {
  const auto is_pageable = [&](const void* data, std::size_t bytes) {
    return plan.cuda && bytes != 0 && collective_gpu::kind_of(data) == memory_kind::host;
  };
  in_pageable = is_pageable(input, input_bytes);
  out_pageable = is_pageable(output, output_bytes);
}

void user_buffers::bounce(const collective_plan::state& plan, int rank) {
  const auto unusable = [&](const void* data, std::size_t bytes) {
    if (bytes == 0) return false;
    const auto kind = collective_gpu::kind_of(data);
    return plan.host_work ? kind == memory_kind::device : kind == memory_kind::host;
  };
  in_bounced = unusable(input, input_bytes);
  out_bounced = unusable(output, output_bytes);
  const home where = plan.host_work ? home::host : home::native;
  if (plan.what.request().in_place && (in_bounced || out_bounced)) {
    // One memory stays one memory.
    auto* whole = plan.r->scratch<std::byte>(std::max(input_bytes, output_bytes), where).data();
    const auto at = plan.what.in_place_offset(rank) * plan.what.request().element;
    const bool input_inside = input_bytes < output_bytes;
    input = whole + (input_inside ? at : 0);
    output = whole + (input_inside ? 0 : at);
    in_bounced = out_bounced = true;
    return;
  }
  if (in_bounced) input = plan.r->scratch<std::byte>(input_bytes, where).data();
  if (out_bounced) output = plan.r->scratch<std::byte>(output_bytes, where).data();
}

bool user_buffers::pageable_in(const step& s) const {
  const auto is = [&](const buffer_place& at) {
    return (at.in == buffer_id::input && in_pageable && !in_bounced) ||
           (at.in == buffer_id::output && out_pageable && !out_bounced);
  };
  return s.count != 0 && (is(s.from) || (s.kind == step_kind::copy && is(s.to)));
}

}  // namespace gossamer
