// How PageRank's rows lie in the memories of GPUs: read as the kernels read them, every rank's rows
// hold each in-arc once, columns rise, and whoever is read from knows. Needs no GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "algorithm/pagerank/sync/gpu_rows.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/ordered_rows.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/row_ranges.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using namespace pagerank_detail;

/// Where a row's columns are, in the part's own arcs.
std::pair<std::int64_t, std::int64_t> extent(const gpu_part& p, std::int64_t s) {
  const std::int64_t splits = p.class_end[split];
  if (s < splits) {
    const chunk &first = p.chunks[static_cast<std::size_t>(p.chunk_first[s])],
                &last = p.chunks[static_cast<std::size_t>(p.chunk_first[s + 1] - 1)];
    std::int64_t count = 0;
    for (std::int64_t c = p.chunk_first[s]; c < p.chunk_first[s + 1]; ++c)
      count += p.chunks[static_cast<std::size_t>(c)].count;
    EXPECT_EQ(first.begin + count, last.begin + last.count);
    return {first.begin, count};
  }
  const std::int64_t base = p.bases[static_cast<std::size_t>((s - splits) / base_rows)];
  const std::uint32_t low = p.offsets[static_cast<std::size_t>(s)];
  return {base + (low - static_cast<std::uint32_t>(base)),
          p.offsets[static_cast<std::size_t>(s) + 1] - low};
}

int class_at(const gpu_part& p, std::int64_t s) {
  return static_cast<int>(std::upper_bound(p.class_end.begin(), p.class_end.end(), s) -
                          p.class_end.begin());
}

/// As many in-arcs each.
std::vector<std::int64_t> even_arcs(const graph& g, int ranks) {
  return testing_graphs::arc_ranges(gossamer::in_offsets_of(g).span(), ranks);
}

/// Drawn: some are empty.
std::vector<std::int64_t> drawn_ranges(const graph& g, int ranks, int number) {
  std::mt19937_64 random(static_cast<std::uint64_t>(number));
  std::vector<std::int64_t> first(static_cast<std::size_t>(ranks) + 1, 0);
  for (auto& at : first) at = static_cast<std::int64_t>(random() % (g.vertices() + 1));
  std::sort(first.begin(), first.end());
  if (number % 2 == 0) first[1] = 0;
  first.front() = 0;
  first.back() = g.vertices();
  return first;
}

void expect_whole(const graph& g, const std::vector<std::int64_t>& first, bool weighted) {
  const std::size_t ranks = first.size() - 1;
  SCOPED_TRACE(g.name + " on " + std::to_string(ranks));
  pagerank_options options;
  options.weighted = weighted;
  const auto rows = make_gpu_rows<double>(g, first, options);
  ASSERT_EQ(rows.first, first);
  const std::int64_t n = g.vertices();
  std::vector<std::int64_t> at_place(static_cast<std::size_t>(n), -1);
  for (std::int64_t v = 0; v < n; ++v) {
    const std::int64_t s = rows.slot[static_cast<std::size_t>(v)];
    const std::int64_t place = rows.place.empty() ? s : rows.place[static_cast<std::size_t>(s)];
    ASSERT_EQ(at_place[static_cast<std::size_t>(place)], -1) << "two offer at one place";
    at_place[static_cast<std::size_t>(place)] = v;
  }
  std::map<std::pair<std::int64_t, std::int64_t>, int> arcs;  // parallel ones count
  g.visit([&](const auto& out) {
    for (std::int64_t u = 0; u < n; ++u)
      for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k)
        ++arcs[{u, static_cast<std::int64_t>(out.indices[k])}];
  });
  for (std::int64_t v = 0; v < n; ++v) {
    const auto r = static_cast<std::size_t>(
        std::upper_bound(rows.first.begin(), rows.first.end(), v) - rows.first.begin() - 1);
    const gpu_part& part = rows.parts[r];
    const std::int64_t s = rows.slot[static_cast<std::size_t>(v)] - rows.first[r];
    ASSERT_TRUE(s >= 0 && s < rows.first[r + 1] - rows.first[r]) << "in its rank's range";
    const auto [begin, count] = extent(part, s);
    ASSERT_EQ(class_at(part, s), class_of(count));
    std::int64_t before = -1;
    for (std::int64_t k = part.first_arc + begin; k < part.first_arc + begin + count; ++k) {
      const std::int64_t column = rows.columns[static_cast<std::size_t>(k)];
      ASSERT_LE(before, column);
      before = column;
      const std::int64_t u = at_place[static_cast<std::size_t>(column)];
      ASSERT_GT((arcs[{u, v}])--, 0) << u << " -> " << v;
      if (ranks == 1) continue;
      const auto from = static_cast<std::size_t>(rows.slot[static_cast<std::size_t>(u)]);
      ASSERT_TRUE((rows.wanted[from] >> (r % 32) & 1) != 0);
    }
  }
  for (const auto& [arc, left] : arcs)
    ASSERT_EQ(left, 0) << arc.first << " -> " << arc.second << " is in no row";
}

TEST(PagerankGpuRows, HoldEveryArcOnce) {
  for (int number = 0; number < 200; number += 3)
    for (const int ranks : {1, 3, 40}) {
      const graph g = many_graphs(number);
      ASSERT_NO_FATAL_FAILURE(expect_whole(g, even_arcs(g, ranks), number % 2 == 0));
      ASSERT_NO_FATAL_FAILURE(expect_whole(g, drawn_ranges(g, ranks, number), number % 2 == 0));
    }
  const graph kron = generate(parse_generator("kron:13"));
  const graph directed = from_arcs("directed", 20000, random_arcs(20000, 90000, 8), false);
  arc_list star;
  for (std::int64_t v = 1; v < 10000; ++v) star.emplace_back(v, 0);
  const graph in_star = from_arcs("star", 10000, star, false);
  for (const graph& g : {kron, directed, in_star, undirected("star", 10000, star),
                         generate(parse_generator("road:70")), from_arcs("empty", 0, {}, true)})
    for (const int ranks : {1, 4}) {
      ASSERT_NO_FATAL_FAILURE(expect_whole(g, even_arcs(g, ranks), false));
      ASSERT_NO_FATAL_FAILURE(expect_whole(g, drawn_ranges(g, ranks, ranks), false));
    }
}

TEST(PagerankGpuRows, LeaveRoadsAsTheyAre) {
  const graph g = generate(parse_generator("road:50"));
  const auto rows = make_gpu_rows<float>(g, even_arcs(g, 2), {});
  EXPECT_TRUE(rows.place.empty());
  for (std::size_t v = 0; v < rows.slot.size(); ++v)
    ASSERT_EQ(rows.slot[v], static_cast<vertex32>(v));
  EXPECT_EQ(rows.parts[0].class_end[quarter], 0) << "a lane a row";
}

}  // namespace
}  // namespace gossamer
