// The tasks of one rank: those that expand its part of a level, and what a visit does at the owner
// of the vertex it names.
#include "algorithm/bfs/tasks/tasks.hpp"

#include <algorithm>
#include <utility>

#include "algorithm/bfs/smallest_parents/smallest_parents.hpp"
#include "algorithm/driver/memory_layout.hpp"
#include "algorithm/driver/modelled_access.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/task/local_reference.hpp"

namespace gossamer::bfs_detail {

namespace {

/// Tasks that share a frontier: each has one line of memory under way.
constexpr std::int64_t in_flight = 16;
/// Arcs that a task looks at before the others, and messages, have a turn.
constexpr edge_offset piece = 1024;
/// Every task may have found a piece's neighbours and wait for room.
constexpr std::int64_t most_found = in_flight * piece;

}  // namespace

template <class Id>
cpu_tasks<Id>::cpu_tasks(const placed_graph& g, int rank, const bfs_options&)
    : graph_(g),
      owners_(g.owners().view()),
      rank_(rank),
      threads_(std::max(1, g.on()[rank].threads)),
      slice_(g.slice<Id>(rank)),
      pool_(static_cast<std::size_t>(slice_.rows)) {
  algorithm_detail::array_list taken(g.on()[rank]);
  arrays_.list(taken, slice_.rows);
}

template <class Id>
void cpu_tasks<Id>::arrays::list(algorithm_detail::array_list& of, std::int64_t rows) {
  of.add(queue, rows);
  of.add(found, most_found);
}

template <class Id>
algorithm_detail::listed_bytes cpu_tasks<Id>::bytes(const planned_rank& p) {
  algorithm_detail::array_list all;
  arrays().list(all, p.rows());
  all.count_agreement(p.ranks());
  auto bytes = all.bytes();
  bytes.window = global_heap::bytes(p.placed() / 64, 8) + peers::bytes() +
                 algorithm_detail::task_bytes(p.ranks());
  return bytes;
}

template <class Id>
void cpu_tasks<Id>::begin(rank&, std::int64_t source) {
  result_ = pool_.take();
  const auto placed = source < 0 ? Id{-1} : static_cast<Id>(owners_.global(rank_, source));
  begin_result(result_, slice_.rows, source, placed);
  source_ = source;
  next_ = end_ = tail_ = handed_ = found_end_ = arcs_ = 0;
  sent_ = {};
}

template <class Id>
void cpu_tasks<Id>::reach(Id vertex, Id parent) {
  const std::int64_t at = owners_.local(vertex);
  result_.parents.data()[at] = parent;
  result_.depths.data()[at] = depth_;
  arrays_.queue.data()[tail_++] = static_cast<Id>(at);
}

template <class Id>
void cpu_tasks<Id>::reach_once(Id vertex, Id parent) {
  std::uint64_t& word = met_[static_cast<std::size_t>(vertex) / 64];
  const std::uint64_t bit = std::uint64_t{1} << (vertex & 63);
  if ((word & bit) != 0) return;
  word |= bit;
  reach(vertex, parent);
}

/// Part of a row. Most neighbours have been met, which is predicted well enough: to write all of
/// them down and to count the new ones, without a branch, takes a tenth longer.
template <class Id>
void cpu_tasks<Id>::scan(Id u, edge_offset first, edge_offset last) {
  const Id* columns = slice_.columns;
  std::uint64_t* met = met_.data();
  visit* found = arrays_.found.data();
  for (edge_offset k = first; k < last; ++k) {
    const Id v = columns[k];
    const std::uint64_t bit = std::uint64_t{1} << (v & 63);
    if ((met[v >> 6] & bit) != 0) continue;
    met[v >> 6] |= bit;
    found[found_end_++] = {v, u};
  }
  arcs_ += last - first;
}

/// One of the tasks that share a level.
template <class Id>
task<> cpu_tasks<Id>::expand(const peers& all) {
  while (next_ < end_) {
    const std::int64_t i = arrays_.queue.data()[next_++];
    const local_reference<const edge_offset> row(&slice_.offsets[i]);
    row.issue_read();
    co_await yield_now();
    edge_offset at = row.complete();
    const edge_offset last = slice_.offsets[i + 1];
    local_reference<const Id>(&slice_.columns[at]).issue_read();
    co_await yield_now();
    for (const auto u = static_cast<Id>(owners_.global(rank_, i)); at < last;) {
      scan(u, at, std::min(at + piece, last));
      while (handed_ < found_end_) {
        const visit next = arrays_.found.data()[handed_++];
        const int owner = owners_.owner(next.vertex);
        if (owner == rank_)
          reach(next.vertex, next.parent);
        else
          co_await all.post(owner, next);
      }
      handed_ = found_end_ = 0;
      at += piece;
      if (at < last) co_await yield_now();
    }
  }
}

template <class Id>
task<> cpu_tasks<Id>::start(const peers& all) {
  for (std::int64_t i = 0; i < std::min(in_flight, end_ - next_); ++i)
    all.tasks().local().spawn(expand(all));
  co_return;
}

template <class Id>
void cpu_tasks<Id>::traverse(rank& r, traversal& out) {
  global_tasks tasks(r, algorithm_detail::named_tasks("bfs"));
  const peers all(tasks, *this);
  met_ = tasks.heap().template allocate_owned<std::uint64_t>(graph_.owners().placed() / 64).local();
  scalar_plan<std::int64_t> agreement(r);
  r.barrier();
  const double begin = r.clock();
  depth_ = 0;
  if (source_ >= 0) {
    const auto v = static_cast<Id>(owners_.global(rank_, source_));
    reach_once(v, v);
  }
  double agreeing = 0;
  const auto sum = [&](std::int64_t mine) {
    const trace_span span(r, "agree", trace_class::exchange);
    const double from = r.clock();
    const std::int64_t all_of_them = agreement.allreduce(mine, reduction::sum);
    agreeing += r.clock() - from;
    return all_of_them;
  };
  while (const std::int64_t frontier = sum(tail_ - end_)) {
    const double from = r.clock();
    const trace_level traced(r, "top-down", static_cast<std::int64_t>(out.levels.size()), frontier);
    const std::int64_t before = arcs_;
    next_ = std::exchange(end_, tail_);
    const std::int64_t mine = end_ - next_;
    ++depth_;
    {
      const trace_span span(r, "expand");
      tasks.run(start(all));
      r.charge(static_cast<double>(arcs_ - before) * sizeof(Id) + static_cast<double>(mine) * line,
               0);
    }
    out.reached += frontier;
    out.levels.push_back({frontier, false, (r.clock() - from) * 1e3});
  }
  out.arcs = sum(arcs_);
  out.began = begin;
  out.seconds = r.clock() - begin;
  const aggregator_counters& c = tasks.counters();
  const auto rounds = static_cast<std::int64_t>(out.levels.size());
  sent_.out = {rounds, c.parcels(), c.bytes, untold};
  sent_.flag = {rounds + 2, agreement.messages(), agreement.bytes(), agreeing};
}

template <class Id>
void cpu_tasks<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  smallest_parents_of(r, graph_, slice_, result_, threads_, all_depths);
}

template class cpu_tasks<vertex32>;
template class cpu_tasks<vertex64>;

namespace {

void check(const placed_graph&, const bfs_options& options) {
  require(options.direction != bfs_direction::bottom_up, "bfs: engine 'tasks' goes top-down only");
}

void declare(algorithm_detail::memory_layout& l, const planned_rank& p, const bfs_options&) {
  declare_search(l, p,
                 p.id_width == 4 ? cpu_tasks<vertex32>::bytes(p) : cpu_tasks<vertex64>::bytes(p),
                 p.agreement());
}

}  // namespace

const engine_functions tasks_engine = {check, declare, make_search_of<cpu_tasks, vertex32>,
                                       make_search_of<cpu_tasks, vertex64>};

}  // namespace gossamer::bfs_detail
