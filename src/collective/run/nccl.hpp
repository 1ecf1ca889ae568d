// Algorithm `nccl`: plans whose operation NVIDIA's library does, on the GPUs of one process.
//
// The library is opened when a plan first asks for it, and every plan has communicators of its own,
// made while it is planned: plans of one rank may be started in any order, which shared ones would
// forbid. Making them takes tenths of a second and device memory that no arena plan contains. A
// start enqueues one call. Its kernels wait for each other without a deadline of their own; a plan
// that ends before they do waits as any wait does, and then aborts them.
#pragma once

#include <memory>

#include "gossamer/collective/plan.hpp"

namespace gossamer {

/// One rank's part of a collective that a library does.
class library_call {
 public:
  virtual ~library_call() = default;
  /// Allocates nothing.
  virtual void enqueue(const stream& on) = 0;
};

/// Whether this build knows the library and finds it. Opens it at the first call, never throws.
bool nccl_there();

/// Collective. Throws not_compiled without NCCL's header at build time; usage_error naming what the
/// library cannot do (ranks that are no GPUs of one process, or share one; bit_or; blocks of
/// different sizes, a mapping, one_kernel; buffers in pageable memory), or that it is not there.
std::unique_ptr<library_call> plan_nccl(rank& r, const collective_request& q, element_type type,
                                        reduction op, const plan_detail::buffers& where,
                                        plan_runner runner);

}  // namespace gossamer
