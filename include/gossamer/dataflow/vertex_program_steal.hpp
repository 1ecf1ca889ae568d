// The members of vertex_program by which rows, or pieces of them, are worked off by other ranks
// (balance.hpp); included by its header alone.
#pragma once

#include "gossamer/dataflow/balance_parcels.hpp"
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
  using namespace balance_detail;
  constexpr std::size_t head = sizeof(piece_head<Id, value>),
                        arc = sizeof(Id) + weight_bytes<Weight>;
  if (out.size() < head + arc || row.arcs.begin == row.arcs.end) return 0;
  const auto n = std::min<edge_offset>(row.arcs.end - row.arcs.begin,
                                       static_cast<edge_offset>((out.size() - head) / arc));
  std::byte* to = out.data();
  write(to, piece_head<Id, value>{row.from, static_cast<std::uint32_t>(n), row.out});
  write_arcs(to, row.arcs, n);
  row.arcs.begin += n;
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
  using namespace balance_detail;
  if constexpr (!takes_rows) {  // else prepare() has refused to share
    std::int64_t arcs = 0;
    const std::byte* from = parcel.data();
    while (from < parcel.data() + parcel.size()) {
      const auto head = read<piece_head<Id, value>>(from);
      const std::byte* weights = from + head.arcs * sizeof(Id);
      for (std::uint32_t i = 0; i < head.arcs; ++i) {
        arc<Id, Weight> along{head.from, read<Id>(from), {}};
        if constexpr (weight_bytes < Weight >> 0) along.weight = read<Weight>(weights);
        if (by_.update(at(along.to), by_.propagate(head.out, along)))
          emit(along.to);
        else if (owner_of(along.to) != self_)
          ++counters.filtered;
      }
      from = weights;
      arcs += head.arcs;
    }
    counters.arcs += arcs;
    constexpr double sector = 32;
    r.charge(static_cast<double>(parcel.size()) + static_cast<double>(arcs) * sector, 0);
  }
}

}  // namespace gossamer
