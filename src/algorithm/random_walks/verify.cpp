// The verifier: each step is drawn anew, with Philox and rows added up by its own code. It shares
// none with the engines.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/algorithm/random_walks.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

__extension__ using uint128 = unsigned __int128;

/// Words of Philox4x32-10 for one counter.
class random_source {
 public:
  random_source(std::uint64_t seed, std::uint64_t walk, std::uint64_t step, std::uint64_t attempt)
      : x_{step, attempt, walk & mask, walk >> 32} {
    std::uint64_t key[2] = {seed & mask, seed >> 32};
    for (int round = 0; round < 10; ++round) {
      if (round > 0) {
        key[0] = (key[0] + 0x9E3779B9) & mask;
        key[1] = (key[1] + 0xBB67AE85) & mask;
      }
      const std::uint64_t left = x_[0] * 0xD2511F53, right = x_[2] * 0xCD9E8D57;
      const std::uint64_t mixed[4] = {(right >> 32) ^ x_[1] ^ key[0], right & mask,
                                      (left >> 32) ^ x_[3] ^ key[1], left & mask};
      std::copy(mixed, mixed + 4, x_);
    }
  }
  [[nodiscard]] std::uint64_t a() const { return x_[1] << 32 | x_[0]; }
  [[nodiscard]] std::uint64_t b() const { return x_[3] << 32 | x_[2]; }

 private:
  static constexpr std::uint64_t mask = 0xFFFFFFFF;
  std::uint64_t x_[4];
};

/// floor(a of / 2^64) by halves of `of`.
uint128 scaled(std::uint64_t a, uint128 of) {
  const uint128 lower = of & ~std::uint64_t{0};
  return (of >> 64) * a + (lower * a >> 64);
}

template <class View>
class walks_check {
 public:
  walks_check(const graph& g, const View& rows, const random_walks_options& options,
              const std::stop_token& stop)
      : g_(g), rows_(rows), options_(options), stop_(stop) {
    const double back = 1 / options.p, away = 1 / options.q, most = std::max({1.0, back, away}),
                 unit = std::pow(2.0, 63);
    const double shares[3] = {back / most, 1 / most, away / most};
    for (int kind = 0; kind < 3; ++kind)
      bound_[kind] = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(shares[kind] * unit));
    if (options.weighted) sum_rows();
  }

  template <class Walks>
  verification all(const Walks& walks, std::optional<std::span<const std::int64_t>> sources) {
    const std::int64_t n = rows_.vertices(), columns = options_.length + 1,
                       count = sources ? std::ssize(*sources) : n;
    const auto cells = std::ssize(walks.span());
    if (static_cast<uint128>(cells) != static_cast<uint128>(count) *
                                           static_cast<std::uint64_t>(options_.walks) *
                                           static_cast<std::uint64_t>(columns))
      return {false, "walks need " + std::to_string(columns) + " entries for each of " +
                         std::to_string(options_.walks) + " from " + std::to_string(count) +
                         " sources, and there are " + std::to_string(cells)};
    for (std::int64_t walk = 0; walk < cells / columns; ++walk) {
      const auto* const row = walks.data() + walk * columns;
      const std::int64_t number = walk / options_.walks;
      const std::int64_t source = sources ? (*sources)[static_cast<std::size_t>(number)] : number;
      const auto found = one(walk, source, row);
      if (!found.ok) return found;
    }
    return {};
  }

 private:
  using id = std::decay_t<decltype(std::declval<View>().indices[0])>;

  [[nodiscard]] std::string name(std::int64_t v) const {
    return v >= 0 && v < rows_.vertices() ? "vertex " + std::to_string(g_.names.name(v))
                                          : "entry " + std::to_string(v);
  }
  void look(std::size_t looks = 1) {
    const std::size_t before = looked_;
    looked_ += looks;
    if (before >> 16 != looked_ >> 16 && stop_.stop_requested())
      throw cancelled_error("verify_random_walks: stopped");
  }

  /// Weights as whole numbers, added up row by row.
  void sum_rows() {
    std::visit(
        [&]<class Weights>(const Weights& weights) {
          if constexpr (!std::is_same_v<Weights, std::monostate>) {
            sums_.reserve(weights.size());
            for (std::int64_t v = 0; v < rows_.vertices(); ++v) {
              const auto of =
                  std::span(weights.data(), weights.size())
                      .subspan(static_cast<std::size_t>(rows_.offsets[v]), rows_.row(v).size());
              look(of.size() + 1);
              sum_row(of);
            }
          }
        },
        g_.weights);
  }
  template <class Weight>
  void sum_row(std::span<Weight> of) {
    for (const auto w : of)
      require(w >= 0 && std::isfinite(static_cast<double>(w)), [&] {
        return "verify_random_walks: a weight of " + g_.name + " is negative or not finite";
      });
    int up = 0;
    if constexpr (std::is_floating_point_v<std::remove_const_t<Weight>>) {
      // 2^(its exponent + 1) is above the largest, and 2^(62 - log2 d) may be.
      double largest = 0;
      for (const auto w : of) largest = std::max(largest, static_cast<double>(w));
      const double degree = static_cast<double>(std::max<std::size_t>(of.size(), 1));
      if (largest > 0)
        up = 62 - static_cast<int>(std::ceil(std::log2(degree))) - std::ilogb(largest) - 1;
    }
    std::uint64_t sum = 0;
    for (const auto w : of) {
      if constexpr (std::is_floating_point_v<std::remove_const_t<Weight>>)
        sum += static_cast<std::uint64_t>(std::floor(std::scalbn(static_cast<double>(w), up)));
      else
        sum += static_cast<std::uint64_t>(w);
      sums_.push_back(sum);
    }
  }

  /// A row's sum of weights up to its i-th arc and with it.
  [[nodiscard]] std::uint64_t sum_to(std::int64_t v, std::int64_t i) const {
    if (!options_.weighted) return static_cast<std::uint64_t>(i) + 1;
    return sums_[static_cast<std::size_t>(rows_.offsets[v] + i)];
  }
  [[nodiscard]] std::uint64_t sum_of(std::int64_t v) const {
    const auto degree = std::ssize(rows_.row(v));
    return degree == 0 ? 0 : sum_to(v, degree - 1);
  }
  [[nodiscard]] bool arc(std::int64_t from, std::int64_t to) const {
    const auto row = rows_.row(from);
    const auto wanted = static_cast<id>(to);
    return g_.sorted ? std::binary_search(row.begin(), row.end(), wanted)
                     : std::find(row.begin(), row.end(), wanted) != row.end();
  }

  /// Where the first sum beyond what is drawn stands.
  [[nodiscard]] std::int64_t first_beyond(std::int64_t v, std::uint64_t drawn) const {
    if (!options_.weighted) return static_cast<std::int64_t>(drawn);
    const auto begin = sums_.begin() + rows_.offsets[v], end = sums_.begin() + rows_.offsets[v + 1];
    return std::upper_bound(begin, end, drawn) - begin;
  }

  [[nodiscard]] std::uint64_t bound(std::int64_t before, std::int64_t x) const {
    return bound_[x == before ? 0 : arc(before, x) ? 1 : 2];
  }

  /// Where a step from v leads; `before` is -1 on the first.
  std::int64_t step_from(std::int64_t v, std::int64_t before, std::int64_t walk,
                         std::int64_t step) {
    const auto row = rows_.row(v);
    const auto seed = static_cast<std::uint64_t>(options_.seed),
               of = static_cast<std::uint64_t>(walk), at = static_cast<std::uint64_t>(step);
    for (std::uint64_t attempt = 0; attempt < 64; ++attempt) {
      const random_source random(seed, of, at, attempt);
      const auto drawn = static_cast<std::uint64_t>(scaled(random.a(), sum_of(v)));
      const std::int64_t x = row[static_cast<std::size_t>(first_beyond(v, drawn))];
      if (before < 0 || random.b() / 2 < bound(before, x)) return x;
    }
    std::vector<uint128> up_to;
    uint128 sum = 0;
    for (std::int64_t i = 0; i < std::ssize(row); ++i) {
      look();
      const std::uint64_t weight = sum_to(v, i) - (i == 0 ? 0 : sum_to(v, i - 1));
      sum += static_cast<uint128>(weight) * bound(before, row[static_cast<std::size_t>(i)]);
      up_to.push_back(sum);
    }
    const uint128 drawn = scaled(random_source(seed, of, at, 64).a(), sum);
    return row[static_cast<std::size_t>(std::upper_bound(up_to.begin(), up_to.end(), drawn) -
                                        up_to.begin())];
  }

  template <class Id>
  verification one(std::int64_t walk, std::int64_t source, const Id* row) {
    const std::string of = "walk " + std::to_string(walk) + ": ";
    if (row[0] != source)
      return {false, of + "it begins at " + name(row[0]) + ", not at its source " + name(source)};
    bool ended = false;
    std::int64_t v = source, before = -1;
    for (std::int64_t step = 0; step < options_.length; ++step) {
      look();
      const std::int64_t x = row[step + 1];
      const std::string where = " at step " + std::to_string(step);
      if (ended) {
        if (x == -1) continue;
        return {false, of + name(x) + where + " follows its end"};
      }
      const bool leaves = sum_of(v) > 0;
      if (x == -1) {
        if (leaves) return {false, of + "it ends at " + name(v) + where + ", where arcs lead on"};
        ended = true;
        continue;
      }
      if (x < 0 || x >= rows_.vertices() || !arc(v, x))
        return {false, of + "no arc leads from " + name(v) + " to " + name(x) + where};
      if (!leaves) return {false, of + "no arc from " + name(v) + where + " weighs anything"};
      const std::int64_t drawn = step_from(v, before, walk, step);
      if (x != drawn)
        return {false, of + "from " + name(v) + where + " it goes to " + name(x) +
                           ", and what is drawn leads to " + name(drawn)};
      before = std::exchange(v, x);
    }
    return {};
  }

  const graph& g_;
  const View& rows_;
  const random_walks_options& options_;
  const std::stop_token& stop_;
  std::uint64_t bound_[3] = {};      ///< back, near, far
  std::vector<std::uint64_t> sums_;  ///< [arcs] of the row's weights, up to each arc and with it
  std::size_t looked_ = 0;
};

}  // namespace

verification verify_random_walks(const graph& g, const label_array& walks,
                                 std::optional<std::span<const std::int64_t>> sources,
                                 const random_walks_options& options, const std::stop_token& stop) {
  g.require_here();
  require(options.length >= 1 && options.walks >= 1,
          "verify_random_walks: walks of one step or more, one or more from each source");
  require(!options.weighted || g.weighted(),
          "verify_random_walks: " + g.name + " has no weights to walk by");
  require(options.p >= 1e-9 && options.p <= 1e9 && options.q >= 1e-9 && options.q <= 1e9,
          "verify_random_walks: p and q are from 1e-9 to 1e9");
  if (sources)
    for (const std::int64_t v : *sources)
      require(v >= 0 && v < g.vertices(), [&] {
        return "verify_random_walks: source " + std::to_string(v) +
               " is no vertex: the graph has " + std::to_string(g.vertices());
      });
  if (stop.stop_requested()) throw cancelled_error("verify_random_walks: stopped");
  return g.visit([&](const auto& rows) {
    return std::visit(
        [&](const auto& of) { return walks_check(g, rows, options, stop).all(of, sources); },
        walks);
  });
}

}  // namespace gossamer
