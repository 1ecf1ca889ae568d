// reduction: values of all ranks merged into one of them, through a router and its policy.
//
// The router sends each rank's result to its parent (reduction_policy); merging is the endpoints'
// work, as in the paper. Segments of a message are merged as they arrive. A rank hands its own on
// when those of all its children are in. So the last bits of sums of floats depend on the order of
// arrival; plan_allreduce (layer collective) repeats bit for bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/collective/combine.hpp"
#include "gossamer/dataflow/flow.hpp"

namespace gossamer::dataflow {

/// Elements [first, last) of what every rank has.
struct element_range {
  std::size_t first = 0, last = 0;

  [[nodiscard]] std::size_t size() const noexcept { return last - first; }
};

/// Brings `data` of every rank to the root. Each rank merges what its children send into its own
/// before it hands that on. merge(first, theirs): elements from `first` on, of one child.
/// complete() follows the last of them, also where there was none. `up`: this rank's link into the
/// router, `down`: its link out of it; a link that the rank's place in the tree does not need is
/// not used. `parents`: what the router's policy was made of. `parts`: [ranks] what each hands on,
/// its children's with it; the same everywhere. Afterwards `up` is shut down.
template <class T, class Merge, class Complete>
void merge_through(flow& f, link_id up, link_id down, const std::vector<int>& parents,
                   const std::vector<element_range>& parts, std::span<T> data, Merge&& merge,
                   Complete&& complete) {
  const auto me = static_cast<std::size_t>(f.id());
  std::uint64_t left = 0;
  for (std::size_t r = 0; r < parents.size(); ++r)
    if (parents[r] == f.id()) left += parts[r].size() * sizeof(T);
  while (left > 0) {
    auto in = f[down];
    const auto segment = in.receive().get();
    if (segment.empty()) throw usage_error("reduction: a child sent less than all of its values");
    const auto& what = segment.what();
    merge(static_cast<std::size_t>(what.tag + what.offset / sizeof(T)), segment.as<T>());
    left -= segment.bytes().size();
    in.release(segment);
  }
  complete();
  if (parents[me] < 0) return;
  auto out = f[up];
  const auto [first, last] = parts[me];
  if (first < last)
    out.send(std::span<const T>(data.subspan(first, last - first)), {.tag = first}).wait();
  out.shutdown();
}

/// The same where every rank hands on all elements.
template <class T, class Merge, class Complete>
void merge_through(flow& f, link_id up, link_id down, const std::vector<int>& parents,
                   std::span<T> data, Merge&& merge, Complete&& complete) {
  const std::vector<element_range> all(parents.size(), {0, data.size()});
  merge_through(f, up, down, parents, all, data, merge, complete);
}

/// The same, element by element by `op`. Only CPU ranks: usage_error on a GPU.
template <class T>
void reduce_through(flow& f, link_id up, link_id down, const std::vector<int>& parents,
                    std::span<T> data, reduction op) {
  require(!f.rank().dev().is_cuda(), "reduce_through: merges on CPU ranks only");
  const auto merge = [&](std::size_t first, std::span<const T> theirs) {
    const auto mine = data.subspan(first, theirs.size());
    for (std::size_t i = 0; i < theirs.size(); ++i) mine[i] = combine(mine[i], theirs[i], op);
  };
  merge_through(f, up, down, parents, data, merge, [] {});
}

}  // namespace gossamer::dataflow
