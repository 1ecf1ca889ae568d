// Opens the machine of one GPU where an algorithm has a reason for it and the caller did not ask
// for all ranks.
#include "algorithm/driver/chosen_ranks.hpp"

namespace gossamer::algorithm_detail {

bool may_use_fewer(const machine& m) {
  if (m.size() == 1 || !m.all_here()) return false;
  for (int r = 0; r < m.size(); ++r)
    if (!m[r].is_cuda() || m[r].share > 1) return false;
  return true;
}

chosen_ranks::chosen_ranks(const machine& all, rank_use use, const std::string& why_one) {
  if (use == rank_use::all || why_one.empty() || all.size() == 1) return;
  one_.emplace(machine::open("cuda:" + std::to_string(all[0].ordinal)));
  reason_ = "1 of " + std::to_string(all.size()) + " ranks: " + why_one;
}

}  // namespace gossamer::algorithm_detail
