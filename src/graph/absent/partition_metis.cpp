// METIS in a build without it: says how to get it.
#include "gossamer/graph/partition.hpp"

namespace gossamer {

partition partition_metis(const graph&, int, int, const std::stop_token&, std::int64_t) {
  throw not_compiled("the METIS partitioner", "configure with -DGOSSAMER_METIS=ON");
}

}  // namespace gossamer
