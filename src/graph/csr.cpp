// Names and validation of graphs in CSR form.
#include "gossamer/graph/csr.hpp"

#include <algorithm>

#include "gossamer/graph/builder.hpp"

namespace gossamer {

std::int64_t vertex_names::index(std::int64_t name, std::int64_t vertices) const {
  if (map.empty()) {
    // Unsigned, so that the difference of any two names is defined.
    const std::uint64_t at = static_cast<std::uint64_t>(name) - static_cast<std::uint64_t>(base);
    if (name < base || at >= static_cast<std::uint64_t>(vertices)) return -1;
    return static_cast<std::int64_t>(at);
  }
  std::int64_t* begin = map.data();
  std::int64_t* end = begin + std::min(vertices, static_cast<std::int64_t>(map.size()));
  // Maps are rising in the common case; a probe that hits proves itself, a miss is searched again.
  const auto* at = std::lower_bound(begin, end, name);
  if (at != end && *at == name) return at - begin;
  at = std::find(begin, end, name);
  return at == end ? -1 : at - begin;
}

void graph::validate(const std::stop_token& stop) const {
  require_here();
  detail::stop_watch watch(stop, "checking the graph");
  const auto fail = [this](const std::string& what) {
    throw input_error((name.empty() ? std::string("graph") : name) + ": " + what);
  };
  if (offsets.empty()) fail("no offsets (a graph of n vertices has n + 1)");
  const std::int64_t n = vertices();
  if (offsets[0] != 0) fail("offsets begin at " + std::to_string(offsets[0]) + ", not 0");
  for (std::int64_t v = 0; v < n; ++v) {
    watch.step();
    if (offsets[v + 1] < offsets[v]) fail("offsets fall after vertex index " + std::to_string(v));
  }
  const auto stored = std::visit([](const auto& a) { return a.size(); }, indices);
  if (static_cast<std::int64_t>(stored) != arcs())
    fail("offsets promise " + std::to_string(arcs()) + " arcs, but there are " +
         std::to_string(stored) + " indices");
  std::visit(
      [&](const auto& w) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(w)>, std::monostate>)
          if (static_cast<std::int64_t>(w.size()) != arcs())
            fail(std::to_string(arcs()) + " arcs, but " + std::to_string(w.size()) + " weights");
      },
      weights);
  if (!names.map.empty() && static_cast<std::int64_t>(names.map.size()) != n)
    fail(std::to_string(n) + " vertices, but " + std::to_string(names.map.size()) + " names");
  visit([&](const auto& rows) {
    for (std::int64_t v = 0; v < n; ++v) {
      std::int64_t before = -1;
      watch.step(degree(v) + 1);
      for (const std::int64_t u : rows.row(v)) {
        if (u < 0 || u >= n)
          fail("vertex " + std::to_string(names.name(v)) + " has neighbour index " +
               std::to_string(u) + " outside 0.." + std::to_string(n - 1));
        if (sorted && u < before)
          fail("the row of vertex " + std::to_string(names.name(v)) + " is not in ascending order");
        before = u;
      }
    }
  });
  if (symmetric && !is_symmetric(*this, 0, stop))
    fail("said to be symmetric, but some arc has no mirror");
}

}  // namespace gossamer
