// csr_on_device: CSR arrays of a GPU checked, converted where their types ask for it, and shared or
// copied.
#include <memory>
#include <utility>

#include "graph/arc_keys.hpp"
#include "graph/cuda/arc_keys.cuh"
#include "graph/cuda/device_arrays.cuh"
#include "graph/cuda/device_memory.hpp"
#include "graph/cuda/over_warp.cuh"
#include "graph/cuda/waited_stream.cuh"
#include "graph/listed_both_ways.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer {

namespace {

using detail::block_threads;
using detail::waited_stream;
using detail::word;

constexpr const char* checking = "checking the graph";
constexpr word nowhere = ~word{0};

/// What arcs were found to be; places are the lowest of their kind, `nowhere` if there is none.
struct arc_findings {
  word outside;     ///< an arc to no vertex
  word falling;     ///< an arc to a vertex below that of the arc before it in the row
  word difference;  ///< mirror_difference, summed, if asked for
};

__global__ void find_fall(const edge_offset* offsets, std::int64_t rows, word* lowest) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * block_threads;
  for (std::int64_t r = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
       r < rows; r += step)
    if (offsets[r + 1] < offsets[r]) {
      atomicMin(lowest, static_cast<word>(r));
      return;  // this thread's others come later
    }
}

template <class Column, class Bits>
__global__ void check_arcs(const edge_offset* offsets, std::int64_t rows, const Column* columns,
                           std::int64_t begin, std::int64_t end, const Bits* weights, bool real,
                           bool mirrors, std::uint64_t seed, arc_findings* found) {
  word outside = nowhere, falling = nowhere, difference = 0;
  detail::each_arc(offsets, rows, begin, end, [&](std::int64_t row, edge_offset a) {
    const auto column = static_cast<std::int64_t>(columns[a]);
    const word at = static_cast<word>(a);
    if (column < 0 || column >= rows) outside = at < outside ? at : outside;
    if (a > offsets[row] && column < static_cast<std::int64_t>(columns[a - 1]))
      falling = at < falling ? at : falling;
    if (!mirrors) return;
    std::uint64_t weight = 0;
    if constexpr (!std::is_void_v<Bits>) weight = mix64(detail::order_bits(weights[a], real));
    difference += detail::mirror_difference(seed, row, column, weight);
  });
  outside = detail::least_over_warp(outside);
  falling = detail::least_over_warp(falling);
  difference = detail::sum_over_warp(difference);
  if (threadIdx.x % 32 != 0) return;
  if (outside != nowhere) atomicMin(&found->outside, outside);
  if (falling != nowhere) atomicMin(&found->falling, falling);
  if (difference != 0) atomicAdd(&found->difference, difference);
}

template <class From, class To>
__global__ void convert(const From* from, std::int64_t count, To* to) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (i < count) to[i] = static_cast<To>(from[i]);
}

class csr_adoption {
 public:
  csr_adoption(const device_csr_arrays& arrays, const device_csr_options& options,
               waited_stream& on)
      : arrays_(arrays), options_(options), on_(on), rows_(arrays.offsets.count - 1) {
    graph_.ordinal = arrays.ordinal;
    graph_.name = options.name;
  }

  device_csr run() {
    check_memory();
    on_.wait();  // for the caller's stream: some of what follows is read outside of this one
    graph_.offsets = arrays_.offsets.type == element::int64
                         ? taken<edge_offset, std::int64_t>(arrays_.offsets)
                         : taken<edge_offset, std::int32_t>(arrays_.offsets);
    check_offsets();
    detail::with_ids(arrays_.indices.type, [&]<class Column>(Column) {
      if (!arrays_.weights)
        check_all<Column, void>();
      else if (element_bytes(arrays_.weights->type) == 4)
        check_all<Column, std::uint32_t>();
      else
        check_all<Column, std::uint64_t>();
      take_columns<Column>();
    });
    detail::with_weights(arrays_.weights, [&]<class Weight>(Weight) {
      if constexpr (!std::is_same_v<Weight, std::monostate>)
        graph_.weights = taken<Weight, Weight>(*arrays_.weights);
    });
    check_stop();
    graph_.longest_row = detail::longest_row(graph_.ordinal, graph_.offsets.data(), rows_, on_);
    return std::move(graph_);
  }

 private:
  void check_stop() const { detail::check_stop(options_.stop, checking); }

  [[noreturn]] void fail(const std::string& what) const {
    throw input_error((options_.name.empty() ? std::string("graph") : options_.name) + ": " + what);
  }

  void check_memory() const {
    using configuration::format_bytes;
    const std::int64_t bytes = csr_on_device_bytes(arrays_, options_);
    const memory_limit limit = detail::limit_on_gpu(options_.memory);
    if (bytes <= limit.bytes) return;
    throw capacity_error(
        "from_csr: the graph does not fit: " + std::to_string(rows_) + " vertices, " +
        std::to_string(arrays_.indices.count) + " arcs; its arrays take " + format_bytes(bytes) +
        " of cuda:" + std::to_string(graph_.ordinal) + " beside the given ones; the limit is " +
        format_bytes(limit.bytes) + " (" + limit.source + ")");
  }

  /// The array, shared where its owner allows it and its type does, else converted or copied.
  template <class To, class From>
  device_array<To> taken(const device_view& from) {
    const auto size = static_cast<std::size_t>(from.count);
    if constexpr (std::is_same_v<To, From>)
      if (arrays_.owner != nullptr)
        // Never written: graphs are immutable.
        return {const_cast<To*>(static_cast<const To*>(from.data)), size, arrays_.owner};
    check_stop();
    buffer<To> to(memory_kind::device, graph_.ordinal, size);
    if (size == 0) return device_array<To>(std::move(to));
    if constexpr (std::is_same_v<To, From>)
      GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(to.data(), from.data, size * sizeof(To),
                                          cudaMemcpyDeviceToDevice, on_.native()));
    else
      convert<<<detail::blocks_for(from.count), block_threads, 0, on_.native()>>>(
          static_cast<const From*>(from.data), from.count, to.data());
    on_.wait();
    return device_array<To>(std::move(to));
  }

  void check_offsets() {
    const edge_offset* offsets = graph_.offsets.data();
    const edge_offset first = detail::value_at(offsets, 0);
    if (first != 0) fail("offsets begin at " + std::to_string(first) + ", not 0");
    const buffer<word> lowest(memory_kind::device, graph_.ordinal, 1);
    copy_bytes(lowest.data(), &nowhere, sizeof nowhere);
    find_fall<<<detail::filling_blocks(rows_), block_threads, 0, on_.native()>>>(offsets, rows_,
                                                                                 lowest.data());
    on_.wait();
    const word fall = detail::value_at(lowest.data(), 0);
    if (fall != nowhere) fail("offsets fall after vertex index " + std::to_string(fall));
    const edge_offset arcs = detail::value_at(offsets, rows_);
    if (arcs != arrays_.indices.count)
      fail("offsets promise " + std::to_string(arcs) + " arcs, but there are " +
           std::to_string(arrays_.indices.count) + " indices");
    if (arrays_.weights && arrays_.weights->count != arcs)
      fail(std::to_string(arcs) + " arcs, but " + std::to_string(arrays_.weights->count) +
           " weights");
  }

  template <class Column, class Bits>
  void check_all() {
    const auto* columns = static_cast<const Column*>(arrays_.indices.data);
    const Bits* weights = nullptr;
    bool real = false;
    if constexpr (!std::is_void_v<Bits>) {
      weights = static_cast<const Bits*>(arrays_.weights->data);
      real = arrays_.weights->type != element::int32;
    }
    const bool mirrors = options_.symmetric.value_or(true);
    const buffer<arc_findings> findings(memory_kind::device, graph_.ordinal, 1);
    arc_findings found{nowhere, nowhere, 0};
    copy_bytes(findings.data(), &found, sizeof found);
    // Launches of some ten milliseconds, between which a stop is looked for.
    constexpr std::int64_t launch_arcs = std::int64_t{1} << 30;
    for (std::int64_t begin = 0; begin < arrays_.indices.count; begin += launch_arcs) {
      check_stop();
      const std::int64_t end = std::min(begin + launch_arcs, arrays_.indices.count);
      check_arcs<Column, Bits><<<detail::arc_blocks(end - begin), block_threads, 0, on_.native()>>>(
          graph_.offsets.data(), rows_, columns, begin, end, weights, real, mirrors,
          detail::seed_of_process(), findings.data());
      on_.wait();
    }
    found = detail::value_at(findings.data(), 0);
    const bool must_ascend = options_.sorted.value_or(false);
    if (found.outside != nowhere && (!must_ascend || found.outside <= found.falling))
      fail("vertex " + std::to_string(row_at(found.outside)) + " has neighbour index " +
           std::to_string(static_cast<std::int64_t>(
               detail::value_at(columns, static_cast<std::int64_t>(found.outside)))) +
           " outside 0.." + std::to_string(rows_ - 1));
    if (must_ascend && found.falling != nowhere)
      fail("the row of vertex " + std::to_string(row_at(found.falling)) +
           " is not in ascending order");
    graph_.sorted = options_.sorted.value_or(found.falling == nowhere);
    graph_.symmetric = mirrors && found.difference == 0;
    if (options_.symmetric && *options_.symmetric && !graph_.symmetric)
      fail("said to be symmetric, but some arc has no mirror");
  }

  /// The row of an arc, by a few reads: errors alone ask for it.
  [[nodiscard]] std::int64_t row_at(word arc) const {
    std::int64_t low = 0, high = rows_;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      if (detail::value_at(graph_.offsets.data(), middle) <= static_cast<edge_offset>(arc))
        low = middle;
      else
        high = middle;
    }
    return low;
  }

  template <class Column>
  void take_columns() {
    const bool small = configuration::narrow_ids(rows_);
    if constexpr (std::is_same_v<Column, std::int32_t>)
      graph_.columns = taken<vertex32, Column>(arrays_.indices);
    else if (small && (options_.narrow || std::is_same_v<Column, std::uint32_t>))
      graph_.columns = taken<vertex32, Column>(arrays_.indices);
    else
      graph_.columns = taken<vertex64, Column>(arrays_.indices);
  }

  const device_csr_arrays& arrays_;
  const device_csr_options& options_;
  waited_stream& on_;
  std::int64_t rows_;
  device_csr graph_;
};

}  // namespace

device_csr csr_on_device(const device_csr_arrays& arrays, const device_csr_options& options) {
  require(arrays.offsets.type == element::int32 || arrays.offsets.type == element::int64,
          "from_csr: expected int32 or int64 offsets");
  require(detail::are_ids(arrays.indices), "from_csr: expected int32, int64 or uint32 indices");
  detail::check_weight_type(arrays.weights);
  require(arrays.offsets.count > 1, "from_csr: the graph has no vertices");
  const driver_pause pause(options.stop);  // as in build_on_device
  const detail::device_scope scope(arrays.ordinal);
  detail::check_place(arrays.offsets, arrays.ordinal, "from_csr: offsets");
  detail::check_place(arrays.indices, arrays.ordinal, "from_csr: indices");
  if (arrays.weights) detail::check_place(*arrays.weights, arrays.ordinal, "from_csr: weights");
  waited_stream on(detail::gpu_of(arrays.ordinal));
  if (arrays.stream) on.begin_after(static_cast<cudaStream_t>(*arrays.stream));
  return csr_adoption(arrays, options, on).run();
}

}  // namespace gossamer
