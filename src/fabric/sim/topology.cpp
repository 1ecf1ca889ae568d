// The links of a system and the fixed routes through them.
#include <algorithm>
#include <limits>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/network.hpp"

namespace gossamer::model {

namespace {
std::string arrow(const std::string& a, const std::string& b) {
  return a + "->" + b;
}
// "s1.0": switch 0 above level 0's nodes.
std::string switch_name(std::size_t level, int number) {
  std::string name("s");
  return name.append(std::to_string(level)).append(".").append(std::to_string(number));
}
}  // namespace

network::network(std::shared_ptr<const system> s, int nodes)
    : system_(std::move(s)), nodes_(nodes) {
  require(nodes >= 1, "a modelled machine needs at least one rank");
  system_->check_ranks(nodes);
  engines_.resize(static_cast<std::size_t>(nodes));
  adapters_.resize(static_cast<std::size_t>(nodes));
  switch (system_->network.kind) {
    case topology_kind::torus:
    case topology_kind::ring:
      build_torus();
      break;
    case topology_kind::fat_tree:
      build_tree(true);
      break;
    case topology_kind::pcie_tree:
      build_tree(false);
      break;
    case topology_kind::all_to_all:
      break;  // links are made when a pair first talks: p^2 of them need not exist
  }
  if (const double b = system_->network.port_bandwidth; b > 0)
    for (int n = 0; n < nodes; ++n) {
      const std::string name = std::to_string(n);
      port_out_.push_back(add_link(b, 0, arrow(name, "hub " + name), true));
      port_in_.push_back(add_link(b, 0, arrow("hub " + name, name), true));
    }
}

int network::add_link(double bandwidth, double latency, std::string name, bool port) {
  links_.push_back({bandwidth, latency, 0, port, std::move(name)});
  return static_cast<int>(links_.size()) - 1;
}

// The ranks fill a block of the torus: all of the first dimensions, as much of the last as they
// need. The torus itself keeps the description's extent, so that a block smaller than it has no
// way round; more ranks than it holds make the last dimension longer.
void network::build_torus() {
  const auto& net = system_->network;
  extent_ = net.kind == topology_kind::ring ? std::vector<int>{nodes_} : net.size;
  int before = 1;
  for (std::size_t d = 0; d + 1 < extent_.size(); ++d) before *= extent_[d];
  const int needed = (nodes_ + before - 1) / before;
  extent_.push_back(needed);  // the block's last extent, beside the torus's
  extent_[extent_.size() - 2] = std::max(extent_[extent_.size() - 2], needed);
  int all = 1;
  for (std::size_t d = 0; d + 1 < extent_.size(); ++d) all *= extent_[d];
  for (int n = 0; n < all; ++n) {
    first_.push_back(static_cast<int>(links_.size()));
    int stride = all;
    for (std::size_t d = 0; d + 1 < extent_.size(); ++d) {
      stride /= extent_[d];
      const int at = n / stride % extent_[d];
      for (const int step : {1, -1}) {
        const int there = (at + step + extent_[d]) % extent_[d];
        // A dimension of two is one link: both directions round lead over it.
        add_link(net.bandwidth[0], net.latency[0],
                 arrow(std::to_string(n), std::to_string(n + (there - at) * stride)));
      }
    }
  }
}

void network::torus_route(int from, int to, std::vector<int>& out) const {
  const auto dims = extent_.size() - 1;
  const int block = extent_.back(), last = extent_[dims - 1];
  // A rank's node: its place in the block, seen in the whole torus.
  const auto node = [&](int rank) { return rank / block * last + rank % block; };
  int at = node(from);
  const int end = node(to);
  int stride = 1;
  for (std::size_t d = 0; d < dims; ++d) stride *= extent_[d];
  for (std::size_t d = 0; d < dims; ++d) {
    stride /= extent_[d];
    const int n = extent_[d], target = end / stride % n;
    while (at / stride % n != target) {
      const int here = at / stride % n, forward = (target - here + n) % n;
      const bool up = 2 * forward <= n;
      out.push_back(first_[static_cast<std::size_t>(at)] + static_cast<int>(2 * d) + (up ? 0 : 1));
      at += ((here + (up ? 1 : n - 1)) % n - here) * stride;
    }
  }
}

// Level 0 joins nodes to their first switch. A fat tree's links grow with the nodes below them, so
// that half of the nodes can talk to the other half at full speed.
void network::build_tree(bool fat) {
  const auto& net = system_->network;
  int below = 1;
  for (std::size_t level = 0; level < net.size.size(); ++level) {
    first_.push_back(static_cast<int>(links_.size()));
    const int units = (nodes_ + below - 1) / below;
    for (int u = 0; u < units; ++u) {
      const std::string name = level == 0 ? std::to_string(u) : switch_name(level, u);
      const std::string up =
          switch_name(level + 1, level + 1 == net.size.size() ? 0 : u / net.size[level]);
      const double width = net.bandwidth[level] * (fat ? below : 1);
      add_link(width, net.latency[level], arrow(name, up));
      add_link(width, net.latency[level], arrow(up, name));
    }
    below *= net.size[level];
  }
  if (!net.one_host()) return;
  const std::string top = switch_name(net.size.size(), 0);
  to_host_ = add_link(net.host_bandwidth, net.host_latency, arrow(top, "host"));
  add_link(net.host_bandwidth, net.host_latency, arrow("host", top));
}

// From a node up to the top switch and on to the host, or the same way back.
void network::host_route(int node, bool up, std::vector<int>& out) const {
  int at = node;
  for (std::size_t level = 0; level < system_->network.size.size(); ++level) {
    out.push_back(first_[level] + 2 * at + (up ? 0 : 1));
    at /= system_->network.size[level];
  }
  out.push_back(to_host_ + (up ? 0 : 1));
  if (!up) std::reverse(out.begin(), out.end());
}

void network::tree_route(int from, int to, std::vector<int>& out) const {
  const auto& size = system_->network.size;
  auto middle = static_cast<std::ptrdiff_t>(out.size());  // the way up before it, down after it
  int a = from, b = to;
  for (std::size_t level = 0; level < size.size(); ++level) {
    out.insert(out.begin() + middle, first_[level] + 2 * a);
    ++middle;
    out.insert(out.begin() + middle, first_[level] + 2 * b + 1);
    a /= size[level];
    b /= size[level];
    if (a == b) break;  // the top level holds all that is left
  }
}

int network::pair_link(int from, int to) const {
  const auto key = static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  const auto [at, added] = pairs_.try_emplace(key, static_cast<int>(links_.size()));
  if (added)
    links_.push_back({system_->network.bandwidth[0], system_->network.latency[0], 0, false,
                      arrow(std::to_string(from), std::to_string(to))});
  return at->second;
}

std::vector<int> network::route(int from, int to) const {
  std::vector<int> out;
  find_route(from, to, out);
  return out;
}

void network::find_route(int from, int to, std::vector<int>& out) const {
  if (from == to) return;
  if (!port_out_.empty()) out.push_back(port_out_[static_cast<std::size_t>(from)]);
  switch (system_->network.kind) {
    case topology_kind::torus:
    case topology_kind::ring:
      torus_route(from, to, out);
      break;
    case topology_kind::fat_tree:
    case topology_kind::pcie_tree:
      tree_route(from, to, out);
      break;
    case topology_kind::all_to_all:
      out.push_back(pair_link(from, to));
      break;
  }
  if (!port_in_.empty()) out.push_back(port_in_[static_cast<std::size_t>(to)]);
}

// Where all nodes have one host, its memory lies at the top of the tree, whichever node's it is
// called; what stays in it crosses nothing.
void network::find_route(int from, int to, const transfer_kind& kind, std::vector<int>& out) const {
  if (to_host_ < 0 || (kind.from == memory::device && kind.to == memory::device))
    return find_route(from, to, out);
  if (kind.from == memory::device) host_route(from, true, out);
  if (kind.to == memory::device) host_route(to, false, out);
}

int network::hops(int from, int to) const {
  const auto links = route(from, to);
  return static_cast<int>(std::count_if(links.begin(), links.end(), [&](int l) {
    return !links_[static_cast<std::size_t>(l)].port;
  }));
}

double network::bandwidth(int from, int to) const {
  double slowest = std::numeric_limits<double>::infinity();
  for (const int l : route(from, to))
    slowest = std::min(slowest, links_[static_cast<std::size_t>(l)].bandwidth);
  return slowest;
}

std::string network::link_name(int number) const {
  return links_.at(static_cast<std::size_t>(number)).name;
}

}  // namespace gossamer::model
