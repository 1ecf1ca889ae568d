// Weights go to where the second halves of the packed arcs will be, and are packed there.
#include "algorithm/sssp/cuda/pack.hpp"

#include <type_traits>
#include <variant>

#include "algorithm/cuda/current_device.hpp"

namespace gossamer::sssp_detail::cuda {

namespace {

/// Their bits are the distances'.
template <class Distance>
const void* weights_of(const graph& g) {
  using weight =
      std::conditional_t<std::is_same_v<Distance, std::uint32_t>, std::int32_t, Distance>;
  return std::get<shared_array<weight>>(g.weights).data();
}

}  // namespace

template <class Distance>
std::shared_ptr<packed_arcs<Distance>> pack_arcs(const graph& g, const placed_graph& placed) {
  const device& on = placed.on()[0];
  const algorithm_detail::cuda::current_device here(on.ordinal);
  const std::int64_t n = placed.arcs();
  auto arcs = std::make_shared<packed_arcs<Distance>>(
      make_native_buffer<packed_arc<Distance>>(on, static_cast<std::size_t>(n)));
  if (n == 0) return arcs;
  copy_bytes(reinterpret_cast<Distance*>(arcs->data()) + n, weights_of<Distance>(g),
             static_cast<std::size_t>(n) * sizeof(Distance));
  const stream queue(on);
  if (placed.id_width() == 4)
    pack_in_place(queue.native(), placed.slice<vertex32>(0).columns, n, arcs->data());
  else
    pack_in_place(queue.native(), placed.slice<vertex64>(0).columns, n, arcs->data());
  event done(on.ordinal);
  done.record(queue);
  done.block(stream());  // this thread waits, with a deadline
  return arcs;
}

#define GOSSAMER_INSTANTIATE(Distance)                                              \
  template std::shared_ptr<packed_arcs<Distance>> pack_arcs<Distance>(const graph&, \
                                                                      const placed_graph&);

GOSSAMER_INSTANTIATE(std::uint32_t)
GOSSAMER_INSTANTIATE(float)
GOSSAMER_INSTANTIATE(double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail::cuda
