// Engines async and host of shortest paths on GPUs, host side.
#include "algorithm/host_driven/cuda/driven_list.hpp"
#include "algorithm/sssp/async/from_source.hpp"
#include "algorithm/sssp/cuda/pack.hpp"
#include "algorithm/sssp/instances.hpp"
#include "algorithm/sssp/rank_search.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::sssp_detail {

namespace {

template <class Distance>
using driven_for = algorithm_detail::cuda::driven_list<shortest_sums<Distance>, weight_of<Distance>,
                                                       from_source<Distance>>;

template <class Distance>
class gpu_worklist final : public rank_search<Distance> {
 public:
  gpu_worklist(const weighted_placement& on, int self, const algorithm_detail::list_drive& how,
               bool short_rows)
      : arcs_(cuda::packed_of<Distance>(on)),
        engine_(how, on.placed.on(), {}, cuda::rows_of(on.placed, *arcs_, self), on.placed.bounds(),
                self, short_rows),
        begin_(on.placed.bounds()[static_cast<std::size_t>(self)]) {
    auto* const kernel = engine_.kernel();
    if (kernel == nullptr) return;
    kernel->adapt_windows();
    kernel->pull_back(on.of.symmetric);
  }

  void run(rank& r, std::int64_t source, Distance* distances, outcome& out) override {
    engine_.begin(r);
    {
      const trace_span span(r, "relax", r.stream());
      out.seconds = engine_.run(r, {static_cast<std::int32_t>(source)});
    }
    engine_.download(distances + begin_);
    out.work = engine_.counters();
    out.counts = {out.work->arcs, out.work->windows};
  }

 private:
  std::shared_ptr<const cuda::packed_arcs<Distance>> arcs_;
  driven_for<Distance> engine_;
  std::int64_t begin_;
};

}  // namespace

template <class Distance>
std::unique_ptr<rank_search<Distance>> make_gpu_worklist(const weighted_placement& on, int self,
                                                         const algorithm_detail::list_drive& how,
                                                         bool short_rows) {
  return std::make_unique<gpu_worklist<Distance>>(on, self, how, short_rows);
}

void declare_gpu_worklist(memory_layout& l, const machine& m, const problem& p, int self,
                          const algorithm_detail::list_drive& how) {
  const std::int64_t arcs = p.rows.arcs[static_cast<std::size_t>(self)];
  const auto memory =
      p.weight_bytes == 8 ? &driven_for<double>::memory : &driven_for<float>::memory;
  l.rows(self, cuda::packed_purpose, cuda::packed_bytes(arcs, p.weight_bytes), p.rows.arcs_are);
  declare_list(l, self, memory(m, p.rows.bounds, self, arcs, how), "distances, lists and marks",
               p.rows.rows_are);
}

GOSSAMER_SSSP_DISTANCES(GOSSAMER_SSSP_GPU_WORKLIST)

}  // namespace gossamer::sssp_detail
