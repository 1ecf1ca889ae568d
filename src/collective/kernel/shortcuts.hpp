// What packed transfers let a rank leave out: copies from scratch to the output, and scratch
// between the inbox and a reduction.
//
// Packed data comes through the inbox, which protects it from the next epoch as scratch would. So a
// range of scratch that is copied to the output in the end may be the output from the start. And a
// reduction may take its operands from the inbox, which saves a trip to memory and a barrier of the
// team, about a third of a short collective's time on a GPU.
#pragma once

#include <vector>

#include "collective/kernel/packing.hpp"
#include "gossamer/collective/schedule.hpp"

namespace gossamer {

/// A rank's part with the shortcuts taken.
struct short_part {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct entry {
    step what;
    /// reduce: first word in the inbox of the operands of others, which lie there side by side, in
    /// order; none = all operands are in memory.
    std::size_t inbox = none;
  };
  std::vector<entry> steps;
  std::vector<packed_slot> slots;  ///< by own signal; `to` as changed
};

short_part take_shortcuts(const schedule& s, const rank_schedule& part, const packing& packed);

}  // namespace gossamer
