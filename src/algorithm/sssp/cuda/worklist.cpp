// Engine async of shortest paths on GPUs, host side.
#include "algorithm/sssp/cuda/from_source.hpp"
#include "algorithm/sssp/cuda/pack.hpp"
#include "algorithm/sssp/worklist_search.hpp"
#include "gossamer/dataflow/worklist/cuda/engine.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::sssp_detail {

namespace {

template <class Distance>
using worklist_for = dataflow::cuda::worklist_engine<shortest_sums<Distance>, weight_of<Distance>,
                                                     cuda::from_source<Distance>>;

template <class Distance>
class gpu_worklist final : public worklist_search<Distance> {
 public:
  gpu_worklist(const weighted_placement& on, int self, double delta, bool short_rows)
      : arcs_(cuda::packed_of<Distance>(on)),
        engine_("sssp", on.placed.on()[self], {}, cuda::rows_of(on.placed, *arcs_, self),
                on.placed.bounds(), self, delta, short_rows),
        begin_(on.placed.bounds()[static_cast<std::size_t>(self)]) {
    engine_.pull_back(on.of.symmetric);
  }

  search_counts run(rank& r, std::int64_t source, Distance* distances, peer_times& times,
                    double& seconds) override {
    engine_.begin(r);
    {
      const trace_span span(r, "relax", r.stream());
      seconds = engine_.run(r, {static_cast<std::int32_t>(source)});
    }
    engine_.download(distances + begin_);
    times = {};
    return {work().arcs, work().windows};
  }
  [[nodiscard]] worklist_counters work() const override { return engine_.counters(); }

 private:
  std::shared_ptr<const cuda::packed_arcs<Distance>> arcs_;
  worklist_for<Distance> engine_;
  std::int64_t begin_;
};

}  // namespace

template <class Distance>
std::unique_ptr<worklist_search<Distance>> make_gpu_worklist(const weighted_placement& on, int self,
                                                             double delta, bool short_rows) {
  return std::make_unique<gpu_worklist<Distance>>(on, self, delta, short_rows);
}

gpu_worklist_bytes gpu_worklist_bytes_of(const std::vector<std::int64_t>& first, int self,
                                         std::int64_t arcs, int distance_bytes) {
  const dataflow::cuda::list_bytes b(distance_bytes == 8
                                         ? worklist_for<double>::sizes(first, self, arcs)
                                         : worklist_for<float>::sizes(first, self, arcs));
  return {cuda::packed_bytes(arcs, distance_bytes), b.work, b.windows};
}

#define GOSSAMER_INSTANTIATE(Distance)                                             \
  template std::unique_ptr<worklist_search<Distance>> make_gpu_worklist<Distance>( \
      const weighted_placement&, int, double, bool);

GOSSAMER_INSTANTIATE(std::uint32_t)
GOSSAMER_INSTANTIATE(float)
GOSSAMER_INSTANTIATE(double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail
