// Engine host of shortest paths on a CPU rank beside GPU ranks: the list that its thread works off.
#include "algorithm/sssp/async/host.hpp"

#include "algorithm/host_driven/cpu_list.hpp"
#include "algorithm/sssp/async/from_source.hpp"
#include "algorithm/sssp/async/shortest_sums.hpp"
#include "algorithm/sssp/instances.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::sssp_detail {

namespace {

template <class Id, class Distance>
using list_of = algorithm_detail::cpu_list<shortest_sums<Distance>, Id, weight_of<Distance>,
                                           from_source<Distance>>;

template <class Id, class Distance>
class cpu_search final : public rank_search<Distance> {
 public:
  cpu_search(const weighted_rows<Id, Distance>& rows, const placed_graph& g, int self,
             const algorithm_detail::list_drive& how)
      : begin_(rows.first),
        list_(g.on(), {},
              {g.bounds()[static_cast<std::size_t>(self) + 1] - rows.first, rows.offsets,
               rows.columns, rows.weights},
              g.bounds(), self, how.options) {}

  void run(rank& r, std::int64_t source, Distance* distances, outcome& out) override {
    {
      const trace_span span(r, "relax");
      list_.run(r, {static_cast<std::int32_t>(source)});
    }
    list_.download(distances + begin_);
    out.work = list_.counters();
    out.counts = {out.work->arcs, out.work->windows};
  }

 private:
  std::int64_t begin_;
  list_of<Id, Distance> list_;
};

}  // namespace

template <class Id, class Distance>
std::unique_ptr<rank_search<Distance>> make_cpu_list(const weighted_rows<Id, Distance>& rows,
                                                     const placed_graph& g, int self,
                                                     const algorithm_detail::list_drive& how) {
  return std::make_unique<cpu_search<Id, Distance>>(rows, g, self, how);
}

void declare_cpu_list(memory_layout& l, const machine& m, const problem& p, int self,
                      const algorithm_detail::list_drive& how) {
  const auto memory =
      p.weight_bytes == 8 ? &list_of<vertex32, double>::memory : &list_of<vertex32, float>::memory;
  declare_list(l, self, memory(m, p.rows.bounds, self, how.options), "distances, lists and marks",
               p.rows.rows_are);
}

#define GOSSAMER_INSTANTIATE(Id, Distance)                                     \
  template std::unique_ptr<rank_search<Distance>> make_cpu_list<Id, Distance>( \
      const weighted_rows<Id, Distance>&, const placed_graph&, int,            \
      const algorithm_detail::list_drive&);
GOSSAMER_SSSP_TYPES(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail
