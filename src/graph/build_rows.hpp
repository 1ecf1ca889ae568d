// The builder's core: any source of arcs to sorted rows, by radix partition on the row.
//
// Method: (1) count the arcs of each bucket of 2^k consecutive rows; (2) write every arc, as (row
// in bucket, key), to its bucket, through small per-thread staging buffers, so that memory sees
// whole cache lines instead of one miss an arc (software write combining; Satish et al., SIGMOD
// 2010); (3) bucket by bucket, in cache: count rows, scatter, sort each row, drop duplicates, put
// the keys back at the front of the bucket; (4) prefix sums, and copy into arrays of the exact
// size. Arcs arrive in their buckets in any order, but rows are sorted by (target, weight), so the
// bytes of the result depend on neither the schedule nor the number of threads.
//
// Peak memory: the source (released during step 2) or the CSR, and the partition: 8 B an arc
// without weights and with 32-bit ids, 12 B with either, 20 B with both or with doubles.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "gossamer/graph/csr.hpp"
#include "graph/arc_keys.hpp"
#include "graph/parallel.hpp"
#include "graph/sort_row.hpp"

namespace gossamer::detail {

/// What build_rows makes, and what it dropped on the way.
struct built_rows {
  shared_array<edge_offset> offsets;
  std::variant<shared_array<vertex32>, shared_array<vertex64>> indices;
  weight_array weights;
  std::int64_t self_loops = 0;  ///< arcs (v,v) dropped
  std::int64_t duplicates = 0;  ///< arcs dropped as duplicates
};

/// "removed 3 self-loops": an entry of graph::steps.
inline std::string removed_step(std::int64_t count, const std::string& what) {
  return "removed " + std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Which arcs to make of the source's arcs.
struct row_options {
  bool mirror = false;   ///< (v,u) beside (u,v), self-loops once
  bool reverse = false;  ///< (v,u) instead of (u,v)
  bool deduplicate = false;
  bool remove_self_loops = false;
  int threads = 1;
  std::function<void(double)> progress = {};
  std::stop_token stop = {};
};

/// Bits to shift a row by to get its bucket: about 2^18 arcs each, at most 2048 buckets, so that a
/// bucket's arcs stay in a second-level cache and so do the staging buffers of all buckets.
inline int bucket_shift(std::int64_t rows, std::int64_t arcs) {
  const std::int64_t buckets = std::clamp<std::int64_t>(arcs >> 18, 1, 2048);
  int shift = 0;
  while (((rows - 1) >> shift) >= buckets) ++shift;
  return shift;
}

// Four-byte packing: a bucket's row fits 32 bits because buckets hold fewer than 2^32 rows.
#pragma pack(push, 4)
template <class Key>
struct row_record {
  std::uint32_t row;
  Key key;
};
#pragma pack(pop)

/// Per-thread staging: `depth` records a bucket, written out together.
template <class Record>
class staging {
 public:
  static constexpr int depth = 16;
  staging(std::int64_t buckets, Record* out, std::atomic<std::int64_t>* cursor)
      : records_(static_cast<std::size_t>(buckets * depth)),
        fill_(static_cast<std::size_t>(buckets), 0),
        out_(out),
        cursor_(cursor) {}
  void push(std::int64_t bucket, const Record& record) {
    std::uint8_t& fill = fill_[static_cast<std::size_t>(bucket)];
    records_[static_cast<std::size_t>(bucket * depth + fill)] = record;
    if (++fill == depth) flush(bucket);
  }
  void flush_all() {
    for (std::size_t b = 0; b < fill_.size(); ++b) flush(static_cast<std::int64_t>(b));
  }

 private:
  void flush(std::int64_t bucket) {
    std::uint8_t& fill = fill_[static_cast<std::size_t>(bucket)];
    if (fill == 0) return;
    // Relaxed: the end of the parallel region orders the records before step 3 reads them.
    const std::int64_t at = cursor_[bucket].fetch_add(fill, std::memory_order_relaxed);
    std::memcpy(static_cast<void*>(out_ + at), records_.data() + bucket * depth,
                fill * sizeof(Record));
    fill = 0;
  }
  std::vector<Record> records_;
  std::vector<std::uint8_t> fill_;
  Record* out_;
  std::atomic<std::int64_t>* cursor_;
};

inline constexpr const char* builder_name = "building the graph";

/// Space one thread needs to sort a bucket; grows to the largest bucket it meets.
template <class Key>
struct bucket_space {
  std::vector<std::int64_t> ends;
  std::vector<Key> keys, spare;
};

/// Step 3 for one bucket: sorts the rows of `records[0..count)` and leaves their keys packed at the
/// front of the same memory; degrees[r] receives the length of row r. Returns the keys kept.
template <class Arc, class Key>
std::int64_t sort_bucket(row_record<Key>* records, std::int64_t count, std::int64_t rows,
                         bool deduplicate, edge_offset* degrees, bucket_space<Key>& space,
                         const std::stop_token& stop) {
  auto& ends = space.ends;
  ends.assign(static_cast<std::size_t>(rows) + 1, 0);
  if (space.keys.size() < static_cast<std::size_t>(count)) {
    space.keys = {};
    space.keys.resize(static_cast<std::size_t>(count));
  }
  for (std::int64_t i = 0; i < count; ++i) ++ends[records[i].row + 1];
  for (std::int64_t r = 0; r < rows; ++r) ends[r + 1] += ends[r];
  Key* keys = space.keys.data();
  // Afterwards ends[r] is the end of row r and the start of row r + 1.
  for (std::int64_t i = 0; i < count; ++i) keys[ends[records[i].row]++] = records[i].key;
  // A bucket of a huge graph takes a second: look at the token inside, too.
  stop_watch watch(stop, builder_name);
  std::int64_t begin = 0, kept = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t end = ends[r];
    watch.step(end - begin + 1);
    sort_row(keys + begin, end - begin, space.spare);
    const std::int64_t first = kept;
    if (deduplicate) {
      // The smallest key of each target comes first in the sorted row, and is the one kept.
      for (std::int64_t i = begin; i < end; ++i)
        if (kept == first || !Arc::same_target(keys[kept - 1], keys[i])) keys[kept++] = keys[i];
    } else {
      if (kept != begin) std::memmove(keys + kept, keys + begin, (end - begin) * sizeof(Key));
      kept += end - begin;
    }
    degrees[r] = kept - first;
    begin = end;
  }
  if (kept > 0) std::memcpy(static_cast<void*>(records), keys, kept * sizeof(Key));
  return kept;
}

/// Rows of the graph with `rows` vertices from `source`, which gives blocks() independent blocks,
/// visit(block, f) calling f(u, v, w) for every arc (as often as asked), and release(block) when a
/// block was visited for the last time. Ids must lie in range; the source checks them when counted.
template <class Id, class Weight, class Source>
built_rows build_rows(Source& source, std::int64_t rows, const row_options& options) {
  using Arc = arc_key<Id, Weight>;
  using Key = typename Arc::type;
  using Record = row_record<Key>;
  const int threads = source.arcs() < 32768 ? 1 : resolve_threads(options.threads);
  const int shift = rows == 0 ? 0 : bucket_shift(rows, source.arcs() * (options.mirror ? 2 : 1));
  const std::int64_t buckets = rows == 0 ? 0 : ((rows - 1) >> shift) + 1;
  const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{1} << shift) - 1);

  // Blocks end in any order: how far a phase has come is how many have ended.
  std::atomic<std::int64_t> ended{0};
  const auto advance = [&](std::int64_t of, double from, double to) {
    if (!options.progress) return;
    const std::int64_t done = ended.fetch_add(1, std::memory_order_relaxed) + 1;
    options.progress(from + (to - from) * static_cast<double>(done) / static_cast<double>(of));
    if (done == of) ended.store(0, std::memory_order_relaxed);  // the last block of a phase
  };
  std::vector<std::vector<std::int64_t>> counts(threads);
  std::vector<std::int64_t> loops(static_cast<std::size_t>(threads) * 8, 0);
  parallel_blocks(threads, source.blocks(), [&](int t, std::int64_t block) {
    check_stop(options.stop, builder_name);
    auto& count = counts[t];
    if (count.empty()) count.resize(buckets);
    std::int64_t dropped = 0;
    source.check(block);
    source.visit(block, [&](std::int64_t u, std::int64_t v, Weight) {
      if (u == v && options.remove_self_loops) {
        ++dropped;
        return;
      }
      if (!options.reverse) ++count[u >> shift];
      if (options.reverse || (options.mirror && u != v)) ++count[v >> shift];
    });
    loops[static_cast<std::size_t>(t) * 8] += dropped;
    advance(source.blocks(), 0.0, 0.2);
  });
  built_rows result;
  for (int t = 0; t < threads; ++t) result.self_loops += loops[static_cast<std::size_t>(t) * 8];

  std::vector<std::int64_t> starts(buckets + 1, 0);
  std::vector<std::atomic<std::int64_t>> cursor(buckets);
  for (std::int64_t b = 0; b < buckets; ++b) {
    std::int64_t sum = 0;
    for (const auto& count : counts)
      if (!count.empty()) sum += count[b];
    starts[b + 1] = starts[b] + sum;
    cursor[b].store(starts[b], std::memory_order_relaxed);
  }
  counts.clear();
  const std::int64_t total = starts[buckets];
  shared_array<Record> partition(static_cast<std::size_t>(total));
  const std::size_t partition_bytes = static_cast<std::size_t>(total) * sizeof(Record);
  if (partition_bytes > (std::size_t{64} << 20)) {
    // 2048 write streams exceed a first-level TLB of 4 KiB pages. A hint only.
    constexpr std::uintptr_t page = 2 << 20;
    const auto from = (reinterpret_cast<std::uintptr_t>(partition.data()) + page - 1) & ~(page - 1);
    const auto to = reinterpret_cast<std::uintptr_t>(partition.data()) + partition_bytes;
    static_cast<void>(madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE));
  }
  {
    std::vector<std::unique_ptr<staging<Record>>> stages(threads);
    parallel_blocks(threads, source.blocks(), [&](int t, std::int64_t block) {
      check_stop(options.stop, builder_name);
      if (!stages[t])
        stages[t] = std::make_unique<staging<Record>>(buckets, partition.data(), cursor.data());
      auto& stage = *stages[t];
      const auto push = [&](std::int64_t u, std::int64_t v, Weight w) {
        stage.push(u >> shift, {static_cast<std::uint32_t>(u) & mask, Arc::make(v, w)});
      };
      source.visit(block, [&](std::int64_t u, std::int64_t v, Weight w) {
        if (u == v && options.remove_self_loops) return;
        if (!options.reverse) push(u, v, w);
        if (options.reverse || (options.mirror && u != v)) push(v, u, w);
      });
      source.release(block);
      advance(source.blocks(), 0.2, 0.5);
    });
    for (auto& stage : stages)
      if (stage) stage->flush_all();
  }

  result.offsets = shared_array<edge_offset>(static_cast<std::size_t>(rows) + 1);
  result.offsets[0] = 0;
  std::vector<std::int64_t> base(buckets + 1, 0);
  {
    std::vector<bucket_space<Key>> spaces(threads);
    parallel_blocks(threads, buckets, [&](int t, std::int64_t b) {
      const std::int64_t first = b << shift;
      const std::int64_t last = std::min(rows, (b + 1) << shift);
      base[b + 1] = sort_bucket<Arc>(partition.data() + starts[b], starts[b + 1] - starts[b],
                                     last - first, options.deduplicate,
                                     result.offsets.data() + 1 + first, spaces[t], options.stop);
      advance(buckets, 0.5, 0.8);
    });
  }
  for (std::int64_t b = 0; b < buckets; ++b) base[b + 1] += base[b];
  const std::int64_t arcs = base[buckets];
  result.duplicates = total - arcs;
  shared_array<Id> indices(static_cast<std::size_t>(arcs));
  shared_array<std::conditional_t<std::is_same_v<Weight, std::monostate>, char, Weight>> weights;
  if constexpr (!std::is_same_v<Weight, std::monostate>)
    weights = shared_array<Weight>(static_cast<std::size_t>(arcs));
  parallel_blocks(threads, buckets, [&](int, std::int64_t b) {
    const std::int64_t first = b << shift;
    const std::int64_t last = std::min(rows, (b + 1) << shift);
    edge_offset running = base[b];
    check_stop(options.stop, builder_name);
    for (std::int64_t v = first; v < last; ++v)
      result.offsets[v + 1] = running += result.offsets[v + 1];
    const auto* keys = reinterpret_cast<const char*>(partition.data() + starts[b]);
    for (std::int64_t i = base[b]; i < base[b + 1]; ++i, keys += sizeof(Key)) {
      Key key;
      std::memcpy(&key, keys, sizeof key);  // records are packed to 4 bytes
      indices[i] = Arc::target(key);
      if constexpr (!std::is_same_v<Weight, std::monostate>) weights[i] = Arc::weight(key);
    }
    advance(buckets, 0.8, 1.0);
  });
  result.indices = std::move(indices);
  if constexpr (!std::is_same_v<Weight, std::monostate>) result.weights = std::move(weights);
  return result;
}

}  // namespace gossamer::detail
