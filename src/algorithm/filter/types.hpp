// Types of elements.
#pragma once

#include <cstdint>

/// Explicit instantiations: `Each(T)` of all of them.
#define GOSSAMER_FILTER_TYPES(Each) Each(std::int32_t) Each(std::int64_t) Each(float) Each(double)
