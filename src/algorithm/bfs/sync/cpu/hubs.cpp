// Which vertices are hubs: at least eight times the mean degree.
//
// A hint for where to look first: of a graph that lies in parts, hubs of other processes and of
// GPUs stay unmarked.
#include "algorithm/bfs/sync/cpu/bottom_up.hpp"

namespace gossamer::bfs_detail {
namespace {

template <class Id>
void mark_rows(const placed_graph& g, int rank, std::int64_t least, std::uint64_t* is_hub) {
  const graph_slice<Id>& slice = g.slice<Id>(rank);
  for (std::int64_t i = 0; i < slice.rows; ++i) {
    if (slice.offsets[i + 1] - slice.offsets[i] >= least)
      set_bit(is_hub, g.owners().global(rank, i));
  }
}

}  // namespace

void mark_hubs(const placed_graph& g, std::uint64_t* is_hub) {
  const std::int64_t n = g.vertices();
  const std::int64_t least = 8 * (g.arcs() / n + 1);
  std::fill_n(is_hub, words_of(g.owners().placed()), 0);
  if (g.whole()) {
    const graph& source = g.source();
    for (std::int64_t v = 0; v < n; ++v) {
      if (source.degree(v) >= least) set_bit(is_hub, g.placed_id(v));
    }
    return;
  }
  for (int r = 0; r < g.on().size(); ++r) {
    if (!g.on().here(r) || g.on()[r].is_cuda()) continue;
    g.id_width() == 4 ? mark_rows<vertex32>(g, r, least, is_hub)
                      : mark_rows<vertex64>(g, r, least, is_hub);
  }
}

}  // namespace gossamer::bfs_detail
