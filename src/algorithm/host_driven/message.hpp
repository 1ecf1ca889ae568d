// What crosses ranks of a host-driven worklist, on CPUs and GPUs the same.
#pragma once

#include <cstdint>

namespace gossamer::algorithm_detail {

template <class Value>
struct alignas(8) device_message {
  std::int32_t target;
  Value content;
};

}  // namespace gossamer::algorithm_detail
