// Small edge lists with every awkward feature, and graphs from them, for the tests of this folder.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/random.hpp"

namespace gossamer::test {

/// (source, target, weight)
using arc = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

struct sample {
  std::string name;
  std::int64_t vertices;
  std::vector<arc> arcs;
};

/// Random directed arcs; few vertices give many loops and parallel arcs, `used` < n isolated ones.
inline sample random_sample(std::int64_t n, std::int64_t used, std::int64_t m, std::uint64_t seed) {
  const auto random = counter_random::of(seed, 99);
  sample s{"random " + std::to_string(n) + "/" + std::to_string(m), n, {}};
  for (std::int64_t k = 0; k < m; ++k) {
    const auto u = static_cast<std::uint64_t>(used);
    s.arcs.emplace_back(random(3 * k) % u, random(3 * k + 1) % u, random(3 * k + 2) % 5);
  }
  return s;
}

inline std::vector<sample> samples() {
  std::vector<sample> all{{"no edges", 5, {}}, {"one vertex", 1, {{0, 0, 3}, {0, 0, 1}}}};
  sample star{"star", 3000, {}}, path{"path", 2000, {}};
  for (std::int64_t v = 1; v < star.vertices; ++v) star.arcs.emplace_back(0, v, v % 7);
  for (std::int64_t v = 1; v < path.vertices; ++v) path.arcs.emplace_back(v, v - 1, v % 3);
  all.push_back(star);
  all.push_back(path);
  all.push_back(random_sample(7, 7, 200, 1));
  all.push_back(random_sample(100, 60, 400, 2));
  all.push_back(random_sample(5000, 4000, 3000, 3));
  all.push_back(random_sample(1 << 16, 1 << 16, 60000, 4));
  return all;
}

/// The sample's arcs in chunks of 1000, with weights of type Weight (char: none).
template <class Id, class Weight>
edge_chunks<Id> chunks_of(const sample& s) {
  edge_chunks<Id> input;
  input.vertices = s.vertices;
  std::vector<shared_array<Weight>> weights;
  for (std::size_t at = 0; at < s.arcs.size(); at += 1000) {
    const std::size_t size = std::min<std::size_t>(1000, s.arcs.size() - at);
    shared_array<edge<Id>> chunk(size);
    shared_array<Weight> w(size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto [u, v, x] = s.arcs[at + i];
      chunk[i] = {static_cast<Id>(u), static_cast<Id>(v)};
      w[i] = static_cast<Weight>(x);
    }
    input.edges.push_back(chunk);
    weights.push_back(w);
  }
  if constexpr (!std::is_same_v<Weight, char>) input.weights = weights;
  return input;
}

/// char stands for "no weights".
template <class Id = vertex32, class Weight = char>
graph build_sample(const sample& s, build_options options = {}) {
  return build_csr(chunks_of<Id, Weight>(s), options);
}

/// Every stored arc, row by row; weight 0 when there are none.
inline std::vector<arc> stored_arcs(const graph& g) {
  std::vector<arc> out;
  g.visit([&](const auto& rows) {
    for (std::int64_t u = 0; u < g.vertices(); ++u)
      for (edge_offset i = rows.offsets[u]; i < rows.offsets[u + 1]; ++i)
        out.emplace_back(
            u, rows.indices[i],
            std::visit(
                [&](const auto& w) -> std::int64_t {
                  if constexpr (std::is_same_v<std::decay_t<decltype(w)>, std::monostate>)
                    return 0;
                  else
                    return static_cast<std::int64_t>(w[i]);
                },
                g.weights));
  });
  return out;
}

/// All bytes of the arrays, to compare graphs by.
inline std::string bytes_of(const graph& g) {
  std::string out;
  const auto add = [&](const auto& a) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(a)>, std::monostate>)
      out.append(reinterpret_cast<const char*>(a.data()), a.size() * sizeof(*a.data()));
  };
  add(g.offsets);
  std::visit(add, g.indices);
  std::visit(add, g.weights);
  return out;
}

}  // namespace gossamer::test
