// Weights that are lengths or shares: none negative, none infinite.
#pragma once

#include <stop_token>
#include <string>

#include "gossamer/graph/csr.hpp"

namespace gossamer::algorithm_detail {

/// What all weights say together.
struct weight_facts {
  double largest = 0, mean = 0;
};

/// arc_error naming the first arc whose weight is negative, NaN or infinite; `who` begins the
/// reason ("pagerank needs"). The graph is weighted. O(m), once a graph: the facts are kept.
weight_facts check_weights(const graph& g, const std::string& who,
                           const std::stop_token& stop = {});

/// usage_error, which says where weights come from, of a graph without them. `who` begins it, and
/// `for_what` goes on behind "has no weights": "to walk by".
void require_weights(const graph& g, const std::string& who, const std::string& for_what = "");

/// arc_error that names the arc and its weight, behind which `why` goes on.
[[noreturn]] void refuse_weight(const graph& g, std::int64_t arc, const std::string& why);

}  // namespace gossamer::algorithm_detail
