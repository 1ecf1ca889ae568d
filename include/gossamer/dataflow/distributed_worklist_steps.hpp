// The members of distributed_worklist that run it; included by its header alone.
#pragma once

#include <algorithm>

#include "gossamer/dataflow/distributed_worklist.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer {

template <class Callbacks>
void distributed_worklist<Callbacks>::begin(rank& r) {
  rank_ = &r;
  exchange_.reset();
  if (ranks_ > 1) exchange_.emplace(r, options_.name, options_.parcels);
  detector_.emplace(self_, ranks_, report_mail{exchange_ ? &*exchange_ : nullptr});
  threshold_.emplace(options_.soft_priority, options_.delta, ranks_);
  // What a run that failed has left.
  near_.release(near_.size());
  for (auto& waiting : to_) waiting.release(waiting.size());
  in_far_ = 0;
  leaving_ = 0;
  smallest_far_ = std::numeric_limits<double>::infinity();
  account_.clear();
  counters_ = {};
  items_before_ = repeated_before_ = 0;
  traffic_ = {};
  std::fill(asked_.begin(), asked_.end(), std::uint8_t{0});
  std::fill(asked_by_.begin(), asked_by_.end(), std::uint8_t{0});
  closing_ = false;
  if (ranks_ > 1) r.barrier();  // nobody writes into a window that is not there yet
}

template <class Callbacks>
void distributed_worklist<Callbacks>::put_here(const item& x) {
  const double priority = callbacks_.priority(x);
  const bool deferred = priority > threshold_->value();
  if (!callbacks_.enter(x, deferred)) return;
  if (!deferred) {
    account_.create(1, [&] {
      if (!near_.push(x)) full("worklist", near_.capacity());
    });
    return;
  }
  put_off(x, priority);
}

template <class Callbacks>
void distributed_worklist<Callbacks>::put_off(const item& x, double priority) {
  if (in_far_ == most_far_) full("list of deferred items", most_far_);
  far_[in_far_++] = x;
  ++counters_.deferred;
  smallest_far_ = std::min(smallest_far_, priority);
}

template <class Callbacks>
void distributed_worklist<Callbacks>::put_there(int to, const item& x) {
  account_.create(1, [&] {
    if (!to_[at(to)].push(x)) full("list for rank " + std::to_string(to), to_[at(to)].capacity());
  });
  ++leaving_;
}

template <class Callbacks>
void distributed_worklist<Callbacks>::full(const std::string& which, std::size_t capacity) const {
  throw capacity_error(options_.name + ": the " + which + " of rank " + std::to_string(self_) +
                       " is full (" + std::to_string(capacity) + " items): plan a larger one");
}

template <class Callbacks>
bool distributed_worklist<Callbacks>::work_once() {
  const auto batch = near_.consume(static_cast<std::size_t>(options_.batch));
  if (batch.empty()) return false;
  account_.finish(batch.size(), [&] {
    callbacks_.work(
        *rank_, batch, [this](const item& x) { put(x); }, counters_);
  });
  counters_.items += static_cast<std::int64_t>(batch.size());
  near_.release(batch.size());
  if constexpr (narrows) narrow_if_repeating();
  return true;
}

/// One more window costs a look at each deferred item: it has to spare as many repeated ones.
template <class Callbacks>
void distributed_worklist<Callbacks>::narrow_if_repeating() {
  const std::int64_t items = counters_.items - items_before_;
  const std::int64_t repeated = counters_.repeated - repeated_before_;
  if (items < worth_narrowing || !options_.soft_priority) return;
  if (2 * repeated > items) {
    if (repeated < static_cast<std::int64_t>(in_far_)) return;
    if (threshold_->narrow()) {
      for (std::size_t left = near_.size(); left > 0; --left) {
        const item x = near_.consume(1)[0];
        near_.release(1);
        const double priority = callbacks_.priority(x);
        if (priority <= threshold_->value()) {
          if (!near_.push(x)) full("worklist", near_.capacity());
          continue;
        }
        account_.finish(1, [] {});
        smallest_far_ = std::min(smallest_far_, priority);
        if (callbacks_.postpone(x)) put_off(x, priority);
      }
    }
  }
  items_before_ = counters_.items;
  repeated_before_ = counters_.repeated;
}

template <class Callbacks>
void distributed_worklist<Callbacks>::take(std::span<const std::byte> parcel) {
  const trace_span span(*rank_, "receive", trace_class::exchange);
  const std::size_t n = parcel.size() / sizeof(message);
  account_.finish(n, [&] {
    for (std::size_t i = 0; i < n; ++i) {
      message m;
      std::memcpy(&m, parcel.data() + i * sizeof m, sizeof m);
      const route where = callbacks_.on_receive(m);
      if (!where.here && where.to < 0) {
        ++counters_.useless;
        continue;
      }
      follow(callbacks_.unpack(m), where);
    }
  });
}

template <class Callbacks>
bool distributed_worklist<Callbacks>::receive() {
  exchange_->poll();
  const auto ready = [&] {
    if constexpr (Callbacks::passes_on) {
      for (int r = 0; r < ranks_; ++r)
        if (r != self_ && to_[at(r)].capacity() - to_[at(r)].size() < parcel_items_) return false;
    }
    return true;
  };
  return exchange_->receive(ready, [&](int from, auto parcel, std::uint8_t kind) {
    switch (static_cast<parcel_kind>(kind)) {
      case parcel_kind::items:
        return take(parcel);
      case parcel_kind::request:
        return account_.finish(1, [&] { asked_by_[at(from)] = 1; });
      case parcel_kind::pieces:
        if constexpr (gives_rows) take_pieces(from, parcel);
    }
  });
}

template <class Callbacks>
void distributed_worklist<Callbacks>::fill_parcel(int peer) {
  const trace_span span(*rank_, "send", trace_class::exchange);
  std::byte* out = exchange_->staging().data();
  list& waiting = to_[at(peer)];
  std::size_t n = 0;
  while (n < parcel_items_) {
    const auto some = waiting.consume(parcel_items_ - n);
    if (some.empty()) break;
    for (const item& x : some) {
      const message m = callbacks_.pack(x);
      std::memcpy(out + n++ * sizeof m, &m, sizeof m);
    }
    waiting.release(some.size());
  }
  leaving_ -= static_cast<std::int64_t>(n);
  exchange_->send(peer, n * sizeof(message), static_cast<std::uint8_t>(parcel_kind::items));
  counters_.sent += static_cast<std::int64_t>(n);
}

template <class Callbacks>
void distributed_worklist<Callbacks>::send(bool all) {
  for (int step = 1; leaving_ > 0 && step < ranks_; ++step) {
    const int peer = (self_ + step) % ranks_;
    const list& waiting = to_[at(peer)];
    // Nagle's rule: what is on its way keeps small parcels back, nothing does not.
    const auto worth_it = [&] {
      return waiting.size() >= (all || exchange_->all_taken(peer) ? 1 : parcel_items_);
    };
    while (worth_it() && exchange_->room(peer)) fill_parcel(peer);
  }
}

template <class Callbacks>
void distributed_worklist<Callbacks>::next_window() {
  threshold_->advance(detector_->totals());
  ++counters_.windows;
  items_before_ = counters_.items;
  repeated_before_ = counters_.repeated;
  smallest_far_ = std::numeric_limits<double>::infinity();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < in_far_; ++i) {
    const item x = far_[i];
    if (!callbacks_.revive(x)) continue;
    const double priority = callbacks_.priority(x);
    const bool deferred = priority > threshold_->value();
    if (!callbacks_.enter(x, deferred)) continue;
    if (deferred) {
      far_[kept++] = x;
      smallest_far_ = std::min(smallest_far_, priority);
    } else {
      account_.create(1, [&] {
        if (!near_.push(x)) full("worklist", near_.capacity());
      });
    }
  }
  in_far_ = kept;
}

/// This rank has nothing to do: reports, and looks what the others say. True at the end.
template <class Callbacks>
bool distributed_worklist<Callbacks>::agree_on_end() {
  if (!detector_->reported())
    detector_->report({account_.created(), account_.finished(),
                       static_cast<std::uint64_t>(counters_.repeated), smallest_far_});
  switch (detector_->look()) {
    case round_state::waiting:
      if (stealing()) ask(detector_->missing());
      exchange_->wait(detector_->missing(), detector_->rounds());
      return false;
    case round_state::again:
      return false;
    case round_state::quiet:
      if (detector_->totals().deferred == std::numeric_limits<double>::infinity()) {
        // Requests may be on their way: they have arrived when a window without new ones is over.
        return !stealing() || std::exchange(closing_, true);
      }
      next_window();
  }
  return false;
}

template <class Callbacks>
void distributed_worklist<Callbacks>::run() {
  for (;;) {
    const bool came = ranks_ > 1 && receive();
    if constexpr (gives_rows) {
      if (stealing()) give();
    }
    const bool worked = work_once();
    if (ranks_ > 1) send(!worked);
    if (came || worked) {
      if (exchange_)
        exchange_->worked();
      else
        rank_->progress();
      continue;
    }
    if (leaving_ > 0)
      exchange_->wait(-1, 0);  // for a place
    else if (agree_on_end())
      break;
  }
  counters_.rounds = static_cast<std::int64_t>(detector_->rounds());
  counters_.most_arcs = counters_.arcs;
  if (!exchange_) return;
  traffic_ = exchange_->traffic();
  counters_.bytes = traffic_.bytes;
  counters_.parcels = traffic_.parcels;
}

}  // namespace gossamer
