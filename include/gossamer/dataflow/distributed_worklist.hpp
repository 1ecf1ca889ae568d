// distributed_worklist: work items that lead to others, each on the rank that owns what it needs,
// until no rank has any. No levels, no barriers.
//
// Groute's construct (Ben-Nun, Sutton, Pai, Pingali, PPoPP'17) with its five callbacks:
//
//   struct callbacks {
//     using item = …;     // local work, trivially copyable; often just a vertex
//     using message = …;  // what crosses ranks, trivially copyable
//     message pack(const item&);            // when it goes off, not when it was made
//     item unpack(const message&);
//     route on_send(const item&);           // of an item that work led to: keep, send, copy, drop
//     route on_receive(const message&);     // keep, pass on, copy (both), drop
//     double priority(const item&);         // smaller is sooner; a hint, never a promise
//     // The worker: what a batch leads to goes to emit(item). Counts `repeated` and `filtered`.
//     template <class Emit>
//     void work(rank&, std::span<const item>, Emit&& emit, worklist_counters&);
//     // Before a kept item is queued. False: it is there already.
//     bool enter(const item&, bool deferred);
//     // When a deferred item is taken out. False: it has been done since. With both, a list of
//     // all vertices never overflows.
//     bool revive(const item&);
//     // Optional: a queued item is deferred instead; false: it is among those already. With it,
//     // windows become narrower while work is repeated.
//     bool postpone(const item&);
//     static constexpr bool passes_on = …;  // whether on_receive may send
//     // Optional, true: idle ranks may steal parts of rows, by operator_worklist.hpp's functions.
//     static constexpr bool gives_rows = …;
//   };
//
// A rank is one thread here, also where it has a team. An item's work is a few hundred nanoseconds
// of random access, which a team could share only through atomics on every value. On a CPU more
// ranks do the same without them. Lists are worklist.hpp's, with plain words for that reason.
//
// Each rank takes what came, works on a batch from its list, and sends off parcels. Full ones go at
// once; others go when the list is empty or the target has taken all that was sent to it before.
// Items that have no place at their target stay in the list for it, where better values overtake
// them (pack is late). A rank with nothing left reports, and waits. When all work is done
// (termination.hpp), the threshold moves, or this was the end.
//
// Messages that are passed on take the places of items. So a rank takes a parcel in only when each
// of its lists for others has room for all of it. Lists that can hold all items there are at a time
// keep that from standing still. If it does stand still, the watch ends the run
// (parcel_exchange.hpp).
//
// In a trace, parcels that come and go are spans of exchange. The caller's span of computing holds
// run(): one span for each batch would fill the recorder on graphs whose windows are small.
//
// Memory is taken by the constructor and begin()'s windows; running allocates nothing. A list that
// is full nevertheless is an error (capacity_error), never a loss.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/collective/parcel_exchange.hpp"
#include "gossamer/collective/termination.hpp"
#include "gossamer/collective/work_account.hpp"
#include "gossamer/dataflow/threshold.hpp"
#include "gossamer/dataflow/worklist.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/dataflow/worklist_options.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer {

/// Where an item or message goes.
struct route {
  bool here = false;
  int to = -1;  ///< another rank, -1 = none
  static constexpr route drop() { return {}; }
  static constexpr route keep() { return {true, -1}; }
  static constexpr route send(int rank) { return {false, rank}; }
  static constexpr route copy(int rank) { return {true, rank}; }
};

template <class Callbacks>
class distributed_worklist {
 public:
  using item = typename Callbacks::item;
  using message = typename Callbacks::message;
  static_assert(std::is_trivially_copyable_v<item> && std::is_trivially_copyable_v<message>);

  /// `capacity[r]`: how many items may wait for rank r; for `self`, how many in its own list, and
  /// as many again deferred. `callbacks` must live as long.
  distributed_worklist(Callbacks& callbacks, int self, std::span<const std::int64_t> capacity,
                       worklist_options options);
  /// Bytes that the constructor takes, given `capacity` as there.
  [[nodiscard]] static std::int64_t bytes(int self, std::span<const std::int64_t> capacity,
                                          const worklist_options& options);
  /// Bytes of begin() in the run's arena, native memory.
  [[nodiscard]] static std::int64_t window_bytes(int ranks, const worklist_options& options) {
    return ranks > 1 ? parcel_exchange::bytes(ranks, options.parcels) : 0;
  }

  /// Collective, inside a run: makes windows, empties all lists.
  void begin(rank& r);
  /// The initial work of this rank: between begin() and run().
  void push(const item& x) { put_here(x); }
  /// Collective: returns when all work of all ranks is done.
  void run();

  /// Of this rank's last run.
  [[nodiscard]] const worklist_counters& counters() const noexcept { return counters_; }
  [[nodiscard]] const parcel_traffic& traffic() const noexcept { return traffic_; }

 private:
  using list = worklist<item, unshared_words>;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  /// Places of the own list. A batch keeps its slots while it leads to others.
  static std::size_t places(std::int64_t own, const worklist_options& options) {
    return static_cast<std::size_t>(own + (options.batch > 0 ? options.batch : own));
  }

  void put(const item& x) { follow(x, callbacks_.on_send(x)); }
  /// Sending to this rank itself is the same as keeping.
  void follow(const item& x, const route& where) {
    if (where.here || where.to == self_) put_here(x);
    if (where.to >= 0 && where.to != self_) put_there(where.to, x);
  }
  void put_here(const item& x);
  void put_off(const item& x, double priority);
  void put_there(int to, const item& x);
  bool work_once();
  bool receive();
  void take(std::span<const std::byte> parcel);
  void send(bool all);
  void fill_parcel(int peer);
  bool agree_on_end();
  void next_window();
  void narrow_if_repeating();
  static constexpr bool narrows = requires(Callbacks & c, const item& x) { c.postpone(x); };
  static constexpr std::int64_t worth_narrowing = 1024;  ///< items that tell

  // Stealing.
  static constexpr bool gives_rows = requires { requires Callbacks::gives_rows; };
  enum class parcel_kind : std::uint8_t { items, request, pieces };
  void check_stealing() const;
  [[nodiscard]] bool stealing() const { return options_.steal && ranks_ > 1; }
  void ask(int peer);
  void give();
  void give_rows(int peer);
  std::optional<item> next_to_give(std::int64_t& near_left);
  void take_pieces(int from, std::span<const std::byte> parcel);
  [[noreturn]] void full(const std::string& which, std::size_t capacity) const;

  Callbacks& callbacks_;
  const int self_, ranks_;
  const worklist_options options_;
  const std::size_t parcel_items_;
  list near_;
  shared_array<item> far_;  ///< deferred: the first in_far_
  std::size_t in_far_ = 0, most_far_ = 0;
  std::vector<list> to_;      ///< [ranks] items for others
  std::int64_t leaving_ = 0;  ///< in to_, together
  rank* rank_ = nullptr;
  std::optional<parcel_exchange> exchange_;
  std::optional<termination_detector<report_mail>> detector_;
  std::optional<priority_threshold> threshold_;
  double smallest_far_ = std::numeric_limits<double>::infinity();
  std::int64_t items_before_ = 0, repeated_before_ = 0;  ///< when narrowing was last thought of
  work_account<unshared_words> account_;
  worklist_counters counters_;
  parcel_traffic traffic_;
  std::vector<std::uint8_t> asked_, asked_by_;  ///< [ranks] requests that stand
  bool closing_ = false;                        ///< all work is done; nobody asks any more
};

// --- lists ---------------------------------------------------------------------------------------

template <class Callbacks>
distributed_worklist<Callbacks>::distributed_worklist(Callbacks& callbacks, int self,
                                                      std::span<const std::int64_t> capacity,
                                                      worklist_options options)
    : callbacks_(callbacks),
      self_(self),
      ranks_(static_cast<int>(capacity.size())),
      options_(std::move(options)),
      parcel_items_(static_cast<std::size_t>(options_.parcels.bytes) / sizeof(message)),
      near_(places(capacity[at(self)], options_)),
      most_far_(static_cast<std::size_t>(capacity[at(self)])),
      asked_(capacity.size()),
      asked_by_(capacity.size()) {
  require(options_.batch >= 0, options_.name + ": a batch needs an item");
  require(options_.delta > 0, options_.name + ": delta must be positive");
  require(parcel_items_ > 0, options_.name + ": a parcel must hold a message");
  check_stealing();
  if (options_.soft_priority) far_ = make_array<item>(most_far_);
  for (int r = 0; Callbacks::passes_on && r < ranks_; ++r)
    require(r == self || static_cast<std::size_t>(capacity[at(r)]) >= parcel_items_,
            options_.name + ": lists that pass messages on must hold a parcel");
  for (int r = 0; r < ranks_; ++r)
    to_.emplace_back(r == self ? 1 : static_cast<std::size_t>(capacity[at(r)]));
}

template <class Callbacks>
std::int64_t distributed_worklist<Callbacks>::bytes(int self,
                                                    std::span<const std::int64_t> capacity,
                                                    const worklist_options& options) {
  const std::int64_t own = capacity[at(self)];
  std::int64_t all = list::bytes(places(own, options));
  if (options.soft_priority) all += own * static_cast<std::int64_t>(sizeof(item));
  for (int r = 0; r < static_cast<int>(capacity.size()); ++r)
    all += list::bytes(r == self ? 1 : static_cast<std::size_t>(capacity[at(r)]));
  return all;
}

// --- a run ---------------------------------------------------------------------------------------

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
  // All that wait come in two pieces where the list wraps: once in so many items as it has places.
  const auto batch = near_.consume(options_.batch > 0 ? static_cast<std::size_t>(options_.batch)
                                                      : near_.capacity());
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

/// One more window costs a look at each deferred item: it has to spare as many repeated items.
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
    // Nagle's rule: a small parcel is kept back while others are on their way, and goes when none
    // is.
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

/// This rank has nothing to do: it reports, and looks what the others say. True at the end.
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
        // Requests may be on their way. They have arrived when a window without new ones is over.
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

// --- stealing ------------------------------------------------------------------------------------
//
// A rank without work waits for the reports of others. It asks the one that it waits for: that rank
// has work, or else it had reported. It asks a rank once, and the request stands until it is
// granted, however much later (lifelines: Saraswat et al., PPoPP'11). So nobody refuses, and nobody
// asks in vain again.
//
// A rank that has been asked and whose list is long (`least_to_give`) grants between two batches.
// It gives up to half of what waits, as pieces. A piece is a vertex, the value that it sends out,
// and as many arcs of its row as a parcel holds. The thief relaxes them as if the row were its own
// and sends what it finds to the owners. Nothing stays there, so a long row is shared, too. Where
// the list is short, deferred items of the next window go as well: work ahead of its time is better
// than none.
//
// All of it is parcels: nothing is read in the memory of another rank. docs/design/worklist.md has
// what it costs and gains. termination.md says why the end is still found: a request is an item,
// and so is a parcel of pieces. Such a parcel is made while an item of the giver's own list, its
// parent, is not finished yet.

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

/// Up to half of a long list, or so many deferred items where the list is short, as far as there
/// are places. A row that finds none is worked off here.
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
