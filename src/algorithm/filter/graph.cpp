// Chooses packets and buffers, builds the wiring from them, and plans the memory it takes.
#include "algorithm/filter/graph.hpp"

#include <algorithm>

#include "algorithm/filter/gpu.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/arena.hpp"

namespace gossamer {

namespace filter_detail {

namespace {

std::size_t choose_packet(const machine& m, std::int64_t n, std::size_t element,
                          const filter_options& options) {
  std::size_t packet = options.packet;
  if (packet == 0) {
    for (int r = 0; r < m.size(); ++r) packet = std::max(packet, dataflow::lane_packet(m, 0, r));
    const auto pieces = static_cast<std::size_t>(m.size()) * 128;
    const std::size_t share = static_cast<std::size_t>(n) * element / pieces;
    packet = std::min(packet, std::max<std::size_t>(share, std::size_t{16} << 10));
  }
  return std::max(packet / element, std::size_t{1}) * element;
}

}  // namespace

void check_options(const machine& m, const filter_options& options) {
  for (int r = 0; r < m.size(); ++r)
    if (m[r].is_cuda() && m[r].process >= 0)
      throw not_compiled("filter on GPUs of MPI processes",
                         "it runs on GPUs of one process and on CPU ranks, together or not");
  require(options.slowdown.empty() || options.slowdown.size() == static_cast<std::size_t>(m.size()),
          "filter: slowdown needs a factor for each of the " + std::to_string(m.size()) + " ranks");
  for (const double s : options.slowdown)
    require(s >= 1 && s < 1e9, "filter: a slowdown must be 1 or more");
  require(options.buffers >= 0 && options.buffers <= 64, "filter: buffers must be 1 to 64");
}

filter_graph::filter_graph(const machine& m, std::int64_t n, std::size_t element,
                           const filter_options& options)
    : packet(choose_packet(m, n, element, options)), wires(m) {
  check_options(m, options);
  const int p = m.size();
  // Rank 0's thread feeds between pieces of its own work, and a core may be taken from it for
  // milliseconds: real ranks get more in hand than the transfers alone would need. Modelled ones,
  // which lose none, one more than a link's two: they wait for nothing else.
  const int chosen = m[0].model == nullptr ? 8 : 3;
  const int buffers = options.buffers == 0 ? chosen : options.buffers;
  const dataflow::link_options link{packet, buffers, /*one_at_a_time=*/true};
  const auto host = wires.add_endpoint(0, "host");
  const auto spread = wires.add_router(
      1, p, options.split == filter_split::even ? dataflow::peer_to_peer() : dataflow::any_device(),
      "spread");
  up = wires.connect(host, spread);
  for (int r = 0; r < p; ++r) {
    workers.push_back(wires.device(r));
    down.push_back(wires.connect(spread, workers.back(), link));
  }
  if (!options.gather) return;
  const auto funnel = wires.add_router(p, 1, dataflow::gather(), "funnel");
  for (const auto worker : workers) out.push_back(wires.connect(worker, funnel));
  collect = wires.connect(funnel, host, link);
}

namespace {
constexpr const char* staying = "results that stay";
}

std::int64_t room_for_results(const memory_plan& plan, int r) {
  for (const auto& e : plan.entries)
    if (e.rank == r && e.purpose == staying) return e.bytes;
  return 0;
}

/// Results beyond what fits go to the host, so that no array is too large.
void plan_results(memory_plan& plan, const machine& m, std::int64_t all) {
  for (int r = 0; r < m.size(); ++r)
    if (m.here(r) && m[r].is_cuda())
      plan.add(
          r, memory_kind::device, staying,
          std::clamp<std::int64_t>(plan.limit[static_cast<std::size_t>(r)] - plan.of(r), 0, all),
          certainty::at_most);
}

std::vector<arena_plan> make_arenas(const filter_graph& graph) {
  auto arenas = graph.wires.arenas();
  for (auto& a : arenas) a.native += 2 * (graph.packet + 256);
  return arenas;
}

}  // namespace filter_detail

dataflow::wiring filter_wiring(const machine& m, std::int64_t n, std::size_t element,
                               const filter_options& options) {
  return filter_detail::filter_graph(m, n, element, options).wires;
}

memory_plan plan_filter(const machine& m, std::int64_t n, std::size_t element,
                        const filter_options& options) {
  const filter_detail::filter_graph graph(m, n, element, options);
  const auto arenas = graph.wires.arenas();
  memory_plan plan;
  const auto all = n * static_cast<std::int64_t>(element);
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;  // planned by its own process
    const auto& arena = arenas[static_cast<std::size_t>(r)];
    plan.add(r, native_memory(m[r]), "receive buffers", static_cast<std::int64_t>(arena.native));
    plan.add(r, native_memory(m[r]), "results to send",
             2 * static_cast<std::int64_t>(graph.packet));
    if (m[r].is_cuda())
      plan.add(r, memory_kind::device, "states of tiles",
               filter_detail::gpu_compactor_bytes(graph.packet / element), certainty::at_most);
    plan.add(r, memory_kind::host, "headers and counters", static_cast<std::int64_t>(arena.host));
  }
  if (m.here(0)) {
    plan.add(0, memory_kind::host, "results as they come", all, certainty::at_most);
    if (options.gather) plan.add(0, memory_kind::host, "results in order", all, certainty::at_most);
  }
  plan.limit_to(m, options.memory);
  if (!options.gather) filter_detail::plan_results(plan, m, all);
  return plan;
}

}  // namespace gossamer
