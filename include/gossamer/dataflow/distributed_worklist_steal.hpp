// The members of distributed_worklist by which idle ranks steal rows from others; included by its
// header alone.
//
// A rank without work, which waits for the reports of others, asks the one that it waits for: that
// rank has work, else it had reported. It asks a rank once; the request stands until it is granted,
// however much later (lifelines: Saraswat et al., PPoPP'11), so that nobody refuses, and nobody
// asks in vain again. A rank that has been asked and whose list is long (`least_to_give`) grants,
// between two batches, up to half of what waits, as pieces: a vertex, the value that it sends out,
// and arcs of its row, as many as a parcel holds. The thief relaxes them as if the row were its own
// and sends what it finds to the owners. Nothing stays there, so a long row is shared, too. Where
// the list is short, deferred items of the next window go as well: work ahead of its time is better
// than none.
//
// All of it is parcels: nothing is read in the memory of another rank. docs/design/worklist.md has
// what it costs and gains, termination.md why the end is still found: a request is an item, and so
// is a parcel of pieces, made while an item of the giver's own list is not finished yet, which is
// its parent.
#pragma once

#include <algorithm>

#include "gossamer/dataflow/distributed_worklist.hpp"

namespace gossamer {

template <class Callbacks>
void distributed_worklist<Callbacks>::check_stealing() const {
  if (!stealing()) return;
  require(gives_rows, options_.name + ": stealing needs callbacks that give away parts of rows");
  require(options_.least_to_give > 0, options_.name + ": stealing begins with one item at least");
  if constexpr (gives_rows)
    require(static_cast<std::size_t>(options_.parcels.bytes) >= Callbacks::least_piece,
            options_.name + ": stealing needs parcels of " +
                std::to_string(Callbacks::least_piece) + " bytes");
}

/// Once, until it is granted.
template <class Callbacks>
void distributed_worklist<Callbacks>::ask(int peer) {
  if (closing_ || peer < 0 || asked_[at(peer)] != 0 || !exchange_->room(peer)) return;
  asked_[at(peer)] = 1;
  account_.create(
      1, [&] { exchange_->send(peer, 0, static_cast<std::uint8_t>(parcel_kind::request)); });
}

/// Between two batches: grants what has been asked for.
template <class Callbacks>
void distributed_worklist<Callbacks>::give() {
  if (near_.size() == 0) return;
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (self_ + step) % ranks_;
    if (asked_by_[at(peer)] != 0 && exchange_->room(peer)) give_rows(peer);
  }
}

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
  const auto enough = static_cast<std::size_t>(options_.least_to_give);
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
    asked_by_[at(peer)] = 0;
  }
  if (any)
    callbacks_.work_rest(
        open, [this](const item& x) { put(x); }, counters_);
  counters_.items += given;
  counters_.stolen += given;
  account_.finish(static_cast<std::uint64_t>(first - left), [] {});
}

template <class Callbacks>
void distributed_worklist<Callbacks>::take_pieces(int from, std::span<const std::byte> parcel) {
  asked_[at(from)] = 0;
  account_.finish(1, [&] {
    callbacks_.work_pieces(
        *rank_, parcel, [this](const item& x) { put(x); }, counters_);
  });
}

}  // namespace gossamer
