// One rank's side of checking a tree that lies in parts. The depths of all come to every rank, and
// each looks for its first row that breaks a rule (verify_part.hpp). The rank that has the first of
// all says what is wrong with it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithm/bfs/verify/verify_part.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/base/enum_name.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::bfs_detail {

inline const char* in_words(vertex_fault fault) {
  if (fault == vertex_fault::none) throw error("verify_parts: a violation that is none");
  return enum_name<vertex_fault::wrong_level>(
      fault, {"", "is the source, but not its own parent", "is the source, but not at depth 0",
              "has a parent that does not exist", "has a negative depth",
              "has a depth but no parent", "has a parent but no depth",
              "has depth 0 but is not the source", "is not one below its parent"});
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
      const std::int64_t mine =
          rank_.dev().is_cuda() ? cuda::first_fault(rank_, view_, arcs) : first_fault(arcs);
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
      cuda::narrow_depths(rank_, view_, own.data());
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
    std::atomic<std::int64_t> first{no_fault};
    for (std::int64_t begin = 0; begin < view_.rows && first == no_fault; begin += stride) {
      const std::int64_t rows = std::min(stride, view_.rows - begin);
      for_pieces({rank_.dev().threads}, rows, piece, [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t i = begin + from; i < begin + to; ++i) {
          if (!bad(i)) continue;
          std::int64_t seen = first.load();
          while (i < seen && !first.compare_exchange_weak(seen, i)) {
          }
          break;
        }
      });
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

}  // namespace gossamer::bfs_detail
