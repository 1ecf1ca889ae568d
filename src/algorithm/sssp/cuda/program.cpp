// Shortest paths on a GPU, host side: rows uploaded once, each arc with its weight beside it; a run
// is one launch, or several that continue each other.
#include <algorithm>
#include <limits>
#include <span>

#include "algorithm/cuda/current_device.hpp"
#include "algorithm/short_rows.hpp"
#include "algorithm/sssp/cuda/launch.hpp"
#include "algorithm/sssp/gpu.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/pieces.hpp"

namespace gossamer::sssp_detail {

namespace {

using namespace cuda;

std::int64_t words_of(std::int64_t vertices) {
  return (vertices + 31) / 32;
}

template <class Distance>
class search_on final : public gpu_search<Distance> {
 public:
  /// Vertices have 32 bits on the device, whatever they have here: queues could not hold more.
  template <class Id>
  search_on(const device& on, const weighted_rows<Id, Distance>& rows, std::int64_t longest_row,
            double delta)
      : device_(on), units_(std::max(1, on.units / std::max(1, on.share))) {
    require(rows.vertices <= std::numeric_limits<std::int32_t>::max(),
            "sssp: a GPU can hold 2^31 - 1 vertices");
    const algorithm_detail::cuda::current_device here(on.ordinal);
    take_memory(rows.vertices, rows.offsets[rows.vertices]);
    copy_bytes(offsets_.data(), rows.offsets, offsets_.size() * sizeof(edge_offset));
    upload_arcs(rows);
    prepare_search<Distance>();
    before_ = event(on.ordinal);
    after_ = event(on.ordinal);
    view_.short_rows =
        algorithm_detail::has_short_rows(rows.vertices, rows.offsets[rows.vertices], longest_row);
    view_.delta = delta;
  }

  search_counts run(rank& r, std::int64_t source, Distance* distances, double& seconds) override {
    view_.source = source;
    view_.guard = r.guard();
    clear(sums_);
    clear(looks_);
    clear(arrived_);
    search_state s{};
    copy_bytes(state_.data(), &s, sizeof s);
    seconds = 0;
    while (s.next != step::finished) {
      before_.record(r.stream());
      {
        const trace_span span(r, "relax", r.stream());
        launch_search(r.stream().native(), units_, view_);
      }
      after_.record(r.stream());
      r.synchronize();
      copy_bytes(&s, state_.data(), sizeof s);
      seconds += after_.milliseconds_since(before_) * 1e-3;
    }
    unsigned long long looks = 0;
    copy_bytes(&looks, looks_.data(), sizeof looks);
    copy_bytes(distances, keys_.data(), keys_.size() * sizeof(Distance));
    return {static_cast<std::int64_t>(looks), static_cast<std::int64_t>(s.rounds)};
  }

 private:
  template <class T>
  void clear(buffer<T>& b) const {
    fill_bytes(native_memory(device_), device_.ordinal, b.data(), 0, b.size() * sizeof(T));
  }
  template <class T>
  buffer<T> take(std::int64_t n) const {
    return make_native_buffer<T>(device_, static_cast<std::size_t>(n));
  }

  void take_memory(std::int64_t n, std::int64_t arcs) {
    const std::int64_t words = words_of(n);
    offsets_ = take<edge_offset>(n + 1);
    arcs_ = take<packed_arc<Distance>>(arcs);
    keys_ = take<key_of<Distance>>(n);
    queues_ = take<std::int64_t>(2 * n);
    piles_ = take<std::int32_t>(2 * n);
    marks_ = take<std::uint32_t>(3 * words);
    sums_ = take<round_sums>(3);
    arrived_ = take<std::uint32_t>(2);
    state_ = take<search_state>(1);
    looks_ = take<unsigned long long>(1);
    view_.rows = n;
    view_.words = words;
    view_.offsets = offsets_.data();
    view_.arcs = arcs_.data();
    view_.keys = keys_.data();
    for (int i = 0; i < 2; ++i) {
      view_.near_mark[i] = marks_.data() + i * words;
      view_.queue[i] = reinterpret_cast<std::int32_t*>(queues_.data() + i * n);
      view_.pile[i] = piles_.data() + i * n;
    }
    view_.far_mark = marks_.data() + 2 * words;
    view_.sums = sums_.data();
    view_.arrived = arrived_.data();
    view_.state = state_.data();
    view_.looks = looks_.data();
  }

  template <class Id>
  void upload_arcs(const weighted_rows<Id, Distance>& rows) {
    using arc = packed_arc<Distance>;
    write_elements(arcs_.data(), arcs_.size(), [&](std::size_t from, std::span<arc> packed) {
      for (std::size_t k = 0; k < packed.size(); ++k)
        packed[k] = {static_cast<std::int32_t>(rows.columns[from + k]),
                     static_cast<Distance>(rows.weights[from + k])};
    });
  }

  const device device_;
  const int units_;
  buffer<edge_offset> offsets_;
  buffer<packed_arc<Distance>> arcs_;
  buffer<key_of<Distance>> keys_;
  buffer<std::int64_t> queues_;    // two
  buffer<std::int32_t> piles_;     // two
  buffer<std::uint32_t> marks_;    // three
  buffer<round_sums> sums_;        // three
  buffer<std::uint32_t> arrived_;  // and held
  buffer<search_state> state_;
  buffer<unsigned long long> looks_;
  event before_, after_;
  search_view<Distance> view_{};
};

}  // namespace

template <class Id, class Distance>
std::unique_ptr<gpu_search<Distance>> make_gpu_search(const device& on,
                                                      const weighted_rows<Id, Distance>& rows,
                                                      std::int64_t longest_row, double delta) {
  return std::make_unique<search_on<Distance>>(on, rows, longest_row, delta);
}

gpu_bytes gpu_bytes_of(std::int64_t vertices, std::int64_t arcs, int distance_bytes) {
  const auto block = [](std::int64_t bytes) { return (bytes + 255) / 256 * 256; };
  gpu_bytes b;
  b.rows = block((vertices + 1) * static_cast<std::int64_t>(sizeof(edge_offset))) +
           block(arcs * 2 * distance_bytes);
  b.work = block(vertices * distance_bytes) + block(2 * vertices * 8) + block(2 * vertices * 4) +
           block(3 * words_of(vertices) * 4) + block(3 * sizeof(round_sums)) + block(8) +
           block(sizeof(search_state)) + block(8);
  return b;
}

#define GOSSAMER_INSTANTIATE(Id, Distance)                        \
  template std::unique_ptr<gpu_search<Distance>> make_gpu_search( \
      const device&, const weighted_rows<Id, Distance>&, std::int64_t, double);

GOSSAMER_INSTANTIATE(vertex32, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex32, float)
GOSSAMER_INSTANTIATE(vertex32, double)
GOSSAMER_INSTANTIATE(vertex64, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex64, float)
GOSSAMER_INSTANTIATE(vertex64, double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail
