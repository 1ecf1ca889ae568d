// What a machine must have for kernels that wait for each other: GPUs alone, all direct, and
// running together where they are shared.
#include "algorithm/driver/one_kernel.hpp"

#include "gossamer/machine/topology.hpp"

namespace gossamer {

std::string lacks_for_one_kernel(const machine& m) {
  for (int r = 0; r < m.size(); ++r)
    if (!m[r].is_cuda())
      return "a GPU for every rank; rank " + std::to_string(r) + " is " + m[r].name;
  if (!m.all_direct()) return "GPUs that all address each other's memory";
  for (int r = 0; r < m.size(); ++r)
    if (m.here(r) && shared_kernels(m[r]) == sharing::in_turn)
      return "GPUs that run the kernels of all their ranks at the same time";
  return {};
}

bool reach_each_other(const machine& m) {
  for (int from = 0; from < m.size(); ++from)
    for (int to = 0; to < m.size(); ++to)
      if (from != to && (!m.between(from, to).load_store || !m.between(from, to).atomic))
        return false;
  return true;
}

}  // namespace gossamer
