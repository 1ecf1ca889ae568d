// The members of distributed_worklist by which rows are given to idle ranks; included by its header
// alone. distributed_worklist_balance.hpp says what is counted.
#pragma once

#include <algorithm>

#include "gossamer/dataflow/distributed_worklist.hpp"

namespace gossamer {

/// From the list while it has some to spare, then from the deferred ones of the next window.
template <class Callbacks>
auto distributed_worklist<Callbacks>::next_to_give(std::int64_t& near_left) -> std::optional<item> {
  if (near_left > 0) {
    --near_left;
    const item x = near_.consume(1)[0];
    near_.release(1);
    return x;
  }
  while (in_far_ > 0) {
    const item x = far_[in_far_ - 1];
    if (callbacks_.priority(x) > threshold_->value() + threshold_->delta()) return {};
    --in_far_;
    if (callbacks_.revive(x) && !callbacks_.is_listed(x)) return x;
  }
  return {};
}

/// Up to half of a long list, or so many deferred items where the list is short; as much as finds
/// places. A row that does not is worked off here.
template <class Callbacks>
void distributed_worklist<Callbacks>::give_rows(int peer) {
  const auto enough = static_cast<std::size_t>(options_.balance.least);
  const bool from_near = near_.size() >= enough;
  if (!from_near && in_far_ < enough) return;
  using row = decltype(callbacks_.give_row(std::declval<item>(), counters_));
  const std::int64_t first = from_near ? static_cast<std::int64_t>(near_.size() / 2) : 0;
  std::int64_t left = first, given = 0;
  const std::int64_t most = from_near ? first : static_cast<std::int64_t>(in_far_ / 2);
  row open{};
  bool any = false;  // of it is left
  const std::span<std::byte> out =
      exchange_->staging().first(static_cast<std::size_t>(options_.parcels.bytes));
  // Counted as finished when all pieces have been counted as created.
  while (exchange_->room(peer)) {
    std::size_t used = 0;
    for (;;) {
      if (!any && given < most) {
        const auto x = next_to_give(left);
        if (x) {
          open = callbacks_.give_row(*x, counters_);
          any = true;
          ++given;
        }
      }
      if (!any) break;
      const std::size_t more = callbacks_.give_piece(open, out.subspan(used));
      used += more;
      // A row without arcs needs no piece; what is left of one waits for the next parcel.
      any = open.arcs.begin < open.arcs.end;
      if (any) break;
    }
    if (used == 0) break;
    account_.create(
        1, [&] { exchange_->send(peer, used, static_cast<std::uint8_t>(parcel_kind::pieces)); });
    counters_.given_bytes += static_cast<std::int64_t>(used);
    rank_->charge(static_cast<double>(2 * used), 0);
    balance_.asked_by[at(peer)] = 0;
  }
  if (any)
    callbacks_.work_rest(
        open, [this](const item& x) { put(x); }, counters_);
  counters_.items += given;
  counters_.stolen += given;
  account_.finish(static_cast<std::uint64_t>(first - left), [] {});
}

}  // namespace gossamer
