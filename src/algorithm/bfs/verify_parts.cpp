// The verifier of graphs that lie in parts: every rank checks its own rows.
//
// The depths of all vertices come to every rank, as bytes when they fit; then each rule needs
// nothing but the rank's own rows and parents (verify_part.hpp). Rules and their order are those of
// verify.cpp: pass 1 looks at every vertex, pass 2 at every arc. The first violation by vertex is
// the one reported, whichever rank owns it.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "algorithm/bfs/verify_part.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/collective/scalar.hpp"

namespace gossamer {
namespace {

using bfs_detail::no_fault;
using bfs_detail::part_view;
using bfs_detail::vertex_fault;

/// Depths below this travel as bytes; 255 is "not reached".
constexpr std::int64_t byte_levels = 254;

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

const char* in_words(vertex_fault fault) {
  switch (fault) {
    case vertex_fault::none:
      break;
    case vertex_fault::source_parent:
      return "is the source, but not its own parent";
    case vertex_fault::source_depth:
      return "is the source, but not at depth 0";
    case vertex_fault::no_such_parent:
      return "has a parent that does not exist";
    case vertex_fault::negative_depth:
      return "has a negative depth";
    case vertex_fault::no_parent:
      return "has a depth but no parent";
    case vertex_fault::no_depth:
      return "has a parent but no depth";
    case vertex_fault::second_source:
      return "has depth 0 but is not the source";
    case vertex_fault::wrong_level:
      return "is not one below its parent";
  }
  throw error("verify_parts: a violation that is none");
}

/// `n` values from where a rank has them.
template <class T>
std::vector<T> fetch(const T* from, std::int64_t n) {
  std::vector<T> here(static_cast<std::size_t>(n));
  copy_bytes(here.data(), from, here.size() * sizeof(T));
  return here;
}

/// Parents, depths and rows of one rank.
template <class Id, class Level>
class part_verifier {
 public:
  part_verifier(rank& r, const placed_graph& g, const bfs_result::part& part, std::int64_t source)
      : rank_(r), g_(g) {
    const graph_slice<Id>& slice = g.slice<Id>(r.id());
    view_.offsets = slice.offsets;
    view_.columns = slice.columns;
    view_.parents = static_cast<const Id*>(part.parents);
    view_.depths = part.depths;
    view_.rows = std::min(g.owners().local_size(r.id()), slice.rows);
    view_.first = view_.rows > 0 ? g.owners().global(r.id(), 0) : 0;
    view_.vertices = g.vertices();
    view_.source = source;
  }

  /// Collective: the same answer on every rank.
  verification run() {
    gather_depths();
    scalar_plan<std::int64_t> agreement(rank_);
    for (const bool arcs : {false, true}) {
      const std::int64_t mine = rank_.dev().is_cuda()
                                    ? bfs_detail::cuda::first_fault(rank_, view_, arcs)
                                    : first_fault(arcs);
      const std::int64_t worst = mine == no_fault ? no_fault : view_.first + mine;
      const std::int64_t first = agreement.allreduce(worst, reduction::min);
      if (first != no_fault) return tell(first == worst ? describe(mine, arcs) : "");
    }
    return {};
  }

 private:
  void gather_depths() {
    const auto levels = rank_.make_window<Level>(static_cast<std::size_t>(g_.owners().placed()));
    view_.levels = levels.local().data();
    const auto own = levels.local().subspan(view_.first, view_.rows);
    if (rank_.dev().is_cuda())
      bfs_detail::cuda::narrow_depths(rank_, view_, own.data());
    else
      for (std::int64_t i = 0; i < view_.rows; ++i) own[i] = static_cast<Level>(view_.depths[i]);
    const int p = rank_.size();
    for (int step = 1; step < p && view_.rows > 0; ++step)
      rank_.put(levels, (rank_.id() + step) % p, static_cast<std::size_t>(view_.first), own);
    rank_.barrier();
  }

  std::int64_t first_fault(bool arcs) {
    if (!arcs)
      return first_where([&](std::int64_t i) { return view_.vertex(i) != vertex_fault::none; });
    return first_where([&](std::int64_t i) {
      if (view_.levels[view_.first + i] == view_.unreached) return false;
      bool met = view_.first + i == view_.source;
      const bool hold = view_.arcs_hold(i, 0, 1, met);
      return !hold || !met;
    });
  }

  /// The smallest local index that bad(i) is true for, `no_fault` when there is none.
  template <class Bad>
  std::int64_t first_where(const Bad& bad) {
    constexpr std::int64_t piece = 4096, stride = 256 * piece;
    const int threads = rank_.dev().threads;
    static_cast<void>(threads);
    std::atomic<std::int64_t> first{no_fault};
    for (std::int64_t begin = 0; begin < view_.rows && first == no_fault; begin += stride) {
      const std::int64_t end = std::min(view_.rows, begin + stride);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
#endif
      for (std::int64_t at = begin; at < end; at += piece) {
        for (std::int64_t i = at; i < std::min(end, at + piece); ++i) {
          if (!bad(i)) continue;
          std::int64_t seen = first.load();
          while (i < seen && !first.compare_exchange_weak(seen, i)) {
          }
          break;
        }
      }
      rank_.progress();
    }
    return first;
  }

  /// What is wrong with row i, from copies on the host of all that the rules look at.
  [[nodiscard]] std::string describe(std::int64_t i, bool arcs) const {
    const std::string v = std::to_string(view_.first + i);
    const auto levels = fetch(view_.levels, g_.owners().placed());
    const auto parent = fetch(view_.parents + i, 1);
    const auto depth = fetch(view_.depths + i, 1);
    if (!arcs) {
      part_view<Id, Level> here = view_;
      here.parents = parent.data();
      here.depths = depth.data();
      here.levels = levels.data();
      here.first += i;
      return "vertex " + v + " " + in_words(here.vertex(0));
    }
    const auto ends = fetch(view_.offsets + i, 2);
    for (const Id u : fetch(view_.columns + ends[0], ends[1] - ends[0])) {
      const std::string w = std::to_string(u);
      if (levels[u] == view_.unreached)
        return "vertex " + w + " is not reached, but the arc " + v + " -> " + w +
               " begins at a reached vertex";
      if (levels[u] > depth[0] + std::int64_t{1})
        return "the arc " + v + " -> " + w + " spans more than one level: depths " +
               std::to_string(depth[0]) + " and " + std::to_string(levels[u]);
    }
    return "the tree edge " + std::to_string(parent[0]) + " -> " + v +
           " is not an arc of the graph";
  }

  /// Every rank hears what the one rank with something to say found.
  verification tell(const std::string& mine) {
    using words = std::array<char, 256>;
    words said{};
    mine.copy(said.data(), said.size() - 1);
    std::vector<words> all(rank_.size());
    rank_.exchange(std::as_bytes(std::span(&said, 1)), std::as_writable_bytes(std::span(all)));
    for (const words& w : all)
      if (w[0] != '\0') return {false, w.data()};
    throw error("verify_parts: a violation that no rank describes");
  }

  rank& rank_;
  const placed_graph& g_;
  part_view<Id, Level> view_{};
};

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
          return part_verifier<Id, Level>(r, g, result.parts().at(r.id()), result.source).run();
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
