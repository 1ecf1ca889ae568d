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

engine_bytes cpu_engine_bytes(std::int64_t rows, std::int64_t placed, int id_width, int ranks) {
  engine_bytes bytes;
  bytes.result = rows * (id_width + 4);
  // Queue, one hub a row, three bitmaps of rows (unlinked, visited, next) and the frontier.
  bytes.work = 2 * rows * id_width + 3 * rows / 8 + placed / 8;
  if (ranks == 1) bytes.work += rows * id_width;  // who found each entry of the queue
  if (ranks > 1) {
    // Outgoing messages: each vertex of another rank at most once a traversal; the filter of what
    // was sent.
    bytes.work += (placed - rows) * (id_width == 4 ? 8 : 16) + placed / 8;
  }
  return bytes;
}

}  // namespace gossamer::bfs_detail
