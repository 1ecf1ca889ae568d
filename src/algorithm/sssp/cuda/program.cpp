// Shortest paths on a GPU, host side: rows from the graph's placement, each arc with its weight
// beside it; a run is one launch, or several that continue each other.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/result_blocks.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/sssp/async/from_source.hpp"
#include "algorithm/sssp/cuda/look.hpp"
#include "algorithm/sssp/cuda/pack.hpp"
#include "algorithm/sssp/gpu.hpp"
#include "algorithm/sssp/parents/cuda/parents.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/dataflow/worklist/cuda/engine.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/pieces.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::sssp_detail {

namespace {

using namespace cuda;

template <class Distance>
using worklist_for = dataflow::cuda::worklist_engine<shortest_sums<Distance>, weight_of<Distance>,
                                                     from_source<Distance>>;

struct search_arrays {
  buffer<unsigned long long> seen;  // reached vertices and the largest distance

  void list(algorithm_detail::array_list& of) { of.add(seen, 2); }
};

template <class Distance>
class search_on final : public gpu_search<Distance> {
 public:
  search_on(machine& m, const graph& g, double delta, const memory_plan& needs)
      : device_(m[0]),
        units_(std::max(1, device_.units / std::max(1, device_.share))),
        vertices_(g.vertices()) {
    // Whatever ids have in the graph: queues could not hold more.
    require(vertices_ <= std::numeric_limits<std::int32_t>::max(),
            "sssp: a GPU can hold 2^31 - 1 vertices");
    const current_device here(device_.ordinal);
    if (m.size() > 1) first_ = machine::open("cuda:" + std::to_string(device_.ordinal));
    lay_out(first_ ? *first_ : m, g, needs);
    const bool short_rows =
        dataflow::has_short_rows(vertices_, g.arcs(), algorithm_detail::degrees_of(g).longest);
    engine_.emplace(typename worklist_for<Distance>::in_scratch{}, "sssp", device_,
                    shortest_sums<Distance>{}, rows_of(*placed_, *arcs_, 0), placed_->bounds(), 0,
                    delta, short_rows);
    engine_->adapt_windows();
    engine_->pull_back(g.symmetric);
    parents_.offsets = engine_->offsets();
    parents_.arcs = arcs_->front().data();
    parents_.sorted = g.sorted;
    parents_.rows = vertices_;
    algorithm_detail::array_list taken(device_);
    arrays_.list(taken);
    results_ = {device_, 0, vertices_, sizeof(Distance)};
  }

  gpu_found<Distance> run(rank& r, std::int64_t source) override {
    auto distances = results_.take();
    engine_->use_values(algorithm_detail::values_in<Distance>(distances));
    engine_->begin(r);
    gpu_found<Distance> found;
    {
      const trace_span span(r, "relax", r.stream());
      found.seconds = engine_->run(r, {static_cast<std::int32_t>(source)});
    }
    found.counts = {engine_->counters().arcs, engine_->rounds()};
    leave(r, std::move(distances), found);
    return found;
  }

  bool find_parents(rank& r, const gpu_found<Distance>& found, std::int64_t source,
                    const shared_array<std::int64_t>& parents) override {
    // Where the search's queues were: their entries have eight bytes.
    parents_view<Distance> v = parents_;
    v.source = source;
    v.keys = static_cast<const key_of<Distance>*>(found.distances.data.get());
    v.parents = engine_->queue(0);
    v.found = engine_->queue(1);
    v.pending = arrays_.seen.data();
    const trace_span span(r, "parents", r.stream());
    clear(arrays_.seen);
    find_parents_there(r.stream().native(), units_, v);
    unsigned long long pending = pending_after(r);
    for (int level = 0; pending > 0; ++level) {
      if (level == most_levels) return false;
      settle_level(r.stream().native(), units_, v);
      pending = pending_after(r);
    }
    read_elements(v.parents, static_cast<std::size_t>(vertices_),
                  [&](std::size_t first, std::span<const std::int32_t> these) {
                    std::copy(these.begin(), these.end(), parents.begin() + first);
                  });
    return true;
  }

 private:
  /// Arcs of zero in a row that cost a look at all rows each; a host needs one in all.
  static constexpr int most_levels = 64;

  unsigned long long pending_after(rank& r) const {
    r.synchronize();
    unsigned long long pending = 0;
    copy_bytes(&pending, arrays_.seen.data(), sizeof pending);
    return pending;
  }

  template <class T>
  void clear(buffer<T>& b) const {
    fill_bytes(native_memory(device_), device_.ordinal, b.data(), 0, b.size() * sizeof(T));
  }

  /// Of what is kept: one placement, and one array of packed arcs, for all searches on this GPU.
  void lay_out(machine& m, const graph& g, const memory_plan& needs) {
    place_options one_direction;
    one_direction.both_directions = false;
    one_direction.spill = spilling::none;
    one_direction.columns_on_gpu = needs.columns_on_gpu();
    placed_ = kept::place(m, g, one_direction);
    arcs_ = packed_of<Distance>({g, *placed_, one_direction, needs});
  }

  /// Distances stay where the kernel had them, and are counted there.
  void leave(rank& r, algorithm_detail::result_blocks::block distances,
             gpu_found<Distance>& found) {
    clear(arrays_.seen);
    look_at_distances<Distance>(r.stream().native(),
                                algorithm_detail::values_in<key_of<Distance>>(distances), vertices_,
                                arrays_.seen.data());
    r.synchronize();
    std::array<unsigned long long, 2> seen{};
    copy_bytes(seen.data(), arrays_.seen.data(), sizeof seen);
    found.reached = static_cast<std::int64_t>(seen[0]);
    found.farthest = std::bit_cast<Distance>(static_cast<key_of<Distance>>(seen[1]));
    const auto lent = results_.lend(std::move(distances));
    found.distances = {std::shared_ptr<const void>(lent, lent->data()), vertices_, device_.ordinal};
  }

  const device device_;
  const int units_;
  const std::int64_t vertices_;
  std::optional<machine> first_;  ///< of several GPUs, the one that searches
  std::shared_ptr<const placed_graph> placed_;
  std::shared_ptr<const packed_arcs<Distance>> arcs_;
  algorithm_detail::result_blocks results_;
  std::optional<worklist_for<Distance>> engine_;
  search_arrays arrays_;
  parents_view<Distance> parents_{};
};

}  // namespace

template <class Distance>
std::unique_ptr<gpu_search<Distance>> make_gpu_search(machine& m, const graph& g, double delta,
                                                      const memory_plan& needs) {
  return std::make_unique<search_on<Distance>>(m, g, delta, needs);
}

void declare_gpu_search(memory_layout& l, const problem& p) {
  using algorithm_detail::aligned, algorithm_detail::counted;
  const std::int64_t padded = (p.vertices + 63) / 64 * 64;
  // The placement's tables are small.
  const std::int64_t offsets =
      aligned((padded + 1) * static_cast<std::int64_t>(sizeof(edge_offset))) +
      aligned(padded / 64 * 12 + 16);
  const std::vector<std::int64_t> first = {0, padded};
  const auto lists = p.weight_bytes == 8 ? worklist_for<double>::shared_sizes(first, 0, p.arcs)
                                         : worklist_for<float>::shared_sizes(first, 0, p.arcs);
  const std::int64_t scratch = dataflow::cuda::list_places(lists).bytes;
  l.own(0, "offsets", offsets, p.vertices_are);
  l.rows(0, "columns", aligned(p.arcs * p.id_width), p.arcs_are);
  l.rows(0, packed_purpose, aligned(p.arcs * 2 * p.weight_bytes), p.arcs_are);
  l.own(0, "counters",
        dataflow::cuda::list_bytes(lists).work - scratch + counted<search_arrays>().own);
  l.window(0, "queues and marks", scratch, p.vertices_are);
  l.own(0, "distances of results",
        aligned(algorithm_detail::result_bytes(p.vertices, p.weight_bytes)), p.vertices_are);
}

template std::unique_ptr<gpu_search<std::uint32_t>> make_gpu_search(machine&, const graph&, double,
                                                                    const memory_plan&);
template std::unique_ptr<gpu_search<float>> make_gpu_search(machine&, const graph&, double,
                                                            const memory_plan&);
template std::unique_ptr<gpu_search<double>> make_gpu_search(machine&, const graph&, double,
                                                             const memory_plan&);

}  // namespace gossamer::sssp_detail
