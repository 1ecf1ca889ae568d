// One rank's rows of a graph that is generated on the machine: counted, put and finished, on CPU
// ranks by sending arcs to the owners of their rows; on GPUs the rows are the graph layer's
// (gpu_row_maker.hpp), and nothing is sent.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "gossamer/graph/gpu_row_maker.hpp"
#include "gossamer/placement/generated_placement.hpp"
#include "placement/arc_exchange.hpp"
#include "placement/row_builder.hpp"

namespace gossamer::placement_detail {

/// Entries of the list that a rank sends in a round.
inline std::int64_t round_of(const generate_placed_options& options, int ranks) {
  if (options.round_edges > 0) return options.round_edges;
  return std::max<std::int64_t>(1024, (std::int64_t{1} << 18) / ranks);
}

/// Bytes of a CPU rank's arena for arcs on their way.
inline std::int64_t exchange_bytes(int ranks, int width, const generate_placed_options& options) {
  const std::int64_t round = round_of(options, ranks);
  return width == 4 ? arc_exchange<vertex32>::arena_bytes(ranks, round)
                    : arc_exchange<vertex64>::arena_bytes(ranks, round);
}

/// What ranks tell each other about what they made.
struct made_rows {
  std::int64_t counted = 0, longest = 0, arcs = 0, self_loops = 0;
};

/// The steps on CPU ranks: arcs go to the owners of their rows.
template <class Id>
class sent_rows {
 public:
  static run_options run_with(const machine& m, const generate_placed_options& options) {
    run_options run;
    const auto bytes = static_cast<std::size_t>(exchange_bytes(m.size(), sizeof(Id), options));
    run.arenas = {{bytes, std::size_t{64} << 10}};
    return run;
  }
  sent_rows(const device& d, const generator_spec& spec, const generate_placed_options& options,
            const ownership& owners, std::int64_t first, std::int64_t rows)
      : owners_(owners),
        options_(options),
        maker_(make_edge_maker(spec)),
        edges_(spec.candidates()),
        rows_(d, first, rows) {}

  template <class Tell>
  made_rows count(rank& r, const Tell& tell) {
    each_arc(
        r, [&](std::span<const arc<Id>> arcs) { rows_.count(arcs); }, tell);
    return {rows_.begin_rows()};
  }
  template <class Tell>
  void put(rank& r, const Tell& tell) {
    rows_.allocate_columns();
    each_arc(
        r, [&](std::span<const arc<Id>> arcs) { rows_.put(arcs); }, tell);
  }
  template <class Tell>
  made_rows finish(const Tell& tell) {
    rows_.finish(tell);
    return {rows_.counted(), 0, rows_.arcs(), rows_.self_loops()};
  }
  row_builder<Id>& rows() { return rows_; }

 private:
  template <class Take, class Tell>
  void each_arc(rank& r, const Take& take, const Tell& tell) {
    const edge_share share = edge_share::of(edges_, r.id(), r.size(), round_of(options_, r.size()));
    arc_exchange<Id>(r, owners_, maker_, share).run(take, tell);
    r.barrier();
  }

  const ownership& owners_;
  const generate_placed_options& options_;
  edge_maker maker_;
  std::int64_t edges_;
  row_builder<Id> rows_;
};

/// The steps on GPUs: each makes the whole list.
template <class Id>
class own_rows {
 public:
  static run_options run_with(const machine&, const generate_placed_options&) { return {}; }
  own_rows(const device& d, const generator_spec& spec, const generate_placed_options&,
           const ownership&, std::int64_t first, std::int64_t rows)
      : rows_(d, spec, first, rows) {}

  template <class Tell>
  made_rows count(rank&, const Tell& tell) {
    rows_.count(tell);
    return {rows_.counted(), rows_.longest()};
  }
  template <class Tell>
  void put(rank&, const Tell& tell) {
    rows_.put(tell);
  }
  template <class Tell>
  made_rows finish(const Tell& tell) {
    rows_.finish(tell);
    return {rows_.counted(), rows_.longest(), rows_.arcs(), rows_.self_loops()};
  }
  gpu_row_maker<Id>& rows() { return rows_; }

 private:
  gpu_row_maker<Id> rows_;
};

}  // namespace gossamer::placement_detail
