// Which vertices are hubs: at least eight times the mean degree.
#include "algorithm/bfs/cpu/bottom_up.hpp"

namespace gossamer::bfs_detail {

void mark_hubs(const placed_graph& g, std::uint64_t* is_hub) {
  const graph& source = g.source();
  const std::int64_t n = source.vertices(), placed = g.owners().placed();
  const std::int64_t least = 8 * (source.arcs() / n + 1);
  std::fill_n(is_hub, words_of(placed), 0);
  for (std::int64_t v = 0; v < n; ++v) {
    if (source.degree(v) >= least) set_bit(is_hub, g.placed_id(v));
  }
}

}  // namespace gossamer::bfs_detail
