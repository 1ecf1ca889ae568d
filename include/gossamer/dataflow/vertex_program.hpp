// vertex_program: the short form of a distributed worklist. An algorithm says what a value at a
// vertex is, how an incoming one changes it, and what goes out along an edge; everything else,
// ranks, messages, halo, order and end, is here. algorithm/vertex_worklist.hpp lays it over a
// placed graph; docs/cpp.md has a whole program.
//
//   struct shortest_paths {                       // an operator: host and device, no state of
//   ranks
//     using value = std::uint32_t;
//     GOSSAMER_HD static bool update(value& at, const value& incoming);   // changed?
//     template <class Edge>
//     GOSSAMER_HD static value propagate(const value& from, const Edge&); // along an edge
//     GOSSAMER_HD static double priority(const value&);                   // smaller is sooner
//     // Optional: what leaves a vertex, or a halo copy, and what stays there (sums). Else a copy.
//     GOSSAMER_HD static value take(value& at);
//     // Optional: the remote vertex that sent this, and a value that it then had itself, at most.
//     GOSSAMER_HD static std::pair<Id, value> sender(const value&);
//     // In place of propagate: what goes out along `arcs` arcs of a row of `degree`, from `first`
//     of
//     // weighted_rows on. What is compiled at run time costs a call a row so, not one an arc.
//     void propagate_row(const value& from, std::int64_t degree, edge_offset first,
//                        std::int64_t arcs, value* out) const;
//     // Optional beside it: asks the memory for what that needs of arcs begin … end - 1.
//     void fetch_row(edge_offset begin, edge_offset end) const;
//   };
//
// Work at a vertex is only ever started by a change of its value, and done with the newest one; a
// vertex waits at most once. `update` must not care for the order in which values come, nor, unless
// `take` empties what it takes, for values that come twice.
//
// Values lie by placed id, own and others alike: a rank keeps a copy of every remote value that it
// has sent or would have (Groute's halo). It answers at once whether a send could be of use, and is
// where values for a remote vertex meet until a parcel takes the newest. The price is memory for
// all vertices on every rank, bytes(); the gain is one random access an arc, as on one rank.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/dataflow/distributed_worklist.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"

namespace gossamer {

/// Owners: owner(v), local(v), global(rank, i) of placed ids, cheap to copy (ownership_view).
template <class Operator, class Id, class Weight, class Owners>
class vertex_program {
 public:
  using value = typename Operator::value;
  using item = Id;
  struct message {
    Id target;
    typename Operator::value content;
  };
  static constexpr bool passes_on = false;
  /// Whether the operator takes arcs of a row at once, by their place among all rows' arcs.
  static constexpr bool takes_rows =
      requires(Operator by, const value& out, edge_offset e, value* to) {
    by.propagate_row(out, e, e, e, to);
  };
  static constexpr bool gives_rows = !takes_rows;

  /// `placed`: placed ids in all.
  vertex_program(Operator by, weighted_rows<Id, Weight> rows, Owners owners, int self, int ranks,
                 std::int64_t placed)
      : by_(std::move(by)),
        rows_(rows),
        owners_(owners),
        self_(self),
        ranks_(ranks),
        placed_(placed),
        values_(make_array<value>(static_cast<std::size_t>(placed))),
        states_(make_array<std::uint8_t>(static_cast<std::size_t>(placed))) {}
  /// Bytes that the constructor takes.
  [[nodiscard]] static std::int64_t bytes(std::int64_t placed) {
    return placed * static_cast<std::int64_t>(sizeof(value) + 1);
  }

  /// Before a run: every value is `initial`.
  void clear(const value& initial) {
    clear_each([&](Id) { return initial; });
  }
  /// The same, the value at placed id v being initial(v). Of another rank's vertex: nothing better
  /// than what its owner starts with, since what is no better than that is not sent there.
  template <class Initial>
  void clear_each(const Initial& initial) {
    for (std::int64_t v = 0; v < placed_; ++v)
      values_[static_cast<std::size_t>(v)] = initial(static_cast<Id>(v));
    std::fill(states_.begin(), states_.end(), std::uint8_t{0});
  }
  /// The initial list: offers `first` to own vertex `v`, and queues it if that changed something.
  template <class List>
  void start(List& list, Id v, const value& first) {
    if (by_.update(at(v), first)) list.push(v);
  }
  /// Of any placed id; final for own ones when a run is over.
  [[nodiscard]] const value& operator[](std::int64_t placed) const {
    return values_[static_cast<std::size_t>(placed)];
  }

  // --- callbacks of distributed_worklist
  // ----------------------------------------------------------

  [[nodiscard]] message pack(const item& v) {
    states_[index(v)] &= static_cast<std::uint8_t>(~queued);
    return {v, take(at(v))};
  }
  [[nodiscard]] item unpack(const message& m) const { return m.target; }
  [[nodiscard]] route on_send(const item& v) {
    const int owner = owners_.owner(v);
    if (owner == self_) return route::keep();
    if ((states_[index(v)] & queued) != 0) return route::drop();  // goes with the newest value
    states_[index(v)] |= queued;
    return route::send(owner);
  }
  [[nodiscard]] route on_receive(const message& m) {
    if constexpr (requires { Operator::sender(m.content); }) {
      const auto [from, theirs] = Operator::sender(m.content);
      // So that nothing worse is sent back there. Not over what waits to be sent: that is no value
      // that anybody may take for one of ours.
      if ((states_[index(from)] & queued) == 0) by_.update(at(from), theirs);
    }
    return by_.update(at(m.target), m.content) ? route::keep() : route::drop();
  }
  [[nodiscard]] double priority(const item& v) const { return by_.priority((*this)[v]); }
  bool enter(const item& v, bool late) {
    std::uint8_t& state = states_[index(v)];
    state |= dirty;
    if ((state & queued) != 0 || (late && (state & deferred) != 0)) return false;
    state |= late ? deferred : queued;
    return true;
  }
  bool revive(const item& v) {
    std::uint8_t& state = states_[index(v)];
    state &= static_cast<std::uint8_t>(~deferred);
    return (state & dirty) != 0;  // it may have become urgent since, and be done
  }
  /// Not of sums, which come to a vertex again and again.
  bool postpone(const item& v) requires(!requires(const Operator by, value& at) { by.take(at); }) {
    std::uint8_t& state = states_[index(v)];
    state &= static_cast<std::uint8_t>(~queued);
    return (std::exchange(state, static_cast<std::uint8_t>(state | deferred)) & deferred) == 0;
  }
  template <class Emit>
  void work(rank& r, std::span<const item> batch, Emit&& emit, worklist_counters& counters);

  // For stealing: vertex_program_steal.hpp.

  static constexpr bool weighted = !std::is_same_v<Weight, no_weight>;
  static constexpr std::size_t arc_bytes = sizeof(Id) + (weighted ? sizeof(Weight) : 0);
  struct piece_head {
    Id from;
    std::uint32_t arcs;
    value out;
  };
  /// Bytes that a parcel must hold.
  static constexpr std::size_t least_piece = sizeof(piece_head) + arc_bytes;

  /// A row whose work is given away, and how much of it has been.
  struct open_row {
    Id from;
    value out;
    row_arcs<Id, Weight> arcs;  ///< the rest
  };
  [[nodiscard]] open_row give_row(const item& v, worklist_counters& counters);
  /// Writes a piece of it, as long as fits; 0: none does.
  std::size_t give_piece(open_row& row, std::span<std::byte> out) const;
  template <class Emit>
  void work_rest(const open_row& row, Emit&& emit, worklist_counters& counters);
  template <class Emit>
  void work_pieces(rank& r, std::span<const std::byte> parcel, Emit&& emit,
                   worklist_counters& counters);
  [[nodiscard]] bool is_listed(const item& v) const { return (states_[index(v)] & queued) != 0; }

 private:
  static constexpr edge_offset values_ahead = 16;
  static constexpr edge_offset arcs_ahead = 64, arcs_a_line = 16;  ///< columns of 4 bytes
  static constexpr std::int64_t row_piece = 128;  ///< arcs that propagate_row() is asked for
  static constexpr std::uint8_t queued = 1, deferred = 2, dirty = 4, worked = 8;
  static std::size_t index(Id v) { return static_cast<std::size_t>(v); }
  [[nodiscard]] value& at(Id v) const { return values_[index(v)]; }
  [[nodiscard]] value take(value& from) const {
    if constexpr (requires { by_.take(from); })
      return by_.take(from);
    else
      return from;
  }
  static arc<Id, Weight> arc_at(Id from, const row_arcs<Id, Weight>& row, edge_offset e) {
    if constexpr (weighted)
      return {from, row.columns[e], row.weights[e]};
    else
      return {from, row.columns[e], {}};
  }
  void fetch_target(const row_arcs<Id, Weight>& row, edge_offset e) const {
    if (e < row.end) __builtin_prefetch(&values_[index(row.columns[e])], 1);
  }
  /// An own vertex's row.
  [[nodiscard]] row_arcs<Id, Weight> row_of(Id v) const {
    const std::int64_t row = owners_.local(v);
    return {rows_.columns, rows_.weights, rows_.offsets[row], rows_.offsets[row + 1]};
  }
  template <class Emit>
  void relax(Id u, const value& out, const row_arcs<Id, Weight>& row, Emit& emit,
             std::int64_t& filtered);
  /// A piece of a long row in two loops: what queues a vertex would take the registers of the
  /// first. Of a short row the end of one more loop is hard to foresee.
  template <class Emit>
  void relax_piece(const row_arcs<Id, Weight>& row, edge_offset first, std::int64_t arcs,
                   const value* sent, Emit& emit, std::int64_t& filtered);
  /// Rows and values lie anywhere: what the next vertices need is fetched while this one is worked
  /// on, offsets first, then columns, then the values at the first of these.
  /// Always inline: GCC drops a call of a function that does nothing else.
  [[gnu::always_inline]] void fetch_ahead(std::span<const item> batch, std::size_t i) const;

  Operator by_;
  weighted_rows<Id, Weight> rows_;
  Owners owners_;
  int self_, ranks_;
  std::int64_t placed_;
  shared_array<value> values_;
  shared_array<std::uint8_t> states_;
};

}  // namespace gossamer

#include "gossamer/dataflow/vertex_program_steal.hpp"
#include "gossamer/dataflow/vertex_program_work.hpp"
