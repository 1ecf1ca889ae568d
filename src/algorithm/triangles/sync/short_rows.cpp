// Each row v is put together with the rows of its smaller neighbours u. What both have below u
// closes a triangle, w < u < v. Triangles are few, so their vertices' counters are shared.
#include "algorithm/triangles/sync/short_rows.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

#include "algorithm/driver/host_threads.hpp"
#include "algorithm/driver/threads_worth.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::triangles_detail {

namespace {

/// Longer rows are worth being laid out: a row is read once for each larger neighbour.
constexpr std::int64_t longest_short = 64, most_arcs_a_vertex = 8;
constexpr std::int64_t piece = 4096;  ///< rows that a thread takes at a time
/// Rows between looks for a stop: some milliseconds.
constexpr std::int64_t slice = std::int64_t{1} << 20;

bool has_short_rows(const preparation& from) {
  const graph& g = from.of;
  const std::int64_t n = g.vertices();
  if (from.on.size() != 1 || from.on[0].model != nullptr || from.options.weighted || !g.symmetric ||
      !g.sorted || g.arcs() > n * most_arcs_a_vertex)
    return false;
  std::atomic<bool> all{true};
  for_pieces(
      {algorithm_detail::threads_before_runs(from.on, n)}, n, 16 * piece,
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t v = first; v < last; ++v)
          if (g.offsets[static_cast<std::size_t>(v) + 1] - g.offsets[static_cast<std::size_t>(v)] >
              longest_short)
            all.store(false, std::memory_order_relaxed);
      });
  return all;
}

template <class Id>
class short_rows final : public engine {
 public:
  /// `looked`: seconds that it took to see that rows are short.
  short_rows(const preparation& from, double looked)
      : on_(from.on), graph_(from.of), rows_(graph_.view<Id>()), looked_(looked) {}

  void run(const run_options& options, triangles_result& result) override {
    const auto size = static_cast<std::size_t>(graph_.vertices());
    const auto counts = make_array<std::int64_t>(size), pairs = make_array<std::int64_t>(size);
    double seconds = 0;
    on_.run(
        [&](rank& r) {
          r.barrier();
          const double begin = r.clock();
          const int threads = algorithm_detail::threads_worth(graph_.arcs(), r.dev().threads);
          {
            const trace_span span(r, "count");
            result.total = count(r, threads, counts.data(), pairs.data());
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
  std::int64_t count(rank& r, int threads, std::int64_t* counts, std::int64_t* pairs) const {
    const std::int64_t n = graph_.vertices();
    for_pieces({threads}, n, piece, [&](std::int64_t first, std::int64_t last) {
      std::fill(counts + first, counts + last, 0);
    });
    std::int64_t all = 0;
    for (std::int64_t first = 0; first < n; first += slice) {
      r.progress(static_cast<double>(first) / static_cast<double>(n));
      all += sum_pieces<std::int64_t>({threads}, std::min(slice, n - first), piece,
                                      [&](std::int64_t from, std::int64_t to, std::int64_t& sum) {
                                        for (std::int64_t v = first + from; v < first + to; ++v)
                                          sum += count_row(v, counts, pairs);
                                      });
    }
    return all;
  }

  std::int64_t count_row(std::int64_t v, std::int64_t* counts, std::int64_t* pairs) const {
    const Id* const columns = rows_.indices.data();
    const auto own = static_cast<Id>(v);
    // Neighbours, each once. What a row has is no branch, which nobody could predict.
    std::array<Id, longest_short + 1> smaller;
    std::size_t k = 0;
    std::int64_t degree = 0, found = 0;
    Id last = -1;
    for (edge_offset i = rows_.offsets[v]; i < rows_.offsets[v + 1]; ++i) {
      const Id u = columns[i];
      const bool first = u != last;
      last = u;
      smaller[k] = u;
      k += static_cast<std::size_t>(first & (u < own));
      degree += static_cast<std::int64_t>(first & (u != own));
    }
    pairs[v] = degree * (degree - 1) / 2;
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
        for (const std::int64_t corner : {static_cast<std::int64_t>(w), std::int64_t{u}, v})
          std::atomic_ref(counts[corner]).fetch_add(1, std::memory_order_relaxed);
      }
    }
    return found;
  }

  machine& on_;
  graph graph_;
  csr_view<Id> rows_;
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
