// Reverses the arcs of a graph, by a radix partition on heads that keeps the order of tails.
//
// Method: (1) parts of consecutive rows count their arcs by bucket, 2^k consecutive heads; (2) each
// writes its arcs, as (head in bucket, key), to its own place in every bucket, through small
// staging buffers, so that memory sees whole cache lines; (3) bucket by bucket, in cache: heads are
// counted, and tails and weights go where they stay. The arcs of a bucket are in the order of their
// tails: no row has to be sorted, as the builder must (build_rows.hpp). Only weights of parallel
// arcs may lie otherwise than it leaves them, where a graph was made of given rows.
//
// Peak memory is the partition and the result: no more than rebuild_bytes() (memory_needs.hpp). A
// graph of one bucket has no partition.
#include <algorithm>
#include <atomic>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/base/mapped_block.hpp"
#include "gossamer/graph/csr.hpp"
#include "graph/arc_keys.hpp"
#include "graph/arc_sources.hpp"
#include "graph/parallel.hpp"
#include "graph/row_buckets.hpp"

namespace gossamer {

namespace {

using detail::check_stop, detail::parallel_blocks;

constexpr const char* work_name = "reversing arcs";

template <class Id, class Weight>
class transposition {
  using Arc = detail::arc_key<Id, Weight>;
  using Key = typename Arc::type;
  using Record = detail::row_record<Key>;
  static constexpr bool weighted = !std::is_same_v<Weight, std::monostate>;

 public:
  transposition(const graph& g, const std::stop_token& stop)
      : source_(g),
        stop_(stop),
        rows_(g.vertices()),
        threads_(g.arcs() < 32768 ? 1 : detail::resolve_threads(0)),
        shift_(rows_ == 0 ? 0 : detail::bucket_shift(rows_, g.arcs())),
        buckets_(rows_ == 0 ? 0 : ((rows_ - 1) >> shift_) + 1),
        parts_(std::min<std::int64_t>(source_.blocks(), std::int64_t{4} * threads_)),
        starts_(static_cast<std::size_t>(buckets_) + 1, 0),
        offsets_(static_cast<std::size_t>(rows_) + 1),
        indices_(static_cast<std::size_t>(g.arcs())) {
    if constexpr (weighted) weights_ = shared_array<Weight>(static_cast<std::size_t>(g.arcs()));
  }

  void run(graph& to) {
    offsets_[0] = 0;
    if (buckets_ == 1) {
      starts_[1] = source_.arcs();
      place(0, [&](const auto& f) {
        for (std::int64_t block = 0; block < source_.blocks(); ++block) {
          check_stop(stop_, work_name);
          source_.visit(block,
                        [&](std::int64_t u, std::int64_t v, Weight w) { f(v, Arc::make(u, w)); });
        }
      });
    } else if (buckets_ > 1) {
      count();
      divide();
      parallel_blocks(threads_, buckets_, [&](int, std::int64_t b) {
        check_stop(stop_, work_name);
        place(b, [&](const auto& f) {
          const Record* const end = partition_.data() + starts_[b + 1];
          for (const Record* at = partition_.data() + starts_[b]; at != end; ++at)
            f(at->row, at->key);
        });
      });
    }
    to.offsets = std::move(offsets_);
    to.indices = std::move(indices_);
    if constexpr (weighted) to.weights = std::move(weights_);
  }

 private:
  /// f(u, v, w) for the arcs of a part, in the order of its rows.
  template <class F>
  void visit(std::int64_t part, const F& f) {
    const std::int64_t blocks = source_.blocks();
    for (std::int64_t b = blocks * part / parts_; b < blocks * (part + 1) / parts_; ++b) {
      check_stop(stop_, work_name);
      source_.visit(b, f);
    }
  }

  /// Step 1: where each part's arcs begin in each bucket.
  void count() {
    cursors_ = std::vector<std::atomic<std::int64_t>>(static_cast<std::size_t>(parts_ * buckets_));
    parallel_blocks(threads_, parts_, [&](int, std::int64_t part) {
      std::vector<std::int64_t> counts(static_cast<std::size_t>(buckets_), 0);
      visit(part, [&, shift = shift_](std::int64_t, std::int64_t v, Weight) {
        ++counts[static_cast<std::size_t>(v >> shift)];
      });
      for (std::int64_t b = 0; b < buckets_; ++b)
        cursor(part, b).store(counts[b], std::memory_order_relaxed);
    });
    std::int64_t at = 0;
    for (std::int64_t b = 0; b < buckets_; ++b) {
      starts_[b] = at;
      for (std::int64_t part = 0; part < parts_; ++part)
        at += cursor(part, b).exchange(at, std::memory_order_relaxed);
    }
    starts_[buckets_] = at;
  }

  /// Step 2: every arc to its bucket.
  void divide() {
    partition_ = mapped_array<Record>(indices_.size());
    detail::ask_for_huge_pages(partition_.data(), partition_.size() * sizeof(Record));
    parallel_blocks(threads_, parts_, [&](int, std::int64_t part) {
      detail::staging<Record> stage(buckets_, partition_.data(), &cursor(part, 0));
      const int shift = shift_;
      const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << shift) - 1);
      visit(part, [&](std::int64_t u, std::int64_t v, Weight w) {
        stage.push(v >> shift, {static_cast<std::uint32_t>(v) & mask, Arc::make(u, w)});
      });
      stage.flush_all();
    });
  }

  /// Step 3: the rows of a bucket. `each` calls f(head in bucket, key) for its arcs, in order.
  template <class Each>
  void place(std::int64_t bucket, const Each& each) {
    const std::int64_t first = bucket << shift_, last = std::min(rows_, (bucket + 1) << shift_);
    // Of a row the place behind it: its length, then where its next arc goes, then its end.
    edge_offset* const ends = offsets_.data() + 1 + first;
    std::fill(ends, ends + (last - first), 0);
    each([&](std::int64_t row, Key) { ++ends[row]; });
    edge_offset at = starts_[bucket];
    for (std::int64_t row = 0; row < last - first; ++row) at += std::exchange(ends[row], at);
    each([&](std::int64_t row, Key key) {
      const edge_offset to = ends[row]++;
      indices_[static_cast<std::size_t>(to)] = Arc::target(key);
      if constexpr (weighted) weights_[static_cast<std::size_t>(to)] = Arc::weight(key);
    });
    if constexpr (weighted) {
      edge_offset begin = starts_[bucket];
      for (std::int64_t row = 0; row < last - first; ++row)
        order_weights(std::exchange(begin, ends[row]), ends[row]);
    }
  }

  /// Parallel arcs by weight, as the builder has them.
  void order_weights(edge_offset begin, edge_offset end) {
    const auto before = [](Weight a, Weight b) {
      return detail::ordered_bits(a) < detail::ordered_bits(b);
    };
    Weight* const weights = weights_.data();
    while (begin < end) {
      edge_offset next = begin + 1;
      while (next < end && indices_[next] == indices_[begin]) ++next;
      if (!std::is_sorted(weights + begin, weights + next, before))
        std::sort(weights + begin, weights + next, before);
      begin = next;
    }
  }

  [[nodiscard]] std::atomic<std::int64_t>& cursor(std::int64_t part, std::int64_t bucket) {
    return cursors_[static_cast<std::size_t>(part * buckets_ + bucket)];
  }

  detail::row_source<Id, Weight> source_;
  const std::stop_token& stop_;
  std::int64_t rows_;
  int threads_, shift_;
  std::int64_t buckets_, parts_;
  std::vector<std::int64_t> starts_;  ///< [buckets + 1] of buckets, in the partition and the result
  /// [parts][buckets]; the staging buffers' type, though each is one thread's at a time.
  std::vector<std::atomic<std::int64_t>> cursors_;
  shared_array<Record> partition_;
  shared_array<edge_offset> offsets_;
  shared_array<Id> indices_;
  shared_array<std::conditional_t<weighted, Weight, char>> weights_;
};

}  // namespace

graph graph::transposed(const std::stop_token& stop) const {
  if (symmetric) return *this;
  require_here();
  graph out;
  detail::with_types(*this, [&]<class Id, class Weight>(Id, Weight) {
    transposition<Id, Weight>(*this, stop).run(out);
  });
  out.name = name;
  out.format = format;
  out.weight_source = weight_source;
  out.names = names;
  out.steps = steps;
  out.steps.push_back("transposed");
  return out;
}

}  // namespace gossamer
