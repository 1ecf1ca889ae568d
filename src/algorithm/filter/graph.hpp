// The graph of filter's endpoints: a host, a worker on every rank, a router in each direction.
#pragma once

#include <cstdint>
#include <vector>

#include "gossamer/algorithm/filter.hpp"

namespace gossamer::filter_detail {

struct filter_graph {
  filter_graph(const machine& m, std::int64_t n, std::size_t element,
               const filter_options& options);

  std::size_t packet;
  dataflow::wiring wires;
  std::vector<dataflow::endpoint> workers;
  dataflow::link_id up, collect;             ///< host to its router; other router to host
  std::vector<dataflow::link_id> down, out;  ///< by rank; `out` is empty when nothing is gathered
};

/// Bytes that the results of GPU rank r may take there when they stay: what its other entries
/// leave.
std::int64_t room_for_results(const memory_plan& plan, int r);
/// Throws usage_error.
void check_options(const machine& m, const filter_options& options);
/// Arenas of the graph, and of two staging buffers for results on each rank.
std::vector<arena_plan> make_arenas(const filter_graph& graph);

}  // namespace gossamer::filter_detail
