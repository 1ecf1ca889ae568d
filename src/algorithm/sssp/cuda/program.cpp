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

#include "algorithm/cuda/current_device.hpp"
#include "algorithm/degree_facts.hpp"
#include "algorithm/result_blocks.hpp"
#include "algorithm/short_rows.hpp"
#include "algorithm/sssp/cuda/launch.hpp"
#include "algorithm/sssp/cuda/look.hpp"
#include "algorithm/sssp/cuda/pack.hpp"
#include "algorithm/sssp/cuda/parents.hpp"
#include "algorithm/sssp/gpu.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/pieces.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::sssp_detail {

namespace {

using namespace cuda;

std::int64_t words_of(std::int64_t vertices) {
  return (vertices + 31) / 32;
}

template <class Distance>
class search_on final : public gpu_search<Distance> {
 public:
  search_on(machine& m, const graph& g, double delta)
      : device_(m[0]),
        units_(std::max(1, device_.units / std::max(1, device_.share))),
        vertices_(g.vertices()) {
    // Whatever ids have in the graph: queues could not hold more.
    require(vertices_ <= std::numeric_limits<std::int32_t>::max(),
            "sssp: a GPU can hold 2^31 - 1 vertices");
    const algorithm_detail::cuda::current_device here(device_.ordinal);
    if (m.size() > 1) first_ = machine::open("cuda:" + std::to_string(device_.ordinal));
    lay_out(first_ ? *first_ : m, g);
    take_memory();
    prepare_search<Distance>();
    before_ = event(device_.ordinal);
    after_ = event(device_.ordinal);
    view_.short_rows = algorithm_detail::has_short_rows(vertices_, g.arcs(),
                                                        algorithm_detail::degrees_of(g).longest);
    view_.delta = delta;
    sorted_ = g.sorted;
    prepare_parents<Distance>();
  }

  gpu_found<Distance> run(rank& r, std::int64_t source) override {
    view_.source = source;
    view_.guard = r.guard();
    take_scratch(r);
    auto distances = results_.take();
    view_.keys = algorithm_detail::values_in<key_of<Distance>>(distances);
    clear(sums_);
    clear(looks_);
    clear(arrived_);
    search_state s{};
    copy_bytes(state_.data(), &s, sizeof s);
    gpu_found<Distance> found;
    while (s.next != step::finished) {
      before_.record(r.stream());
      {
        const trace_span span(r, "relax", r.stream());
        launch_search(r.stream().native(), units_, view_);
      }
      after_.record(r.stream());
      r.synchronize();
      copy_bytes(&s, state_.data(), sizeof s);
      found.seconds += after_.milliseconds_since(before_) * 1e-3;
    }
    unsigned long long looks = 0;
    copy_bytes(&looks, looks_.data(), sizeof looks);
    found.counts = {static_cast<std::int64_t>(looks), static_cast<std::int64_t>(s.rounds)};
    leave(r, std::move(distances), found);
    return found;
  }

  bool find_parents(rank& r, const gpu_found<Distance>& found, std::int64_t source,
                    const shared_array<std::int64_t>& parents) override {
    // Where queues were: their entries have eight bytes.
    const parents_view<Distance> v{vertices_,
                                   source,
                                   view_.offsets,
                                   view_.arcs,
                                   static_cast<const key_of<Distance>*>(found.distances.data.get()),
                                   sorted_,
                                   view_.queue[0],
                                   view_.queue[1],
                                   seen_.data()};
    const trace_span span(r, "parents", r.stream());
    clear(seen_);
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
    copy_bytes(&pending, seen_.data(), sizeof pending);
    return pending;
  }

  template <class T>
  void clear(buffer<T>& b) const {
    fill_bytes(native_memory(device_), device_.ordinal, b.data(), 0, b.size() * sizeof(T));
  }
  template <class T>
  buffer<T> take(std::int64_t n) const {
    return make_native_buffer<T>(device_, static_cast<std::size_t>(n));
  }

  /// Of what is kept: one placement, and one array of packed arcs, for all searches on this GPU.
  void lay_out(machine& m, const graph& g) {
    place_options one_direction;
    one_direction.both_directions = false;
    placed_ = kept::place(m, g, one_direction);
    arcs_ = packed_of<Distance>({g, *placed_, one_direction});
    view_.offsets = placed_->id_width() == 4 ? placed_->slice<vertex32>(0).offsets
                                             : placed_->slice<vertex64>(0).offsets;
    view_.arcs = arcs_->front().data();
  }

  /// Distances stay where the kernel had them, and are counted there.
  void leave(rank& r, algorithm_detail::result_blocks::block distances,
             gpu_found<Distance>& found) {
    clear(seen_);
    look_at_distances<Distance>(r.stream().native(), view_.keys, vertices_, seen_.data());
    r.synchronize();
    std::array<unsigned long long, 2> seen{};
    copy_bytes(seen.data(), seen_.data(), sizeof seen);
    found.reached = static_cast<std::int64_t>(seen[0]);
    found.farthest = std::bit_cast<Distance>(static_cast<key_of<Distance>>(seen[1]));
    const auto lent = results_.lend(std::move(distances));
    found.distances = {std::shared_ptr<const void>(lent, lent->data()), vertices_, device_.ordinal};
  }

  /// What other algorithms' runs use between this one's: gpu_bytes::scratch.
  void take_scratch(rank& r) {
    const auto n = static_cast<std::size_t>(vertices_);
    for (int i = 0; i < 2; ++i) {
      view_.queue[i] = reinterpret_cast<std::int32_t*>(r.scratch<std::int64_t>(n).data());
      view_.pile[i] = r.scratch<std::int32_t>(n).data();
      view_.near_mark[i] = r.scratch<std::uint32_t>(static_cast<std::size_t>(view_.words)).data();
    }
    view_.far_mark = r.scratch<std::uint32_t>(static_cast<std::size_t>(view_.words)).data();
  }

  void take_memory() {
    sums_ = take<round_sums>(3);
    arrived_ = take<std::uint32_t>(2);
    state_ = take<search_state>(1);
    looks_ = take<unsigned long long>(1);
    seen_ = take<unsigned long long>(2);
    results_ = {device_, 0, vertices_, sizeof(Distance)};
    view_.rows = vertices_;
    view_.words = words_of(vertices_);
    view_.sums = sums_.data();
    view_.arrived = arrived_.data();
    view_.state = state_.data();
    view_.looks = looks_.data();
  }

  const device device_;
  const int units_;
  const std::int64_t vertices_;
  bool sorted_ = false;
  std::optional<machine> first_;  ///< of several GPUs, the one that searches
  std::shared_ptr<const placed_graph> placed_;
  std::shared_ptr<const packed_arcs<Distance>> arcs_;
  algorithm_detail::result_blocks results_;
  buffer<round_sums> sums_;        // three
  buffer<std::uint32_t> arrived_;  // and held
  buffer<search_state> state_;
  buffer<unsigned long long> looks_;
  buffer<unsigned long long> seen_;  // two
  event before_, after_;
  search_view<Distance> view_{};
};

}  // namespace

template <class Distance>
std::unique_ptr<gpu_search<Distance>> make_gpu_search(machine& m, const graph& g, double delta) {
  return std::make_unique<search_on<Distance>>(m, g, delta);
}

gpu_bytes gpu_bytes_of(std::int64_t vertices, std::int64_t arcs, int id_width, int distance_bytes) {
  const auto block = [](std::int64_t bytes) { return (bytes + 255) / 256 * 256; };
  const std::int64_t padded = (vertices + 63) / 64 * 64;
  gpu_bytes b;
  // The placement's tables are small.
  b.rows = block((padded + 1) * static_cast<std::int64_t>(sizeof(edge_offset))) +
           block(arcs * id_width) + block(padded / 64 * 12 + 16) + block(arcs * 2 * distance_bytes);
  b.work =
      block(3 * sizeof(round_sums)) + block(8) + block(sizeof(search_state)) + block(8) + block(16);
  b.scratch = 2 * (block(vertices * 8) + block(vertices * 4)) + 3 * block(words_of(vertices) * 4);
  b.result = block(algorithm_detail::result_bytes(vertices, distance_bytes));
  return b;
}

template std::unique_ptr<gpu_search<std::uint32_t>> make_gpu_search(machine&, const graph&, double);
template std::unique_ptr<gpu_search<float>> make_gpu_search(machine&, const graph&, double);
template std::unique_ptr<gpu_search<double>> make_gpu_search(machine&, const graph&, double);

}  // namespace gossamer::sssp_detail
