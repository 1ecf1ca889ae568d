// The members of vertex_program that work items off; included by its header alone.
#pragma once

#include "gossamer/dataflow/vertex_program.hpp"

namespace gossamer {

template <class Operator, class Id, class Weight, class Owners>
inline void vertex_program<Operator, Id, Weight, Owners>::fetch_ahead(std::span<const item> batch,
                                                                      std::size_t i) const {
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
void vertex_program<Operator, Id, Weight, Owners>::relax_piece(const row_arcs<Id, Weight>& row,
                                                               edge_offset first, std::int64_t arcs,
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
void vertex_program<Operator, Id, Weight, Owners>::relax(Id u, const value& out,
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
template <class Emit>
void vertex_program<Operator, Id, Weight, Owners>::work(rank& r, std::span<const item> batch,
                                                        Emit&& emit, worklist_counters& counters) {
  std::int64_t arcs = 0, filtered = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    fetch_ahead(batch, i);
    const Id u = batch[i];
    std::uint8_t& state = states_[index(u)];
    counters.repeated += (state & worked) != 0;
    state = static_cast<std::uint8_t>((state & deferred) | worked);
    const value out = take(at(u));
    const auto row = row_of(u);
    arcs += row.end - row.begin;
    relax(u, out, row, emit, filtered);
  }
  counters.filtered += filtered;
  counters.arcs += arcs;
  // On modelled machines: an item, its row's offsets and its value; an arc, and the value there.
  constexpr double sector = 32;
  r.charge(static_cast<double>(batch.size()) * (sizeof(Id) + 2 * sector) +
               static_cast<double>(arcs) * (sizeof(Id) + sector),
           0);
}

}  // namespace gossamer
