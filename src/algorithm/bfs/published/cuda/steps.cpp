// Paper B's steps on a GPU rank, host side. All but begin(), merge() and tree() return at once.
#include "algorithm/bfs/published/steps.hpp"

#include "algorithm/bfs/cuda/result_pool.hpp"
#include "algorithm/bfs/published/cuda/marks.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail {

namespace cuda {

namespace {

/// What it takes of the GPU.
struct marking_arrays {
  buffer<std::int32_t> frontier;  ///< local indices
  buffer<std::int64_t> first;     ///< outgoing_parts()
  buffer<counters> count;

  void list(algorithm_detail::array_list& of, std::int64_t rows, int ranks) {
    of.add(frontier, rows);
    of.add(first, ranks + 1);
    of.add(count, 1);
  }
};

template <class Id>
class gpu_published final : public published_steps<Id> {
 public:
  gpu_published(const placed_graph& g, int rank)
      : slice_(g.slice<Id>(rank)), pool_(g.on()[rank], rank, slice_.rows) {
    const device& on = g.on()[rank];
    algorithm_detail::array_list taken(on);
    arrays_.list(taken, slice_.rows, g.owners().ranks());
    const auto first = outgoing_parts(g.owners(), rank);
    copy_bytes(arrays_.first.data(), first.data(), first.size() * sizeof(std::int64_t));
    report_ = buffer<report>(memory_kind::pinned, on.ordinal, 1);
    view_.rows = slice_.rows;
    view_.offsets = slice_.offsets;
    view_.columns = slice_.columns;
    view_.next = arrays_.frontier.data();
    view_.count = arrays_.count.data();
    view_.out = report_.data();
    view_.own = g.owners_at(rank);
    view_.me = rank;
  }

  void begin(rank& r, const published_windows& w, std::int64_t source_local) override {
    if (result_.none()) result_ = pool_.take();
    view_.parents = result_.parents();
    view_.depths = result_.depths();
    const auto rows = static_cast<std::size_t>(slice_.rows);
    r.fill(view_.parents, 0xff, rows * sizeof(Id));
    r.fill(view_.depths, 0xff, rows * sizeof(std::int32_t));
    r.fill(view_.count, 0, sizeof(counters));
    clear(r, w);
    if (source_local >= 0) enter_frontier(site_of(r), view_, source_local);
    frontier_ = source_local < 0 ? 0 : 1;
    r.synchronize();
  }

  void expand(rank& r, const published_windows& w, std::int32_t depth) override {
    const trace_span span(r, "expand", r.stream());
    view_.depth = depth;
    if (frontier_ > 0)
      mark_neighbours(site_of(r), view_, frontier_, {w.outgoing.data(), arrays_.first.data()});
  }

  step_result merge(rank& r, const published_windows& w, std::int32_t) override {
    *report_.data() = {};
    if (slice_.rows > 0) {
      const trace_span span(r, "merge", r.stream());
      merge_marks(site_of(r), view_, w.inbox.local().data());
    }
    r.synchronize();
    frontier_ = report_.data()->vertices;
    return {frontier_, report_.data()->arcs};
  }

  void clear(rank& r, const published_windows& w) override {
    const trace_span span(r, "clear", r.stream());
    r.fill(w.outgoing.data(), 0xff, w.outgoing.size_bytes());
  }

  void tree(rank& r, std::int64_t* into) override {
    if (slice_.rows > 0) widen_parents(site_of(r), view_.parents, slice_.rows, into);
    r.synchronize();
  }

  [[nodiscard]] bfs_result::part take_part() override { return pool_.lend(result_); }

 private:
  const graph_slice<Id> slice_;
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  marking_arrays arrays_;
  buffer<report> report_;  // pinned
  level_view<Id> view_{};
  std::int64_t frontier_ = 0;
};

}  // namespace

}  // namespace cuda

template <class Id>
std::unique_ptr<published_steps<Id>> make_cuda_published(const placed_graph& g, int rank) {
  return std::make_unique<cuda::gpu_published<Id>>(g, rank);
}
GOSSAMER_PUBLISHED_STEPS(make_cuda_published)

algorithm_detail::listed_bytes cuda_published_bytes(const planned_rank& p) {
  return algorithm_detail::counted<cuda::marking_arrays>(p.rows(), p.ranks());
}

}  // namespace gossamer::bfs_detail
