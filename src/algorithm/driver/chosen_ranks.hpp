// The machine that work is laid over: the caller's, or its first GPU alone where that is faster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// Searches of networks (short_rows.hpp), and of graphs with fewer arcs than this, take longer on
/// several GPUs than on one: docs/design/bfs.md, worklist.md.
inline constexpr std::int64_t arcs_for_several_gpus = std::int64_t{1} << 28;
/// Why networks are searched on one.
inline constexpr const char* too_little_for_several =
    "a network has too little to do at a time for several";

/// True for several GPUs of this process, one a rank. Ranks that share a GPU were asked for by
/// name.
bool may_use_fewer(const machine& m);

class chosen_ranks {
 public:
  /// All of `all`; or its first, a GPU of this process, if there is a reason for one (`why_one`).
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
