// operator_worklist: the short form of a distributed worklist. An algorithm says what a value at a
// vertex is, how an incoming one changes it, and what goes out along an edge; everything else,
// ranks, messages, halo, order and end, is here. algorithm/vertex_worklist.hpp lays it over
// a placed graph; docs/cpp.md has a whole program.
//
//   struct shortest_paths {  // an operator: for host and device, without state of a rank
//     using value = std::uint32_t;
//     GOSSAMER_HD static bool update(value& at, const value& incoming);   // changed?
//     template <class Edge>
//     GOSSAMER_HD static value propagate(const value& from, const Edge&); // along an edge
//     GOSSAMER_HD static double priority(const value&);                   // smaller is sooner
//     // Optional: what leaves a vertex, or a halo copy, and what stays there (sums). Else a copy.
//     GOSSAMER_HD static value take(value& at);
//     // Optional: the remote vertex that sent this, and a value that it then had itself, at most.
//     GOSSAMER_HD static std::pair<Id, value> sender(const value&);
//     // In place of propagate: what goes out along `arcs` arcs of a row of `degree`, the first
//     // of which is arc `first` of weighted_rows. What is compiled at run time then costs a call
//     // a row, not one an arc.
//     void propagate_row(const value& from, std::int64_t degree, edge_offset first,
//                        std::int64_t arcs, value* out) const;
//     // Optional beside it: asks the memory for what that needs of arcs begin … end - 1.
//     void fetch_row(edge_offset begin, edge_offset end) const;
//   };
//
// Work at a vertex is only ever started by a change of its value, and done with the newest one; a
// vertex waits at most once. `update` must not care for the order in which values come. Unless
// `take` empties what it takes, it must not care for values that come twice, either.
//
// Values lie by placed id, own and others alike: a rank keeps a copy of every remote value that it
// has sent or would have sent (Groute's halo). The copy answers at once whether a send could be of
// use. Values for a remote vertex meet there until a parcel takes the newest. The price is memory
// for all vertices on every rank, bytes(); the gain is one random access an arc, as on one rank.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/dataflow/distributed_worklist.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"
#include "gossamer/dataflow/worklist/modelled_cache.hpp"

namespace gossamer {

/// Owners: owner(v), local(v), global(rank, i) of placed ids, cheap to copy (ownership_view).
template <class Operator, class Id, class Weight, class Owners>
class operator_worklist {
 public:
  using value = typename Operator::value;
  using item = Id;
  struct message {  // NOLINT(cppcoreguidelines-pro-type-member-init): made of all its parts
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
  operator_worklist(Operator by, weighted_rows<Id, Weight> rows, Owners owners, int self, int ranks,
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
  /// The same, where the value at placed id v becomes initial(v). For another rank's vertex it must
  /// not be better than what its owner starts with: what is not better than initial(v) is not sent
  /// there.
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
      // So that nothing worse is sent back there. Not over a value that waits to be sent: nobody
      // may take that for one of ours.
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

  // --- callbacks for stealing

  static constexpr bool weighted = !std::is_same_v<Weight, no_weight>;
  static constexpr std::size_t arc_bytes = sizeof(Id) + (weighted ? sizeof(Weight) : 0);
  struct piece_head {  // NOLINT(cppcoreguidelines-pro-type-member-init): made of all its parts
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
  /// Of a modelled rank: bytes that its memory moves for a value, and for an item: itself, its
  /// row's offsets, its value, and for each arc that and the value at its end.
  double modelled_access(Id v) {
    return cache_->access(dataflow::modelled_cache::array::values, index(v) * sizeof(value));
  }
  double modelled_item(Id u);
  /// Notes that an item is worked on, and takes what goes out of it.
  value begin_item(Id u, worklist_counters& counters);
  template <class Emit>
  void relax(Id u, const value& out, const row_arcs<Id, Weight>& row, Emit& emit,
             std::int64_t& filtered);
  /// A piece of a long row goes in two loops, since code that queues a vertex would take the
  /// registers of the first. For a short row one more loop would cost a misprediction at its end.
  template <class Emit>
  void relax_piece(const row_arcs<Id, Weight>& row, edge_offset first, std::int64_t arcs,
                   const value* sent, Emit& emit, std::int64_t& filtered);
  /// Rows and values lie anywhere. So what the next vertices need is fetched while this one is
  /// worked on: offsets first, then columns, then the values at the first of these. Always inline,
  /// because GCC drops a call of a function that does nothing else.
  [[gnu::always_inline]] void fetch_ahead(std::span<const item> batch, std::size_t i) const;

  Operator by_;
  weighted_rows<Id, Weight> rows_;
  Owners owners_;
  int self_, ranks_;
  std::int64_t placed_;
  shared_array<value> values_;
  shared_array<std::uint8_t> states_;
  std::optional<dataflow::modelled_cache> cache_;  ///< of a modelled rank, when it has worked
};

// --- work ----------------------------------------------------------------------------------------

template <class Operator, class Id, class Weight, class Owners>
inline void operator_worklist<Operator, Id, Weight, Owners>::fetch_ahead(
    std::span<const item> batch, std::size_t i) const {
  if (i + 12 < batch.size()) __builtin_prefetch(&rows_.offsets[owners_.local(batch[i + 12])]);
  if (i + 8 < batch.size()) {
    const row_arcs<Id, Weight> row = row_of(batch[i + 8]);
    const edge_offset end = std::min(row.end, row.begin + arcs_ahead);
    for (edge_offset e = row.begin; e < end; e += arcs_a_line) {
      __builtin_prefetch(&row.columns[e]);
      if constexpr (weighted) __builtin_prefetch(&row.weights[e]);
    }
    if constexpr (requires { by_.fetch_row(end, end); })
      by_.fetch_row(row.begin, std::min(row.end, row.begin + row_piece));
  }
  if (i + 3 >= batch.size()) return;
  const std::int64_t row = owners_.local(batch[i + 3]);
  const edge_offset begin = rows_.offsets[row];
  const edge_offset end = std::min(rows_.offsets[row + 1], begin + values_ahead);
  for (edge_offset e = begin; e < end; ++e)
    __builtin_prefetch(&values_[index(rows_.columns[e])], 1);
}

template <class Operator, class Id, class Weight, class Owners>
template <class Emit>
void operator_worklist<Operator, Id, Weight, Owners>::relax_piece(const row_arcs<Id, Weight>& row,
                                                                  edge_offset first,
                                                                  std::int64_t arcs,
                                                                  const value* sent, Emit& emit,
                                                                  std::int64_t& filtered) {
  std::array<Id, row_piece> changed;
  std::size_t n = 0;
  const Id* const columns = row.columns + first;
  const edge_offset readable = row.end - first;
  value* const all = values_.data();
  for (std::int64_t k = 0; k < arcs; ++k) {
    if (k + values_ahead < readable) __builtin_prefetch(&all[index(columns[k + values_ahead])], 1);
    const Id to = columns[k];
    changed[n] = to;
    if (by_.update(all[index(to)], sent[k]))
      ++n;
    else if (ranks_ > 1 && owners_.owner(to) != self_)
      ++filtered;
  }
  for (std::size_t k = 0; k < n; ++k) emit(changed[k]);
}

template <class Operator, class Id, class Weight, class Owners>
template <class Emit>
void operator_worklist<Operator, Id, Weight, Owners>::relax(Id u, const value& out,
                                                            const row_arcs<Id, Weight>& row,
                                                            Emit& emit, std::int64_t& filtered) {
  const auto offer = [&](Id to, const value& incoming) {
    if (by_.update(at(to), incoming))
      emit(to);
    else if (ranks_ > 1 && owners_.owner(to) != self_)
      ++filtered;
  };
  if constexpr (takes_rows) {
    std::array<value, row_piece> sent;
    for (edge_offset e = row.begin; e < row.end; e += row_piece) {
      const std::int64_t arcs = std::min(row_piece, row.end - e);
      by_.propagate_row(out, row.end - row.begin, e, arcs, sent.data());
      if constexpr (requires { by_.fetch_row(e, e); })
        by_.fetch_row(e + arcs, std::min(row.end, e + arcs + row_piece));
      if (arcs > values_ahead) {
        relax_piece(row, e, arcs, sent.data(), emit, filtered);
        continue;
      }
      for (std::int64_t k = 0; k < arcs; ++k)
        offer(row.columns[e + k], sent[static_cast<std::size_t>(k)]);
    }
  } else {
    for (edge_offset e = row.begin; e < row.end; ++e) {
      fetch_target(row, e + values_ahead);
      const auto along = arc_at(u, row, e);
      offer(along.to, by_.propagate(out, along));
    }
  }
}

template <class Operator, class Id, class Weight, class Owners>
auto operator_worklist<Operator, Id, Weight, Owners>::begin_item(Id u, worklist_counters& counters)
    -> value {
  std::uint8_t& state = states_[index(u)];
  counters.repeated += (state & worked) != 0;
  state = static_cast<std::uint8_t>((state & deferred) | worked);
  return take(at(u));
}

template <class Operator, class Id, class Weight, class Owners>
double operator_worklist<Operator, Id, Weight, Owners>::modelled_item(Id u) {
  using array = dataflow::modelled_cache::array;
  const auto row = row_of(u);
  const auto at = static_cast<std::size_t>(owners_.local(u));
  double bytes = sizeof(Id) + modelled_access(u) +
                 cache_->access(array::offsets, at * sizeof(edge_offset)) +
                 static_cast<double>(row.end - row.begin) * arc_bytes;
  if (row.begin < row.end)
    bytes += cache_->access(array::columns, static_cast<std::size_t>(row.begin) * sizeof(Id));
  for (edge_offset e = row.begin; e < row.end; ++e) bytes += modelled_access(row.columns[e]);
  return bytes;
}

template <class Operator, class Id, class Weight, class Owners>
template <class Emit>
void operator_worklist<Operator, Id, Weight, Owners>::work(rank& r, std::span<const item> batch,
                                                           Emit&& emit,
                                                           worklist_counters& counters) {
  std::int64_t arcs = 0, filtered = 0;
  const auto relax_item = [&](Id u, const value& out) {
    const auto row = row_of(u);
    arcs += row.end - row.begin;
    relax(u, out, row, emit, filtered);
  };
  const auto* const kernel = r.dev().model != nullptr ? &r.dev().model->kernel : nullptr;
  if (kernel != nullptr && !cache_) cache_.emplace(*kernel);
  if (const auto together = kernel != nullptr ? static_cast<std::size_t>(kernel->threads) : 0;
      together > 0) {
    // A modelled GPU's threads have all read before one of them writes.
    std::vector<value> outs;
    for (std::size_t first = 0; first < batch.size(); first += together) {
      const auto some = batch.subspan(first, std::min(together, batch.size() - first));
      outs.clear();
      for (const item& u : some) outs.push_back(begin_item(u, counters));
      for (std::size_t i = 0; i < some.size(); ++i) relax_item(some[i], outs[i]);
    }
  } else {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      fetch_ahead(batch, i);
      relax_item(batch[i], begin_item(batch[i], counters));
    }
  }
  counters.filtered += filtered;
  counters.arcs += arcs;
  if (kernel != nullptr) {
    double bytes = 0;
    for (const item& u : batch) bytes += modelled_item(u);
    r.charge(bytes, 0);
  }
}

// --- stealing ------------------------------------------------------------------------------------
//
// Rows, or pieces of them, that other ranks work off. A piece is a head, then `arcs` columns and as
// many weights.

template <class Operator, class Id, class Weight, class Owners>
auto operator_worklist<Operator, Id, Weight, Owners>::give_row(const item& v,
                                                               worklist_counters& counters)
    -> open_row {
  return {v, begin_item(v, counters), row_of(v)};
}

template <class Operator, class Id, class Weight, class Owners>
std::size_t operator_worklist<Operator, Id, Weight, Owners>::give_piece(
    open_row& row, std::span<std::byte> out) const {
  if (out.size() < least_piece || row.arcs.begin == row.arcs.end) return 0;
  const auto n = std::min<std::size_t>(static_cast<std::size_t>(row.arcs.end - row.arcs.begin),
                                       (out.size() - sizeof(piece_head)) / arc_bytes);
  std::byte* to = out.data();
  const auto write = [&](const auto* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    to += bytes;
  };
  const piece_head head{row.from, static_cast<std::uint32_t>(n), row.out};
  write(&head, sizeof head);
  write(row.arcs.columns + row.arcs.begin, n * sizeof(Id));
  if constexpr (weighted) write(row.arcs.weights + row.arcs.begin, n * sizeof(Weight));
  row.arcs.begin += static_cast<edge_offset>(n);
  return static_cast<std::size_t>(to - out.data());
}

template <class Operator, class Id, class Weight, class Owners>
template <class Emit>
void operator_worklist<Operator, Id, Weight, Owners>::work_rest(const open_row& row, Emit&& emit,
                                                                worklist_counters& counters) {
  relax(row.from, row.out, row.arcs, emit, counters.filtered);
  counters.arcs += row.arcs.end - row.arcs.begin;
}

template <class Operator, class Id, class Weight, class Owners>
template <class Emit>
void operator_worklist<Operator, Id, Weight, Owners>::work_pieces(rank& r,
                                                                  std::span<const std::byte> parcel,
                                                                  Emit&& emit,
                                                                  worklist_counters& counters) {
  std::int64_t arcs = 0;
  auto bytes = static_cast<double>(parcel.size());
  if (r.dev().model != nullptr && !cache_) cache_.emplace(r.dev().model->kernel);
  const std::byte* from = parcel.data();
  const auto read = []<class T>(T& into, const std::byte*& next) {
    std::memcpy(&into, next, sizeof into);
    next += sizeof into;
  };
  while (from < parcel.data() + parcel.size()) {
    piece_head head;  // NOLINT(cppcoreguidelines-pro-type-member-init): read next
    read(head, from);
    const std::byte* weights = from + head.arcs * sizeof(Id);
    for (std::uint32_t i = 0; i < head.arcs; ++i) {
      arc<Id, Weight> along{head.from, {}, {}};
      read(along.to, from);
      if constexpr (weighted) read(along.weight, weights);
      if (cache_) bytes += modelled_access(along.to);
      if (by_.update(at(along.to), by_.propagate(head.out, along)))
        emit(along.to);
      else if (owners_.owner(along.to) != self_)
        ++counters.filtered;
    }
    from = weights;
    arcs += head.arcs;
  }
  counters.arcs += arcs;
  if (cache_) r.charge(bytes, 0);
}

}  // namespace gossamer
