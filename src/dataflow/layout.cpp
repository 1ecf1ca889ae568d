// Follows every link, through routers, to the ends it joins, and adds up buffers, headers and
// counters in one order on all ranks.
#include "dataflow/layout.hpp"

#include <algorithm>
#include <bit>

#include "gossamer/fabric/arena.hpp"
#include "gossamer/machine/system.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer::dataflow {

namespace {

constexpr std::size_t kibi = 1024, mebi = 1024 * kibi;

/// Appends the lane from the beginning of `out` to the end of `in`.
void add_lane(const wiring& w, int out, int in, layout& l) {
  const auto& first = w.edges()[static_cast<std::size_t>(out)];
  const auto& last = w.edges()[static_cast<std::size_t>(in)];
  lane made{};
  made.out_link = out;
  made.in_link = in;
  made.from = first.from;
  made.to = last.to;
  made.from_rank = w[first.from].rank;
  made.to_rank = w[last.to].rank;
  made.packet = last.options.packet;
  if (made.packet == 0) made.packet = lane_packet(w.context(), made.from_rank, made.to_rank);
  if (first.options.packet != 0) made.packet = std::min(made.packet, first.options.packet);
  made.buffers = last.options.buffers;
  if (made.buffers == 0) made.buffers = lane_buffers;
  made.one_at_a_time = last.options.one_at_a_time;
  const auto from = static_cast<std::size_t>(made.from_rank),
             to = static_cast<std::size_t>(made.to_rank);
  made.data_at = l.bytes[to];
  made.header_at = l.headers[to];
  l.bytes[to] += made.stride() * static_cast<std::size_t>(made.buffers);
  l.headers[to] += static_cast<std::size_t>(made.buffers);
  made.arrived = l.counters[to]++;
  made.ended = l.counters[to]++;
  made.returned = l.counters[from]++;
  l.lanes.push_back(made);
}

}  // namespace

std::size_t lane_packet(const machine& m, int from, int to) {
  constexpr double share = 0.05;  // of a packet's time that its start and latency may take
  if (const auto& system = m[from].model) {
    const auto& kind = system->kind_of(system->native, system->native, mebi, from == to);
    const double bytes = (kind.start + kind.setup + kind.latency) * kind.bandwidth / share;
    const auto whole = static_cast<std::size_t>(std::clamp(bytes, 64.0 * kibi, 8.0 * mebi));
    return std::min(std::bit_ceil(whole), 8 * mebi);
  }
  if (m[from].is_cuda() || m[to].is_cuda()) return 8 * mebi;
  return m.between(from, to).load_store ? 256 * kibi : mebi;
}

layout lay_out(const wiring& w) {
  const auto p = static_cast<std::size_t>(w.context().size());
  layout l;
  l.bytes.resize(p);
  l.headers.resize(p);
  l.counters.resize(p);
  const auto& edges = w.edges();
  for (std::size_t out = 0; out < edges.size(); ++out) {
    if (w[edges[out].from].is_router()) continue;
    if (!w[edges[out].to].is_router()) {
      add_lane(w, static_cast<int>(out), static_cast<int>(out), l);
      continue;
    }
    for (std::size_t in = 0; in < edges.size(); ++in)
      if (edges[in].from == edges[out].to)
        add_lane(w, static_cast<int>(out), static_cast<int>(in), l);
  }
  return l;
}

std::vector<arena_plan> wiring::arenas() const {
  const layout l = lay_out(*this);
  const auto p = static_cast<std::size_t>(machine_->size());
  std::vector<arena_plan> plans(p);
  for (std::size_t r = 0; r < p; ++r) {
    // Headers of what arrives, staged headers of what leaves (no more than those there are), two
    // sets of counters; each aligned to 256 bytes, as arenas are.
    std::size_t staged = 0;
    for (const auto& one : l.lanes)
      if (one.from_rank == static_cast<int>(r)) staged += static_cast<std::size_t>(one.buffers);
    plans[r].native = l.bytes[r] + 256;
    plans[r].host = (l.headers[r] + staged) * sizeof(segment_header) +
                    (l.counters[r] + 2 * p) * sizeof(std::uint64_t) + std::size_t{256} * 8;
  }
  return plans;
}

}  // namespace gossamer::dataflow
