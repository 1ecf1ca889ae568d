// An algorithm of one's own on GPUs: for every vertex the nearest of eight facilities, and how far
// it is. The operator is the algorithm; ranks, messages, order and end are gpu_worklist's.
//
//   own_worklist [SPEC [GRAPH]]      e.g. own_worklist "cuda:0*3" road:500
#include <cstdint>
#include <functional>
#include <iostream>
#include <queue>
#include <tuple>
#include <vector>

#include "gossamer/dataflow/gpu_worklist.cuh"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/placed_graph.hpp"
#include "gossamer/placement/slice_weights.hpp"

using namespace gossamer;

constexpr int facilities = 8;
constexpr std::uint32_t nobody = 0xffffffff;

/// The nearer facility wins, of equally near ones the smaller number: as one word of eight bytes,
/// whose upper half is the distance, the smaller one.
struct nearest {
  struct value {
    std::uint32_t facility, distance;
  };
  static constexpr bool smaller_word_wins = true;
  __device__ static bool update(value& at, const value& incoming) {
    if (incoming.distance > at.distance) return false;
    if (incoming.distance == at.distance && incoming.facility >= at.facility) return false;
    at = incoming;
    return true;
  }
  template <class Arc>
  __device__ static value propagate(const value& from, const Arc& along) {
    return {from.facility, from.distance + along.weight};
  }
  __device__ static double priority(const value& at) { return at.distance; }
};

/// Every facility is nearest to itself.
struct from_facilities {
  std::int32_t places[facilities];  ///< placed ids
  __device__ int facility_at(std::int32_t vertex) const {
    int i = 0;
    while (i < facilities && places[i] != vertex) ++i;
    return i;
  }
  __device__ static nearest::value initial(std::int32_t) { return {nobody, nobody}; }
  __device__ bool starts(std::int32_t vertex) const { return facility_at(vertex) < facilities; }
  __device__ nearest::value first(std::int32_t vertex) const {
    return {static_cast<std::uint32_t>(facility_at(vertex)), 0};
  }
};

/// One after the other on the host: Dijkstra's algorithm from all facilities at once.
static std::vector<nearest::value> by_host(const graph& g, const std::vector<std::int64_t>& sites) {
  using entry = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> waiting;
  std::vector<nearest::value> best(static_cast<std::size_t>(g.vertices()), {nobody, nobody});
  for (std::uint32_t i = 0; i < facilities; ++i) waiting.emplace(0, i, sites[i]);
  const auto& columns = std::get<shared_array<vertex32>>(g.indices);
  const auto& weights = std::get<shared_array<std::int32_t>>(g.weights);
  while (!waiting.empty()) {
    const auto [distance, facility, v] = waiting.top();
    waiting.pop();
    auto& at = best[static_cast<std::size_t>(v)];
    if (at.facility != nobody) continue;
    at = {facility, distance};
    for (edge_offset e = g.offsets[v]; e < g.offsets[v + 1]; ++e)
      waiting.emplace(distance + static_cast<std::uint32_t>(weights[e]), facility, columns[e]);
  }
  return best;
}

int main(int count, char** arguments) try {
  auto m = machine::open(count > 1 ? arguments[1] : "cuda");
  generate_options weighted;
  weighted.weights = true;
  const graph g = generate(parse_generator(count > 2 ? arguments[2] : "kron:14"), weighted);
  place_options out_arcs;
  out_arcs.both_directions = false;
  const placed_graph placed = place(m, g, out_arcs);

  std::vector<std::int64_t> sites;
  from_facilities start{};
  for (int i = 0; i < facilities; ++i) {
    sites.push_back(i * g.vertices() / facilities);
    start.places[i] = static_cast<std::int32_t>(placed.placed_id(sites.back()));
  }

  using list = dataflow::gpu_worklist<nearest, from_facilities, std::uint32_t>;
  dataflow::gpu_worklist_options options;
  options.name = "nearest";
  options.delta = 64;
  std::vector<list> lists;
  for (int r = 0; r < m.size(); ++r) {
    const auto weights = slice_weights<vertex32, std::int32_t>(placed, r);
    lists.emplace_back(placed, r, nearest{}, options, weights.data());
  }

  std::vector<nearest::value> found(static_cast<std::size_t>(placed.bounds().back()));
  run_options how;
  how.arenas = dataflow::arenas_of(lists);
  m.run(
      [&](rank& r) {
        list& mine = lists[static_cast<std::size_t>(r.id())];
        mine.run(r, start);
        mine.download(found.data() + mine.first());
      },
      how);

  worklist_counters work;
  for (const list& l : lists) work.add(l.counters());
  const auto expected = by_host(g, sites);
  std::int64_t wrong = 0;
  for (std::int64_t v = 0; v < g.vertices(); ++v) {
    const auto& a = found[static_cast<std::size_t>(placed.placed_id(v))];
    const auto& b = expected[static_cast<std::size_t>(v)];
    wrong += a.facility != b.facility || a.distance != b.distance;
  }
  std::cout << g.vertices() << " vertices over " << m.size() << " ranks, " << work.items
            << " worked on, " << work.sent << " messages: ";
  std::cout << (wrong == 0 ? "verified\n" : std::to_string(wrong) + " wrong\n");
  return wrong == 0 ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << "own_worklist: " << e.what() << '\n';
  return 2;
}
