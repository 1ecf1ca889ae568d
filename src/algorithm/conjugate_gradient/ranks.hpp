// How many GPUs a system is worth: several save time on the matrix and lose it agreeing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gossamer/algorithm/conjugate_gradient.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::cg_detail {

/// What an iteration moves in all: 12 bytes an entry, offsets, and the vectors' passes.
std::int64_t iteration_bytes(std::int64_t rows, std::int64_t entries);

/// Whether `ranks` GPUs, each with the loop as one kernel, take less time than one of them.
///
/// Measured on H200 (bench/problem/cg_machines.py): reading runs at about 4 MB a microsecond, and
/// agreeing costs an iteration 2 us more on two GPUs, 6 on four.
bool several_gpus_pay(std::int64_t bytes, int ranks);

/// The machine that a system is laid over: the caller's, or its first GPU alone.
class chosen_ranks {
 public:
  /// `single_kernel`: the engine, whose ranks are GPUs of one process.
  chosen_ranks(const machine& all, const graph& matrix, cg_use use, bool single_kernel);
  [[nodiscard]] const machine& of(const machine& all) const { return one_ ? *one_ : all; }
  [[nodiscard]] machine& of(machine& all) { return one_ ? *one_ : all; }
  /// Why not all; empty when all are.
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  std::optional<machine> one_;
  std::string reason_;
};

}  // namespace gossamer::cg_detail
