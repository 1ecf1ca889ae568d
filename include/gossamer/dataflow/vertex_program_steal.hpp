// The members of vertex_program by which rows, or pieces of them, are worked off by other ranks
// (distributed_worklist_steal.hpp); included by its header alone.
//
// A piece: head, then `arcs` columns and as many weights.
#pragma once

#include <cstring>

#include "gossamer/dataflow/vertex_program.hpp"

namespace gossamer {

template <class Operator, class Id, class Weight, class Owners>
auto vertex_program<Operator, Id, Weight, Owners>::give_row(const item& v,
                                                            worklist_counters& counters)
    -> open_row {
  std::uint8_t& state = states_[index(v)];
  counters.repeated += (state & worked) != 0;
  state = static_cast<std::uint8_t>((state & deferred) | worked);
  return {v, take(at(v)), row_of(v)};
}

template <class Operator, class Id, class Weight, class Owners>
std::size_t vertex_program<Operator, Id, Weight, Owners>::give_piece(
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
void vertex_program<Operator, Id, Weight, Owners>::work_rest(const open_row& row, Emit&& emit,
                                                             worklist_counters& counters) {
  relax(row.from, row.out, row.arcs, emit, counters.filtered);
  counters.arcs += row.arcs.end - row.arcs.begin;
}

template <class Operator, class Id, class Weight, class Owners>
template <class Emit>
void vertex_program<Operator, Id, Weight, Owners>::work_pieces(rank& r,
                                                               std::span<const std::byte> parcel,
                                                               Emit&& emit,
                                                               worklist_counters& counters) {
  std::int64_t arcs = 0;
  const std::byte* from = parcel.data();
  const auto read = []<class T>(T& into, const std::byte*& next) {
    std::memcpy(&into, next, sizeof into);
    next += sizeof into;
  };
  while (from < parcel.data() + parcel.size()) {
    piece_head head;
    read(head, from);
    const std::byte* weights = from + head.arcs * sizeof(Id);
    for (std::uint32_t i = 0; i < head.arcs; ++i) {
      arc<Id, Weight> along{head.from, {}, {}};
      read(along.to, from);
      if constexpr (weighted) read(along.weight, weights);
      if (by_.update(at(along.to), by_.propagate(head.out, along)))
        emit(along.to);
      else if (owners_.owner(along.to) != self_)
        ++counters.filtered;
    }
    from = weights;
    arcs += head.arcs;
  }
  counters.arcs += arcs;
  constexpr double sector = 32;
  r.charge(static_cast<double>(parcel.size()) + static_cast<double>(arcs) * sector, 0);
}

}  // namespace gossamer
