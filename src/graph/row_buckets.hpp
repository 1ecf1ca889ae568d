// Buckets of rows, between which the builder divides arcs: their size, how arcs get into them, and
// how one of them is sorted in cache. build_rows.hpp has the steps around them.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "gossamer/graph/csr.hpp"
#include "graph/parallel.hpp"
#include "graph/sort_row.hpp"

namespace gossamer::detail {

inline constexpr const char* builder_name = "building the graph";

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

/// 2048 write streams exceed a first-level TLB of 4 KiB pages. A hint only.
inline void ask_for_huge_pages(void* partition, std::size_t bytes) {
  if (bytes <= (std::size_t{64} << 20)) return;
  constexpr std::uintptr_t page = 2 << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(partition);
  const std::uintptr_t from = (begin + page - 1) & ~(page - 1), to = begin + bytes;
  static_cast<void>(madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE));
}

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

/// Step 3 for one bucket: sorts the rows of `records[0..count)` and leaves their keys packed at the
/// front of the same memory; degrees[r] receives the length of row r. Returns the keys kept.
///
/// A row, or the rows, may be as large as the graph, so that nothing but `space`, the keys once
/// more, is taken for it: rows are counted where their lengths will be, and the records' memory is
/// what long rows alternate with while they are sorted. `space` grows to the largest bucket met.
template <class Arc, class Key>
std::int64_t sort_bucket(row_record<Key>* records, std::int64_t count, std::int64_t rows,
                         bool deduplicate, edge_offset* degrees, std::vector<Key>& space,
                         const std::stop_token& stop) {
  if (space.size() < static_cast<std::size_t>(count)) {
    space = {};
    space.resize(static_cast<std::size_t>(count));
  }
  std::fill_n(degrees, rows, 0);
  for (std::int64_t i = 0; i < count; ++i) ++degrees[records[i].row];
  for (std::int64_t r = 0, start = 0; r < rows; ++r) start += std::exchange(degrees[r], start);
  Key* keys = space.data();
  // Afterwards degrees[r] is the end of row r and the start of row r + 1.
  for (std::int64_t i = 0; i < count; ++i) keys[degrees[records[i].row]++] = records[i].key;
  // Records are four bytes longer than keys, which makes up for where the first key can begin.
  void* free = records;
  std::size_t room = static_cast<std::size_t>(count) * sizeof(row_record<Key>);
  Key* const spare = static_cast<Key*>(std::align(alignof(Key), 0, free, room));
  // A bucket of a huge graph takes a second: look at the token inside, too.
  stop_watch watch(stop, builder_name);
  std::int64_t begin = 0, kept = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t end = degrees[r];
    watch.step(end - begin + 1);
    sort_row(keys + begin, end - begin, spare);
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

}  // namespace gossamer::detail
