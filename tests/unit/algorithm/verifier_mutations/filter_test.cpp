// What a filter kept, altered; gathered, and in pieces on its ranks.
#include <bit>
#include <cmath>
#include <cstring>

#include "gossamer/algorithm/filter.hpp"
#include "trials.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* kept_kinds[] = {"an element off by the least that there is",
                                      "an element of another place",
                                      "two elements swapped",
                                      "an element lost and another twice",
                                      "one too many",
                                      "one too few",
                                      "zero's or a number's sign",
                                      "an element that is not kept"};

template <class T>
T drawn_element(random_numbers& random) {
  if constexpr (std::is_floating_point_v<T>) {
    if (random.below(12) == 0) return std::numeric_limits<T>::quiet_NaN();
    if (random.below(12) == 0) return random.below(2) == 0 ? T(0.0) : T(-0.0);
    return static_cast<T>(random.unit() * 10 - 5);
  } else {
    return static_cast<T>(random.below(40) - 20);
  }
}

template <class T>
bool same_bits(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

template <class T>
void alter_kept(int kind, std::vector<T>& kept, const std::vector<T>& input,
                random_numbers& random) {
  if (kept.empty()) {
    kept.push_back(drawn_element<T>(random));
    return;
  }
  const auto any = [&] {
    return static_cast<std::size_t>(random.below(static_cast<std::int64_t>(kept.size())));
  };
  const std::size_t v = any();
  switch (kind) {
    case 0:
      if constexpr (std::is_floating_point_v<T>)
        kept[v] = std::nextafter(kept[v], T(100));
      else
        kept[v] += 1;
      break;
    case 1:
      kept[v] = kept[any()];
      break;
    case 2:
      std::swap(kept[v], kept[any()]);
      break;
    case 3: {
      const T twice = kept[any()];
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(v));
      kept.push_back(twice);
      break;
    }
    case 4:
      kept.insert(kept.begin() + static_cast<std::ptrdiff_t>(v), kept[any()]);
      break;
    case 5:
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(v));
      break;
    case 6:
      kept[v] = -kept[v];
      break;
    default:
      kept[v] =
          input[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(input.size())))];
  }
}

constexpr const char* predicates[] = {"<0", "<=1", ">2", ">=-1", "==0", "!=0", "-2..2"};

/// Input, and what is kept of it by comparisons as they are written.
template <class T>
std::pair<std::vector<T>, std::vector<T>> drawn_kept(int predicate, random_numbers& random) {
  std::pair<std::vector<T>, std::vector<T>> made;
  for (std::int64_t i = 0, n = 1 + random.below(60); i < n; ++i) {
    const T x = drawn_element<T>(random);
    made.first.push_back(x);
    const bool keeps[] = {x<0, x <= 1, x> 2, x >= -1, x == 0, x != 0, x >= -2 && x <= 2};
    if (keeps[predicate]) made.second.push_back(x);
  }
  return made;
}

template <class T>
void try_gathered(tally& counted, std::uint64_t seed, const char* type) {
  random_numbers random(seed);
  const int predicate = static_cast<int>(random.below(std::size(predicates)));
  const auto [input, want] = drawn_kept<T>(predicate, random);
  for (int i = 0; i < 20; ++i) {
    const int kind = static_cast<int>(random.below(std::size(kept_kinds)));
    auto kept = want;
    alter_kept(kind, kept, input, random);
    filter_result<T> result;
    result.values = to_array(kept);
    result.matched = static_cast<std::int64_t>(kept.size());
    const auto found = verify_filter<T>(input, parse_filter<T>(predicates[predicate]), result);
    counted.count(kept_kinds[kind], std::string(type) + " " + predicates[predicate],
                  !same_bits<T>(kept, want), {found.ok, found.reason});
  }
}

TEST(VerifierMutations, OfFilters) {
  tally counted("verify_filter");
  for (const char* kind : kept_kinds) counted.expect_kind(kind);
  for (std::uint64_t seed = 0; !counted.done(); ++seed) {
    try_gathered<std::int32_t>(counted, seed, "int32");
    try_gathered<std::int64_t>(counted, seed, "int64");
    try_gathered<float>(counted, seed, "float");
    try_gathered<double>(counted, seed, "double");
  }
}

TEST(VerifierMutations, OfFiltersInPieces) {
  tally counted("verify_filter, in pieces");
  constexpr const char* kinds[] = {"a piece of another place", "an element of a piece",
                                   "a piece twice and another lost"};
  for (const char* kind : kinds) counted.expect_kind(kind);
  for (std::uint64_t seed = 0; !counted.done(); ++seed) {
    random_numbers random(seed);
    // All are kept, each in its own place: a piece of eight elements a segment, on three ranks.
    std::vector<std::int64_t> input(8 * 9);
    for (auto& x : input) x = 1 + random.below(50);
    filter_result<std::int64_t> result;
    result.parts.resize(3);
    result.matched = static_cast<std::int64_t>(input.size());
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::int64_t s = 0; s < 9; ++s) {
      const auto rank = static_cast<std::size_t>(random.below(3));
      auto& part = result.parts[rank];
      places.emplace_back(rank, part.pieces.size());
      part.pieces.push_back({8 * s, static_cast<std::int64_t>(part.values.size()), 8, -1});
      part.values.insert(part.values.end(), input.begin() + 8 * s, input.begin() + 8 * s + 8);
    }
    const auto piece = [&](std::size_t i) -> filter_piece& {
      return result.parts[places[i].first].pieces[places[i].second];
    };
    const auto values = [&](std::size_t i) {
      return std::span(result.parts[places[i].first].values)
          .subspan(static_cast<std::size_t>(piece(i).begin), 8);
    };
    const int kind = static_cast<int>(seed % 3);
    const auto a = static_cast<std::size_t>(random.below(9)),
               b = (a + 1 + static_cast<std::size_t>(random.below(8))) % 9;
    bool wrong = true;
    if (kind == 0) {
      wrong = !same_bits<std::int64_t>(values(a), values(b));
      std::swap(piece(a).input, piece(b).input);
    } else if (kind == 1) {
      values(a)[static_cast<std::size_t>(random.below(8))] += 1;
    } else {
      std::copy(values(b).begin(), values(b).end(), values(a).begin());
      piece(a).input = piece(b).input;
    }
    const auto found = verify_filter<std::int64_t>(input, parse_filter<std::int64_t>(">0"), result);
    counted.count(kinds[kind], "pieces", wrong, {found.ok, found.reason});
  }
}

}  // namespace
}  // namespace gossamer
