// Random walks by their definition, a list of an arc's chances at each step: for small graphs.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "gossamer/algorithm/random_walks.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/graph/philox.hpp"

namespace gossamer::testing_graphs {

__extension__ using exact_number = unsigned __int128;
using walk_list = std::vector<std::vector<std::int64_t>>;

class walks_by_definition {
 public:
  walks_by_definition(const graph& g, const random_walks_options& options)
      : g_(g), options_(options) {
    g.visit([&](const auto& rows) {
      for (std::int64_t v = 0; v < g.vertices(); ++v) {
        rows_.emplace_back();
        for (const auto x : rows.row(v)) rows_.back().push_back(static_cast<std::int64_t>(x));
      }
    });
    for (std::int64_t v = 0; v < g.vertices(); ++v) weights_.push_back(weights_of(v));
  }

  /// [walk][step], -1 after its end.
  [[nodiscard]] walk_list from(const std::vector<std::int64_t>& sources) const {
    walk_list all;
    for (const std::int64_t source : sources)
      for (std::int64_t i = 0; i < options_.walks; ++i) {
        std::vector<std::int64_t> walk{source};
        for (std::int64_t s = 0; s < options_.length; ++s)
          walk.push_back(walk.back() < 0 ? -1 : next(walk, std::ssize(all), s));
        all.push_back(walk);
      }
    return all;
  }

 private:
  [[nodiscard]] std::vector<exact_number> weights_of(std::int64_t v) const {
    const std::size_t degree = row(v).size();
    std::vector<exact_number> whole(degree, 1);
    if (!options_.weighted) return whole;
    std::visit(
        [&]<class Weights>(const Weights& all) {
          if constexpr (!std::is_same_v<Weights, std::monostate>) {
            using weight = std::decay_t<decltype(*all.data())>;
            const auto* of = all.data() + g_.offsets[static_cast<std::size_t>(v)];
            long double unit = 1, largest = 0;
            for (std::size_t i = 0; i < degree; ++i)
              largest = std::fmax(largest, static_cast<long double>(of[i]));
            if (!std::is_integral_v<weight> && largest > 0) {
              int bits = 0;
              while ((std::size_t{1} << bits) < degree) ++bits;
              const long double limit = std::ldexp(1.0L, 62 - bits);
              while (largest * unit >= limit) unit /= 2;
              while (largest * unit * 2 < limit) unit *= 2;
            }
            for (std::size_t i = 0; i < degree; ++i)
              whole[i] = static_cast<exact_number>(static_cast<long double>(of[i]) * unit);
          }
        },
        g_.weights);
    return whole;
  }
  [[nodiscard]] const std::vector<std::int64_t>& row(std::int64_t v) const {
    return rows_[static_cast<std::size_t>(v)];
  }

  /// The first whose sum is beyond the drawn part of all.
  static std::size_t pick(const std::vector<exact_number>& chances, std::uint64_t a) {
    exact_number all = 0, sum = 0;
    for (const auto c : chances) all += c;
    const exact_number low = all & ~std::uint64_t{0}, drawn = (all >> 64) * a + ((low * a) >> 64);
    std::size_t i = 0;
    while ((sum += chances[i]) <= drawn) ++i;
    return i;
  }

  [[nodiscard]] exact_number share(std::int64_t before, std::int64_t x) const {
    const double back = 1 / options_.p, away = 1 / options_.q,
                 most = std::fmax(1.0, std::fmax(back, away));
    double counts = away;
    for (const std::int64_t y : row(before))
      if (y == x) counts = 1;
    if (x == before) counts = back;
    const auto units = static_cast<exact_number>(std::ldexp(counts / most, 63));
    return units == 0 ? 1 : units;
  }

  [[nodiscard]] std::int64_t next(const std::vector<std::int64_t>& walk, std::int64_t number,
                                  std::int64_t s) const {
    const std::int64_t v = walk.back();
    const auto& weights = weights_[static_cast<std::size_t>(v)];
    exact_number all = 0;
    for (const auto w : weights) all += w;
    if (all == 0) return -1;
    const auto words = [&](std::uint32_t attempt) {
      return philox4x32(
          {{static_cast<std::uint32_t>(s), attempt, static_cast<std::uint32_t>(number),
            static_cast<std::uint32_t>(number >> 32)}},
          static_cast<std::uint64_t>(options_.seed));
    };
    if (s == 0) return row(v)[pick(weights, words(0).wide(0))];
    const std::int64_t before = walk[walk.size() - 2];
    for (std::uint32_t attempt = 0; attempt < 64; ++attempt) {
      const auto drawn = words(attempt);
      const std::int64_t x = row(v)[pick(weights, drawn.wide(0))];
      if (drawn.wide(1) / 2 < share(before, x)) return x;
    }
    auto chances = weights;
    for (std::size_t i = 0; i < chances.size(); ++i) chances[i] *= share(before, row(v)[i]);
    return row(v)[pick(chances, words(64).wide(0))];
  }

  const graph& g_;
  random_walks_options options_;
  walk_list rows_;
  std::vector<std::vector<exact_number>> weights_;
};

}  // namespace gossamer::testing_graphs
