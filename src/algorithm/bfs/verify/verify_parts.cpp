// The verifier of graphs that lie in parts: every rank checks its own rows.
//
// The depths of all vertices come to every rank, as bytes when they fit; then each rule needs
// nothing but the rank's own rows and parents (part_verifier.hpp). Rules and their order are those
// of verify.cpp: pass 1 looks at every vertex, pass 2 at every arc. The first violation by vertex
// is the one reported, whichever rank owns it.
#include <algorithm>
#include <string>

#include "algorithm/bfs/verify/part_verifier.hpp"

namespace gossamer {
namespace {

/// Depths below this travel as bytes; 255 is "not reached".
constexpr std::int64_t byte_levels = 254;

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

void check_where_it_lies(const bfs_result& result) {
  const machine& m = result.graph_->on();
  for (const auto& part : result.parts())
    require(!m.here(part.rank) || m[part.rank].is_cuda() == (part.ordinal >= 0),
            "bfs: the result of rank " + std::to_string(part.rank) +
                " is the host's, its graph a GPU's: results that stay are checked in parts");
}

void check_placement(const placed_graph& g) {
  require(g.symmetric() && g.identity() && g.owners().contiguous(),
          g.name() + ": trees are checked in parts for symmetric graphs in contiguous ranges");
  require(!g.by_columns(), g.name() + ": trees are checked in parts by rows, not by columns");
}

/// Collective: levels of the tree, as its depths have them.
std::int64_t levels_of(const bfs_result& result) {
  std::int64_t levels = 0;
  const machine& m = result.graph_->on();
  result.graph_->on().run([&](rank& r) {
    const bfs_result::part& part = result.parts().at(r.id());
    std::int64_t deepest = 0;
    if (r.dev().is_cuda())
      deepest = bfs_detail::cuda::deepest(r, part.depths, part.rows);
    else
      for (std::int64_t i = 0; i < part.rows; ++i)
        deepest = std::max<std::int64_t>(deepest, part.depths[i]);
    scalar_plan<std::int64_t> agreement(r);
    const std::int64_t most = agreement.allreduce(deepest, reduction::max);
    if (r.id() == 0 || !m.all_here()) levels = most + 1;
  });
  return levels;
}

}  // namespace

std::int64_t verify_parts_bytes(const placed_graph& g, std::int64_t levels) {
  return aligned(g.owners().placed() * (levels < byte_levels ? 1 : 4));
}

verification verify_parts(const bfs_result& result, run_options run) {
  const placed_graph& g = *result.graph_;
  check_placement(g);
  check_where_it_lies(result);
  const std::int64_t levels = levels_of(result);
  const std::int64_t bytes = verify_parts_bytes(g, levels);
  memory_plan plan = g.plan();
  for (int r = 0; r < g.on().size(); ++r)
    if (g.on().here(r)) plan.add(r, native_memory(g.on()[r]), "depths of all", bytes);
  plan.check();
  // Agreement takes a few lines in either memory.
  constexpr std::size_t lines = std::size_t{256} << 10;
  run.arenas = {{static_cast<std::size_t>(bytes) + lines, lines}};
  verification answer;
  g.on().run(
      [&](rank& r) {
        const auto check = [&]<class Id, class Level>(Id, Level) {
          return bfs_detail::part_verifier<Id, Level>(r, g, result.parts().at(r.id()),
                                                      result.source)
              .run();
        };
        const auto with_id = [&]<class Id>(Id id) {
          return levels < byte_levels ? check(id, std::uint8_t{}) : check(id, std::uint32_t{});
        };
        const verification found = g.id_width() == 4 ? with_id(vertex32{}) : with_id(vertex64{});
        if (r.id() == 0 || !r.owner().all_here()) answer = found;
      },
      run);
  return answer;
}

std::int64_t entries_of_reached(const bfs_result& result) {
  const placed_graph& g = *result.graph_;
  require(!g.whole(), g.name() + ": the edge list's counts are kept of graphs made on the ranks");
  check_where_it_lies(result);
  std::int64_t ends = 0;
  g.on().run([&](rank& r) {
    const bfs_result::part& part = result.parts().at(r.id());
    const std::int64_t* of_row = g.list_ends(r.id());
    std::int64_t mine = 0;
    if (r.dev().is_cuda())
      mine = bfs_detail::cuda::ends_of_reached(r, part.depths, of_row, part.rows);
    else
      for (std::int64_t i = 0; i < part.rows; ++i)
        if (part.depths[i] >= 0) mine += of_row[i];
    scalar_plan<std::int64_t> agreement(r);
    const std::int64_t sum = agreement.allreduce(mine, reduction::sum);
    if (r.id() == 0 || !r.owner().all_here()) ends = sum;
  });
  return ends / 2;
}

}  // namespace gossamer
