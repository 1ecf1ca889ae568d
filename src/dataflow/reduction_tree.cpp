// Who merges with whom: paper C's "sibling" GPUs, found from the machine's own table.
//
// Ranks are grouped by distance, nearest first: groups at one distance are merged into those of the
// next by a binomial tree over their leaders, so that each slow connection is crossed once.
#include <algorithm>
#include <set>

#include "gossamer/base/error.hpp"
#include "gossamer/dataflow/routing_policy.hpp"
#include "gossamer/fabric/network.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::dataflow {

namespace {

/// p x p; smaller is nearer. Links of the route where there is a model, else the kind of reach, and
/// other hosts behind everything on this one.
std::vector<std::vector<int>> distances(const machine& m) {
  const int p = m.size();
  std::vector<std::vector<int>> far(static_cast<std::size_t>(p),
                                    std::vector<int>(static_cast<std::size_t>(p)));
  std::optional<model::network> net;
  if (m[0].model) net.emplace(m[0].model, p);
  for (int a = 0; a < p; ++a)
    for (int b = 0; b < p; ++b) {
      const bool same_host = m[a].memory_group == m[b].memory_group;
      const int other = same_host ? 0 : 8;
      far[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] =
          net ? static_cast<int>(net->route(a, b).size())
              : static_cast<int>(m.between(a, b).how) + other;
    }
  return far;
}

}  // namespace

std::vector<int> reduction_parents(const machine& m, int root, reduction_shape shape) {
  const int p = m.size();
  if (root < 0 || root >= p)
    throw usage_error("dataflow: no rank " + std::to_string(root) + " among " + std::to_string(p) +
                      " to reduce at");
  std::vector<int> parents(static_cast<std::size_t>(p), root);
  parents[static_cast<std::size_t>(root)] = -1;
  const auto far = distances(m);
  std::set<int> steps;
  bool alike = true;
  for (int a = 0; a < p; ++a)
    for (int b = 0; b < p; ++b) {
      if (a == b) continue;
      steps.insert(far[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]);
      alike &= a != root || far[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] ==
                                far[static_cast<std::size_t>(root)][root == 0 ? p - 1 : 0];
    }
  if (shape == reduction_shape::many_to_one) return parents;
  if (shape == reduction_shape::automatic && p <= 4 && alike) return parents;

  // Leaders that are left; the root leads every group that it is in.
  std::vector<int> leaders{root};
  for (int r = 0; r < p; ++r)
    if (r != root) leaders.push_back(r);
  for (const int step : steps) {
    std::vector<int> left;
    std::vector<bool> gone(leaders.size());
    for (std::size_t i = 0; i < leaders.size(); ++i) {
      if (gone[i]) continue;
      std::vector<int> group{leaders[i]};
      for (std::size_t j = i + 1; j < leaders.size(); ++j) {
        const auto a = static_cast<std::size_t>(leaders[i]),
                   b = static_cast<std::size_t>(leaders[j]);
        if (gone[j] || far[a][b] > step) continue;
        gone[j] = true;
        group.push_back(leaders[j]);
      }
      // Binomial: member i hands on to i without its lowest set bit.
      for (std::size_t k = 1; k < group.size(); ++k)
        parents[static_cast<std::size_t>(group[k])] = group[k & (k - 1)];
      left.push_back(group[0]);
    }
    leaders = std::move(left);
  }
  return parents;
}

}  // namespace gossamer::dataflow
