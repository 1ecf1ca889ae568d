// A vector's copy in a GPU's memory.
#pragma once

#include <vector>

#include "gossamer/machine/memory.hpp"

namespace gossamer::cg_detail::cuda {

template <class T>
buffer<T> upload(const std::vector<T>& from, const device& to) {
  buffer<T> there(memory_kind::device, to.ordinal, from.size());
  if (!from.empty()) copy_bytes(there.data(), from.data(), from.size() * sizeof(T));
  return there;
}

}  // namespace gossamer::cg_detail::cuda
