// Slices: when every block of a grid may run a schedule by itself, each on a slice of every step.
//
// Of n elements of a step, block b of B takes the same n/B at every rank, and every signal exists
// once a block. So what a block waits for was written by the blocks of the same number alone. No
// block then waits for others of its grid, neither to signal nor to be told. While one fences its
// stores or looks for a signal, the others keep the links full (as NCCL's channels do).
//
// That holds where whoever reads what another step wrote has exactly its range, at every rank and
// in every order: then both are cut alike.
#pragma once

#include <cstddef>
#include <vector>

#include "collective/kernel/packing.hpp"
#include "gossamer/collective/combine.hpp"
#include "gossamer/collective/schedule.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer {

/// Blocks of a grid that fill a link and leave most of a GPU to others.
inline constexpr int most_slices = 64;
/// Fewer do not keep a link full while some of them fence or wait: they are one team.
inline constexpr int fewest_slices = 32;

/// Blocks for steps of so many bytes on a GPU of `sharing` ranks, whose kernels have to run
/// together: one as long as latency rules, then enough to fill a link. A power of two, so that
/// counts of arrivals may wrap.
int blocks_for(std::size_t bytes, int sharing);

/// Whether ranges that overlap, one of them written, are the same range, in all parts (of all
/// ranks, by number) of s. O(steps log steps).
bool sliceable(const schedule& s, const std::vector<rank_schedule>& parts);

/// As many blocks as work by themselves; 1 = blocks are one team. `parts` of all ranks. Every rank
/// answers alike, though only some may be in place: by what is put, and by the schedules of both
/// cases.
int slices_of(const machine& m, const schedule& s, const std::vector<rank_schedule>& parts,
              const packing& packed);

/// Elements [begin, end) of a slice.
struct slice {
  std::size_t begin, end;
  [[nodiscard]] GOSSAMER_HD std::size_t size() const { return end - begin; }
};
/// Slice b of n elements, in whole lines of `line` elements (1 or more).
GOSSAMER_HD inline slice slice_of(std::size_t n, std::size_t line, std::size_t b,
                                  std::size_t slices) {
  const std::size_t lines = (n + line - 1) / line;
  const auto cut = [&](std::size_t i) {
    const std::size_t at = lines * i / slices * line;
    return at < n ? at : n;
  };
  return {cut(b), cut(b + 1)};
}

}  // namespace gossamer
