// Links between GPUs that carried nothing for 40 to 100 ms sleep. The first copies and stores of
// kernels then take 0.1 ms each (two H200; loads do not wake them). So programs copy something over
// each link before their time counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "gossamer/fabric/rank.hpp"

namespace gossamer {

/// Collective, inside a run. The first MiB of each rank's part is overwritten with another's; all
/// of it has happened on return. Nothing where no rank has a GPU.
template <class T>
void wake_links(rank& r, const window<T>& overwritten) {
  constexpr std::size_t most = (std::size_t{1} << 20) / sizeof(T);
  const machine& m = r.owner();
  bool any = false;
  for (int q = 0; q < m.size(); ++q) any = any || m[q].is_cuda();
  if (!any || m.size() == 1) return;
  const std::span<const T> own = overwritten.local();
  for (int k = 1; r.dev().is_cuda() && k < r.size(); ++k) {
    const int to = (r.id() + k) % r.size();
    r.put(overwritten, to, 0, own.first(std::min({own.size(), overwritten.size(to), most})));
  }
  r.synchronize();
  r.barrier();
}

}  // namespace gossamer
