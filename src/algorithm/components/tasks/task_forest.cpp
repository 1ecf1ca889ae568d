// Joins in the rank's forest, the tasks that tell owners of joined roots, and those that follow a
// vertex to its root over ranks.
#include "algorithm/components/tasks/task_forest.hpp"

#include <algorithm>
#include <numeric>

#include "gossamer/task/local_reference.hpp"

namespace gossamer::components_detail {

namespace {

/// Rows that a task takes at a time, a line of memory each; tasks that do so.
constexpr std::int64_t chunk = 16;
constexpr int in_flight = 4;
/// Tasks that follow roots: each waits for a reply.
constexpr int following = 256;
/// Arcs that a task joins before messages have a turn, and ahead of which it fetches parents.
constexpr edge_offset piece = 1024, ahead = 16;

}  // namespace

template <class Id>
task_forest<Id>::task_forest(const placed_graph& g, int rank)
    : rows_{g.slice<Id>(rank).offsets, g.slice<Id>(rank).columns,
            g.bounds()[static_cast<std::size_t>(rank)],
            g.bounds()[static_cast<std::size_t>(rank) + 1]},
      owners_(g.owners().view()),
      rank_(rank) {
  arrays_ =
      algorithm_detail::taken<arrays>(g.on()[rank], g.bounds().back(), rows_.last - rows_.first);
}

template <class Id>
algorithm_detail::listed_bytes task_forest<Id>::bytes(std::int64_t vertices, std::int64_t rows,
                                                      int ranks) {
  auto all = algorithm_detail::counted<arrays>(vertices, rows);
  all.window = global_heap::bytes(vertices, sizeof(Id)) + peers::bytes() +
               algorithm_detail::task_bytes(ranks);
  return all;
}

template <class Id>
void task_forest<Id>::begin(std::span<Id> parents) {
  parents_ = parents;
  std::iota(parents_.begin(), parents_.end(), Id{0});
  told_ = list_end_ = arcs_ = 0;
  telling_ = false;
}

/// Halves the paths that it goes.
template <class Id>
Id task_forest<Id>::root(Id v) {
  Id* parents = parents_.data();
  for (Id up = parents[v]; up != v;) {
    const Id over = parents[up];
    parents[v] = over;
    v = over;
    up = parents[v];
  }
  return v;
}

template <class Id>
void task_forest<Id>::join(Id u, Id v) {
  Id *parents = parents_.data(), a = parents[u], b = parents[v];
  if (a == b) return;
  a = root(a);
  b = root(b);
  if (a == b) return;
  const Id high = std::max(a, b);
  parents[high] = std::min(a, b);
  if (owners_.owner(high) != rank_) arrays_.roots.data()[list_end_++] = high;
}

/// What another rank has joined. What follows from it for a third one is told by a task:
/// operations send nothing.
template <class Id>
void task_forest<Id>::take(Id high, Id low) {
  join(high, low);
  if (told_ == list_end_ || telling_) return;
  telling_ = true;
  all_->tasks().local().spawn(tell(*all_));
}

template <class Id>
task<> task_forest<Id>::tell(const peers& all) {
  while (told_ < list_end_) {
    const Id high = arrays_.roots.data()[told_++];
    co_await all.post(owners_.owner(high), joined{high, label(high)});
  }
  telling_ = false;
}

template <class Id>
void task_forest<Id>::join_row(std::int64_t v, edge_offset first, edge_offset last) {
  const Id* columns = rows_.columns;
  for (edge_offset k = first; k < last; ++k) {
    if (k + ahead < last) fetch(columns[k + ahead]);
    join(static_cast<Id>(v), columns[k]);
  }
  arcs_ += last - first;
}

/// Takes chunks of rows: fetches their first arcs, then those vertices' parents, then joins them.
template <class Id>
task<> task_forest<Id>::sample(const peers& all) {
  const Id* columns = rows_.columns;
  const auto arcs_of = [this](std::int64_t v) {
    return std::min(rows_.end(v), rows_.begin(v) + first_arcs);
  };
  const std::int64_t last = rows_.last;
  while (next_ < last) {
    const std::int64_t from = next_, to = next_ = std::min(from + chunk, last);
    for (std::int64_t v = from; v < to; ++v)
      local_reference<const Id>(&columns[rows_.begin(v)]).issue_read();
    co_await yield_now();
    for (std::int64_t v = from; v < to; ++v)
      for (edge_offset k = rows_.begin(v); k < arcs_of(v); ++k) fetch(columns[k]);
    co_await yield_now();
    for (std::int64_t v = from; v < to; ++v) join_row(v, rows_.begin(v), arcs_of(v));
    if (told_ < list_end_) co_await tell(all);
  }
}

/// Takes chunks of rows: fetches those that are to be joined from arc `from` on, then joins them.
template <class Id>
task<> task_forest<Id>::walk(const peers& all, std::int64_t from, Id skip) {
  const Id* columns = rows_.columns;
  const std::int64_t last = rows_.last;
  const auto wanted = [&](std::int64_t v) {
    return rows_.begin(v) + from < rows_.end(v) && label(v) != skip;
  };
  while (next_ < last) {
    const std::int64_t begin = next_, end = next_ = std::min(begin + chunk, last);
    bool any = false;
    for (std::int64_t v = begin; v < end; ++v) {
      if (!wanted(v)) continue;
      local_reference<const Id>(&columns[rows_.begin(v) + from]).issue_read();
      any = true;
    }
    if (!any) continue;
    co_await yield_now();
    for (std::int64_t v = begin; v < end; ++v) {
      if (!wanted(v)) continue;
      for (edge_offset at = rows_.begin(v) + from; at < rows_.end(v); at += piece) {
        join_row(v, at, std::min(at + piece, rows_.end(v)));
        if (told_ < list_end_) co_await tell(all);
      }
    }
  }
}

template <class Id>
template <class Make>
task<> task_forest<Id>::several(int tasks, Make make) {
  for (int i = 0; i < tasks; ++i) all_->tasks().local().spawn(make());
  co_return;
}

template <class Id>
void task_forest<Id>::join_first(const peers& all) {
  all_ = &all;
  next_ = rows_.first;
  all.tasks().run(several(in_flight, [&] { return sample(all); }));
}

template <class Id>
void task_forest<Id>::join_rest(const peers& all, std::int64_t from, Id skip) {
  all_ = &all;
  told_ = list_end_ = 0;
  next_ = rows_.first;
  all.tasks().run(several(in_flight, [&, from, skip] { return walk(all, from, skip); }));
}

/// Others' vertices that are roots of own ones here.
template <class Id>
void task_forest<Id>::list_roots() {
  std::fill(arrays_.listed.begin(), arrays_.listed.end(), 0);
  next_ = list_end_ = 0;
  Id before = -1;
  for (std::int64_t v = rows_.first; v < rows_.last; ++v) {
    const Id found = root(static_cast<Id>(v));
    if (found == before || owners_.owner(found) == rank_) continue;
    before = found;
    std::uint64_t& word = arrays_.listed.data()[static_cast<std::size_t>(found) / 64];
    const std::uint64_t bit = std::uint64_t{1} << (found & 63);
    if ((word & bit) == 0) arrays_.roots.data()[list_end_++] = found;
    word |= bit;
  }
}

template <class Id>
task<> task_forest<Id>::follow(const peers& all) {
  while (next_ < list_end_) {
    const Id asked = arrays_.roots.data()[next_++];
    Id end = asked;
    for (;;) {
      const Id root = co_await all.call(owners_.owner(end), root_of{end});
      if (root == end) break;
      end = root;
    }
    parents_[static_cast<std::size_t>(asked)] = end;
  }
}

template <class Id>
void task_forest<Id>::follow_roots(const peers& all) {
  list_roots();
  const auto tasks = static_cast<int>(std::min<std::int64_t>(following, list_end_));
  all.tasks().run(several(tasks, [&] { return follow(all); }));
}

template <class Id>
void task_forest<Id>::compress() {
  for (std::int64_t v = rows_.first; v < rows_.last; ++v)
    parents_[static_cast<std::size_t>(v)] = root(static_cast<Id>(v));
}

template class task_forest<vertex32>;
template class task_forest<vertex64>;

}  // namespace gossamer::components_detail
