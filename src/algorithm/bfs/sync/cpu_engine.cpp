// CPU engines: one for a machine of one rank, one that exchanges with peers.
#include "algorithm/bfs/sync/cpu/peer.hpp"
#include "algorithm/bfs/sync/cpu/solo.hpp"

namespace gossamer::bfs_detail {

template <class Id>
std::unique_ptr<bfs_engine<Id>> make_cpu_engine(const placed_graph& g, int rank,
                                                const bfs_options& options) {
  return std::make_unique<cpu_peer<Id>>(g, rank, options);
}
GOSSAMER_BFS_ENGINES(make_cpu_engine)

template <class Id>
std::unique_ptr<rank_search<Id>> make_cpu_solo(const placed_graph& g, const bfs_options& options) {
  return std::make_unique<cpu_solo<Id>>(g, options);
}
template std::unique_ptr<rank_search<vertex32>> make_cpu_solo(const placed_graph&,
                                                              const bfs_options&);
template std::unique_ptr<rank_search<vertex64>> make_cpu_solo(const placed_graph&,
                                                              const bfs_options&);

algorithm_detail::listed_bytes cpu_engine_bytes(const planned_rank& p, const bfs_options& options) {
  const bool goes_up = options.direction != bfs_direction::top_down;
  return steps_alone(p.on) ? p.count<solo_arrays>(p.rows(), goes_up)
                           : p.count<peer_arrays>(p.rows(), p.placed(), goes_up);
}

}  // namespace gossamer::bfs_detail
