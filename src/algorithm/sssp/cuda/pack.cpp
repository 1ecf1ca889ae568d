// Packs each GPU's slice with its weights and keeps the result with the graph, so that later
// searches find it.
#include "algorithm/sssp/cuda/pack.hpp"

#include "algorithm/layouts/cuda/pack_arcs.hpp"
#include "algorithm/sssp/instances.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/placement/kept.hpp"
#include "gossamer/placement/slice_weights.hpp"

namespace gossamer::sssp_detail::cuda {

namespace {

/// Of one rank. A weight's bits are a distance's.
template <class Id, class Distance>
buffer<packed_arc<Distance>> pack_slice(const graph& g, const weighted_placement& of, int rank) {
  const placed_graph& placed = of.placed;
  const device& on = placed.on()[rank];
  const current_device here(on.ordinal);
  const graph_slice<Id>& slice = placed.slice<Id>(rank);
  const auto n = static_cast<std::size_t>(slice.arcs);
  using arc = packed_arc<Distance>;
  const auto there = of.needs.pages_on_device(rank, packed_purpose);
  buffer<arc> arcs = there ? buffer<arc>(on.ordinal, last_pages(n * sizeof(arc), *there), n)
                           : make_native_buffer<arc>(on, n);
  const auto& weights = std::get<shared_array<weight_of<Distance>>>(g.weights);
  // Those of a graph on a GPU lie there, and are the only rank's.
  const auto own = g.gpu >= 0 ? weights : slice_weights<Id>(placed, rank, weights);
  using word = std::conditional_t<sizeof(Distance) == 8, std::uint64_t, std::uint32_t>;
  using dataflow::cuda::device_arc;
  algorithm_detail::cuda::pack_arcs(on, slice.columns, reinterpret_cast<const word*>(own.data()),
                                    slice.arcs, reinterpret_cast<device_arc<word>*>(arcs.data()));
  return arcs;
}

template <class Distance>
packed_arcs<Distance> pack(const graph& g, const weighted_placement& of) {
  const placed_graph& placed = of.placed;
  packed_arcs<Distance> all;
  for (int r = 0; r < placed.on().size(); ++r)
    if (!placed.on().here(r) || !placed.on()[r].is_cuda())
      all.emplace_back();
    else if (placed.id_width() == 4)
      all.push_back(pack_slice<vertex32, Distance>(g, of, r));
    else
      all.push_back(pack_slice<vertex64, Distance>(g, of, r));
  return all;
}

}  // namespace

template <class Distance>
std::shared_ptr<const packed_arcs<Distance>> packed_of(const weighted_placement& of) {
  return kept::shared<packed_arcs<Distance>>(
      of.placed.on(), of.of,
      kept::text(packed_purpose, kept::layout_text(of.placed.on(), of.how), of.needs.spilled()),
      [&](const graph& bare) {
        return std::make_shared<packed_arcs<Distance>>(pack<Distance>(bare, of));
      });
}

std::int64_t packed_bytes(std::int64_t arcs, int distance_bytes) {
  return arcs * 2 * distance_bytes;
}

#define GOSSAMER_INSTANTIATE(Distance)                                       \
  template std::shared_ptr<const packed_arcs<Distance>> packed_of<Distance>( \
      const weighted_placement&);
GOSSAMER_SSSP_DISTANCES(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail::cuda
