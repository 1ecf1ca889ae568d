// What is made of finished labels: counts, and labels of the caller's vertices where rows were
// moved.
#pragma once

#include <algorithm>
#include <limits>

#include "gossamer/algorithm/components.hpp"
#include "gossamer/base/atomics.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::components_detail {

/// What one pass over finished labels shows. Each component has one vertex that is its own label.
struct label_totals {
  std::int64_t roots = 0;    ///< vertices that are their own label: components
  std::int64_t with_it = 0;  ///< vertices with the label that is counted apart
  std::int64_t others = 0;   ///< vertices that are neither

  void operator+=(const label_totals& more) {
    roots += more.roots;
    with_it += more.with_it;
    others += more.others;
  }
};

template <class Id>
label_totals total_labels(const shared_array<Id>& labels, Id apart, int threads) {
  constexpr std::int64_t block = 4096;
  const auto count = [&](std::int64_t first, std::int64_t last, label_totals& all) {
    const Id* const l = labels.data() + first;
    const auto some = static_cast<Id>(last - first), from = static_cast<Id>(first);
    Id own = 0, most = 0, rest = 0;
    for (Id i = 0; i < some; ++i) {  // no branch: the compiler takes several at once
      const Id root = l[i] == from + i, its = l[i] == apart;
      own += root;
      most += its;
      rest += (root | its) ^ 1;
    }
    all += {own, most, rest};
  };
  return sum_pieces<label_totals>({threads}, std::ssize(labels.span()), block, count);
}

/// The labels that vertices other than themselves have, but `apart`: `others` of them. Which
/// vertices have one cannot be foretold, so that blocks without any are told without a branch.
template <class Id>
shared_array<Id> list_others(const shared_array<Id>& labels, Id apart, std::int64_t others) {
  constexpr std::size_t block = 256;
  auto listed = make_array<Id>(static_cast<std::size_t>(others));
  std::size_t at = 0;
  for (std::size_t first = 0; first < labels.size() && at < listed.size(); first += block) {
    const Id* const l = labels.data() + first;
    const std::size_t some = std::min(block, labels.size() - first);
    const auto is_other = [&](std::size_t i) {
      return static_cast<Id>((l[i] != static_cast<Id>(first + i)) & (l[i] != apart));
    };
    Id here = 0;
    for (std::size_t i = 0; i < some; ++i) here += is_other(i);
    for (std::size_t i = 0; i < some && here > 0; ++i)
      if (is_other(i) != 0) listed[at++] = l[i];
  }
  return listed;
}

/// f(label, vertices with it) for each of these labels: few of them, sorted.
template <class Id, class F>
void each_of_few(const shared_array<Id>& labels, Id apart, std::int64_t others, const F& f) {
  const auto listed = list_others(labels, apart, others);
  std::sort(listed.begin(), listed.end());
  for (const Id* from = listed.begin(); from != listed.end();) {
    const Id* end = from;
    while (end != listed.end() && *end == *from) ++end;
    f(std::int64_t{*from}, end - from + 1);
    from = end;
  }
}

/// A label that most vertices have, of several the smallest.
struct largest_label {
  std::int64_t vertices = 0, label = 0;

  void operator+=(const largest_label& other) {
    if (other.vertices > vertices || (other.vertices == vertices && other.label < label))
      *this = other;
  }
};

/// The same where they are many: counted by label, by `threads`, and for the largest alone.
template <class Id, class F>
void each_of_many(const shared_array<Id>& labels, Id apart, int threads, const F& f) {
  constexpr std::int64_t block = 4096;
  const auto n = static_cast<std::int64_t>(labels.size());
  const auto others = make_array<Id>(labels.size());
  for_each(cpu_team{threads}, n, [&](std::int64_t v) { others[v] = 0; });
  for_each(cpu_team{threads}, n, [&](std::int64_t v) {
    const Id l = labels[v];
    if (l != static_cast<Id>(v) && l != apart) std_atomics::fetch_add(others[l], Id{1});
  });
  const auto look = [&](std::int64_t first, std::int64_t last, largest_label& found) {
    for (std::int64_t l = first; l < last; ++l)
      if (others[l] > found.vertices) found = {others[l], l};
  };
  const auto largest = sum_pieces<largest_label>({threads}, n, block, look);
  if (largest.vertices > 0) f(largest.label, largest.vertices + 1);
}

/// Components, and the largest (of several the one with the smallest label), counted from finished
/// labels by `threads`. The label that most vertices of most graphs have is counted apart: threads
/// would meet at its counter.
template <class Id>
void count_components(const shared_array<Id>& labels, int threads, components_result& result) {
  const auto n = static_cast<std::int64_t>(labels.size());
  if (n == 0) return;
  const Id apart = labels[labels.size() / 2];
  const label_totals totals = total_labels(labels, apart, threads);
  result.count = totals.roots;
  result.largest = 1;  // where all are alone, vertex 0 is the first of them
  result.largest_label = 0;
  const auto see = [&](std::int64_t label, std::int64_t size) {
    if (size < result.largest || (size == result.largest && label >= result.largest_label)) return;
    result.largest = size;
    result.largest_label = label;
  };
  if (totals.others <= n / 32)
    each_of_few(labels, apart, totals.others, see);
  else
    each_of_many(labels, apart, threads, see);
  see(apart, totals.with_it);
}

/// Labels by placed id, which name placed ids, as labels by vertex: of each component the smallest
/// vertex.
template <class Id>
shared_array<Id> labels_by_vertex(const placed_graph& g, const shared_array<Id>& of_ids) {
  const Id* const vertex = g.vertices_by_id<Id>();
  if (vertex == nullptr) return of_ids;
  const auto smallest = make_array<Id>(of_ids.size());
  const auto labels = make_array<Id>(static_cast<std::size_t>(g.vertices()));
  std::fill(smallest.begin(), smallest.end(), std::numeric_limits<Id>::max());
  for (std::size_t i = 0; i < of_ids.size(); ++i) {
    if (vertex[i] < 0) continue;  // nobody's
    Id& its = smallest[static_cast<std::size_t>(of_ids[i])];
    its = std::min(its, vertex[i]);
  }
  for (std::size_t i = 0; i < of_ids.size(); ++i)
    if (vertex[i] >= 0)
      labels[static_cast<std::size_t>(vertex[i])] = smallest[static_cast<std::size_t>(of_ids[i])];
  return labels;
}

}  // namespace gossamer::components_detail
