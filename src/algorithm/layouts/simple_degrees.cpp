// One pass over the arcs, in each direction that there is.
#include "algorithm/layouts/simple_degrees.hpp"

#include <atomic>
#include <limits>

#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::algorithm_detail {

namespace {

constexpr std::int64_t counted_at_once = 4096;  // vertices that a thread takes at a time

build_options ascending(const graph& g, const std::stop_token& stop) {
  build_options options;
  options.known_symmetric = g.symmetric;
  options.stop = stop;
  return options;
}

/// Distinct columns of v's row but v.
template <class Id>
std::int64_t distinct(const csr_view<Id>& rows, std::int64_t v) {
  std::int64_t count = 0;
  auto before = static_cast<Id>(-1);
  for (const Id u : rows.row(v)) {
    count += static_cast<int>(u != before) & static_cast<int>(u != static_cast<Id>(v));
    before = u;
  }
  return count;
}

template <class Id>
void count(simple_degrees& made, int threads, const std::stop_token& stop) {
  const auto rows = made.rows<Id>();
  std::atomic<bool> fits{true};
  std::int32_t* const degrees = made.degrees.data();
  for_pieces(cpu_team{threads}, made.out.vertices(), counted_at_once,
             [&](std::int64_t first, std::int64_t last) {
               if (stop.stop_requested()) return;
               for (std::int64_t v = first; v < last; ++v) {
                 std::int64_t degree = distinct(rows[0], v);
                 if (!rows[1].offsets.empty()) degree += distinct(rows[1], v);
                 if (degree > std::numeric_limits<std::int32_t>::max()) fits = false;
                 degrees[v] = static_cast<std::int32_t>(degree);
               }
             });
  if (!fits) throw capacity_error("core_numbers: a vertex has 2^31 neighbours or more");
}

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw cancelled_error("core_numbers: stopped");
}

}  // namespace

simple_degrees count_simple_degrees(const graph& g, int threads, const std::stop_token& stop) {
  check_stop(stop);
  simple_degrees made;
  made.out = g.sorted ? g : rebuild(g, ascending(g, stop));
  if (!g.symmetric) made.in = made.out.transposed(stop);
  made.degrees = make_array<std::int32_t>(static_cast<std::size_t>(g.vertices()));
  if (g.id_width() == 4)
    count<vertex32>(made, threads, stop);
  else
    count<vertex64>(made, threads, stop);
  check_stop(stop);
  return made;
}

}  // namespace gossamer::algorithm_detail
