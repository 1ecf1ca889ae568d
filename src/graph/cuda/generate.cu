// Generation on one GPU: edge list, sort, unique and offsets on the device; bytes as on the CPU.
//
// Method: passes over ranges of source vertices. Each pass makes every edge of the list anew (a
// pure function of its index) and keeps the arcs whose source lies in its range, as 64-bit keys
// (source in range) << id_bits | target. It sorts them by radix on the bits in use, drops
// duplicates, and appends its rows to the host's arrays through two pinned staging buffers. Making
// edges again costs far less than moving them: passes let graphs larger than the GPU's memory be
// made.
#include <algorithm>
#include <cub/cub.cuh>
#include <vector>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/configuration.hpp"
#include "graph/cuda/arc_keys.cuh"
#include "graph/cuda/device_memory.hpp"
#include "graph/generate_cuda.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer::detail {
namespace {

/// Arcs of one pass: sources in [first, last).
struct pass_range {
  std::int64_t first, last;
  int id_bits;
  bool keep_duplicates;
};

__device__ void for_arcs(const edge_maker& maker, const pass_range& range, std::int64_t k,
                         key_type (&keys)[2], int& count, int& loops) {
  count = 0;
  loops = 0;
  const generated e = generated_edge(maker, k);
  if (!e.exists) return;
  if (e.source == e.target && !range.keep_duplicates) {
    loops = e.source >= range.first && e.source < range.last;
    return;
  }
  if (e.source >= range.first && e.source < range.last)
    keys[count++] = static_cast<key_type>(e.source - range.first) << range.id_bits |
                    static_cast<key_type>(e.target);
  if (e.source != e.target && e.target >= range.first && e.target < range.last)
    keys[count++] = static_cast<key_type>(e.target - range.first) << range.id_bits |
                    static_cast<key_type>(e.source);
}

// totals[0]: keys so far; totals[1]: self-loops dropped. Keys beyond `capacity` are only counted.
// One atomic a block: positions come from a block-wide prefix sum.
__global__ void make_keys(edge_maker maker, pass_range range, std::int64_t edges, key_type* out,
                          key_type capacity, key_type* totals) {
  using scan = cub::BlockScan<int, block_threads>;
  __shared__ typename scan::TempStorage space;
  __shared__ key_type base;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * block_threads;
  for (std::int64_t start = static_cast<std::int64_t>(blockIdx.x) * block_threads; start < edges;
       start += stride) {
    const std::int64_t k = start + threadIdx.x;
    key_type keys[2];
    int count = 0, loops = 0;
    if (k < edges) for_arcs(maker, range, k, keys, count, loops);
    int at = 0, sum = 0;
    scan(space).ExclusiveSum(count, at, sum);
    if (threadIdx.x == 0) base = atomicAdd(&totals[0], static_cast<key_type>(sum));
    const int dropped = __syncthreads_count(loops);
    if (threadIdx.x == 0 && dropped != 0) atomicAdd(&totals[1], static_cast<key_type>(dropped));
    for (int i = 0; i < count; ++i) {
      const key_type slot = base + static_cast<key_type>(at + i);
      if (slot < capacity) out[slot] = keys[i];
    }
    __syncthreads();  // `space` and `base` are used again
  }
}

/// One pass's sorted, unique keys; `keys` points into one of the two buffers.
struct sorted_keys {
  key_type* keys = nullptr;
  key_type* spare = nullptr;
  std::int64_t count = 0;
  std::int64_t duplicates = 0;
};

class pass_worker {
 public:
  pass_worker(const generator_spec& spec, const generate_options& options, std::int64_t capacity)
      : maker_(make_edge_maker(spec)),
        edges_(spec.candidates()),
        keep_duplicates_(options.keep_duplicates),
        id_bits_(bits_for(spec.vertices())),
        capacity_(capacity),
        sorter_(options.device, capacity),
        totals_(2) {
    int device = 0;
    GOSSAMER_CHECK_CUDA(cudaGetDevice(&device));
    GOSSAMER_CHECK_CUDA(
        cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device));
  }

  [[nodiscard]] int id_bits() const { return id_bits_; }
  [[nodiscard]] std::int64_t self_loops() const { return self_loops_; }

  /// False when the range holds more arcs than fit; the caller tries a smaller one.
  bool run(std::int64_t first, std::int64_t last, sorted_keys& result) {
    const pass_range range{first, last, id_bits_, keep_duplicates_};
    GOSSAMER_CHECK_CUDA(cudaMemset(totals_.data(), 0, 2 * sizeof(key_type)));
    if (edges_ > 0) {
      const auto blocks = static_cast<unsigned>(
          std::min<std::int64_t>(blocks_for(std::min<std::int64_t>(edges_, 1 << 30)),
                                 static_cast<std::int64_t>(processors_) * 32));
      make_keys<<<blocks, block_threads>>>(maker_, range, edges_, sorter_.input(),
                                           static_cast<key_type>(capacity_), totals_.data());
      GOSSAMER_CHECK_CUDA(cudaGetLastError());
    }
    key_type totals[2];
    GOSSAMER_CHECK_CUDA(cudaMemcpy(totals, totals_.data(), sizeof totals, cudaMemcpyDeviceToHost));
    const auto count = static_cast<std::int64_t>(totals[0]);
    if (count > capacity_) return false;
    self_loops_ += static_cast<std::int64_t>(totals[1]);
    const std::int64_t kept =
        sorter_.sort(count, id_bits_ + bits_for(last - first), !keep_duplicates_);
    result = {sorter_.keys(), sorter_.spare(), kept, count - kept};
    return true;
  }

 private:
  edge_maker maker_;
  std::int64_t edges_;
  bool keep_duplicates_;
  int id_bits_;
  std::int64_t capacity_;
  key_sorter sorter_;
  device_memory<key_type> totals_;
  int processors_ = 1;
  std::int64_t self_loops_ = 0;
};

template <class Id>
generated_rows generate_rows(const generator_spec& spec, const generate_options& options,
                             const generator_plan& plan) {
  const std::int64_t n = spec.vertices();
  const std::int64_t capacity =
      std::max<std::int64_t>(1024, plan.arcs_bound / plan.device_passes +
                                       (plan.device_passes > 1 ? plan.arcs_bound / 64 : 0));
  pass_worker worker(spec, options, capacity);
  generated_rows result;
  result.offsets = shared_array<edge_offset>(static_cast<std::size_t>(n) + 1);
  staged_copy copy(options.threads);
  std::vector<shared_array<Id>> parts;
  std::int64_t step = (n + plan.device_passes - 1) / plan.device_passes, base = 0;
  for (std::int64_t first = 0; first < n;) {
    if (options.stop.stop_requested())
      throw cancelled_error("generating " + spec.text + " stopped");
    const std::int64_t last = std::min(n, first + step);
    sorted_keys sorted;
    if (!worker.run(first, last, sorted)) {
      if (last - first == 1)
        throw capacity_error(spec.text + ": the arcs of vertex index " + std::to_string(first) +
                             " alone exceed the GPU's memory: " + plan.text());
      step = (last - first + 1) / 2;
      continue;
    }
    const std::int64_t rows = last - first;
    device_memory<edge_offset> offsets(static_cast<std::size_t>(rows) + 1);
    queue_rows(sorted.keys, sorted.count, worker.id_bits(), rows, base, offsets.data());
    // Keys are at least as wide as ids, so the spare buffer holds the targets.
    Id* targets = reinterpret_cast<Id*>(sorted.spare);
    if (sorted.count > 0) {
      take_targets<<<blocks_for(sorted.count), block_threads>>>(sorted.keys, sorted.count,
                                                                worker.id_bits(), targets);
      GOSSAMER_CHECK_CUDA(cudaGetLastError());
    }
    shared_array<Id> part(static_cast<std::size_t>(sorted.count));
    copy.to_host(result.offsets.data() + first, offsets.data(), (rows + 1) * sizeof(edge_offset));
    copy.to_host(part.data(), targets, sorted.count * sizeof(Id));
    parts.push_back(std::move(part));
    base += sorted.count;
    result.duplicates += sorted.duplicates;
    first = last;
    if (options.progress) options.progress(static_cast<double>(last) / static_cast<double>(n));
  }
  result.self_loops = worker.self_loops();
  if (parts.size() == 1) {
    result.indices = std::move(parts[0]);
    return result;
  }
  shared_array<Id> indices(static_cast<std::size_t>(base));
  Id* at = indices.data();
  for (auto& part : parts) {
    at = std::copy(part.begin(), part.end(), at);
    part = {};
  }
  result.indices = std::move(indices);
  return result;
}

}  // namespace

generated_rows generate_rows_cuda(const generator_spec& spec, const generate_options& options,
                                  const generator_plan& plan) {
  const driver_pause pause(
      options.stop);  // the default stream, and memory taken and returned part by part
  const device_scope scope(options.device);
  return !configuration::narrow_ids(plan.vertices) ? generate_rows<vertex64>(spec, options, plan)
                                                   : generate_rows<vertex32>(spec, options, plan);
}

std::int64_t cuda_free_bytes(int device) {
  const device_scope scope(device);
  std::size_t free = 0, total = 0;
  GOSSAMER_CHECK_CUDA(cudaMemGetInfo(&free, &total));
  return static_cast<std::int64_t>(free);
}

}  // namespace gossamer::detail
