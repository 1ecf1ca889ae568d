// The members of distributed_worklist by which idle ranks get work (balance.hpp has the contract);
// included by its header alone.
//
// What is counted, for the end (termination.md): a parcel of pieces, a request, a piece of news and
// a value that goes home are items; so is a block, from before its items leave the lists until its
// last part has been taken. What is given is created while an item of the giver's own list is not
// finished yet: that is its parent.
#pragma once

#include <algorithm>
#include <numeric>

#include "gossamer/dataflow/distributed_worklist.hpp"

namespace gossamer {

template <class Callbacks>
void distributed_worklist<Callbacks>::prepare_balance() {
  if (!balancing()) return;
  const balance_options& b = options_.balance;
  require(balances, options_.name + ": balance needs callbacks that take part, a vertex program");
  require(b.least > 0, options_.name + ": balance gives away of one item at least");
  require(b.blocks > 0, options_.name + ": balance needs a block a rank");
  require(b.guest_arcs >= 0, options_.name + ": room for arcs of guests cannot be negative");
  if constexpr (balances) {
    require(static_cast<std::size_t>(options_.parcels.bytes) >= Callbacks::least_parcel(),
            options_.name + ": balance needs parcels of " +
                std::to_string(Callbacks::least_parcel()) + " bytes");
    callbacks_.prepare(b);
    const auto p = static_cast<std::size_t>(ranks_);
    balance_.asked.resize(p);
    balance_.asked_by.resize(p);
    balance_.promised.resize(p);
    balance_.offered.resize(p);
    balance_.waiting.resize(static_cast<std::size_t>(callbacks_.block_count()));
  }
}

template <class Callbacks>
void distributed_worklist<Callbacks>::forget_balance() {
  std::fill(balance_.asked.begin(), balance_.asked.end(), std::uint8_t{0});
  std::fill(balance_.asked_by.begin(), balance_.asked_by.end(), std::uint8_t{0});
  std::fill(balance_.promised.begin(), balance_.promised.end(), 0);
  balance_.patience = 0;
  balance_.moving_to = -1;
  balance_.worked = false;
  balance_.closing = false;
}

/// Once, until it is granted. What room is promised to one is not promised to another.
template <class Callbacks>
void distributed_worklist<Callbacks>::ask(int peer) {
  if (!balancing() || balance_.closing || peer < 0 || balance_.asked[at(peer)] != 0) return;
  if (!exchange_->room(peer)) return;
  steal_request mine{0};
  if (options_.balance.policy == balance_policy::move)
    mine.guest_arcs = std::max<std::int64_t>(
        0, (callbacks_.guest_room() -
            std::accumulate(balance_.promised.begin(), balance_.promised.end(), std::int64_t{0})) /
               2);
  balance_.promised[at(peer)] = mine.guest_arcs;
  balance_.asked[at(peer)] = 1;
  account_.create(1, [&] {
    std::memcpy(exchange_->staging().data(), &mine, sizeof mine);
    exchange_->send(peer, sizeof mine, static_cast<std::uint8_t>(parcel_kind::request));
  });
}

/// Between two batches: grants what has been asked for, and goes on with a block that leaves.
template <class Callbacks>
void distributed_worklist<Callbacks>::give() {
  if (!balancing()) return;
  if (balance_.moving_to >= 0) go_on_moving();
  if (near_.size() == 0 || balance_.closing) return;
  if (options_.balance.policy == balance_policy::move) return move_block();
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (self_ + step) % ranks_;
    if (balance_.asked_by[at(peer)] != 0 && exchange_->room(peer)) give_rows(peer);
  }
}

// --- moving

/// F(item, deferred) of each that waits says whether it stays in its list.
template <class Callbacks>
template <class F>
void distributed_worklist<Callbacks>::sift(F&& keep) {
  for (std::size_t n = near_.size(); n > 0; --n) {
    const item x = near_.consume(1)[0];
    near_.release(1);
    if (keep(x, false)) static_cast<void>(near_.push(x));  // where there was room before
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < in_far_; ++i)
    if (keep(far_[i], true)) far_[kept++] = far_[i];
  in_far_ = kept;
}

template <class Callbacks>
void distributed_worklist<Callbacks>::weigh_waiting() {
  std::fill(balance_.waiting.begin(), balance_.waiting.end(), 0);
  sift([&](const item& x, bool) {
    balance_.waiting[static_cast<std::size_t>(callbacks_.block_of(x))] += callbacks_.weight_of(x);
    return true;
  });
}

template <class Callbacks>
void distributed_worklist<Callbacks>::move_block() {
  if (balance_.moving_to >= 0 || !balance_.worked || --balance_.patience > 0) return;
  if (near_.size() + in_far_ < static_cast<std::size_t>(options_.balance.least)) return;
  bool weighed = false;
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (self_ + step) % ranks_;
    if (balance_.asked_by[at(peer)] == 0) continue;
    if (!weighed) weigh_waiting();
    weighed = true;
    const auto b = callbacks_.pick_block(balance_.waiting, peer, balance_.offered[at(peer)]);
    if (b >= 0) return give_to(peer, b);
  }
  // Looking at all that waits may take a tenth of the time of working on it.
  if (weighed)
    balance_.patience = 10 * static_cast<std::int64_t>(near_.size() + in_far_) / options_.batch + 2;
}

template <class Callbacks>
void distributed_worklist<Callbacks>::give_to(int peer, std::int64_t b) {
  account_.create(1, [] {});
  std::uint64_t listed = 0;
  smallest_far_ = std::numeric_limits<double>::infinity();
  sift([&](const item& x, bool late) {
    const bool goes = callbacks_.block_of(x) == b;
    if (goes) callbacks_.unlist(x, late);
    if (goes && !late) ++listed;
    if (!goes && late) smallest_far_ = std::min(smallest_far_, callbacks_.priority(x));
    return !goes;
  });
  callbacks_.leave(b, peer);
  balance_.asked_by[at(peer)] = 0;
  balance_.moving_to = peer;
  ++counters_.moved;
  go_on_moving();
  account_.finish(listed, [] {});
}

template <class Callbacks>
void distributed_worklist<Callbacks>::go_on_moving() {
  const int peer = balance_.moving_to;
  while (balance_.moving_to >= 0 && exchange_->room(peer)) {
    bool last = false;
    const auto out = exchange_->staging().first(static_cast<std::size_t>(options_.parcels.bytes));
    const std::size_t used = callbacks_.give_block(out, last);
    exchange_->send(peer, used, static_cast<std::uint8_t>(parcel_kind::block));
    counters_.given_bytes += static_cast<std::int64_t>(used);
    rank_->charge(static_cast<double>(2 * used), 0);
    if (last) balance_.moving_to = -1;
  }
}

/// An item for another rank whose block has come here since, or is known to be elsewhere: it gets
/// its way anew. Sent to an owner before the one that is known it could come back to its sender,
/// who would drop it as sent (termination.md).
template <class Callbacks>
bool distributed_worklist<Callbacks>::stays(int peer, const item& x) {
  if (balance_.closing || callbacks_.goes_to(x, peer)) return false;
  callbacks_.unlist(x, false);
  account_.finish(1, [&] { put(x); });
  return true;
}

template <class Callbacks>
auto distributed_worklist<Callbacks>::packed(const item& x) -> message {
  if constexpr (balances) {
    if (balance_.closing) return callbacks_.pack_home(x);
  }
  return callbacks_.pack(x);
}

// --- what comes

template <class Callbacks>
void distributed_worklist<Callbacks>::take_special(int from, std::span<const std::byte> parcel,
                                                   parcel_kind kind) {
  const auto work = [&] {
    if (kind == parcel_kind::request) {
      steal_request theirs;
      std::memcpy(&theirs, parcel.data(), sizeof theirs);
      balance_.asked_by[at(from)] = 1;
      balance_.offered[at(from)] = theirs.guest_arcs;
    } else if (kind == parcel_kind::pieces) {
      balance_.asked[at(from)] = 0;
      callbacks_.work_pieces(
          *rank_, parcel, [this](const item& x) { put(x); }, counters_);
    } else if (kind == parcel_kind::news) {
      block_news news;
      std::memcpy(&news, parcel.data(), sizeof news);
      callbacks_.learn(news);
    }
  };
  if (kind == parcel_kind::block) {
    rank_->charge(static_cast<double>(2 * parcel.size()), 0);
    if (!callbacks_.take_block(parcel, [this](const item& x) { put_here(x); })) return;
    balance_.asked[at(from)] = 0;
    balance_.promised[at(from)] = 0;
    balance_.worked = false;
    account_.finish(1, [] {});
  } else if (kind == parcel_kind::home) {
    account_.finish(parcel.size() / sizeof(message), [&] {
      for (std::size_t i = 0; i < parcel.size(); i += sizeof(message)) {
        message m;
        std::memcpy(&m, parcel.data() + i, sizeof m);
        callbacks_.take_home(m);
      }
    });
  } else {
    account_.finish(1, work);
  }
}

/// Tells who sent items for a block that is elsewhere where that is; if there is no place, another
/// time.
template <class Callbacks>
void distributed_worklist<Callbacks>::tell_sender(int from) {
  if (!balancing()) return;
  std::int64_t items = 0;
  const block_news news = callbacks_.misdirected(items);
  counters_.rerouted += items;
  if (news.block < 0 || news.owner == from || !exchange_->room(from)) return;
  account_.create(1, [&] {
    std::memcpy(exchange_->staging().data(), &news, sizeof news);
    exchange_->send(from, sizeof news, static_cast<std::uint8_t>(parcel_kind::news));
  });
}

/// All work is done. Values go home, requests arrive: a last window. True: that is over, too.
template <class Callbacks>
bool distributed_worklist<Callbacks>::close() {
  if (!balancing() || balance_.closing) return true;
  balance_.closing = true;
  callbacks_.send_home([this](int home, const item& x) {
    put_there(home, x);
    counters_.given_bytes += static_cast<std::int64_t>(sizeof(message));
  });
  return false;
}

}  // namespace gossamer
