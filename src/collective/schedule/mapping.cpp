// Node mappings: how many transfers of a round meet on a link, and permutations that avoid it.
//
// A schedule's rounds are the paper's steps. The identity's traffic (who sends how much to whom in
// which round, by position) is taken once; a mapping only renames its ends, so that trying one
// costs the routes alone. What a mapping costs is, summed over rounds, what the busiest link
// carries over its bandwidth and the latencies of the longest route: conflicts decide for large
// messages, hops for small ones and between mappings without conflicts.
#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <new>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/replay.hpp"
#include "gossamer/fabric/network.hpp"

namespace gossamer::model {

namespace {

struct message {
  int from, to;
  double bytes;
};
using rounds = std::map<int, std::vector<message>>;

rounds traffic(const schedule& s) {
  std::map<std::pair<int, std::pair<int, int>>, double> sums;
  for (int r = 0; r < s.ranks(); ++r)
    for (const auto& step : s.of(r).steps)
      if (step.kind == step_kind::put && step.round >= 0 && step.count > 0 && step.peer != r)
        sums[{step.round, {r, step.peer}}] += static_cast<double>(step.count * s.request().element);
  rounds all;
  for (const auto& [key, bytes] : sums)
    all[key.first].push_back({key.second.first, key.second.second, bytes});
  return all;
}

/// Loads of the links of one round, `at` giving each end's rank.
class loads {
 public:
  explicit loads(const network& net) : net_(net) {
    const auto p = static_cast<std::size_t>(net.nodes());
    routes_.resize(p * p);
    for (int a = 0; a < net.nodes(); ++a)
      for (int b = 0; b < net.nodes(); ++b)
        routes_[static_cast<std::size_t>(a) * p + static_cast<std::size_t>(b)] = net.route(a, b);
    load_.assign(static_cast<std::size_t>(net.links()), 0);
  }
  /// Largest sum on a link; `count`: of messages instead of bytes.
  double busiest(const std::vector<message>& all, const std::vector<int>& at, bool count) {
    std::fill(load_.begin(), load_.end(), 0.0);
    double most = 0;
    for (const auto& m : all)
      for (const int l : route(m, at))
        most = std::max(most, load_[static_cast<std::size_t>(l)] += count ? 1 : m.bytes);
    return most;
  }
  /// Seconds, about.
  double cost(const rounds& all, const std::vector<int>& at) {
    const auto& links = net_.what().network;
    double sum = 0;
    for (const auto& [round, messages] : all)
      sum += busiest(messages, at, false) / links.bandwidth.front() +
             static_cast<double>(longest(messages, at)) * links.latency.front();
    return sum;
  }

 private:
  [[nodiscard]] const std::vector<int>& route(const message& m, const std::vector<int>& at) const {
    return routes_[static_cast<std::size_t>(at[static_cast<std::size_t>(m.from)]) *
                       static_cast<std::size_t>(net_.nodes()) +
                   static_cast<std::size_t>(at[static_cast<std::size_t>(m.to)])];
  }
  [[nodiscard]] std::size_t longest(const std::vector<message>& all,
                                    const std::vector<int>& at) const {
    std::size_t most = 0;
    for (const auto& m : all) most = std::max(most, route(m, at).size());
    return most;
  }

  const network& net_;
  std::vector<std::vector<int>> routes_;
  std::vector<double> load_;
};

std::vector<int> identity(int p) {
  std::vector<int> all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// From the identity; `best` and `least` change where something better is met.
void anneal(const rounds& all, loads& links, std::size_t root, unsigned seed, int steps,
            std::vector<int>& best, double& least) {
  auto now = identity(static_cast<int>(best.size()));
  double cost = links.cost(all, now);
  std::mt19937 random(seed);
  const auto pick = [&] {
    std::size_t i = root;
    while (i == root) i = random() % static_cast<unsigned>(now.size());
    return i;
  };
  const double heat = 0.3 * cost;
  for (int i = 0; i < steps; ++i) {
    const double temperature = heat * std::pow(1.0 - static_cast<double>(i) / steps, 2);
    const auto a = pick(), b = pick();
    std::swap(now[a], now[b]);
    const double c = links.cost(all, now);
    const double luck = static_cast<double>(random()) / 4294967296.0;
    if (c <= cost || luck < std::exp((cost - c) / std::max(temperature, 1e-30))) {
      cost = c;
      if (c < least) {
        least = c;
        best = now;
      }
    } else {
      std::swap(now[a], now[b]);
    }
  }
}

}  // namespace

std::vector<int> conflicts(const schedule& what, const std::shared_ptr<const system>& on) {
  const network net(on, what.ranks());
  loads links(net);
  std::vector<int> all;
  for (const auto& [round, messages] : traffic(what))
    all.push_back(static_cast<int>(links.busiest(messages, identity(what.ranks()), true)) - 1);
  return all;
}

std::vector<int> search_mapping(collective_request request, const std::string& algorithm,
                                const std::shared_ptr<const system>& on, unsigned seed, int steps) {
  request.mapping.clear();
  const int p = request.ranks;
  require(p <= 256, "search_mapping: at most 256 ranks");
  const network net(on, p);
  loads links(net);
  // With the identity, position v is rank root + v (mod p): the root's place is fixed at position
  // 0.
  const rounds all = traffic(schedule(request, algorithm));
  auto best = identity(p);
  double least = links.cost(all, best);
  const auto root = static_cast<std::size_t>(request.root);
  if (p <= 6) {
    auto order = best;
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(root));
    do {
      auto now = order;
      now.insert(now.begin() + static_cast<std::ptrdiff_t>(root), request.root);
      if (const double c = links.cost(all, now); c < least) {
        least = c;
        best = now;
      }
    } while (std::next_permutation(order.begin(), order.end()));
  } else {
    // Several starts: a single one may end in a valley.
    constexpr unsigned starts = 6;
    for (unsigned start = 0; start < starts; ++start)
      anneal(all, links, root, seed * starts + start, steps, best, least);
  }
  return best;
}

namespace {

/// What was searched for before. Holding the systems keeps their addresses from being used again.
struct known_mappings {
  using key = std::tuple<std::shared_ptr<const system>, collective_op, std::string, int, int, bool>;
  static constexpr std::size_t most = 64;
  std::mutex guard;
  std::map<key, std::vector<int>> found;
};

/// Locked while one is searched for: a child made by fork() has nobody left to unlock it, and
/// begins anew.
known_mappings& all_known() {
  static auto* made = [] {
    ::pthread_atfork(nullptr, nullptr, [] { ::new (&all_known()) known_mappings; });
    return new known_mappings;
  }();
  return *made;
}

}  // namespace

std::vector<int> searched_mapping(const collective_request& request, const std::string& algorithm,
                                  const std::shared_ptr<const system>& on) {
  constexpr std::size_t most_small = 64;
  known_mappings& known = all_known();
  const std::scoped_lock lock(known.guard);
  const bool small = request.counts.empty() && request.count * request.element <= most_small;
  const known_mappings::key k{on, request.op, algorithm, request.ranks, request.root, small};
  if (const auto found = known.found.find(k); found != known.found.end()) return found->second;
  if (known.found.size() >= known_mappings::most) known.found.clear();
  auto plain = request;
  if (plain.counts.empty() && !small) plain.count = static_cast<std::size_t>(request.ranks) * 4096;
  plain.in_place = plain.via_host = false;
  return known.found[k] = search_mapping(std::move(plain), algorithm, on);
}

}  // namespace gossamer::model
