// Each row v is put together with the rows of its smaller neighbours u. What both have below u
// closes a triangle, w < u < v. Triangles are few, so their vertices' counters are shared.
#include "algorithm/triangles/sync/short_rows.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "algorithm/driver/host_threads.hpp"
#include "algorithm/driver/threads_worth.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::triangles_detail {

namespace {

/// Longer rows are worth being laid out: a row is read once for each larger neighbour.
constexpr std::int64_t longest_short = 64, most_arcs_a_vertex = 8;
constexpr std::int64_t piece = 4096;  ///< rows that a thread takes at a time, whole words of bits
/// Rows between looks for a stop: some milliseconds.
constexpr std::int64_t slice = std::int64_t{1} << 20;

bool has_short_rows(const preparation& from) {
  const graph& g = from.of;
  const std::int64_t n = g.vertices();
  if (from.on.size() != 1 || from.on[0].model != nullptr || from.options.weighted || !g.symmetric ||
      !g.sorted || g.arcs() > n * most_arcs_a_vertex)
    return false;
  std::atomic<bool> all{true};
  const edge_offset* const offsets = g.offsets.data();
  const std::stop_token& stop = from.options.run.cancel;
  for_pieces({algorithm_detail::threads_before_runs(from.on, n)}, n, 4 * piece,
             [&](std::int64_t first, std::int64_t last) {
               if (stop.stop_requested()) return;  // the run says so
               // The sign of any difference: no branch, so that the compiler takes several at once.
               edge_offset signs = 0;
               for (std::int64_t v = first; v < last; ++v)
                 signs |= longest_short - (offsets[v + 1] - offsets[v]);
               if (signs < 0) all.store(false, std::memory_order_relaxed);
             });
  return all;
}

/// Four arcs that are looked at all together.
template <class Id>
struct four_arcs {
  static constexpr edge_offset few = 4;
  using lanes [[gnu::vector_size(few * sizeof(Id))]] = Id;

  /// Nothing of 32 bytes is handed over by value: how, depends on what a processor has.
  static void read(lanes& to, const Id* from) { std::memcpy(&to, from, sizeof to); }
  /// All bits of the lanes that a row of `arcs` has.
  static void mask(lanes& to, edge_offset arcs) {
    static constexpr Id masks[2 * few] = {-1, -1, -1, -1, 0, 0, 0, 0};
    read(to, masks + few - arcs);
  }
  static Id sum(const lanes& x) { return (x[0] + x[1]) + (x[2] + x[3]); }
};

template <class Id>
class short_rows final : public engine {
 public:
  /// `looked`: seconds that it took to see that rows are short.
  short_rows(const preparation& from, double looked)
      : on_(from.on),
        graph_(from.of),
        rows_(graph_.view<Id>()),
        reader_{rows_.offsets.data(), rows_.indices.data(), graph_.arcs() - four_arcs<Id>::few},
        looked_(looked) {}

  void run(const run_options& options, triangles_result& result) override {
    const auto size = static_cast<std::size_t>(graph_.vertices());
    const auto counts = make_array<std::int64_t>(size), pairs = make_array<std::int64_t>(size);
    std::vector<std::uint64_t> closing(size / 64 + 1);
    double seconds = 0;
    on_.run(
        [&](rank& r) {
          r.barrier();
          const double begin = r.clock();
          const int threads = algorithm_detail::threads_worth(graph_.arcs(), r.dev().threads);
          {
            const trace_span span(r, "count");
            for (std::int64_t from = 0; from < graph_.vertices(); from += slice) {
              r.progress();
              for_pieces({threads}, std::min(slice, graph_.vertices() - from), piece,
                         [&](std::int64_t first, std::int64_t last) {
                           std::fill(counts.data() + from + first, counts.data() + from + last, 0);
                           look_at(from + first, from + last, pairs.data(), closing.data());
                         });
            }
            result.total = close(r, threads, closing.data(), counts.data());
          }
          seconds = r.clock() - begin;
          trace_run(r, "triangles", begin, seconds);
        },
        options);
    result.milliseconds = seconds * 1e3;
    result.phases = {{"orient", std::exchange(looked_, 0)}, {"count", seconds}, {"collect", 0.0}};
    result.counts = counts;
    result.pairs = pairs;
  }

 private:
  /// Pairs of neighbours of these rows, and a bit for each that may close a triangle. What rows
  /// have is no branch, which nobody could predict.
  void look_at(std::int64_t first, std::int64_t last, std::int64_t* pairs,
               std::uint64_t* closing) const {
    const reader rows = reader_;
    for (std::int64_t begin = first; begin < last; begin += 64) {
      std::uint64_t bits = 0;
      for (std::int64_t v = begin; v < std::min(begin + 64, last); ++v) {
        const auto [degree, smaller] = rows.shape_of(v);
        pairs[v] = std::int64_t{degree} * (degree - 1) / 2;
        bits |= std::uint64_t{smaller > 1} << (v - begin);
      }
      closing[begin / 64] = bits;
    }
  }

  /// Triangles of the rows that `closing` has.
  std::int64_t close(rank& r, int threads, const std::uint64_t* closing,
                     std::int64_t* counts) const {
    const std::int64_t n = graph_.vertices();
    std::int64_t all = 0;
    for (std::int64_t first = 0; first < n; first += slice) {
      r.progress(static_cast<double>(first) / static_cast<double>(n));
      all += sum_pieces<std::int64_t>(
          {threads}, std::min(slice, n - first), piece,
          [&](std::int64_t from, std::int64_t to, std::int64_t& sum) {
            const reader rows = reader_;
            for (std::int64_t begin = first + from; begin < first + to; begin += 64)
              for (std::uint64_t left = closing[begin / 64]; left != 0; left &= left - 1) {
                const auto v = static_cast<Id>(begin + std::countr_zero(left));
                if (!rows.surely_open(v)) sum += close_row(v, counts);
              }
          });
    }
    return all;
  }

  /// Of a row without loops and parallel arcs: how many neighbours, and how many smaller ones.
  struct row_shape {
    Id degree = 0, smaller = 0;
  };

  /// A copy that no store can change, as far as the compiler knows.
  struct reader {
    using four = four_arcs<Id>;
    const edge_offset* offsets;
    const Id* columns;
    edge_offset last_four;  ///< the last place that four arcs can be read at

    /// Whether a row may be read as if it had four arcs.
    [[nodiscard]] bool readable(edge_offset begin, edge_offset end) const {
      return (end - begin <= four::few) & (begin <= last_four);
    }

    [[nodiscard]] row_shape shape_of(std::int64_t v) const {
      const edge_offset begin = offsets[v], end = offsets[v + 1];
      const auto own = static_cast<Id>(v);
      if (readable(begin, end)) {
        typename four::lanes row, has;
        four::read(row, columns + begin);
        four::mask(has, end - begin);
        const typename four::lanes before = {-1, row[0], row[1], row[2]};
        has &= row != before;
        const Id both = four::sum(has & (((row != own) & 1) + ((row < own) & 16)));
        return {static_cast<Id>(both & 15), static_cast<Id>(both >> 4)};
      }
      row_shape shape;
      Id last = -1;
      for (edge_offset i = begin; i < end; ++i) {
        const Id u = columns[i];
        shape.degree += static_cast<Id>((u != last) & (u != own));
        shape.smaller += static_cast<Id>((u != last) & (u < own));
        last = u;
      }
      return shape;
    }

    /// True of rows with two smaller neighbours that have no arc, and few others.
    [[nodiscard]] bool surely_open(Id v) const {
      const edge_offset begin = offsets[v], end = offsets[v + 1];
      if (!readable(begin, end)) return false;
      const Id* const row = columns + begin;
      const Id w = row[0], u = row[1];
      if ((w == u) | ((end - begin > 2) & (row[2] < v))) return false;
      const edge_offset from = offsets[u], to = offsets[u + 1];
      if (!readable(from, to)) return false;
      typename four::lanes other, has;
      four::read(other, columns + from);
      four::mask(has, to - from);
      return four::sum((other == w) & has) == 0;
    }
  };

  std::int64_t close_row(Id v, std::int64_t* counts) const {
    const Id* const columns = rows_.indices.data();
    std::array<Id, longest_short + 1> smaller;  // each once
    std::size_t k = 0;
    for (edge_offset i = rows_.offsets[v]; i < rows_.offsets[v + 1] && columns[i] < v; ++i)
      if (k == 0 || columns[i] != smaller[k - 1]) smaller[k++] = columns[i];
    std::int64_t found = 0;
    // The smallest has no other below it.
    for (std::size_t j = 1; j < k; ++j) {
      const Id u = smaller[j];
      std::size_t at = 0;
      for (edge_offset i = rows_.offsets[u]; at < j; ++i) {
        const Id w = columns[i];  // v itself is in the row, and larger
        while (at < j && smaller[at] < w) ++at;
        if (at == j || smaller[at] != w) continue;
        ++at;
        ++found;
        for (const Id corner : {w, u, v})
          std::atomic_ref(counts[corner]).fetch_add(1, std::memory_order_relaxed);
      }
    }
    return found;
  }

  machine& on_;
  graph graph_;
  csr_view<Id> rows_;
  reader reader_;
  double looked_;
};

}  // namespace

std::unique_ptr<engine> make_short_rows(const preparation& from) {
  const auto begin = std::chrono::steady_clock::now();
  if (!has_short_rows(from)) return nullptr;
  const std::chrono::duration<double> looked = std::chrono::steady_clock::now() - begin;
  if (from.of.id_width() == 4) return std::make_unique<short_rows<vertex32>>(from, looked.count());
  return std::make_unique<short_rows<vertex64>>(from, looked.count());
}

}  // namespace gossamer::triangles_detail
