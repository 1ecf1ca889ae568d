// What tests of plans vary beside algorithm and type: where each rank's buffers are, sizes, roots,
// reductions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "gossamer/collective/plan.hpp"

namespace gossamer::plan_cases {

/// Where one rank's buffers are. In place both are where the output is.
struct homes {
  home input = home::native, output = home::native;
  bool operator==(const homes&) const = default;
};

inline constexpr std::array<homes, 4> all_homes{{{home::native, home::native},
                                                 {home::host, home::native},
                                                 {home::native, home::host},
                                                 {home::host, home::host}}};

struct variant {
  int root = 0;
  std::size_t count = 1;
  std::size_t longest_pair = 3;  ///< all_to_all_v: elements of the longest block
  int pair_shift = 0;            ///< all_to_all_v: which pairs that is
  bool in_place = false;
  bool windowed = false;  ///< output in a window: peers write straight into it
  reduction how = reduction::sum;
  int epochs = 3;
  bool mapped = false;
  int where = 0;        ///< rank 0's place in all_homes
  bool differ = false;  ///< every rank takes the place after that of the rank before it
  plan_runner runner = plan_runner::automatic;
  int segments = 3;
};

/// A window has the same home on every rank.
inline homes homes_of(const variant& v, int rank) {
  homes h = all_homes[static_cast<std::size_t>(v.where + (v.differ ? rank : 0)) % 4];
  if (v.windowed) h.output = all_homes[static_cast<std::size_t>(v.where)].output;
  return h;
}

/// Blocks of all_to_all_v: some are empty, some short, some long.
inline std::size_t pair_count(const variant& v, int from, int to) {
  const std::size_t sizes[] = {0, 1, (v.longest_pair + 1) / 2, v.longest_pair};
  return sizes[(from * 3 + to * 5 + v.pair_shift) % 4];
}

/// The same as a request has it.
inline auto pairs_of(const variant& v) {
  return [v](int from, int to) { return pair_count(v, from, to); };
}

/// The i-th of many variants, so that all values of each property meet over a few dozen; every
/// reduction with every type (the type is i % 6) and all homes of buffers that are not in place,
/// windows and others, over two dozen.
inline variant vary(int i, int p) {
  variant v;
  v.root = (i * 5 + i / 3) % p;
  const std::size_t sizes[] = {1, 3, static_cast<std::size_t>(2 * p + 1), 0, 40};
  v.count = sizes[i % 5];
  v.pair_shift = i % 4;
  v.in_place = (i / 2) % 2 == 1;
  v.windowed = i % 3 == 1;
  v.how = static_cast<reduction>((i + i / 12) % 4);
  v.mapped = i % 7 == 3;
  v.where = (i + i / 2) % 4;
  v.differ = (i / 2) % 3 == 0;
  return v;
}

}  // namespace gossamer::plan_cases
