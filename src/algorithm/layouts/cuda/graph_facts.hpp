// Facts of graphs whose arrays lie on a GPU, counted there: the twins of degree_facts.hpp and
// arc_weights.hpp.
#pragma once

#include <cstdint>

#include "algorithm/layouts/arc_weights.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::algorithm_detail {

/// As count_degrees(). In algorithm/cuda, else absent: not_compiled.
degree_facts degrees_on_gpu(const graph& g);

/// What weights say, and the first that is negative or not finite.
struct weights_seen {
  weight_facts facts;
  std::int64_t first_bad = -1;  ///< arc; -1: none
};
/// The mean is the same in every run, to its last bits another than the host's.
weights_seen weights_on_gpu(const graph& g);

}  // namespace gossamer::algorithm_detail
