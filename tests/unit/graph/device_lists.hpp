// Edge lists and CSR arrays in the memory of GPU 0, for the tests of what is built there.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "gossamer/base/configuration.hpp"
#include "gossamer/graph/device_builder.hpp"
#include "unit/graph/sample_graphs.hpp"

namespace gossamer::test {

#define NEEDS_GPU() \
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason()

template <class T>
constexpr element element_of() {
  if constexpr (std::is_same_v<T, float>)
    return element::float32;
  else if constexpr (std::is_same_v<T, double>)
    return element::float64;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return element::uint32;
  else
    return sizeof(T) == 8 ? element::int64 : element::int32;
}

/// Elements in GPU 0.
template <class T>
class uploaded {
 public:
  explicit uploaded(const std::vector<T>& from) : memory_(memory_kind::device, 0, from.size()) {
    copy_bytes(memory_.data(), from.data(), from.size() * sizeof(T));
  }
  [[nodiscard]] device_view view() const {
    return {memory_.data(), static_cast<std::int64_t>(memory_.size()), element_of<T>()};
  }

 private:
  buffer<T> memory_;
};

/// A sample's arcs there; Weight char: none.
template <class Id, class Weight>
class uploaded_list {
 public:
  explicit uploaded_list(const sample& s)
      : sources_(column<Id>(s, [](const arc& a) { return std::get<0>(a); })),
        targets_(column<Id>(s, [](const arc& a) { return std::get<1>(a); })),
        weights_(column<Weight>(s, [](const arc& a) { return std::get<2>(a); })) {}
  [[nodiscard]] device_edges edges() const {
    device_edges list;
    list.sources = sources_.view();
    list.targets = targets_.view();
    if constexpr (!std::is_same_v<Weight, char>) list.weights = weights_.view();
    return list;
  }

 private:
  template <class T, class F>
  static std::vector<T> column(const sample& s, const F& part) {
    std::vector<T> all;
    all.reserve(s.arcs.size());
    for (const arc& a : s.arcs) all.push_back(static_cast<T>(part(a)));
    return all;
  }
  uploaded<Id> sources_, targets_;
  uploaded<Weight> weights_;
};

/// Both directions of every arc, as an undirected list may have them.
inline sample both_ways(sample s) {
  const std::vector<arc> once = s.arcs;
  for (const auto& [u, v, w] : once)
    if (u != v) s.arcs.emplace_back(v, u, w);
  s.name += ", both ways";
  return s;
}

/// What from_edges of Python makes of the sample on the host.
template <class Weight>
graph built_on_host(const sample& s, const device_build_options& o) {
  build_options host;
  host.symmetrize = o.symmetrize;
  host.deduplicate = o.deduplicate;
  host.remove_self_loops = o.remove_self_loops;
  host.known_symmetric = o.known_symmetric;
  host.listed_once = o.listed_once;
  graph g = configuration::narrow_ids(s.vertices) ? build_csr(chunks_of<vertex32, Weight>(s), host)
                                                  : build_csr(chunks_of<vertex64, Weight>(s), host);
  if (g.weighted()) g.weight_source = "caller";
  if (!g.symmetric) g.symmetric = is_symmetric(g);
  return g;
}

/// "" when they are equal, else what differs.
inline std::string difference(const graph& a, const graph& b) {
  if (a.vertices() != b.vertices()) return "vertices";
  if (a.id_width() != b.id_width()) return "width of ids";
  if (a.weights.index() != b.weights.index()) return "type of weights";
  if (bytes_of(a) != bytes_of(b)) return "arrays";
  if (a.symmetric != b.symmetric) return "symmetric";
  if (a.sorted != b.sorted) return "sorted";
  if (a.steps != b.steps) return "steps";
  if (a.weight_source != b.weight_source) return "source of weights";
  return "";
}

inline std::string name_of(const device_build_options& o) {
  return std::string(o.symmetrize ? "symmetrize " : "") + (o.deduplicate ? "deduplicate " : "") +
         (o.remove_self_loops ? "remove_self_loops " : "") + (o.listed_once ? "listed_once" : "");
}

inline std::int64_t longest_of(const graph& g) {
  std::int64_t longest = 0;
  for (std::int64_t v = 0; v < g.vertices(); ++v) longest = std::max(longest, g.degree(v));
  return longest;
}

/// The words of the error that f throws, if it does.
template <class F>
std::string words_of(const F& f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace gossamer::test
