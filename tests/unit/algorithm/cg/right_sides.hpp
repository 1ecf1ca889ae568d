// Right-hand sides for tests of conjugate gradient.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace gossamer::testing_algorithms {

/// n values between -1 and 1 in no simple relation to each other or to a matrix's eigenvectors.
inline std::vector<double> right_side(std::int64_t n) {
  std::vector<double> b;
  for (std::int64_t i = 0; i < n; ++i) b.push_back(std::sin(1.0 + static_cast<double>(i)));
  return b;
}

}  // namespace gossamer::testing_algorithms
