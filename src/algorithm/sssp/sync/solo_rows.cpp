// Copies the rows into (column, weight) pairs, reordered by degree if the graph is skewed, and puts
// distances back in the caller's order.
#include "algorithm/sssp/sync/solo_rows.hpp"

#include <span>

#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/layouts/hub_order.hpp"
#include "algorithm/sssp/instances.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::sssp_detail {

namespace {

constexpr std::int64_t piece = 4096;

}  // namespace

template <class Id, class Distance>
solo_rows<Id, Distance>::solo_rows(const weighted_rows<Id, Distance>& rows, int with_threads)
    : vertices(rows.vertices), threads(with_threads) {
  const auto n = static_cast<std::size_t>(vertices);
  const std::span<const edge_offset> old(rows.offsets, n + 1);
  if (algorithm_detail::count_degrees(old).skewed) {
    const std::int64_t whole[] = {0, vertices};
    position = algorithm_detail::hub_positions<Id>(old, whole);
  }
  if (!reordered()) {
    offsets = algorithm_detail::row_offsets(old);
  } else {
    auto of_places = make_array<edge_offset>(n + 1);
    of_places[0] = 0;
    for (std::int64_t v = 0; v < vertices; ++v) of_places[place(v) + 1] = old[v + 1] - old[v];
    for (std::size_t i = 0; i < n; ++i) of_places[i + 1] += of_places[i];
    offsets = algorithm_detail::row_offsets(of_places.span());
  }
  arcs = make_array<arc>(static_cast<std::size_t>(old.back()));
  for_pieces({threads}, vertices, piece, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t v = first; v < last; ++v) {
      arc* to = arcs.data() + offsets[place(v)];
      for (edge_offset k = old[v]; k < old[v + 1]; ++k)
        *to++ = {static_cast<Id>(place(rows.columns[k])), rows.weights[k]};
    }
  });
}

template <class Id, class Distance>
std::int64_t solo_rows<Id, Distance>::bytes(std::int64_t vertices, std::int64_t arcs, bool skewed) {
  const std::int64_t order = skewed ? vertices * static_cast<std::int64_t>(sizeof(Id)) : 0;
  return algorithm_detail::row_offsets::bytes(vertices) + order +
         arcs * static_cast<std::int64_t>(sizeof(arc));
}

template <class Id, class Distance>
void solo_rows<Id, Distance>::to_callers_order(const Distance* ordered, Distance* distances) const {
  for_pieces({threads}, vertices, piece, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t v = first; v < last; ++v) distances[v] = ordered[position[v]];
  });
}

GOSSAMER_SSSP_CLASS(struct solo_rows)

}  // namespace gossamer::sssp_detail
