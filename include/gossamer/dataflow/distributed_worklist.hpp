// distributed_worklist: work items that lead to others, on the rank that owns what they need,
// until there are none anywhere. No levels, no barriers.
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
//     // Before a kept item is queued (false: it is there already), and when a deferred one is
//     taken
//     // out (false: it has been done since). So that a list of all vertices never overflows.
//     bool enter(const item&, bool deferred);
//     bool revive(const item&);
//     // Optional: a queued item is deferred instead; false: it is among those already. With it,
//     // windows become narrower while work is repeated.
//     bool postpone(const item&);
//     static constexpr bool passes_on = …;  // whether on_receive may send
//     // Optional, true: idle ranks may steal parts of rows (vertex_program.hpp has the functions).
//     static constexpr bool gives_rows = …;
//   };
//
// A rank is one thread here, also where it has a team: an item's work is a few hundred nanoseconds
// of random access that a team could share only through atomics on every value; on a CPU, more
// ranks do the same without them. Lists are worklist.hpp's, with plain words for that reason.
//
// Each rank: takes what came, works on a batch from its list, and sends off parcels: full ones, and
// others when the list is empty or the target has taken all that was sent to it before. Items that
// have no place at their target stay in the list for it, where better values overtake them (pack is
// late). Having nothing left, it reports, and waits. When all work is done (termination.hpp) the
// threshold moves, or this was the end.
//
// Messages that are passed on take the places of items: a rank takes a parcel in only when each of
// its lists for others has room for all of it. Lists that can hold all items there are at a time
// keep that from standing still; if it does, the watch ends the run (parcel_exchange.hpp).
//
// In a trace parcels that come and go are spans of exchange. The caller's span of computing holds
// run(): a span a batch would fill the recorder on graphs whose windows are small.
//
// Memory is taken by the constructor and begin()'s windows; running allocates nothing. A list that
// is full nevertheless is an error (capacity_error), never a loss.
#pragma once

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

  /// `capacity[r]`: how many items may wait for rank r; of `self`: in its own list, and as many
  /// deferred. `callbacks` must live as long.
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

  void put(const item& x) { follow(x, callbacks_.on_send(x)); }
  /// To this rank itself is the same as here.
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

  // Stealing: distributed_worklist_steal.hpp.
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

}  // namespace gossamer

#include "gossamer/dataflow/distributed_worklist_lists.hpp"
#include "gossamer/dataflow/distributed_worklist_steal.hpp"
#include "gossamer/dataflow/distributed_worklist_steps.hpp"
