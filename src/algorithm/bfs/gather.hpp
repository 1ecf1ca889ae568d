// What ranks in several processes tell each other at the end of a search, so that every process has
// the whole result: parents and depths of all ranks, and the times of the slowest.
//
// Ranks of one process need none of it: they write into the same result.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithm/bfs/engine.hpp"
#include "algorithm/driver/rank_outcomes.hpp"

namespace gossamer::bfs_detail {

/// What one rank brings back from a run.
struct rank_outcome {
  traversal ran;
  double total = 0, exchange = 0, agree = 0, deterministic = 0, gather = 0;  // seconds
  traffic_by_kind sent;
  bfs_result::part part{};
};

/// What all ranks sent, by kind; rounds are the same on every rank (none with one),
/// times the slowest rank's.
inline std::vector<bfs_messages> add_up(const std::vector<rank_outcome>& outcomes) {
  std::vector<bfs_messages> all = {{"flag"}, {"out"}, {"tree"}};
  for (const auto& o : outcomes) {
    const traffic* kinds[] = {&o.sent.flag, &o.sent.out, &o.sent.tree};
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].rounds = outcomes.size() > 1 ? kinds[k]->rounds : 0;
      all[k].messages += kinds[k]->messages;
      all[k].bytes += kinds[k]->bytes;
      // One rank that cannot tell makes it unknown.
      const double seconds = kinds[k]->seconds;
      if (std::isnan(seconds) || seconds > all[k].seconds) all[k].seconds = seconds;
    }
  }
  return all;
}

/// The search as the slowest rank saw it: levels, counts and choices are the same on every rank.
/// A level takes as long as on the rank that is slowest in it.
struct search_times {
  traversal ran;
  double total = 0, exchange = 0, agree = 0, tree = 0, deterministic = 0, gather = 0;  // seconds
};
inline search_times slowest(const std::vector<rank_outcome>& outcomes) {
  const rank_outcome& one = algorithm_detail::slowest_rank(outcomes, &rank_outcome::total);
  // Who gathers the tree sends none of it.
  const bool sent = std::any_of(outcomes.begin(), outcomes.end(),
                                [](const auto& o) { return o.sent.tree.messages > 0; });
  const double tree = sent ? one.sent.tree.seconds : 0;
  search_times all{outcomes.front().ran, one.total, one.exchange, one.agree, tree,
                   one.deterministic,    one.gather};
  for (const rank_outcome& o : outcomes) {
    for (std::size_t i = 0; i < all.ran.levels.size(); ++i) {
      double& slowest_yet = all.ran.levels[i].milliseconds;
      slowest_yet = std::max(slowest_yet, o.ran.levels[i].milliseconds);
    }
  }
  return all;
}

/// Every rank's result arrays one behind the other, in rank order, on every rank; in host memory,
/// where the caller reads them.
template <class Id>
struct result_windows {
  window<Id> parents;
  window<std::int32_t> depths;
};
template <class Id>
result_windows<Id> make_result_windows(rank& r, const ownership& owners) {
  const auto placed = static_cast<std::size_t>(owners.placed());
  return {r.make_window<Id>(placed, home::host), r.make_window<std::int32_t>(placed, home::host)};
}

/// Collective, after the search: outcomes[r.id()] is this rank's and complete; the others are
/// filled in. The run's arena ends with the run, so that what arrived is copied out of it.
template <class Id>
void gather_outcomes(rank& r, const ownership& owners, const result_windows<Id>& windows,
                     std::vector<rank_outcome>& outcomes) {
  const double begin = r.clock();
  const auto p = static_cast<std::size_t>(r.size()), me = static_cast<std::size_t>(r.id());
  rank_outcome& mine = outcomes[me];
  std::vector<std::size_t> first(p + 1, 0);
  for (std::size_t k = 0; k < p; ++k)
    first[k + 1] = first[k] + static_cast<std::size_t>(owners.local_size(static_cast<int>(k)));
  const auto rows = static_cast<std::size_t>(mine.part.rows);
  const std::span<const Id> parents(static_cast<const Id*>(mine.part.parents), rows);
  const std::span<const std::int32_t> depths(mine.part.depths, rows);
  for (int step = 1; step < r.size(); ++step) {
    const int peer = (r.id() + step) % r.size();
    r.put(windows.parents, peer, first[me], parents);
    r.put(windows.depths, peer, first[me], depths);
  }
  r.barrier();

  struct kept {
    std::vector<Id> parents;
    std::vector<std::int32_t> depths;
  };
  auto all = std::make_shared<kept>();
  all->parents.assign(windows.parents.local().begin(), windows.parents.local().end());
  all->depths.assign(windows.depths.local().begin(), windows.depths.local().end());

  // Levels and choices are the same on every rank, their times are not.
  std::vector<double> times = {mine.total, mine.exchange, mine.agree, mine.deterministic,
                               r.clock() - begin};
  for (const traffic* t : {&mine.sent.flag, &mine.sent.out, &mine.sent.tree})
    for (const double x : {static_cast<double>(t->messages), static_cast<double>(t->bytes),
                           static_cast<double>(t->rounds), t->seconds})
      times.push_back(x);
  const std::size_t heads = times.size();
  for (const auto& level : mine.ran.levels) times.push_back(level.milliseconds);
  std::vector<double> of_all(times.size() * p);
  r.exchange(std::as_bytes(std::span(times)), std::as_writable_bytes(std::span(of_all)));
  for (std::size_t k = 0; k < p; ++k) {
    const double* theirs = of_all.data() + k * times.size();
    rank_outcome& o = outcomes[k];
    if (k != me) {
      o.ran = mine.ran;
      o.part = {static_cast<int>(k),
                -1,
                all->parents.data() + first[k],
                all->depths.data() + first[k],
                static_cast<std::int64_t>(first[k + 1] - first[k]),
                static_cast<int>(sizeof(Id)),
                all};
    }
    o.total = theirs[0];
    o.exchange = theirs[1];
    o.agree = theirs[2];
    o.deterministic = theirs[3];
    o.gather = theirs[4];
    const double* count = theirs + 5;
    for (traffic* t : {&o.sent.flag, &o.sent.out, &o.sent.tree}) {
      *t = {static_cast<std::int64_t>(count[2]), static_cast<std::int64_t>(count[0]),
            static_cast<std::int64_t>(count[1]), count[3]};
      count += 4;
    }
    for (std::size_t i = 0; i < o.ran.levels.size(); ++i)
      o.ran.levels[i].milliseconds = theirs[heads + i];
  }
}

}  // namespace gossamer::bfs_detail
