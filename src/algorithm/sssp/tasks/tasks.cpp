// The tasks that work a bucket off, and what an offer of a distance does at the vertex's owner.
#include "algorithm/sssp/tasks/tasks.hpp"

#include <algorithm>
#include <limits>

#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/sssp/instances.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/task/local_reference.hpp"

namespace gossamer::sssp_detail {

namespace {

/// Tasks that share a bucket: each has a line or two of memory under way.
constexpr std::int64_t in_flight = 16;
/// Arcs that a task looks at before the others, and messages, have a turn.
constexpr edge_offset piece = 1024;
/// Arcs ahead of the one looked at whose vertices' distances are fetched.
constexpr edge_offset ahead = 16;
/// Every task may have found a piece's neighbours and wait for room.
constexpr std::int64_t most_found = in_flight * piece;
constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

}  // namespace

template <class Id, class Distance>
task_search<Id, Distance>::task_search(const weighted_rows<Id, Distance>& rows,
                                       const placed_graph& g, int rank, bucket_width width)
    : rows_(rows),
      owners_(g.owners().view()),
      first_(rows.first),
      last_(g.bounds()[static_cast<std::size_t>(rank) + 1]),
      rank_(rank),
      width_(width),
      waiting_(width),
      arrays_(algorithm_detail::taken<arrays>(g.on()[rank])) {}

template <class Id, class Distance>
void task_search<Id, Distance>::arrays::list(algorithm_detail::array_list& of) {
  of.add(found, most_found);
}

template <class Id, class Distance>
algorithm_detail::listed_bytes task_search<Id, Distance>::bytes(std::int64_t vertices, int ranks) {
  auto all = algorithm_detail::counted<arrays>();
  all.window = global_heap::bytes(vertices, sizeof(Distance)) + peers::bytes() +
               algorithm_detail::task_bytes(ranks);
  return all;
}

template <class Id, class Distance>
void task_search<Id, Distance>::begin(std::int64_t source) {
  std::fill(known_.begin(), known_.end(), unreached<Distance>);
  waiting_.clear();
  taken_ = {};
  next_ = 0;
  bucket_ = -1;
  working_ = posted_ = found_end_ = relaxations_ = 0;
  known_[static_cast<std::size_t>(source)] = 0;
  if (owners_.owner(source) == rank_) waiting_.push(0, static_cast<Id>(source));
}

/// The next vertex of the bucket whose distance is still the one that it was queued with.
template <class Id, class Distance>
bool task_search<Id, Distance>::take(entry& next) {
  for (;;) {
    if (next_ == taken_.size()) {
      taken_.clear();
      next_ = 0;
      waiting_.take(bucket_, taken_);
      if (taken_.empty()) return false;
    }
    next = taken_[next_++];
    if (!(known_[static_cast<std::size_t>(next.vertex)] < next.distance)) return true;
  }
}

/// Part of a row. Sums that do not fit are "not reached", which shortens nothing: an integer's sum
/// has wrapped when it is less than what was added to, a float's is infinite by itself.
template <class Id, class Distance>
void task_search<Id, Distance>::scan(Distance from, edge_offset first, edge_offset last) {
  for (edge_offset k = first; k < std::min(last, first + ahead); ++k)
    __builtin_prefetch(&known_[static_cast<std::size_t>(rows_.columns[k])], 1);
  for (edge_offset k = first; k < last; ++k) {
    if (k + ahead < last)
      __builtin_prefetch(&known_[static_cast<std::size_t>(rows_.columns[k + ahead])], 1);
    const Id v = rows_.columns[k];
    const Distance along_it = along<Distance>(from, rows_.weights[k]);
    const Distance sum = along_it < from ? unreached<Distance> : along_it;
    Distance& known = known_[static_cast<std::size_t>(v)];
    if (!(sum < known)) continue;
    known = sum;
    if (owners_.owner(v) == rank_)
      waiting_.push(sum, v);
    else
      arrays_.found.data()[found_end_++] = {sum, v};
  }
  relaxations_ += last - first;
}

/// One of the tasks that share a bucket.
template <class Id, class Distance>
task<> task_search<Id, Distance>::relax(const peers& all) {
  for (entry now; take(now);) {
    const local_reference<const edge_offset> row(&rows_.offsets[now.vertex - rows_.first]);
    row.issue_read();
    co_await yield_now();
    edge_offset at = row.complete();
    const edge_offset last = rows_.end(now.vertex);
    local_reference<const Id>(&rows_.columns[at]).issue_read();
    local_reference(&rows_.weights[at]).issue_read();
    co_await yield_now();
    while (at < last) {
      scan(now.distance, at, std::min(at + piece, last));
      while (posted_ < found_end_) {
        const shorten next = arrays_.found.data()[posted_++];
        if (known_[static_cast<std::size_t>(next.vertex)] < next.distance) continue;
        co_await all.post(owners_.owner(next.vertex), next);
      }
      posted_ = found_end_ = 0;
      at += piece;
      if (at < last) co_await yield_now();
    }
  }
  --working_;
}

/// As many tasks as there is work for.
template <class Id, class Distance>
void task_search<Id, Distance>::spawn_more(const peers& all) {
  const auto waiting = static_cast<std::int64_t>(taken_.size() - next_ + waiting_.size(bucket_));
  for (std::int64_t i = working_; i < std::min(in_flight, waiting); ++i) {
    ++working_;
    all.tasks().local().spawn(relax(all));
  }
}

template <class Id, class Distance>
task<> task_search<Id, Distance>::start(const peers& all) {
  spawn_more(all);
  co_return;
}

template <class Id, class Distance>
void task_search<Id, Distance>::arrive(Id vertex, Distance distance) {
  Distance& known = known_[static_cast<std::size_t>(vertex)];
  if (!(distance < known)) return;
  known = distance;
  waiting_.push(distance, vertex);
  if (working_ < in_flight && width_.of(distance) == bucket_) spawn_more(*all_);
}

template <class Id, class Distance>
void task_search<Id, Distance>::run(rank& r, std::int64_t source, Distance* distances,
                                    outcome& out) {
  global_tasks tasks(r, algorithm_detail::named_tasks("sssp"));
  const peers all(tasks, *this);
  all_ = &all;
  known_ = tasks.heap().template allocate_owned<Distance>(rows_.vertices).local();
  scalar_plan<std::int64_t> agreement(r);
  begin(source);
  r.barrier();
  for (std::int64_t from = 0;;) {
    const double at = r.clock();
    const std::int64_t mine = waiting_.next(from);
    from = bucket_ = agreement.allreduce(mine < 0 ? none : mine, reduction::min);
    out.times.agree += r.clock() - at;
    if (bucket_ == none) break;
    ++out.counts.rounds;
    const trace_span span(r, "relax");
    const std::int64_t before = relaxations_;
    tasks.run(start(all));
    r.charge(static_cast<double>(relaxations_ - before) * (sizeof(Id) + sizeof(Distance) + line),
             0);
  }
  std::copy(known_.begin() + first_, known_.begin() + last_, distances + first_);
  out.counts.relaxations = relaxations_;
}

GOSSAMER_SSSP_CLASS(class task_search)

}  // namespace gossamer::sssp_detail
