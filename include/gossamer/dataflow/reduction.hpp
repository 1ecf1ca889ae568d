// reduction: values of all ranks merged into one of them, through a router and its policy.
//
// The router sends each rank's result to its parent (reduction_policy); merging is the endpoints'
// work, as in the paper. Segments of a message are merged as they arrive, and a rank hands its own
// on when those of all its children are in. Sums of floats therefore depend on the order of arrival
// in their last bits; plan_allreduce (layer collective) repeats bit for bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/collective/combine.hpp"
#include "gossamer/dataflow/flow.hpp"

namespace gossamer::dataflow {

/// Merges `data` of every rank into the root's, element by element. `up`: this rank's link into the
/// router, `down`: its link out of it; one that the rank's place in the tree does not need is not
/// used. `parents`: what the router's policy was made of. Afterwards `up` is shut down. Only CPU
/// ranks: usage_error on a GPU.
template <class T>
void reduce_through(flow& f, link_id up, link_id down, const std::vector<int>& parents,
                    std::span<T> data, reduction op) {
  const int me = f.id();
  require(!f.rank().dev().is_cuda(), "reduce_through: merges on CPU ranks only");
  const auto children = static_cast<std::uint64_t>(std::count(parents.begin(), parents.end(), me));
  for (std::uint64_t left = children * data.size_bytes(); left > 0;) {
    auto in = f[down];
    const auto segment = in.receive().get();
    if (segment.empty()) throw usage_error("reduce_through: a child sent less than all of it");
    const auto theirs = segment.as<T>();
    const auto mine = data.subspan(segment.what().offset / sizeof(T), theirs.size());
    for (std::size_t i = 0; i < theirs.size(); ++i) mine[i] = combine(mine[i], theirs[i], op);
    left -= theirs.size_bytes();
    in.release(segment);
  }
  if (parents[static_cast<std::size_t>(me)] < 0) return;
  auto out = f[up];
  if (!data.empty()) out.send(std::span<const T>(data)).wait();
  out.shutdown();
}

}  // namespace gossamer::dataflow
