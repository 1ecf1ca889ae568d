// Counts edges by rank in one pass over the rows, and writes them down in another.
#include "algorithm/components/routed/edge_shares.hpp"

#include <algorithm>
#include <bit>

#include "gossamer/dataflow/worklist/short_rows.hpp"

namespace gossamer::components_detail {

namespace {

/// Calls see(u, v), u > v, for each edge, of a symmetric graph once; loops are none.
template <class Id, class See>
void each_edge(csr_view<Id> rows, bool symmetric, const See& see) {
  for (std::int64_t w = 0; w < rows.vertices(); ++w)
    for (const Id x : rows.row(w)) {
      if (x < w)
        see(w, std::int64_t{x});
      else if (!symmetric && x > w)
        see(std::int64_t{x}, w);
    }
}

/// Says whose an edge is. Edges have to come in the order of each_edge().
class owner_of_edges {
 public:
  explicit owner_of_edges(const edge_shares& shares) : shares_(shares) {}

  std::size_t operator()(std::int64_t u, std::int64_t v) {
    if (!shares_.bounds.empty()) return shares_.meeting[range_of(u)][range_of(v)];
    while (seen_ == until_) until_ += shares_.counts[next_++];
    ++seen_;
    return next_ - 1;
  }

 private:
  [[nodiscard]] std::size_t range_of(std::int64_t v) const {
    const auto& b = shares_.bounds;
    return static_cast<std::size_t>(std::upper_bound(b.begin() + 1, b.end() - 1, v) - b.begin()) -
           1;
  }
  const edge_shares& shares_;
  std::int64_t seen_ = 0, until_ = 0;
  std::size_t next_ = 0;
};

}  // namespace

edge_shares::edge_shares(const graph& g, int ranks)
    : counts(static_cast<std::size_t>(ranks)), ends(counts.size()) {
  const std::int64_t n = g.vertices();
  const auto see_all = [&](const auto& see) {
    g.visit([&](const auto& rows) { each_edge(rows, g.symmetric, see); });
  };
  if (dataflow::short_in_the_mean(n, g.arcs())) {
    bounds.assign(counts.size() + 1, n);
    meeting.assign(counts.size(), std::vector<int>(counts.size()));
    halve(0, ranks, 0, n);
    owner_of_edges owner(*this);
    see_all([&](std::int64_t u, std::int64_t v) { ++counts[owner(u, v)]; });
  } else {
    std::int64_t edges = 0;
    see_all([&](std::int64_t, std::int64_t) { ++edges; });
    for (std::int64_t r = 0; r < ranks; ++r)
      counts[static_cast<std::size_t>(r)] = edges * (r + 1) / ranks - edges * r / ranks;
    std::fill(ends.begin(), ends.end(), element_range{0, static_cast<std::size_t>(n)});
  }
  for (std::size_t r = 0; r < counts.size(); ++r)
    if (counts[r] == 0) ends[r] = {};
}

// The first half has the largest power of two of ranks that leaves some to the other.
void edge_shares::halve(int first, int last, std::int64_t from, std::int64_t to) {
  const auto at = static_cast<std::size_t>(first);
  bounds[at] = from;
  for (int a = first; a < last; ++a)
    for (int b = first; b < last; ++b)
      meeting[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = first;
  if (ends[at].size() == 0)  // else of a larger part
    ends[at] = {static_cast<std::size_t>(from), static_cast<std::size_t>(to)};
  const int ranks = last - first;
  if (ranks < 2) return;
  const int half = static_cast<int>(std::bit_ceil(static_cast<unsigned>(ranks)) / 2);
  const std::int64_t middle = from + (to - from) * half / ranks;
  halve(first, first + half, from, middle);
  halve(first + half, last, middle, to);
}

element_range edge_shares::own(int rank, std::int64_t vertices) const {
  const auto at = static_cast<std::size_t>(rank);
  if (counts[at] == 0) return {};
  if (bounds.empty()) return {0, static_cast<std::size_t>(vertices)};
  return {static_cast<std::size_t>(bounds[at]), static_cast<std::size_t>(bounds[at + 1])};
}

element_range edge_shares::labels_of(int rank, const std::vector<int>& parents) const {
  element_range all = ends[static_cast<std::size_t>(rank)];
  for (std::size_t child = 0; child < parents.size(); ++child) {
    if (parents[child] != rank) continue;
    const element_range its = labels_of(static_cast<int>(child), parents);
    if (its.size() == 0) continue;
    all = all.size() == 0
              ? its
              : element_range{std::min(all.first, its.first), std::max(all.last, its.last)};
  }
  return all;
}

template <class Id>
std::vector<shared_array<edge<Id>>> edges_by_rank(const graph& g, const edge_shares& shares,
                                                  const std::function<bool(int)>& here) {
  std::vector<shared_array<edge<Id>>> all(shares.counts.size());
  std::vector<edge<Id>*> next(all.size());
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (!here(static_cast<int>(r))) continue;
    all[r] = make_array<edge<Id>>(static_cast<std::size_t>(shares.counts[r]));
    next[r] = all[r].data();
  }
  owner_of_edges owner(shares);
  each_edge(g.view<Id>(), g.symmetric, [&](std::int64_t u, std::int64_t v) {
    edge<Id>*& to = next[owner(u, v)];
    if (to != nullptr) *to++ = {static_cast<Id>(u), static_cast<Id>(v)};
  });
  return all;
}

template std::vector<shared_array<edge<vertex32>>> edges_by_rank(const graph&, const edge_shares&,
                                                                 const std::function<bool(int)>&);
template std::vector<shared_array<edge<vertex64>>> edges_by_rank(const graph&, const edge_shares&,
                                                                 const std::function<bool(int)>&);

}  // namespace gossamer::components_detail
