// Engine host of shortest paths, host side.
#include "algorithm/cuda/host_worklist/engine.hpp"
#include "algorithm/sssp/cuda/from_source.hpp"
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
  template <class Id>
  host_worklist(const machine& m, const weighted_rows<Id, Distance>& rows,
                const std::vector<std::int64_t>& first, int self,
                const algorithm_detail::host_list_options& options, bool short_rows)
      : graph_(make_host_graph(m, first, sizeof(Distance), options)),
        engine_(m[self], {}, rows.offsets, rows.columns, rows.weights, first, self, options,
                short_rows),
        begin_(first[static_cast<std::size_t>(self)]) {}

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
  host_list_for<Distance> engine_;
  std::int64_t begin_;
};

}  // namespace

template <class Id, class Distance>
std::unique_ptr<worklist_search<Distance>> make_host_worklist(
    const machine& m, const weighted_rows<Id, Distance>& rows,
    const std::vector<std::int64_t>& first, int self,
    const algorithm_detail::host_list_options& options, bool short_rows) {
  return std::make_unique<host_worklist<Distance>>(m, rows, first, self, options, short_rows);
}

gpu_worklist_bytes host_worklist_bytes_of(const std::vector<std::int64_t>& first, int self,
                                          std::int64_t arcs, int distance_bytes,
                                          algorithm_detail::message_route route) {
  const algorithm_detail::cuda::host_list_bytes b(
      distance_bytes == 8 ? host_list_for<double>::sizes(first, self, arcs, route)
                          : host_list_for<float>::sizes(first, self, arcs, route));
  return {b.rows, b.work, 0};
}

#define GOSSAMER_INSTANTIATE(Id, Distance)                                                       \
  template std::unique_ptr<worklist_search<Distance>> make_host_worklist(                        \
      const machine&, const weighted_rows<Id, Distance>&, const std::vector<std::int64_t>&, int, \
      const algorithm_detail::host_list_options&, bool);

GOSSAMER_INSTANTIATE(vertex32, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex32, float)
GOSSAMER_INSTANTIATE(vertex32, double)
GOSSAMER_INSTANTIATE(vertex64, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex64, float)
GOSSAMER_INSTANTIATE(vertex64, double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail
