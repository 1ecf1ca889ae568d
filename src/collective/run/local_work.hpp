// What a rank does by itself in a schedule: copies and reductions, on the CPU or in a stream.
#pragma once

#include <cstddef>

#include "gossamer/collective/plan.hpp"

namespace gossamer {

/// to[i] = x_0[i] + … + x_(parts-1)[i]; operand own_part is `own`, operand k else from + k * stride
/// (elements). `to` may be one of the operands.
struct fold_work {
  void* to = nullptr;
  const void* from = nullptr;
  const void* own = nullptr;
  int own_part = -1;
  int parts = 0;
  std::size_t stride = 0;
  std::size_t count = 0;
};

/// On `threads` threads of the calling CPU team.
void fold_on_cpu(element_type type, reduction op, const fold_work& work, int threads);

namespace collective_gpu {
void fold(element_type type, reduction op, const fold_work& work, const stream& on);
/// host: pageable memory, which kernels cannot address.
memory_kind kind_of(const void* data);
}  // namespace collective_gpu

}  // namespace gossamer
