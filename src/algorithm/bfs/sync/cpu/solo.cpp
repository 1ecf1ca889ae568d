// One CPU rank: serial top-down steps while frontiers are small, threads where the arcs pay for
// them, bottom-up over bitmaps where most of the graph is about to be found.
//
// A step whose frontier has fewer than arcs_worth_threads() arcs runs on the calling thread: no
// parallel region, no barrier, no atomic operation. solo_steps.cpp has the steps.
#include "algorithm/bfs/sync/cpu/solo.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

#include "algorithm/bfs/smallest_parents/smallest_parents.hpp"
#include "algorithm/bfs/sync/cpu/frontier.hpp"
#include "algorithm/bfs/sync/policy.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail {

namespace {

constexpr std::int64_t arcs_between_looks = std::int64_t{1} << 22;  // at the abort record

/// Times levels. Reading a clock takes as long as a level of one vertex, so small levels share a
/// reading, and its time in equal parts.
class level_clock {
 public:
  explicit level_clock(std::vector<bfs_level>& levels) : levels_(levels) {}

  void ended(std::int64_t frontier, bool up) {
    constexpr std::int64_t enough = 64;  // vertices, or levels
    levels_.push_back({frontier, up, 0});
    vertices_ += frontier;
    if (vertices_ >= enough) read();
  }
  void read() {
    const auto now = std::chrono::steady_clock::now();
    std::int64_t count = 0;
    for (std::size_t i = timed_; i < levels_.size(); ++i) count += levels_[i].levels;
    const double each = std::chrono::duration<double, std::milli>(now - last_).count() /
                        static_cast<double>(std::max<std::int64_t>(count, 1));
    for (; timed_ < levels_.size(); ++timed_) levels_[timed_].milliseconds = each;
    last_ = now;
    vertices_ = 0;
  }

 private:
  std::vector<bfs_level>& levels_;
  std::size_t timed_ = 0;
  std::int64_t vertices_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

template <class Id>
cpu_solo<Id>::cpu_solo(const placed_graph& g, const bfs_options& options)
    : graph_(g),
      slice_(g.slice<Id>(0)),
      options_(options),
      threads_(std::max(1, g.on()[0].threads)),
      pool_(words_of(slice_.rows) * 64) {
  const bool goes_up = may_go_up(slice_, options);
  algorithm_detail::array_list taken(g.on()[0]);
  arrays_.list(taken, slice_.rows, goes_up);
  std::int64_t like_next = 0;
  for (std::int64_t v = 0; v < slice_.rows; ++v) {
    max_degree_ = std::max(max_degree_, degree(v));
    like_next += v + 1 < slice_.rows && degree(v) == degree(v + 1);
  }
  guesses_ = threads_ <= 2 && 10 * like_next >= 9 * slice_.rows;
  if (goes_up) {
    mark_hubs(g, arrays_.front.data());
    prepare_bottom_up(slice_, arrays_.front.data(), threads_, arrays_.tables);
  } else {
    prepare_unlinked(slice_, arrays_.tables.unlinked);
  }
  linked_ = words_of(slice_.rows) * 64;
  for (const std::uint64_t word : arrays_.tables.unlinked) linked_ -= std::popcount(word);
  mean_degree_ = slice_.arcs / std::max<std::int64_t>(linked_, 1);
}

template <class Id>
void cpu_solo<Id>::clear() {
  result_ = pool_.take();
  std::copy(arrays_.tables.unlinked.begin(), arrays_.tables.unlinked.end(),
            arrays_.visited.begin());
  set_bit(arrays_.visited.data(), source_);
  arrays_.queue[0] = arrays_.from[0] = static_cast<Id>(source_);
  stretches_.assign(1, {0, 1, 0});
  head_ = 0;
  tail_ = 1;
  bitmap_ = false;
}

template <class Id>
bool cpu_solo<Id>::pays_to_scan(std::int64_t arcs, std::int64_t unvisited, double share) const {
  // In arcs. A vertex found top-down takes two random writes, and by a team an atomic operation.
  const double found_cost = guesses_ ? 2 : 8;
  const auto leaving = static_cast<double>(std::max<std::int64_t>(arcs, 1));
  const double looks = static_cast<double>(slice_.arcs) / (leaving * std::max(share, 1e-3));
  return leaving * (1 + found_cost * share) >
         static_cast<double>(unvisited) * (1 + std::min(static_cast<double>(mean_degree_), looks));
}

template <class Id>
std::int64_t cpu_solo<Id>::expand(std::int32_t depth, std::int64_t arcs, bool mostly_old) {
  const bool few = arcs <= arcs_worth_threads(threads_);
  // What the level before has found says little of a small one.
  const bool ask_first = max_degree_ >= long_row && (mostly_old || few);
  if (threads_ > 1 && !few && !guesses_)
    return ask_first ? expand_parallel<true>(depth) : expand_parallel<false>(depth);
  if (ask_first) return expand_serial<true, false>(depth);
  return guesses_ ? expand_serial<false, true>(depth) : expand_serial<false, false>(depth);
}

template <class Id>
void cpu_solo<Id>::traverse(rank& r, traversal& out) {
  {
    const trace_span span(r, "clear");
    clear();
  }
  direction_policy policy(options_, slice_.rows, slice_.arcs, !arrays_.tables.hub.empty());
  std::int64_t frontier = 1, since_look = 0, explored = 0;
  double found_share = 1;  // of the arcs that the last top-down step looked at
  bool counted = true;     // so far, by the steps
  // A source without in-arcs is not among those that have some.
  const std::int64_t all = linked_ + (test_bit(arrays_.tables.unlinked.data(), source_) ? 1 : 0);
  level_clock clock(out.levels);
  for (std::int32_t depth = 1; frontier > 0; ++depth) {
    if (r.tracing() == nullptr && is_thin(frontier, policy)) {
      const thin_levels ran = expand_thin(depth, out.levels);
      clock.read();
      depth += ran.levels - 1;
      out.reached += ran.vertices;
      frontier = tail_ - head_;
      policy.explored(ran.arcs);
      explored += ran.arcs;
      found_share = 1;
      r.progress();
      continue;
    }
    out.reached += frontier;
    // Once all are reached arcs lead back, and nobody has to look.
    const bool last = out.reached == all;
    // Degrees are summed only where the sum can decide something.
    const std::int64_t most = frontier * max_degree_;
    std::int64_t arcs = 0;
    if (!last && !bitmap_ && (policy.needs_arcs(most) || most > arcs_worth_threads(threads_)))
      arcs = frontier_arcs();
    if (policy.choose(frontier, arcs) &&
        !pays_to_scan(bitmap_ ? frontier * mean_degree_ : arcs, linked_ - out.reached, found_share))
      policy.stay_down();
    const bool up = policy.up();
    const trace_level traced(r, up ? "bottom-up" : "top-down", depth - 1, frontier);
    const trace_span span(r, up ? "search" : "expand");
    std::int64_t found = 0;
    counted = counted && !up && !last;
    if (up && !last) {
      if (!bitmap_) scatter_frontier();
      bitmap_ = true;
      found = scan(depth);
      r.progress();
    } else if (!last) {
      if (bitmap_) gather_frontier();
      const bool from_bitmap = std::exchange(bitmap_, false);
      if (from_bitmap) arcs = frontier_arcs();
      const std::int64_t looked = expand(depth, arcs, found_share < 0.5);
      found = tail_ - head_;
      policy.explored(looked);
      if (looked > 0) found_share = static_cast<double>(found) / static_cast<double>(looked);
      explored += looked;
      since_look += looked;
      if (since_look > arcs_between_looks) {
        since_look = 0;
        r.progress();
      }
    }
    clock.ended(frontier, up);
    frontier = found;
  }
  clock.read();
  {
    const trace_span span(r, "count");
    out.arcs = counted ? explored : slice_.arcs - unvisited_arcs();
  }
  const trace_span span(r, "settle");
  settle();
}

template <class Id>
void cpu_solo<Id>::smallest_parents(rank&, const window<std::int32_t>&) {
  smallest_parents_of(slice_, result_.depths.data(), result_.depths.data(),
                      graph_.vertex_of_placed<Id>(0), graph_.sorted(), threads_,
                      result_.parents.data());
}

template class cpu_solo<vertex32>;
template class cpu_solo<vertex64>;

}  // namespace gossamer::bfs_detail
