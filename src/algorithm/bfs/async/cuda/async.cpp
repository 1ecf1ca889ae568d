// Engines async and host on GPUs, host side.
#include "algorithm/bfs/async/cuda/async.hpp"

#include <vector>

#include "algorithm/bfs/async/gpu.hpp"
#include "algorithm/bfs/async/report.hpp"
#include "algorithm/bfs/cuda/result_pool.hpp"
#include "algorithm/bfs/smallest_parents/cuda/smallest_parents_of.hpp"
#include "algorithm/driver/vertex_worklist.hpp"
#include "algorithm/host_driven/cuda/driven_list.hpp"
#include "gossamer/collective/termination.hpp"
#include "gossamer/dataflow/worklist/cuda/rows.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail {

namespace {

using cuda::from_vertex;
using cuda::result_arrays, cuda::result_pool;
using engine = algorithm_detail::cuda::driven_list<unit_steps<vertex32>, no_weight, from_vertex>;

/// Vertices up to this many steps behind the nearest deferred ones are worked on together, on
/// networks (road:5000 on an H200: 8 takes 41.8 ms, 32 36.3, 128 34.8); elsewhere all are, whose
/// levels are few and wide.
constexpr double network_window = 128;

std::vector<std::int64_t> starts_of(const ownership_sizes& owners) {
  std::vector<std::int64_t> first{0};
  for (int r = 0; r < owners.ranks(); ++r) first.push_back(first.back() + owners.local_size(r));
  return first;
}

/// Of the rows that this process has. Others may go by another number, and have other windows: they
/// decide the order of work alone.
std::int64_t longest_row(const placed_graph& g) {
  std::int64_t longest = 0;
  if (g.whole()) {
    for (std::int64_t v = 0; v < g.vertices(); ++v) longest = std::max(longest, g.degree(v));
    return longest;
  }
  for (int r = 0; r < g.on().size(); ++r) {  // a copy a rank, not one a vertex
    if (!g.on().here(r)) continue;
    const graph_slice<vertex32>& slice = g.slice<vertex32>(r);
    std::vector<edge_offset> offsets(static_cast<std::size_t>(slice.rows) + 1);
    copy_bytes(offsets.data(), slice.offsets, offsets.size() * sizeof(edge_offset));
    for (std::size_t i = 1; i < offsets.size(); ++i)
      longest = std::max(longest, offsets[i] - offsets[i - 1]);
  }
  return longest;
}

bool has_short_rows(const placed_graph& g) {
  return dataflow::short_in_the_mean(g.vertices(), g.arcs()) &&
         longest_row(g) <= dataflow::longest_short_row;
}

algorithm_detail::list_drive drive_of(const bfs_options& options, bool short_rows) {
  return algorithm_detail::drive_of("bfs", options, options.engine,
                                    short_rows ? network_window : 0);
}

class gpu_async final : public rank_search<vertex32> {
 public:
  gpu_async(const placed_graph& g, int rank, const bfs_options& options)
      : gpu_async(g, rank, options, has_short_rows(g)) {}

  void begin(rank& r, std::int64_t source_local) override {
    if (result_.none()) result_ = pool_.take();
    sent_ = {};
    source_ = source_local < 0
                  ? -1
                  : static_cast<std::int32_t>(graph_.owners().global(rank_, source_local));
    fill_bytes(memory_kind::device, device_.ordinal, arcs_.data(), 0, 8);
    engine_.begin(r);
  }

  void traverse(rank& r, traversal& out) override {
    {
      const trace_span span(r, "traverse", r.stream());
      out.seconds = engine_.run(r, {source_});
      before_.record(r.stream());
      if (slice_.rows > 0)
        cuda::settle(r.stream().native(), slice_.rows, engine_.own_values(), slice_.offsets,
                     result_.parents(), result_.depths(), arcs_.data());
      after_.record(r.stream());
    }
    r.synchronize();
    out.seconds += after_.milliseconds_since(before_) * 1e-3;
    const worklist_counters& work = engine_.counters();
    sent_.out = {work.windows, work.parcels, work.bytes, untold};
    sent_.flag.seconds = untold;
    sent_.flag.rounds = work.rounds;
    sent_.flag.messages = work.rounds * (r.size() - 1);
    sent_.flag.bytes = sent_.flag.messages * static_cast<std::int64_t>(sizeof(work_report));
    // For the report alone.
    unsigned long long arcs = 0;
    copy_bytes(&arcs, arcs_.data(), sizeof arcs);
    std::vector<std::int32_t> depths(static_cast<std::size_t>(slice_.rows));
    copy_bytes(depths.data(), result_.depths(), depths.size() * sizeof(std::int32_t));
    report_depths(r, depths, static_cast<std::int64_t>(arcs), work, out);
  }

  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override {
    cuda::smallest_parents_of(r, graph_, slice_, result_.parents(), result_.depths(), all_depths);
  }
  [[nodiscard]] traffic_by_kind sent() const override { return sent_; }
  [[nodiscard]] bfs_result::part take_part() override { return pool_.lend(result_); }

 private:
  gpu_async(const placed_graph& g, int rank, const bfs_options& options, bool short_rows)
      : graph_(g),
        device_(g.on()[rank]),
        rank_(rank),
        slice_(g.slice<vertex32>(rank)),
        engine_(drive_of(options, short_rows), g.on(), {},
                dataflow::cuda::slice_arcs<no_weight>(device_, slice_).rows(),
                starts_of(ownership_sizes(g.owners())), rank, short_rows),
        pool_(device_, rank, slice_.rows),
        arcs_(make_native_buffer<unsigned long long>(device_, 1)),
        before_(device_.ordinal),
        after_(device_.ordinal) {}

  const placed_graph& graph_;
  const device device_;
  const int rank_;
  const graph_slice<vertex32> slice_;
  engine engine_;
  result_pool<vertex32> pool_;
  result_arrays<vertex32> result_;
  buffer<unsigned long long> arcs_;
  event before_, after_;
  std::int32_t source_ = -1;
  traffic_by_kind sent_;
};

}  // namespace

void check_gpu_async(const placed_graph& g, const bfs_options& options) {
  const std::string engine = "engine '" + options.engine + "'";
  if (g.id_width() != 4)
    throw not_compiled(engine + " of bfs on GPUs with ids of 64 bits",
                       "a vertex's value is one word there");
  const auto first = starts_of(ownership_sizes(g.owners()));
  for (int r = 0; r < g.on().size(); ++r)
    require(g.owners().local_size(r) == 0 ||
                (g.owners().contiguous() &&
                 g.owners().global(r, 0) == first[static_cast<std::size_t>(r)]),
            "bfs: " + engine + " on GPUs needs ranks that own ranges of placed ids");
}

std::unique_ptr<rank_search<vertex32>> make_gpu_async(const placed_graph& g, int rank,
                                                      const bfs_options& options) {
  return std::make_unique<gpu_async>(g, rank, options);
}

algorithm_detail::listed_bytes gpu_async_bytes(const planned_rank& p, const bfs_options& options) {
  const auto b = engine::memory(p.on, starts_of(p.owners), p.self, 0, drive_of(options, false));
  return {b.work + algorithm_detail::aligned(8), static_cast<std::int64_t>(b.windows.native),
          static_cast<std::int64_t>(b.windows.host)};
}

}  // namespace gossamer::bfs_detail
