// Right results, altered: what each verifier must catch.
//
// A trial makes one alteration and asks two judges: a serial one of the test, which knows whether
// the result is still right, and the verifier. Results that are right must pass, wrong ones must be
// caught. GOSSAMER_TRIALS is how many wrong ones each verifier gets (default: some thousands).
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "gossamer/algorithm/verification.hpp"
#include "gossamer/graph/generators.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer::testing_mutations {

using namespace testing_graphs;

inline std::int64_t trials_wanted() {
  const char* asked = std::getenv("GOSSAMER_TRIALS");
  return asked != nullptr ? std::atoll(asked) : 4000;
}

/// Counts trials by kind of alteration, and says at the end what came of them.
class tally {
 public:
  /// `costly`: so many times fewer trials.
  explicit tally(std::string verifier, std::int64_t costly = 1)
      : verifier_(std::move(verifier)), wanted_(trials_wanted() / costly) {}
  ~tally() {
    std::printf("%s: caught %lld of %lld wrong results, passed %lld right ones\n",
                verifier_.c_str(), static_cast<long long>(caught_), static_cast<long long>(wrong_),
                static_cast<long long>(right_));
    for (const auto& [kind, count] : kinds_) {
      std::printf("  %-44s %8lld\n", kind.c_str(), static_cast<long long>(count));
      EXPECT_GT(count, 0) << verifier_ << ": no trial of " << kind;
    }
    EXPECT_EQ(missed_, "") << verifier_;
    EXPECT_GE(wrong_, wanted_) << verifier_;
  }
  tally(const tally&) = delete;
  tally& operator=(const tally&) = delete;

  [[nodiscard]] bool done() const { return wrong_ >= wanted_ || failed_ > 8; }
  /// A kind of alteration that must come up.
  void expect_kind(const std::string& kind) { kinds_[kind]; }

  /// `wrong`: what the test's own judge says; nothing where the two may differ by rounding.
  void count(const std::string& kind, const std::string& on, std::optional<bool> wrong,
             const verification& found) {
    if (!wrong) return;
    if (*wrong) {
      ++wrong_;
      ++kinds_[kind];
      caught_ += !found.ok;
    } else {
      ++right_;
    }
    if (found.ok != *wrong) return;
    if (++failed_ > 8) return;
    missed_ += kind + " on " + on + (*wrong ? " passes\n" : " is refused: " + found.reason + "\n");
  }

 private:
  std::string verifier_, missed_;
  std::map<std::string, std::int64_t> kinds_;
  std::int64_t wanted_, wrong_ = 0, caught_ = 0, right_ = 0;
  int failed_ = 0;
};

class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : engine_(seed) {}
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n));
  }
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

/// Graphs of every family, with weights: those of many_graphs(), directed, in pieces, with loops
/// and parallel arcs among them, and the generators'.
inline constexpr const char* generated[] = {"kron:6",
                                            "uniform:6:3",
                                            "grid:7x9",
                                            "road:9",
                                            "star:40",
                                            "path:300",
                                            "tree:5",
                                            "cliques:5x6",
                                            "lollipop:8x20",
                                            "bipartite:4x30:2",
                                            "small-world:60:4:200",
                                            "mesh:3x4x5",
                                            "preferential:70:3",
                                            "geometric:80:5",
                                            "web:80:4"};
inline constexpr int random_graphs = 200;
inline constexpr int all_graphs = random_graphs + static_cast<int>(std::size(generated));

inline graph graph_of(int number) {
  if (number < random_graphs) return many_graphs(number);
  generate_options options;
  options.weights = true;
  return generate(parse_generator(generated[number - random_graphs]), options);
}

/// f(graph) on one after the other, again and again, until the tally has what it wants.
template <class F>
void on_graphs(const tally& counted, const F& f) {
  for (int round = 0; !counted.done(); ++round)
    for (int number = 0; number < all_graphs && !counted.done(); ++number)
      f(graph_of(number), static_cast<std::uint64_t>(round * all_graphs + number));
}

/// All arcs, and whether there is one between two vertices.
class arc_set {
 public:
  explicit arc_set(const graph& g) {
    g.visit([&](const auto& rows) {
      for (std::int64_t u = 0; u < g.vertices(); ++u)
        for (const auto v : rows.row(u)) arcs.emplace_back(u, static_cast<std::int64_t>(v));
    });
    sorted_ = arcs;
    std::sort(sorted_.begin(), sorted_.end());
  }
  [[nodiscard]] bool has(std::int64_t u, std::int64_t v) const {
    return std::binary_search(sorted_.begin(), sorted_.end(), std::pair(u, v));
  }

  arc_list arcs;  ///< in the order of rows

 private:
  arc_list sorted_;
};

/// Each edge in a direction of its own, and every third in both.
inline graph with_directions(const graph& g, random_numbers& random) {
  arc_list arcs;
  for (const auto& [u, v] : arc_set(g).arcs)
    if (random.below(3) != 0) arcs.emplace_back(u, v);
  return from_arcs(g.name, g.vertices(), arcs, false);
}

/// Infinities and NaN.
inline double no_number(random_numbers& random) {
  constexpr double none[] = {std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};
  return none[random.below(std::size(none))];
}

/// Numbers at both ends of what a bound allows beside `right`: the last that passes, and the next
/// one. `is_off` is the judge, `check` the verifier with a number in the right one's place. Twice
/// the `bound` is off. `rounding` says how far off the verifier's own sums may be: so far inside
/// numbers must pass, and so far outside be caught; 0: to an ulp.
template <class Judge, class Check>
void count_at_bound(tally& counted, const std::string& on, double right, double bound,
                    double rounding, const Judge& is_off, const Check& check) {
  for (const double sign : {-1.0, 1.0}) {
    const double way = sign * std::numeric_limits<double>::infinity();
    double last = right, next = right + sign * 2 * bound;
    if (next == right) next = std::nextafter(right, way);
    ASSERT_TRUE(!is_off(last) && is_off(next)) << on << ": " << right;
    while (next != std::nextafter(last, way)) {
      const double middle = last + (next - last) / 2;
      (is_off(middle) ? next : last) = middle;
    }
    counted.count("at the bound", on, false, check(last - sign * rounding));
    counted.count("beyond the bound", on, true, check(next + sign * rounding));
  }
}

template <class T>
shared_array<T> to_array(const std::vector<T>& values) {
  shared_array<T> all(values.size());
  std::copy(values.begin(), values.end(), all.begin());
  return all;
}

/// Alterations of a tree, by name.
inline constexpr const char* tree_kinds[] = {
    "two parents swapped",   "a parent that is any vertex",  "a parent at the same level",
    "a circle of parents",   "a parent that does not exist", "no parent",
    "a parent of unreached", "the source's parent",          "a parent that is a neighbour"};

/// Alters parents in the way that tree_kinds names at `kind`; `level` says how far vertices are.
template <class Level>
void alter_tree(int kind, std::vector<std::int64_t>& parents, const std::vector<Level>& level,
                const arc_set& arcs, std::int64_t source, random_numbers& random) {
  const auto n = static_cast<std::int64_t>(parents.size());
  const auto any = [&] { return static_cast<std::size_t>(random.below(n)); };
  // Any vertex for which it holds, looked for from a random one on.
  const auto find = [&](auto&& holds) {
    std::size_t v = any();
    for (std::int64_t tries = 0; tries < n && !holds(v); ++tries)
      v = (v + 1) % static_cast<std::size_t>(n);
    return v;
  };
  switch (kind) {
    case 0:
      std::swap(parents[any()], parents[any()]);
      break;
    case 1:
      parents[any()] = random.below(n);
      break;
    case 2: {  // at the same level, a neighbour where there is one
      const std::size_t from = static_cast<std::size_t>(
          random.below(std::max<std::int64_t>(1, static_cast<std::int64_t>(arcs.arcs.size()))));
      for (std::size_t i = 0; i < arcs.arcs.size(); ++i) {
        const auto [u, v] = arcs.arcs[(from + i) % arcs.arcs.size()];
        if (u == v || level[static_cast<std::size_t>(u)] != level[static_cast<std::size_t>(v)] ||
            parents[static_cast<std::size_t>(v)] < 0)
          continue;
        parents[static_cast<std::size_t>(v)] = u;
        break;
      }
      break;
    }
    case 3: {  // a vertex becomes the parent of one of its ancestors
      const std::size_t v = find(
          [&](std::size_t i) { return parents[i] >= 0 && static_cast<std::int64_t>(i) != source; });
      std::size_t above = v;
      for (std::int64_t steps = random.below(4);
           steps > 0 && parents[above] >= 0 && parents[above] != source; --steps)
        above = static_cast<std::size_t>(parents[above]);
      if (parents[v] >= 0) parents[above] = static_cast<std::int64_t>(v);
      break;
    }
    case 4:
      parents[any()] = random.below(2) == 0 ? n + random.below(3) : -2 - random.below(3);
      break;
    case 5:
      parents[find([&](std::size_t i) { return parents[i] >= 0; })] = -1;
      break;
    case 6:
      parents[find([&](std::size_t i) { return parents[i] < 0; })] = random.below(n);
      break;
    case 7:
      parents[static_cast<std::size_t>(source)] = random.below(n);
      break;
    default: {  // another neighbour, whether it is one level above or not
      if (arcs.arcs.empty()) break;
      const auto [u, v] = arcs.arcs[static_cast<std::size_t>(
          random.below(static_cast<std::int64_t>(arcs.arcs.size())))];
      parents[static_cast<std::size_t>(v)] = u;
    }
  }
}

}  // namespace gossamer::testing_mutations
