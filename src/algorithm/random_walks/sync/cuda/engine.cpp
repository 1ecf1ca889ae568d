// Random walks on GPUs, host side: rows are uploaded once. Ranks take slices of the walks in turn;
// a slice is walked some steps at a time, so that the host hears of a stop, and then goes to its
// place.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/upload.hpp"
#include "algorithm/random_walks/gpu.hpp"
#include "algorithm/random_walks/sync/cuda/launch.hpp"
#include "algorithm/random_walks/sync/row_sums.hpp"
#include "algorithm/random_walks/sync/walk_graph.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::random_walks_detail {

namespace {

using namespace cuda;
using algorithm_detail::array_list, algorithm_detail::counted;

std::int64_t walks_of_slice(std::int64_t length, int id_width) {
  return std::max<std::int64_t>(1, most_at_once().slice_bytes / ((length + 1) * id_width));
}

/// Of a rank, in its GPU's memory.
template <class Id>
struct rank_arrays {
  buffer<edge_offset> offsets;
  buffer<Id> columns, walks;
  buffer<std::uint64_t> up_to, row_sum;
  buffer<std::int64_t> sources;        ///< of a slice
  buffer<unsigned long long> counted;  ///< steps, and walks that ended

  void list(array_list& of, std::int64_t vertices, std::int64_t arcs, std::int64_t length,
            bool weighted) {
    const std::int64_t of_slice = walks_of_slice(length, sizeof(Id));
    of.add(offsets, vertices + 1);
    of.add(columns, arcs);
    of.add(walks, of_slice * (length + 1));
    of.add(up_to, weighted ? arcs : 0);
    of.add(row_sum, weighted ? vertices : 0);
    of.add(sources, of_slice);
    of.add(counted, 2);
  }
};

struct outcome {
  double seconds = 0, collect = 0;
  std::int64_t steps = 0, ended = 0;
};

template <class Id>
class gpu_sync final : public engine {
 public:
  explicit gpu_sync(const preparation& from)
      : on_(from.on),
        vertices_(from.of.vertices()),
        walks_of_source_(from.options.walks),
        weighted_(from.options.weighted),
        second_(counts_matter(from.options)),
        read_(read_by<Id>(from)) {
    std::shared_ptr<const row_sums> sums;
    if (weighted_) sums = row_sums_of(from.of, host().cores, from.options.run.cancel, summing_);
    const auto rows = from.of.view<Id>();
    arrays_.resize(static_cast<std::size_t>(on_.size()));
    for (int r = 0; r < on_.size(); ++r) {
      const current_device here(on_[r].ordinal);
      auto& mine = arrays_[static_cast<std::size_t>(r)];
      array_list taken(on_[r]);
      mine.list(taken, vertices_, from.of.arcs(), read_.length, weighted_);
      algorithm_detail::upload(mine.offsets, rows.offsets);
      algorithm_detail::upload(mine.columns, rows.indices);
      if (!weighted_) continue;
      algorithm_detail::upload(mine.up_to, sums->up_to.span());
      algorithm_detail::upload(mine.row_sum, sums->all.span());
    }
  }

  void run(const run_options& options, const asked_sources& sources,
           random_walks_result& result) override {
    const std::int64_t count = walks_of_source_ * (sources ? std::ssize(*sources) : vertices_);
    const auto walks = make_array<Id>(static_cast<std::size_t>(count * (read_.length + 1)));
    std::vector<outcome> outcomes(arrays_.size());
    on_.run(
        [&](rank& r) {
          r.barrier();
          const double begin = r.clock();
          outcome& out = outcomes[static_cast<std::size_t>(r.id())];
          walk_slices(r, sources, count, walks.data(), out);
          trace_run(r, "random_walks", begin, out.seconds);
          r.barrier();
        },
        options);
    const outcome& slowest = algorithm_detail::slowest_rank(outcomes);
    result.walks = walks;
    result.count = count;
    for (const outcome& of : outcomes) {
      result.steps += of.steps;
      result.ended += of.ended;
    }
    result.milliseconds = slowest.seconds * 1e3;
    result.phases = {{"sum", std::exchange(summing_, 0)},
                     {"walk", slowest.seconds},
                     {"collect", slowest.collect}};
  }

 private:
  void walk_slices(rank& r, const asked_sources& sources, std::int64_t count, Id* walks,
                   outcome& out) {
    auto& mine = arrays_[static_cast<std::size_t>(r.id())];
    const std::int64_t row = read_.length + 1, size = walks_of_slice(read_.length, sizeof(Id));
    event begun(on_[r.id()].ordinal), ended(on_[r.id()].ordinal);
    r.fill(mine.counted.data(), 0, 2 * sizeof(unsigned long long));
    for (std::int64_t first = r.id() * size; first < count; first += r.size() * size) {
      walk_slice<Id> slice{};
      slice.first = first;
      slice.count = std::min(size, count - first);
      slice.length = read_.length;
      slice.walks_of_source = walks_of_source_;
      slice.sources = sources_of(mine, sources, slice);
      slice.seed = read_.seed;
      slice.counts = read_.counts;
      slice.walks = mine.walks.data();
      slice.steps = mine.counted.data();
      slice.ended = mine.counted.data() + 1;
      for (slice.from = 0; slice.from < read_.length; slice.from = slice.to) {
        slice.to = std::min(read_.length, slice.from + most_at_once().steps);
        begun.record(r.stream());
        {
          const trace_span span(r, "walk", r.stream());
          launch_walks(r.stream().native(), std::max(1, on_[r.id()].units / on_[r.id()].share),
                       weighted_, second_, rows_of(mine), slice);
        }
        ended.record(r.stream());
        r.synchronize();
        out.seconds += ended.milliseconds_since(begun) * 1e-3;
        r.progress((static_cast<double>(first) + static_cast<double>(slice.count) *
                                                     static_cast<double>(slice.to) /
                                                     static_cast<double>(read_.length)) /
                   static_cast<double>(count));
      }
      const double before = r.clock();
      copy_bytes(walks + first * row, mine.walks.data(),
                 static_cast<std::size_t>(slice.count * row) * sizeof(Id));
      out.collect += r.clock() - before;
    }
    r.synchronize();
    unsigned long long counts[2];
    copy_bytes(counts, mine.counted.data(), sizeof counts);
    out.steps = static_cast<std::int64_t>(counts[0]);
    out.ended = static_cast<std::int64_t>(counts[1]);
  }

  /// Where the kernel finds the slice's sources, so that source 0 is that of walk 0; null of all
  /// vertices.
  const std::int64_t* sources_of(const rank_arrays<Id>& mine, const asked_sources& all,
                                 const walk_slice<Id>& slice) const {
    if (!all) return nullptr;
    const std::int64_t begin = slice.first / walks_of_source_,
                       end = (slice.first + slice.count - 1) / walks_of_source_ + 1;
    copy_bytes(mine.sources.data(), all->data() + begin,
               static_cast<std::size_t>(end - begin) * sizeof(std::int64_t));
    return mine.sources.data() - begin;
  }

  [[nodiscard]] device_rows<Id> rows_of(const rank_arrays<Id>& mine) const {
    return {mine.offsets.data(), mine.columns.data(), mine.up_to.data(),
            mine.row_sum.data(), read_.sorted,        read_.symmetric};
  }

  machine& on_;
  std::int64_t vertices_, walks_of_source_;
  bool weighted_, second_;
  walk_graph<Id> read_;
  double summing_ = 0;  ///< seconds that adding up weights took; of the first run
  std::vector<rank_arrays<Id>> arrays_;
};

}  // namespace

std::unique_ptr<engine> make_gpu(const preparation& from) {
  if (from.of.id_width() == 4) return std::make_unique<gpu_sync<vertex32>>(from);
  return std::make_unique<gpu_sync<vertex64>>(from);
}

void declare_gpu(memory_layout& l, const problem& p, const random_walks_options& options,
                 int rank) {
  const auto bytes = [&]<class Id>(Id) {
    return counted<rank_arrays<Id>>(p.vertices, p.arcs, options.length, options.weighted).own;
  };
  l.own(rank, "rows, and walks of a slice", p.id_width == 4 ? bytes(vertex32{}) : bytes(vertex64{}),
        p.arcs_are);
}

}  // namespace gossamer::random_walks_detail
