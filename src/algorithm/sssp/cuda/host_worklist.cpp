// Engine host of shortest paths, host side.
#include "algorithm/cuda/host_worklist/engine.hpp"
#include "algorithm/sssp/cuda/from_source.hpp"
#include "algorithm/sssp/cuda/pack.hpp"
#include "algorithm/sssp/host_search.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::sssp_detail {

namespace {

template <class Distance>
using host_list_for =
    algorithm_detail::cuda::host_list_engine<shortest_sums<Distance>, weight_of<Distance>,
                                             cuda::from_source<Distance>>;

template <class Distance>
class host_worklist final : public worklist_search<Distance> {
 public:
  host_worklist(const weighted_placement& on, int self,
                const algorithm_detail::host_list_options& options, bool short_rows)
      : graph_(make_host_graph(on.placed.on(), on.placed.bounds(), sizeof(Distance), options)),
        arcs_(cuda::packed_of<Distance>(on)),
        engine_(on.placed.on()[self], {}, cuda::rows_of(on.placed, *arcs_, self),
                on.placed.bounds(), self, options, short_rows),
        begin_(on.placed.bounds()[static_cast<std::size_t>(self)]) {}

  search_counts run(rank& r, std::int64_t source, Distance* distances, peer_times& times,
                    double& seconds) override {
    {
      const trace_span span(r, "relax", r.stream());
      seconds = engine_.run(r, graph_, {static_cast<std::int32_t>(source)});
    }
    engine_.download(distances + begin_);
    times = {};
    return {work().arcs, work().windows};
  }
  [[nodiscard]] worklist_counters work() const override { return engine_.counters(); }

 private:
  algorithm_detail::host_list_graph graph_;
  std::shared_ptr<const cuda::packed_arcs<Distance>> arcs_;
  host_list_for<Distance> engine_;
  std::int64_t begin_;
};

}  // namespace

template <class Distance>
std::unique_ptr<worklist_search<Distance>> make_host_worklist(
    const weighted_placement& on, int self, const algorithm_detail::host_list_options& options,
    bool short_rows) {
  return std::make_unique<host_worklist<Distance>>(on, self, options, short_rows);
}

gpu_worklist_bytes host_worklist_bytes_of(const std::vector<std::int64_t>& first, int self,
                                          std::int64_t arcs, int distance_bytes,
                                          algorithm_detail::message_route route) {
  const algorithm_detail::cuda::host_list_bytes b(
      distance_bytes == 8 ? host_list_for<double>::sizes(first, self, arcs, route)
                          : host_list_for<float>::sizes(first, self, arcs, route));
  return {cuda::packed_bytes(arcs, distance_bytes), b.work, 0};
}

#define GOSSAMER_INSTANTIATE(Distance)                                              \
  template std::unique_ptr<worklist_search<Distance>> make_host_worklist<Distance>( \
      const weighted_placement&, int, const algorithm_detail::host_list_options&, bool);

GOSSAMER_INSTANTIATE(std::uint32_t)
GOSSAMER_INSTANTIATE(float)
GOSSAMER_INSTANTIATE(double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail
