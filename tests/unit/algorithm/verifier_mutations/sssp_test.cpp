// Shortest paths, altered: distances of integers and floats, and trees; and distances of others
// that ours are compared with.
#include "gossamer/algorithm/sssp.hpp"
#include "trials.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* distance_kinds[] = {"a distance off by the least that there is",
                                          "a distance of another vertex",
                                          "an unreached vertex reached",
                                          "a reached vertex unreached",
                                          "a distance of zero",
                                          "all distances but the source's shifted",
                                          "a distance doubled",
                                          "a distance that is none",
                                          "two distances swapped",
                                          "the source's distance"};

template <class Distance>
Distance infinity() {
  using limits = std::numeric_limits<Distance>;
  return limits::has_infinity ? limits::infinity() : limits::max();
}

/// The next larger or smaller one.
template <class Distance>
Distance beside(Distance d, bool larger) {
  if constexpr (std::is_integral_v<Distance>)
    return larger ? d + 1 : d - 1;
  else
    return std::nextafter(d, larger ? infinity<Distance>() : -infinity<Distance>());
}

template <class Distance>
void alter_distances(int kind, std::vector<Distance>& d, std::int64_t source,
                     random_numbers& random) {
  const auto n = static_cast<std::int64_t>(d.size());
  const auto v = static_cast<std::size_t>(random.below(n));
  const auto other = static_cast<std::size_t>(random.below(n));
  switch (kind) {
    case 0:
      d[v] = beside(d[v], random.below(2) == 0);
      break;
    case 1:
      d[v] = d[other];
      break;
    case 2:
      if (d[v] == infinity<Distance>()) d[v] = d[other];
      break;
    case 3:
      d[v] = infinity<Distance>();
      break;
    case 4:
      d[v] = 0;
      break;
    case 5:
      for (std::size_t i = 0; i < d.size(); ++i)
        if (static_cast<std::int64_t>(i) != source && d[i] != infinity<Distance>())
          d[i] = beside(d[i], random.below(2) == 0);
      break;
    case 6:
      if (d[v] != infinity<Distance>()) d[v] += d[v];
      break;
    case 7:
      if constexpr (std::is_floating_point_v<Distance>)
        d[v] = random.below(2) == 0 ? std::numeric_limits<Distance>::quiet_NaN() : Distance(-1);
      else
        d[v] = infinity<Distance>() - 1;
      break;
    case 8:
      std::swap(d[v], d[other]);
      break;
    default:
      d[static_cast<std::size_t>(source)] = beside(Distance{0}, true);
  }
}

template <class Distance>
class paths {
 public:
  using weight =
      std::conditional_t<std::is_same_v<Distance, std::uint32_t>, std::int32_t, Distance>;

  paths(const graph& g, std::int64_t source)
      : source_(source),
        arcs(g),
        weights_(std::get<shared_array<weight>>(g.weights)),
        distances(serial_distances<Distance>(g, source)),
        smallest(serial_parents<Distance>(g, source, distances)) {}

  /// Every chain of tight arcs ends at the source; distances are right.
  [[nodiscard]] bool is_tree(const std::vector<std::int64_t>& parents) const {
    const auto n = static_cast<std::int64_t>(parents.size());
    arc_list tight;
    for (std::size_t k = 0; k < arcs.arcs.size(); ++k) {
      const auto [u, v] = arcs.arcs[k];
      const Distance here = distances[static_cast<std::size_t>(u)];
      if (here != infinity<Distance>() &&
          static_cast<Distance>(here + static_cast<Distance>(weights_[k])) ==
              distances[static_cast<std::size_t>(v)])
        tight.emplace_back(u, v);
    }
    std::sort(tight.begin(), tight.end());
    for (std::int64_t v = 0; v < n; ++v) {
      std::int64_t u = v;
      const bool there = distances[static_cast<std::size_t>(v)] != infinity<Distance>();
      if (!there) {
        if (parents[static_cast<std::size_t>(v)] != -1) return false;
        continue;
      }
      for (std::int64_t steps = 0; u != source_; ++steps) {
        const std::int64_t above = parents[static_cast<std::size_t>(u)];
        if (steps > n || above < 0 || above >= n ||
            !std::binary_search(tight.begin(), tight.end(), std::pair(above, u)))
          return false;
        u = above;
      }
    }
    return parents[static_cast<std::size_t>(source_)] == source_;
  }

 private:
  std::int64_t source_;

 public:
  arc_set arcs;

 private:
  shared_array<weight> weights_;

 public:
  std::vector<Distance> distances;
  std::vector<std::int64_t> smallest;
};

template <class Distance>
void try_on(const graph& g, std::uint64_t seed, tally& distances, tally& any, tally& smallest) {
  random_numbers random(seed);
  const std::int64_t source = random.below(g.vertices());
  const paths<Distance> want(g, source);
  const auto right = to_array(want.distances);
  for (int i = 0; i < 60; ++i) {
    const int kind = static_cast<int>(random.below(std::size(distance_kinds)));
    auto d = want.distances;
    alter_distances(kind, d, source, random);
    distances.count(distance_kinds[kind], g.name, d != want.distances,
                    verify_sssp(g, source, to_array(d), {}, 1));
  }
  for (int i = 0; i < 60; ++i) {
    const int kind = static_cast<int>(random.below(std::size(tree_kinds)));
    auto parents = want.smallest;
    alter_tree(kind, parents, want.distances, want.arcs, source, random);
    any.count(tree_kinds[kind], g.name, !want.is_tree(parents),
              verify_sssp(g, source, right, parents, 1));
    smallest.count(tree_kinds[kind], g.name, parents != want.smallest,
                   verify_sssp(g, source, right, parents, 1, {}, parent_rule::smallest));
  }
}

TEST(VerifierMutations, OfShortestPaths) {
  tally distances("verify_sssp, distances"), any("verify_sssp, parents"),
      smallest("verify_sssp, smallest parents");
  for (const char* kind : distance_kinds) distances.expect_kind(kind);
  for (const char* kind : tree_kinds) {
    any.expect_kind(kind);
    smallest.expect_kind(kind);
  }
  on_graphs(distances, [&](const graph& g, std::uint64_t seed) {
    if (std::holds_alternative<shared_array<float>>(g.weights))
      try_on<float>(g, seed, distances, any, smallest);
    else if (std::holds_alternative<shared_array<double>>(g.weights))
      try_on<double>(g, seed, distances, any, smallest);
    else
      try_on<std::uint32_t>(g, seed, distances, any, smallest);
  });
}

constexpr const char* expected_kinds[] = {
    "one off by a little", "one of another vertex", "one unreached", "one reached",
    "one that is none",    "one off by one",        "one's sign",    "two swapped"};

void alter_expected(int kind, std::vector<double>& d, double tolerance, random_numbers& random) {
  const auto n = static_cast<std::int64_t>(d.size());
  const auto v = static_cast<std::size_t>(random.below(n)),
             other = static_cast<std::size_t>(random.below(n));
  const double sign = random.below(2) == 0 ? 1 : -1;
  switch (kind) {
    case 0:  // from far below what is allowed to far above it
      d[v] *= 1 + sign * tolerance * std::pow(10.0, 4 * random.unit() - 2);
      break;
    case 1:
      d[v] = d[other];
      break;
    case 2:
      d[v] = HUGE_VAL;
      break;
    case 3:
      if (d[v] == HUGE_VAL) d[v] = static_cast<double>(random.below(100));
      break;
    case 4:
      d[v] = no_number(random);
      break;
    case 5:
      d[v] += sign;
      break;
    case 6:
      d[v] = -d[v];
      break;
    default:
      std::swap(d[v], d[other]);
  }
}

/// Whether one of the two is off, each compared by itself.
template <class Distance>
bool is_off(Distance ours, double expected, double tolerance) {
  if (ours == infinity<Distance>() || !std::isfinite(expected))
    return ours != infinity<Distance>() || expected != HUGE_VAL;
  const double allowed = std::is_integral_v<Distance> ? 0 : tolerance * std::abs(expected);
  return std::abs(static_cast<long double>(ours) - expected) > allowed;
}

template <class Distance>
void compare_on(const graph& g, std::uint64_t seed, tally& counted, tally& bound) {
  random_numbers random(seed);
  const auto ours = serial_distances<Distance>(g, random.below(g.vertices()));
  const auto given = to_array(ours);
  std::vector<double> right;
  for (const Distance d : ours)
    right.push_back(d == infinity<Distance>() ? HUGE_VAL : static_cast<double>(d));
  const double tolerance = std::pow(10.0, -3 - 9 * random.unit());
  for (int i = 0; i < 60; ++i) {
    const int kind = static_cast<int>(random.below(std::size(expected_kinds)));
    auto expected = right;
    alter_expected(kind, expected, tolerance, random);
    bool wrong = false;
    for (std::size_t v = 0; v < ours.size(); ++v) wrong |= is_off(ours[v], expected[v], tolerance);
    counted.count(expected_kinds[kind], g.name, wrong,
                  compare_distances(g, given, expected, tolerance));
  }
  for (int i = 0; i < 60; ++i) {
    const auto v = static_cast<std::size_t>(random.below(g.vertices()));
    if (right[v] == HUGE_VAL) continue;
    count_at_bound(
        bound, g.name, right[v], std::is_integral_v<Distance> ? 0 : tolerance * right[v], 0,
        [&](double x) { return is_off(ours[v], x, tolerance); },
        [&](double x) {
          auto expected = right;
          expected[v] = x;
          return compare_distances(g, given, expected, tolerance);
        });
  }
}

TEST(VerifierMutations, OfDistancesThatAreCompared) {
  tally counted("compare_distances"), bound("compare_distances, an ulp beyond the bound");
  for (const char* kind : expected_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& g, std::uint64_t seed) {
    if (std::holds_alternative<shared_array<float>>(g.weights))
      compare_on<float>(g, seed, counted, bound);
    else if (std::holds_alternative<shared_array<double>>(g.weights))
      compare_on<double>(g, seed, counted, bound);
    else
      compare_on<std::uint32_t>(g, seed, counted, bound);
  });
}

}  // namespace
}  // namespace gossamer
