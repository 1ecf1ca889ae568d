// build_rows: the steps of make_gpu_rows() on a GPU, in the order in which each needs the last.
//
// For the vertices it takes two or three sorts of 32-bit pairs by one digit. For the arcs it takes
// one gather of slots, a sort by the bits of a slot, and one pass that puts them into rows.
#include <cub/cub.cuh>
#include <utility>

#include "algorithm/cuda/launch.cuh"
#include "algorithm/pagerank/sync/built_rows.hpp"
#include "algorithm/pagerank/sync/cuda/arc_steps.cuh"
#include "algorithm/pagerank/sync/cuda/pair_sorter.cuh"
#include "algorithm/pagerank/sync/cuda/row_steps.cuh"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::pagerank_detail {

namespace cuda {

namespace {

using algorithm_detail::cuda::blocks_for;

/// Bits that hold every number below `n`.
int bits_below(std::int64_t n) {
  int bits = 1;
  while (bits < 32 && (std::int64_t{1} << bits) < n) ++bits;
  return bits;
}

template <class Id, class Value>
class row_builder {
 public:
  row_builder(const device& d, const graph_on_gpu<Id>& g, const row_building& o)
      : device_(d),
        graph_(g),
        options_(o),
        n_(g.vertices),
        lot_(std::max<std::int64_t>(o.lot > 0 ? std::min(o.lot, g.arcs) : lot_of(g.arcs), 1)),
        here_(d.ordinal),
        on_(d),
        facts_(make_native_buffer<row_facts>(d, 1)),
        sorter_(d, std::max(n_, lot_)) {}

  rows_on_gpu<Value> build() {
    rows_.rows = n_;
    on_.fill(facts_.data(), 0, sizeof(row_facts));
    find_in_offsets();
    add_weights();
    look();
    order_vertices();
    lay_rows();
    fill_rows();
    return std::move(rows_);
  }

 private:
  template <class T>
  [[nodiscard]] buffer<T> room(std::int64_t n) const {
    return make_native_buffer<T>(device_, static_cast<std::size_t>(n));
  }

  /// All queued work is done: memory may go, and the caller may have asked to stop.
  void wait() {
    on_.wait();
    if (options_.stop.stop_requested()) throw cancelled_error("pagerank: stopped");
  }

  /// CUB's scans, in place; waited for.
  void add_up(std::int64_t* sums, std::int64_t n, bool inclusive) {
    std::size_t bytes = 0;
    const auto call = [&](void* space) {
      return inclusive ? cub::DeviceScan::InclusiveSum(space, bytes, sums, sums, n, on_.native())
                       : cub::DeviceScan::ExclusiveSum(space, bytes, sums, sums, n, on_.native());
    };
    if (n == 0) return;
    GOSSAMER_CHECK_CUDA(call(nullptr));
    const auto space = room<char>(static_cast<std::int64_t>(std::max<std::size_t>(bytes, 1)));
    GOSSAMER_CHECK_CUDA(call(space.data()));
    wait();
  }

  row_facts facts() {
    wait();
    row_facts found;
    copy_bytes(&found, facts_.data(), sizeof found);
    return found;
  }

  void find_in_offsets() {
    in_offsets_ = graph_.in_offsets;
    if (in_offsets_ != nullptr) return;
    counted_ = room<edge_offset>(n_ + 1);
    on_.fill(counted_.data(), 0, counted_.size() * sizeof(edge_offset));
    on_.each(graph_.arcs, count_in_arcs<Id>{graph_.columns, counted_.data() + 1});
    wait();
    add_up(counted_.data() + 1, n_, true);
    in_offsets_ = counted_.data();
  }

  void add_weights() {
    if (!options_.weighted) return;
    sums_ = room<double>(n_);
    std::visit(
        [&](const auto* weights) {
          if (n_ > 0)
            cuda::add_weights<<<blocks_for(n_, build_threads), build_threads, 0, on_.native()>>>(
                graph_.offsets, n_, weights, sums_.data(), facts_.data());
        },
        weights());
  }

  using any_weights = std::variant<const std::int32_t*, const float*, const double*>;
  [[nodiscard]] any_weights weights() const {
    return std::visit(
        [](const auto& w) -> any_weights {
          if constexpr (std::is_same_v<std::decay_t<decltype(w)>, std::monostate>)
            throw usage_error("pagerank: no weights lie beside the graph's columns");
          else
            return w;
        },
        graph_.weights);
  }

  void look() {
    constexpr std::int64_t fewest = 4096;  // as is_skewed()
    const std::int64_t hub = n_ > 0 ? 4 * (graph_.arcs / n_) + 1 : 1;
    const unsigned blocks = std::min(blocks_for(n_, build_threads), 2048U);
    look_at_rows<<<blocks, build_threads, 0, on_.native()>>>({graph_.offsets}, {in_offsets_}, n_,
                                                             hub, facts_.data());
    const row_facts found = facts();
    if (found.wrong_weights != 0) {
      if (options_.refuse_weights) options_.refuse_weights();
      throw input_error("pagerank: weights, or sums of them, are negative or not finite");
    }
    const auto half = static_cast<word>(graph_.arcs / 2);
    rows_.hubs_first = n_ >= fewest && found.at_hubs > half;
    by_power_ = n_ >= fewest && found.in_at_hubs > half;
    std::int64_t end = 0;
    for (int c = 0; c < row_classes; ++c)
      rows_.class_end[c] = end += static_cast<std::int64_t>(found.class_rows[c]);
    chunks_ = static_cast<std::int64_t>(found.chunks);
  }

  buffer<vertex32> sorted_vertices(row_lengths rows, bool powers) {
    const arc_lot pairs = sorter_.input();
    on_.each(n_, key_vertices{rows, powers, pairs.keys, pairs.values});
    auto sorted = room<vertex32>(n_);
    on_.copy(sorted.data(), sorter_.sort(n_, key_vertices::bits, on_).values, n_);
    return sorted;
  }

  /// Slots, and where vertices offer.
  void order_vertices() {
    const row_lengths out{graph_.offsets}, in{in_offsets_};
    vertex_of_ = sorted_vertices(in, by_power_);
    rows_.slot = room<vertex32>(n_);
    on_.each(n_, invert_order{vertex_of_.data(), rows_.slot.data()});
    rows_.inverse = room<Value>(n_);
    on_.each(n_, write_inverse<Value>{out, sums_.data(), rows_.slot.data(), rows_.inverse.data()});
    if (rows_.hubs_first && in_offsets_ == graph_.offsets) {  // one order
      source_at_ = vertex_of_.data();
      wait();
      return;
    }
    buffer<vertex32> position;
    if (rows_.hubs_first) {
      sources_ = sorted_vertices(out, true);
      source_at_ = sources_.data();
      position = room<vertex32>(n_);
      on_.each(n_, invert_order{source_at_, position.data()});
    }
    rows_.place = room<vertex32>(n_);
    on_.each(n_,
             find_places{vertex_of_.data(), position.data(), rows_.place.data(), facts_.data()});
    if (facts().moved == 0) rows_.place = {};
  }

  /// Where rows, classes and chunks begin.
  void lay_rows() {
    next_ = room<edge_offset>(n_ + 1);
    on_.each(n_ + 1, order_lengths{{in_offsets_}, vertex_of_.data(), n_, next_.data()});
    add_up(next_.data(), n_ + 1, false);
    const std::int64_t splits = rows_.class_end[split];
    rows_.offsets = room<std::uint32_t>(n_ + 1);
    rows_.bases = room<std::int64_t>((n_ - splits + base_rows - 1) / base_rows);
    on_.each(n_ + 1,
             write_offsets{next_.data(), n_, splits, rows_.offsets.data(), rows_.bases.data()});
    rows_.chunk_first = room<std::int64_t>(splits + 1);
    rows_.chunks = room<chunk>(chunks_);
    on_.each(splits + 1, count_chunks{next_.data(), splits, rows_.chunk_first.data()});
    add_up(rows_.chunk_first.data(), splits + 1, false);
    on_.each(splits, write_chunks{next_.data(), rows_.chunk_first.data(), rows_.chunks.data()});
  }

  /// [n + 1] where sources' arcs begin in the order in which they offer.
  const edge_offset* source_begins() {
    if (source_at_ == nullptr) return graph_.offsets;
    begins_ = room<edge_offset>(n_ + 1);
    if (source_at_ == vertex_of_.data()) {
      on_.copy(begins_.data(), next_.data(), n_ + 1);
    } else {
      on_.each(n_ + 1, order_lengths{{graph_.offsets}, source_at_, n_, begins_.data()});
      add_up(begins_.data(), n_ + 1, false);
    }
    return begins_.data();
  }

  void fill_rows() {
    const arcs_by_source<Id> arcs{
        n_, source_begins(), source_at_, graph_.offsets, graph_.columns, rows_.slot.data()};
    rows_.columns = room<vertex32>(graph_.arcs);
    on_.fill(rows_.columns.data(), 0, rows_.columns.size() * sizeof(vertex32));
    if (options_.weighted) {
      rows_.shares = room<Value>(graph_.arcs);
      places_apart_ = room<vertex32>(lot_);
      shares_apart_ = room<Value>(lot_);
      std::visit([&](const auto* w) { put_all(arcs, w); }, weights());
    } else {
      put_all(arcs, static_cast<const no_weight*>(nullptr));
    }
  }

  template <class Weight>
  void put_all(const arcs_by_source<Id>& arcs, const Weight* weights) {
    const arc_shares<Value> apart{places_apart_.data(), shares_apart_.data()};
    const int bits = bits_below(n_);
    for (edge_offset first = 0; first < graph_.arcs; first += lot_) {
      const edge_offset last = std::min(graph_.arcs, first + lot_);
      const std::int64_t count = last - first;
      key_arcs<<<blocks_for(count, block_arcs), build_threads, 0, on_.native()>>>(
          arcs, first, last, sorter_.input(), weights, sums_.data(), apart);
      const arc_lot sorted = sorter_.sort(count, bits, on_);
      on_.each(count, begin_lot{sorted.keys, next_.data()});
      on_.each(count, put_arcs<Value>{sorted, apart, next_.data(), graph_.arcs,
                                      rows_.columns.data(), rows_.shares.data()});
      on_.each(count, end_lot{sorted.keys, count, next_.data()});
      wait();
    }
    wait();
  }

  const device device_;
  const graph_on_gpu<Id> graph_;
  const row_building& options_;
  const std::int64_t n_, lot_;
  const current_device here_;
  build_stream on_;
  buffer<row_facts> facts_;
  pair_sorter sorter_;
  rows_on_gpu<Value> rows_;
  bool by_power_ = false;  ///< slots by falling powers of two of length
  std::int64_t chunks_ = 0;
  buffer<edge_offset> counted_;  ///< in-offsets that were not given
  const edge_offset* in_offsets_ = nullptr;
  buffer<double> sums_;                  ///< [n] of weights, by vertex
  buffer<vertex32> vertex_of_;           ///< [n] by slot
  buffer<vertex32> sources_;             ///< [n] by place, where that is another order
  const vertex32* source_at_ = nullptr;  ///< null: sources offer in their own order
  buffer<edge_offset> next_;  ///< [n + 1] by slot: where its row begins, then its next arc goes
  buffer<edge_offset> begins_;
  buffer<vertex32> places_apart_;
  buffer<Value> shares_apart_;
};

}  // namespace

}  // namespace cuda

template <class Id, class Value>
rows_on_gpu<Value> build_rows(const device& on, const graph_on_gpu<Id>& g,
                              const row_building& options) {
  return cuda::row_builder<Id, Value>(on, g, options).build();
}

#define GOSSAMER_BUILD_ROWS(Id, Value)                                           \
  template rows_on_gpu<Value> build_rows(const device&, const graph_on_gpu<Id>&, \
                                         const row_building&);
GOSSAMER_BUILD_ROWS(vertex32, float)
GOSSAMER_BUILD_ROWS(vertex32, double)
GOSSAMER_BUILD_ROWS(vertex64, float)
GOSSAMER_BUILD_ROWS(vertex64, double)
#undef GOSSAMER_BUILD_ROWS

}  // namespace gossamer::pagerank_detail
