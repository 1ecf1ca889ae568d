// gpu_row_maker: three steps over an edge list that is nowhere stored.
//
// One array serves as counter, cursor and offsets. Entry r + 1 first counts the arcs of row r, then
// holds where the row begins. When the last arc has been put, it holds where the row ends, which is
// where row r + 1 begins. An arc costs one atomic to count and one to put, each a random access.
#include "gossamer/graph/gpu_row_maker.hpp"

#include <cub/cub.cuh>
#include <vector>

#include "gossamer/machine/executor_cuda.cuh"
#include "graph/cuda/arc_keys.cuh"
#include "graph/cuda/waited_stream.cuh"

namespace gossamer {

namespace {

using detail::key_type;
using detail::value_at;
using detail::waited_stream;
using detail::with_space;
using word = unsigned long long;

/// Arcs sorted at once, unless a row is longer: 4 GiB of keys.
constexpr std::int64_t piece_arcs = std::int64_t{1} << 28;
/// Entries made by one launch: some 30 ms.
constexpr std::int64_t launch_entries = std::int64_t{1} << 29;

/// What a launch knows of the rows.
template <class Id>
struct row_range {
  std::int64_t first, rows;
  edge_offset* after;  ///< offsets + 1
  [[nodiscard]] __device__ bool has(std::int64_t v) const { return v >= first && v < first + rows; }
  /// Adds one to the row's word; returns what it was.
  __device__ word bump(std::int64_t v) const {
    return atomicAdd(reinterpret_cast<word*>(after + (v - first)), word{1});
  }
};

/// Counts an entry's arcs; self-loops apart, as two ends of their row.
template <class Id>
struct count_entry {
  edge_maker maker;
  std::int64_t from;
  row_range<Id> rows;
  std::int64_t* ends;
  word* loops;
  __device__ void operator()(std::int64_t i) const {
    const generated e = generated_edge(maker, from + i);
    if (!e.exists) return;
    if (e.source == e.target) {
      if (!rows.has(e.source)) return;
      atomicAdd(reinterpret_cast<word*>(ends + (e.source - rows.first)), word{2});
      atomicAdd(loops, word{1});
      return;
    }
    if (rows.has(e.source)) rows.bump(e.source);
    if (rows.has(e.target)) rows.bump(e.target);
  }
};

template <class Id>
struct put_entry {
  edge_maker maker;
  std::int64_t from;
  row_range<Id> rows;
  Id* columns;
  __device__ void operator()(std::int64_t i) const {
    const generated e = generated_edge(maker, from + i);
    if (!e.exists || e.source == e.target) return;
    if (rows.has(e.source)) columns[rows.bump(e.source)] = static_cast<Id>(e.target);
    if (rows.has(e.target)) columns[rows.bump(e.target)] = static_cast<Id>(e.source);
  }
};

/// Every entry that is no loop has one end where its arc is.
struct add_degrees {
  const edge_offset* after;
  std::int64_t* ends;
  __device__ void operator()(std::int64_t row) const { ends[row] += after[row]; }
};

/// Keys of the arcs [begin, end), which are those of `rows` rows.
template <class Id>
__global__ void key_arcs(const edge_offset* offsets, std::int64_t rows, const Id* columns,
                         edge_offset begin, edge_offset end, int id_bits, key_type* keys) {
  detail::each_arc(offsets, rows, begin, end, [&](std::int64_t row, edge_offset a) {
    keys[a - begin] = static_cast<key_type>(row) << id_bits | static_cast<key_type>(columns[a]);
  });
}

/// Where a piece begins.
struct place {
  std::int64_t row;
  edge_offset arc;
};

/// Whole rows, at most `most` arcs a piece; no row is longer. The last entry is the end.
std::vector<place> divide(const edge_offset* offsets, std::int64_t rows, std::int64_t most) {
  std::vector<place> pieces{{0, 0}};
  while (pieces.back().row < rows) {
    const place from = pieces.back();
    std::int64_t low = from.row, high = rows + 1;  // the last row that does not exceed
    edge_offset at = from.arc;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      const edge_offset arc = value_at(offsets, middle);
      if (arc - from.arc <= most) {
        low = middle;
        at = arc;
      } else {
        high = middle;
      }
    }
    pieces.push_back({low, at});
  }
  return pieces;
}

std::int64_t capacity_of(std::int64_t arcs, std::int64_t longest) {
  return std::max({std::min(arcs, piece_arcs), longest, std::int64_t{1}});
}

}  // namespace

template <class Id>
gpu_row_maker<Id>::gpu_row_maker(const device& d, const generator_spec& spec, std::int64_t first,
                                 std::int64_t rows)
    : device_(d),
      spec_(spec),
      first_(first),
      rows_(rows),
      offsets_(make_native_buffer<edge_offset>(d, rows + 1)),
      ends_(make_native_buffer<std::int64_t>(d, std::max<std::int64_t>(rows, 1))) {
  spec.require_list();
  fill_bytes(memory_kind::device, d.ordinal, offsets_.data(), 0, (rows + 1) * sizeof(edge_offset));
  fill_bytes(memory_kind::device, d.ordinal, ends_.data(), 0, ends_.size() * sizeof(std::int64_t));
}

template <class Id>
template <class Entry>
void gpu_row_maker<Id>::each_entry(const Entry& entry, const alive& tell) {
  const std::int64_t entries = spec_.candidates();
  Entry part = entry;
  waited_stream on(device_);
  for (part.from = 0; part.from < entries; part.from += launch_entries) {
    const std::int64_t n = std::min(launch_entries, entries - part.from);
    for_each(on.executor(), n, part);
    on.wait();
    tell(static_cast<double>(part.from + n) / static_cast<double>(entries));
  }
}

template <class Id>
void gpu_row_maker<Id>::count(const alive& tell) {
  edge_offset* after = offsets_.data() + 1;
  const auto sums = make_native_buffer<word>(device_, 2);  // loops, the longest row
  fill_bytes(memory_kind::device, device_.ordinal, sums.data(), 0, 2 * sizeof(word));
  each_entry(
      count_entry<Id>{make_edge_maker(spec_), 0, {first_, rows_, after}, ends_.data(), sums.data()},
      tell);
  if (rows_ > 0) {
    waited_stream on(device_);
    for_each(on.executor(), rows_, add_degrees{after, ends_.data()});
    with_space(device_, on, [&](void* space, std::size_t& bytes) {
      return cub::DeviceReduce::Max(space, bytes, reinterpret_cast<word*>(after), sums.data() + 1,
                                    rows_, on.native());
    });
    const edge_offset last = value_at(after, rows_ - 1);
    with_space(device_, on, [&](void* space, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveSum(space, bytes, after, after, rows_, on.native());
    });
    counted_ = value_at(after, rows_ - 1) + last;
  }
  word found[2];
  copy_bytes(found, sums.data(), sizeof found);
  self_loops_ = static_cast<std::int64_t>(found[0]);
  longest_ = static_cast<std::int64_t>(found[1]);
}

template <class Id>
void gpu_row_maker<Id>::put(const alive& tell) {
  columns_ = make_native_buffer<Id>(device_, std::max<std::int64_t>(counted_, 1));
  each_entry(
      put_entry<Id>{
          make_edge_maker(spec_), 0, {first_, rows_, offsets_.data() + 1}, columns_.data()},
      tell);
}

template <class Id>
void gpu_row_maker<Id>::finish(const alive& tell) {
  detail::key_sorter sorter(device_.ordinal, capacity_of(counted_, longest_));
  waited_stream on(device_);
  edge_offset* offsets = offsets_.data();
  const int id_bits = detail::bits_for(spec_.vertices());
  // A piece is written where earlier ones ended, never beyond where it was read, and leaves the
  // beginning of the next piece's first row as it is.
  const std::vector<place> pieces = divide(offsets, rows_, capacity_of(counted_, longest_));
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const place from = pieces[i], to = pieces[i + 1];
    const std::int64_t arcs = to.arc - from.arc, rows = to.row - from.row;
    if (arcs > 0) {
      key_arcs<<<detail::arc_blocks(arcs), detail::block_threads, 0, on.native()>>>(
          offsets + from.row, rows, columns_.data(), from.arc, to.arc, id_bits, sorter.input());
      GOSSAMER_CHECK_CUDA(cudaGetLastError());
    }
    const std::int64_t kept =
        sorter.sort(arcs, id_bits + detail::bits_for(rows), true, on.native());
    detail::queue_rows(sorter.keys(), kept, id_bits, rows - 1, arcs_, offsets + from.row,
                       on.native());
    if (kept > 0)
      detail::take_targets<<<detail::blocks_for(kept), detail::block_threads, 0, on.native()>>>(
          sorter.keys(), kept, id_bits, columns_.data() + arcs_);
    on.wait();
    arcs_ += kept;
    tell(static_cast<double>(to.row) / static_cast<double>(rows_));
  }
  copy_bytes(offsets + rows_, &arcs_, sizeof arcs_);
}

template <class Id>
std::int64_t gpu_row_maker<Id>::sorting_bytes(std::int64_t arcs, std::int64_t longest) {
  // Two rooms for keys; CUB's sort takes 1,024 bytes beside them for some 5,760 keys, and little.
  const std::int64_t keys = capacity_of(arcs, longest);
  return 2 * keys * static_cast<std::int64_t>(sizeof(key_type)) + keys / 4 +
         (std::int64_t{16} << 20);
}

template class gpu_row_maker<vertex32>;
template class gpu_row_maker<vertex64>;

}  // namespace gossamer
