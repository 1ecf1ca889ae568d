// layout: divides a graph's vertices among ranks and makes the permutation that belongs to it.
#include "placement/layout.hpp"

#include <algorithm>
#include <numeric>

#include "gossamer/graph/partition.hpp"
#include "gossamer/placement/partition_names.hpp"

namespace gossamer::placement_detail {

namespace {

constexpr std::int64_t word = 64;

// Ranges of which the boundaries are multiples of 64 need no renumbering: a rank's bitmap words are
// its own. Tiny graphs would leave ranks empty that way, so they go through a permutation.
bool aligned(std::int64_t n, int p) {
  return p == 1 || n == 0 || n >= word * p * 8;
}

/// What bounds are multiples of.
std::int64_t step_of(std::int64_t n, int p, range_starts starts) {
  return starts == range_starts::words && aligned(n, p) ? word : 1;
}

std::vector<std::int64_t> equal_bounds(std::int64_t n, int p, range_starts starts) {
  std::vector<std::int64_t> bounds(p + 1);
  const std::int64_t step = step_of(n, p, starts);
  // Blocks of one length, where that leaves the last rank most of one: vectors over the vertices
  // are gathered as they are.
  const std::int64_t block = (n + p * step - 1) / (p * step) * step;
  const bool blocks = starts == range_starts::anywhere || aligned(n, p);
  if (blocks && n - (p - 1) * block >= block / 2) {
    for (int r = 0; r <= p; ++r) bounds[r] = std::min(n, r * block);
    return bounds;
  }
  for (int r = 0; r <= p; ++r) {
    bounds[r] = n / p * r + n % p * r / p;
    if (r < p) bounds[r] = (bounds[r] + step / 2) / step * step;
  }
  return bounds;
}

// Ranges with nearly the same number of arcs plus vertices: rows cost something when empty, too.
std::vector<std::int64_t> edge_bounds(std::span<const edge_offset> offsets, int p,
                                      range_starts starts) {
  const auto n = std::max<std::int64_t>(static_cast<std::int64_t>(offsets.size()) - 1, 0);
  const std::int64_t total = n == 0 ? 0 : offsets.back() + n;
  const std::int64_t step = step_of(n, p, starts);
  std::vector<std::int64_t> bounds(p + 1, n);
  bounds[0] = 0;
  for (int r = 1; r < p && n > 0; ++r) {
    const std::int64_t want = total / p * r + total % p * r / p;
    std::int64_t low = bounds[r - 1], high = n;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (offsets[middle] + middle < want) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    low = std::min((low + step / 2) / step * step, n / step * step);
    bounds[r] = std::max(low, bounds[r - 1]);
  }
  return bounds;
}

constexpr std::int64_t stop_interval = 1 << 18;

void count(const graph& g, int p, const place_options& options, division& d) {
  d.shares.assign(p, {});
  const bool ranges = !d.bounds.empty();
  if (ranges) {
    for (int r = 0; r < p; ++r) {
      d.shares[r].vertices = d.bounds[r + 1] - d.bounds[r];
      if (d.shares[r].vertices > 0)
        d.shares[r].arcs = p == 1 ? g.arcs() : g.offsets[d.bounds[r + 1]] - g.offsets[d.bounds[r]];
    }
  } else {
    for (std::int64_t v = 0; v < g.vertices(); ++v) {
      if (v % stop_interval == 0) check_stop(options);
      share& s = d.shares[d.part_of[v]];
      ++s.vertices;
      s.arcs += g.degree(v);
    }
  }
  if (g.symmetric) return;
  if (p == 1) {
    d.shares[0].in_arcs = g.arcs();
    return;
  }
  g.visit([&](auto view) {
    std::int64_t seen = 0;
    for (auto v : view.indices) {
      if (seen++ % stop_interval == 0) check_stop(options);
      const auto r = ranges ? std::upper_bound(d.bounds.begin() + 1, d.bounds.end() - 1,
                                               static_cast<std::int64_t>(v)) -
                                  d.bounds.begin() - 1
                            : d.part_of[v];
      ++d.shares[r].in_arcs;
    }
  });
}

}  // namespace

bool needs_table(const place_options& options) {
  const std::string& name = options.partition;
  check_partition(name);
  return name == "hash" || name == "metis" || name == "file";
}

namespace {

/// Of "file".
void check_table(const graph& g, int p, const std::vector<std::int32_t>& part_of) {
  const std::int64_t n = g.vertices();
  require(static_cast<std::int64_t>(part_of.size()) == n,
          "the partition has " + std::to_string(part_of.size()) + " entries, the graph has " +
              std::to_string(n) + " vertices");
  for (std::int64_t v = 0; v < n; ++v)
    require(part_of[v] >= 0 && part_of[v] < p, [&] {
      return "vertex " + std::to_string(g.names.name(v)) + " is in part " +
             std::to_string(part_of[v]) + ", the machine has " + std::to_string(p) + " ranks";
    });
}

}  // namespace

void check_renumber(const place_options& options) {
  require(options.renumber == "none" || options.renumber == "degree",
          "renumber: unknown name '" + options.renumber + "' (there are none, degree)");
}

division divide(const graph& g, int p, const place_options& options, bool estimate,
                std::span<const edge_offset> weighed, range_starts starts) {
  const std::int64_t n = g.vertices();
  check_renumber(options);
  const bool by_degree = options.renumber == "degree";
  division d;
  const bool table = needs_table(options);
  if (options.partition == "file" && (p > 1 || !options.part_of.empty()))
    check_table(g, p, options.part_of);
  if (!table || p == 1) {  // one rank owns everything, whatever the partition
    if (p == 1)
      d.bounds = {0, n};
    else if (options.partition == "edges")
      d.bounds = edge_bounds(weighed.empty() ? g.offsets.span() : weighed, p, starts);
    else
      d.bounds = equal_bounds(n, p, starts);
    d.identity = aligned(n, p) && !by_degree;
    count(g, p, options, d);
    return d;
  }
  if (options.partition == "metis" && estimate) {
    d.shares.assign(p, {(n + p - 1) / p, (g.arcs() + p - 1) / p, (g.arcs() + p - 1) / p});
    return d;
  }
  if (options.partition == "file") {
    d.part_of = options.part_of;
  } else {
    d.part_of = make_partition(g, options.partition, p, options.stop, options.memory).part_of;
  }
  count(g, p, options, d);
  return d;
}

division divide(const graph_shape& g, int p, const place_options& options, range_starts starts) {
  check_renumber(options);
  division d;
  const bool table = needs_table(options) && p > 1;
  const std::int64_t arcs = g.arcs / p + (g.arcs % p != 0);
  d.shares.assign(p, {(g.vertices + p - 1) / p, arcs, arcs});
  if (!table && (options.partition != "edges" || p == 1)) {
    d.bounds = equal_bounds(g.vertices, p, starts);
    for (int r = 0; r < p; ++r) d.shares[r].vertices = d.bounds[r + 1] - d.bounds[r];
  }
  d.identity = !table && aligned(g.vertices, p) && options.renumber != "degree";
  return d;
}

graph_shape shape_of(const graph& g) {
  graph_shape shape{g.vertices(),     g.arcs(),         g.id_width(), g.symmetric,
                    certainty::exact, certainty::exact, !g.symmetric};
  shape.gpu = g.gpu;
  return shape;
}

namespace {

std::vector<std::int64_t> vertices_of(const division& d) {
  std::vector<std::int64_t> counts;
  for (const share& s : d.shares) counts.push_back(s.vertices);
  return counts;
}

}  // namespace

ownership own(const division& d) {
  return ownership::ranges(vertices_of(d));
}

ownership_sizes sizes_of(const division& d) {
  return ownership_sizes::ranges(vertices_of(d));
}

template <class Id>
void permute(const division& d, const graph& g, const ownership& owners,
             const place_options& options, shared_array<Id>& placed_of,
             shared_array<Id>& vertex_of) {
  const std::int64_t n = g.vertices();
  placed_of = shared_array<Id>(n);
  vertex_of = shared_array<Id>(owners.placed());
  std::fill(vertex_of.begin(), vertex_of.end(), Id{-1});
  std::vector<std::vector<Id>> members(d.shares.size());
  for (std::size_t r = 0; r < members.size(); ++r) members[r].reserve(d.shares[r].vertices);
  for (std::int64_t v = 0, r = 0; v < n; ++v) {
    if (v % stop_interval == 0) check_stop(options);
    if (d.part_of.empty()) {
      while (v >= d.bounds[r + 1]) ++r;
    } else {
      r = d.part_of[v];
    }
    members[r].push_back(static_cast<Id>(v));
  }
  for (std::size_t r = 0; r < members.size(); ++r) {
    check_stop(options);
    if (options.renumber == "degree") {
      std::stable_sort(members[r].begin(), members[r].end(),
                       [&](Id a, Id b) { return g.degree(a) > g.degree(b); });
    }
    for (std::size_t i = 0; i < members[r].size(); ++i) {
      const std::int64_t placed = owners.global(static_cast<int>(r), i);
      placed_of[members[r][i]] = static_cast<Id>(placed);
      vertex_of[placed] = members[r][i];
    }
  }
}

template void permute<vertex32>(const division&, const graph&, const ownership&,
                                const place_options&, shared_array<vertex32>&,
                                shared_array<vertex32>&);
template void permute<vertex64>(const division&, const graph&, const ownership&,
                                const place_options&, shared_array<vertex64>&,
                                shared_array<vertex64>&);

}  // namespace gossamer::placement_detail

namespace gossamer {

void check_partition(const std::string& name) {
  for (const char* known : {"auto", "ranges", "edges", "hash", "metis", "file"})
    if (name == known) return;
  throw usage_error("unknown partition '" + name +
                    "' (there are auto, ranges, edges, hash, metis, file)");
}

}  // namespace gossamer
