// The builder's core: any source of arcs to sorted rows, by radix partition on the row.
//
// Method: (1) count the arcs of each bucket of 2^k consecutive rows; (2) write every arc, as (row
// in bucket, key), to its bucket through small per-thread staging buffers; (3) bucket by bucket, in
// cache: count rows, scatter, sort each row, drop duplicates, put the keys back at the front of the
// bucket; (4) prefix sums, and copy into arrays of the exact size. In step 2 memory sees whole
// cache lines instead of one miss an arc (software write combining; Satish et al., SIGMOD 2010).
// Arcs arrive in their buckets in any order, but rows are sorted by (target, weight), so the bytes
// of the result depend on neither the schedule nor the number of threads.
//
// Peak memory is the partition, and beside it either (a) or (b) (memory_needs.hpp: build_bytes).
// The partition has 8 B an arc without weights and with 32-bit ids, 12 B with either, 20 B with
// both or with doubles. (a) is the source, whose release during step 2 need not show: a bucket may
// be one large page. (b) is the offsets and the larger of the CSR's arcs and a bucket's keys, which
// all lie in one bucket at worst.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "gossamer/base/mapped_block.hpp"
#include "gossamer/graph/csr.hpp"
#include "graph/arc_keys.hpp"
#include "graph/parallel.hpp"
#include "graph/row_buckets.hpp"

namespace gossamer::detail {

/// What build_rows makes, and what it dropped on the way.
struct built_rows {
  shared_array<edge_offset> offsets;
  std::variant<shared_array<vertex32>, shared_array<vertex64>> indices;
  weight_array weights;
  std::int64_t self_loops = 0;  ///< arcs (v,v) dropped
  std::int64_t duplicates = 0;  ///< arcs dropped as duplicates
};

/// Which arcs to make of the source's arcs.
struct row_options {
  bool mirror = false;  ///< (v,u) beside (u,v), self-loops once
  bool deduplicate = false;
  bool remove_self_loops = false;
  int threads = 1;
  std::function<void(double)> progress = {};
  std::stop_token stop = {};
};

/// The steps, on one source. It gives blocks() independent blocks, visit(block, f) calling f(u, v,
/// w) for every arc (as often as asked), and release(block) when a block was visited for the last
/// time. Ids must lie in range; the source checks them when counted.
template <class Id, class Weight, class Source>
class row_building {
  using Arc = arc_key<Id, Weight>;
  using Key = typename Arc::type;
  using Record = row_record<Key>;
  static constexpr bool weighted = !std::is_same_v<Weight, std::monostate>;

 public:
  row_building(Source& source, std::int64_t rows, const row_options& options)
      : source_(source),
        rows_(rows),
        options_(options),
        threads_(source.arcs() < 32768 ? 1 : resolve_threads(options.threads)),
        shift_(rows == 0 ? 0 : bucket_shift(rows, source.arcs() * (options.mirror ? 2 : 1))),
        buckets_(rows == 0 ? 0 : ((rows - 1) >> shift_) + 1),
        starts_(static_cast<std::size_t>(buckets_) + 1, 0),
        kept_(static_cast<std::size_t>(buckets_) + 1, 0) {}

  built_rows run() {
    count();
    divide();
    sort();
    for (std::int64_t b = 0; b < buckets_; ++b) kept_[b + 1] += kept_[b];
    result_.duplicates = starts_[buckets_] - kept_[buckets_];
    copy();
    return std::move(result_);
  }

 private:
  /// Step 1: arcs of each bucket.
  void count() {
    std::vector<std::vector<std::int64_t>> counts(threads_);
    std::vector<std::int64_t> loops(static_cast<std::size_t>(threads_) * 8, 0);
    parallel_blocks(threads_, source_.blocks(), [&](int t, std::int64_t block) {
      check_stop(options_.stop, builder_name);
      auto& mine = counts[t];
      if (mine.empty()) mine.resize(buckets_);
      source_.check(block);
      loops[static_cast<std::size_t>(t) * 8] += count_block(block, mine);
      advance(source_.blocks(), 0.0, 0.2);
    });
    for (int t = 0; t < threads_; ++t) result_.self_loops += loops[static_cast<std::size_t>(t) * 8];
    for (std::int64_t b = 0; b < buckets_; ++b) {
      std::int64_t sum = 0;
      for (const auto& count : counts)
        if (!count.empty()) sum += count[b];
      starts_[b + 1] = starts_[b] + sum;
    }
  }

  /// Returns the self-loops that are left out.
  std::int64_t count_block(std::int64_t block, std::vector<std::int64_t>& count) {
    const int shift = shift_;
    const row_options& options = options_;
    std::int64_t dropped = 0;
    source_.visit(block, [&](std::int64_t u, std::int64_t v, Weight) {
      if (u == v && options.remove_self_loops) {
        ++dropped;
        return;
      }
      ++count[u >> shift];
      if (options.mirror && u != v) ++count[v >> shift];
    });
    return dropped;
  }

  /// Step 2: every arc to its bucket.
  void divide() {
    partition_ = mapped_array<Record>(static_cast<std::size_t>(starts_[buckets_]));
    ask_for_huge_pages(partition_.data(), partition_.size() * sizeof(Record));
    std::vector<std::atomic<std::int64_t>> cursor(buckets_);
    for (std::int64_t b = 0; b < buckets_; ++b)
      cursor[b].store(starts_[b], std::memory_order_relaxed);
    std::vector<std::unique_ptr<staging<Record>>> stages(threads_);
    parallel_blocks(threads_, source_.blocks(), [&](int t, std::int64_t block) {
      check_stop(options_.stop, builder_name);
      if (!stages[t])
        stages[t] = std::make_unique<staging<Record>>(buckets_, partition_.data(), cursor.data());
      divide_block(block, *stages[t]);
      source_.release(block);
      advance(source_.blocks(), 0.2, 0.5);
    });
    for (auto& stage : stages)
      if (stage) stage->flush_all();
  }

  void divide_block(std::int64_t block, staging<Record>& stage) {
    const int shift = shift_;
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << shift) - 1);
    const row_options& options = options_;
    const auto push = [&](std::int64_t u, std::int64_t v, Weight w) {
      stage.push(u >> shift, {static_cast<std::uint32_t>(u) & mask, Arc::make(v, w)});
    };
    source_.visit(block, [&](std::int64_t u, std::int64_t v, Weight w) {
      if (u == v && options.remove_self_loops) return;
      push(u, v, w);
      if (options.mirror && u != v) push(v, u, w);
    });
  }

  /// Step 3: the rows of each bucket, whose lengths go where their ends will be.
  void sort() {
    result_.offsets = shared_array<edge_offset>(static_cast<std::size_t>(rows_) + 1);
    result_.offsets[0] = 0;
    std::vector<std::vector<Key>> spaces(threads_);
    parallel_blocks(threads_, buckets_, [&](int t, std::int64_t b) {
      const std::int64_t first = b << shift_;
      const std::int64_t last = std::min(rows_, (b + 1) << shift_);
      kept_[b + 1] = sort_bucket<Arc>(partition_.data() + starts_[b], starts_[b + 1] - starts_[b],
                                      last - first, options_.deduplicate,
                                      result_.offsets.data() + 1 + first, spaces[t], options_.stop);
      advance(buckets_, 0.5, 0.8);
    });
  }

  /// Step 4: ends of rows, and their arcs in arrays of the exact size.
  void copy() {
    const auto arcs = static_cast<std::size_t>(kept_[buckets_]);
    shared_array<Id> indices(arcs);
    shared_array<std::conditional_t<weighted, Weight, char>> weights;
    if constexpr (weighted) weights = shared_array<Weight>(arcs);
    parallel_blocks(threads_, buckets_, [&](int, std::int64_t b) {
      const std::int64_t first = b << shift_;
      const std::int64_t last = std::min(rows_, (b + 1) << shift_);
      edge_offset running = kept_[b];
      check_stop(options_.stop, builder_name);
      for (std::int64_t v = first; v < last; ++v)
        result_.offsets[v + 1] = running += result_.offsets[v + 1];
      const auto* keys = reinterpret_cast<const char*>(partition_.data() + starts_[b]);
      for (std::int64_t i = kept_[b]; i < kept_[b + 1]; ++i, keys += sizeof(Key)) {
        Key key;
        std::memcpy(&key, keys, sizeof key);  // records are packed to 4 bytes
        indices[i] = Arc::target(key);
        if constexpr (weighted) weights[i] = Arc::weight(key);
      }
      advance(buckets_, 0.8, 1.0);
    });
    result_.indices = std::move(indices);
    if constexpr (weighted) result_.weights = std::move(weights);
  }

  /// A block of a step has ended. They end in any order: how far a step has come is how many have.
  void advance(std::int64_t of, double from, double to) {
    if (!options_.progress) return;
    const std::int64_t done = ended_.fetch_add(1, std::memory_order_relaxed) + 1;
    options_.progress(from + (to - from) * static_cast<double>(done) / static_cast<double>(of));
    if (done == of) ended_.store(0, std::memory_order_relaxed);  // the last block of a step
  }

  Source& source_;
  std::int64_t rows_;
  const row_options& options_;
  int threads_, shift_;
  std::int64_t buckets_;
  std::atomic<std::int64_t> ended_{0};
  std::vector<std::int64_t> starts_;  ///< [buckets + 1] of buckets in the partition
  std::vector<std::int64_t> kept_;  ///< [buckets + 1] arcs of buckets without duplicates, then sums
  shared_array<Record> partition_;
  built_rows result_;
};

/// Rows of the graph with `rows` vertices from `source`.
template <class Id, class Weight, class Source>
built_rows build_rows(Source& source, std::int64_t rows, const row_options& options) {
  return row_building<Id, Weight, Source>(source, rows, options).run();
}

}  // namespace gossamer::detail
