// Results of ranks that are processes: every process gets the rows of all.
//
// Ranks of one process need none of it: they write into the same array.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/fabric/rank.hpp"

namespace gossamer::algorithm_detail {

/// Collective. `whole`: a host window with as many elements as `result`; this rank's rows are
/// [first, first + rows) of `result`, which has all rows afterwards. A byte crosses the network
/// once for each receiver.
template <class T>
void gather_rows(rank& r, const window<T>& whole, std::int64_t first, std::int64_t rows,
                 std::span<T> result) {
  const auto from = static_cast<std::size_t>(first);
  const auto own = result.subspan(from, static_cast<std::size_t>(rows));
  std::copy(own.begin(), own.end(), whole.local().begin() + first);
  // Neighbours first to the right: no two ranks begin with the same receiver.
  for (int i = 1; i < r.size(); ++i) r.put(whole, (r.id() + i) % r.size(), from, own);
  r.barrier();
  std::copy_n(whole.local().begin(), result.size(), result.begin());
}

/// Collective: outcomes[r.id()] is this rank's; afterwards everybody's are there. Trivially
/// copyable ones.
template <class Outcome>
void gather_outcomes(rank& r, std::vector<Outcome>& outcomes) {
  const Outcome mine = outcomes[static_cast<std::size_t>(r.id())];
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(outcomes)));
}

}  // namespace gossamer::algorithm_detail
