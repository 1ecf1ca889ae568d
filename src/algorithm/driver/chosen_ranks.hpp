// The machine that work is laid over: the caller's, or its first GPU alone where that is faster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// Searches of graphs with fewer arcs, and of networks (short_rows.hpp), take longer on several
/// GPUs than on one: docs/design/bfs.md, worklist.md.
inline constexpr std::int64_t arcs_for_several_gpus = std::int64_t{1} << 28;
/// Why one, of networks.
inline constexpr const char* too_little_for_several =
    "a network has too little to do at a time for several";

/// Several GPUs of this process, one a rank: who has ranks share a GPU has asked for them by name.
bool may_use_fewer(const machine& m);

class chosen_ranks {
 public:
  /// All; the first, a GPU of this process, alone where there is a reason why (`why_one`).
  chosen_ranks(const machine& all, rank_use use, const std::string& why_one);
  [[nodiscard]] const machine& of(const machine& all) const { return one_ ? *one_ : all; }
  [[nodiscard]] machine& of(machine& all) { return one_ ? *one_ : all; }
  /// Why not all; empty when all are.
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  std::optional<machine> one_;
  std::string reason_;
};

}  // namespace gossamer::algorithm_detail
