// The verifier of graphs that lie in parts: every rank checks its own rows.
//
// The depths of all vertices come to every rank, as bytes when they fit; then each rule needs
// nothing but the rank's own rows and parents. Rules and their order are those of verify.cpp: pass
// 1 looks at every vertex, pass 2 at every arc. The first violation by vertex is the one reported,
// whichever rank owns it.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <string>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/collective/scalar.hpp"

namespace gossamer {
namespace {

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

/// Depths below this travel as bytes; 255 is "not reached".
constexpr std::int64_t byte_levels = 254;

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

/// Parents, depths and rows of one rank.
template <class Id, class Level>
class part_verifier {
 public:
  part_verifier(rank& r, const placed_graph& g, const bfs_result::part& part, std::int64_t source)
      : rank_(r),
        g_(g),
        slice_(g.slice<Id>(r.id())),
        parents_(static_cast<const Id*>(part.parents)),
        depths_(part.depths),
        source_(source),
        rows_(std::min(g.owners().local_size(r.id()), slice_.rows)),
        first_(rows_ > 0 ? g.owners().global(r.id(), 0) : 0) {}

  /// Collective: the same answer on every rank.
  verification run() {
    gather_depths();
    scalar_plan<std::int64_t> agreement(rank_);
    for (const bool arcs : {false, true}) {
      const std::int64_t mine =
          arcs ? first_where([this](std::int64_t i) { return !row_holds(i); })
               : first_where([this](std::int64_t i) { return vertex_fault(i) != nullptr; });
      const std::int64_t worst = mine == none ? none : first_ + mine;
      const std::int64_t first = agreement.allreduce(worst, reduction::min);
      if (first != none) return tell(first == worst ? describe(mine, arcs) : "");
    }
    return {};
  }

 private:
  static constexpr Level unreached = std::numeric_limits<Level>::max();

  void gather_depths() {
    levels_ = rank_.make_window<Level>(static_cast<std::size_t>(g_.owners().placed()));
    const auto own = levels_.local().subspan(first_, rows_);
    for (std::int64_t i = 0; i < rows_; ++i) own[i] = static_cast<Level>(depths_[i]);
    const int p = rank_.size();
    for (int step = 1; step < p && rows_ > 0; ++step)
      rank_.put(levels_, (rank_.id() + step) % p, static_cast<std::size_t>(first_), own);
    rank_.barrier();
  }

  /// The smallest local index that bad(i) is true for, `none` when there is none.
  template <class Bad>
  std::int64_t first_where(const Bad& bad) {
    constexpr std::int64_t piece = 4096, stride = 256 * piece;
    const int threads = rank_.dev().threads;
    static_cast<void>(threads);
    std::atomic<std::int64_t> first{none};
    for (std::int64_t begin = 0; begin < rows_ && first == none; begin += stride) {
      const std::int64_t end = std::min(rows_, begin + stride);
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

  [[nodiscard]] const char* vertex_fault(std::int64_t i) const {
    const std::int64_t v = first_ + i, u = parents_[i];
    const std::int32_t depth = depths_[i];
    if (v == source_) {
      if (u != v) return "is the source, but not its own parent";
      return depth == 0 ? nullptr : "is the source, but not at depth 0";
    }
    if (u < -1 || u >= g_.vertices()) return "has a parent that does not exist";
    if (depth < -1) return "has a negative depth";
    if ((u < 0) != (depth < 0))
      return u < 0 ? "has a depth but no parent" : "has a parent but no depth";
    if (u < 0) return nullptr;
    if (depth == 0) return "has depth 0 but is not the source";
    const Level above = levels_.local()[u];
    return above != unreached && above + std::int64_t{1} == depth ? nullptr
                                                                  : "is not one below its parent";
  }

  /// Neighbours of a reached vertex are reached, at most one level deeper, its parent is among
  /// them.
  [[nodiscard]] bool row_holds(std::int64_t i) const {
    const auto levels = levels_.local();
    const Level here = levels[first_ + i];
    if (here == unreached) return true;
    const Level most = static_cast<Level>(here + 1);
    bool wrong = false, met = first_ + i == source_;
    for (edge_offset e = slice_.offsets[i]; e < slice_.offsets[i + 1]; ++e) {
      wrong |= levels[slice_.columns[e]] > most;
      met |= slice_.columns[e] == parents_[i];
    }
    return !wrong && met;
  }

  [[nodiscard]] std::string describe(std::int64_t i, bool arcs) const {
    const std::string v = std::to_string(first_ + i);
    if (!arcs) return "vertex " + v + " " + vertex_fault(i);
    const auto levels = levels_.local();
    for (edge_offset e = slice_.offsets[i]; e < slice_.offsets[i + 1]; ++e) {
      const std::string w = std::to_string(slice_.columns[e]);
      const Level level = levels[slice_.columns[e]];
      if (level == unreached)
        return "vertex " + w + " is not reached, but the arc " + v + " -> " + w +
               " begins at a reached vertex";
      if (level > depths_[i] + std::int64_t{1})
        return "the arc " + v + " -> " + w + " spans more than one level: depths " +
               std::to_string(depths_[i]) + " and " + std::to_string(level);
    }
    return "the tree edge " + std::to_string(parents_[i]) + " -> " + v +
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
  const graph_slice<Id>& slice_;
  const Id* parents_;
  const std::int32_t* depths_;
  std::int64_t source_, rows_, first_;
  window<Level> levels_;
};

void check_placement(const placed_graph& g) {
  require(g.symmetric() && g.identity() && g.owners().contiguous(),
          g.name() + ": trees are checked in parts for symmetric graphs in contiguous ranges");
  for (int r = 0; r < g.on().size(); ++r)
    if (g.on()[r].is_cuda())
      throw not_compiled("checking trees in parts on GPUs", "verify_bfs() checks them on the host");
}

std::int64_t levels_of(const bfs_result& result) {
  std::int64_t deepest = 0;
  for (const auto& part : result.parts())
    for (std::int64_t i = 0; i < part.rows; ++i)
      deepest = std::max<std::int64_t>(deepest, part.depths[i]);
  return deepest + 1;
}

}  // namespace

std::int64_t verify_parts_bytes(const placed_graph& g, std::int64_t levels) {
  return aligned(g.owners().placed() * (levels < byte_levels ? 1 : 4));
}

verification verify_parts(const bfs_result& result, run_options run) {
  const placed_graph& g = *result.graph_;
  check_placement(g);
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
  std::int64_t ends = 0;
  g.on().run([&](rank& r) {
    const bfs_result::part& part = result.parts().at(r.id());
    const std::int64_t* of_row = g.list_ends(r.id());
    std::int64_t mine = 0;
    for (std::int64_t i = 0; i < part.rows; ++i)
      if (part.depths[i] >= 0) mine += of_row[i];
    scalar_plan<std::int64_t> agreement(r);
    const std::int64_t sum = agreement.allreduce(mine, reduction::sum);
    if (r.id() == 0 || !r.owner().all_here()) ends = sum;
  });
  return ends / 2;
}

}  // namespace gossamer
