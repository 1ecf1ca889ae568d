// Arrays of the host copied to a GPU's memory.
#pragma once

#include <cstddef>

#include "gossamer/machine/memory.hpp"

namespace gossamer::algorithm_detail {

/// The first `count` elements; synchronous.
template <class T, class From>
void upload(const buffer<T>& to, const From& from, std::size_t count) {
  if (count > 0) copy_bytes(to.data(), from.data(), count * sizeof(T));
}
/// All of them.
template <class T, class From>
void upload(const buffer<T>& to, const From& from) {
  upload(to, from, from.size());
}

}  // namespace gossamer::algorithm_detail
