// Distinct ids become their places in ascending order, by a bitmap or by sorting.
#include "graph/io/sparse_ids.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "gossamer/base/configuration.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer::io {
namespace {

/// Ids are renumbered by a bitmap of all up to the largest, with a running count a word, when that
/// is smaller than the ids themselves (24 bits for every 64 ids); else by sorting them.
bool by_bitmap(std::int64_t largest, std::int64_t edges) {
  // What a comment claims of edges is a number like any other.
  return (largest / 64 + 1) / 2 <= sat_add(sat_mul(edges, 2), 1024);
}

/// At the peak of renumbering: the edges with ids as the file has them, and what finds their
/// places, but for `vertices` ids in ascending order.
std::int64_t renumbering_bytes(std::int64_t largest, std::int64_t edges, int weight_bytes) {
  const std::int64_t each = (configuration::narrow_ids(largest) ? 8 : 16) + weight_bytes;
  const std::int64_t places =
      by_bitmap(largest, edges) ? (largest / 64 + 2) * 16 : sat_mul(edges, 16);
  return sat_add(sat_mul(edges, each), places);
}

/// Distinct ids in ascending order, and each edge renumbered to its place among them.
class renumbering {
 public:
  renumbering(edge_sink& sink, std::int64_t largest, const read_context& context)
      : sink_(sink), largest_(largest), context_(context) {
    require_room(0);
    if (by_bitmap(largest, sink.edges()))
      in_a_bitmap(static_cast<std::size_t>(largest / 64 + 1));
    else
      by_sorting();
  }
  shared_array<std::int64_t> ids;  ///< none when they are 0 to the largest, each of them

 private:
  /// Refuses before memory is taken: for the places, then for `vertices` ids.
  void require_room(std::int64_t vertices) const {
    read_plan plan = context_.edge_plan(1, sink_.edges(), sink_.weight_bytes(), false);
    plan.vertices = vertices;
    plan.items = {{"renumbering", renumbering_bytes(largest_, sink_.edges(), sink_.weight_bytes())},
                  {"vertex names", sat_mul(vertices, 8)}};
    context_.refuse_if_over(plan);
  }
  void take_ids(std::size_t vertices) {
    require_room(static_cast<std::int64_t>(vertices));
    ids = shared_array<std::int64_t>(vertices);
  }
  void in_a_bitmap(std::size_t words) {
    std::vector<std::uint64_t> bits(words, 0);
    sink_.for_each([&](auto& e) {
      bits[static_cast<std::size_t>(e.source) / 64] |= std::uint64_t{1} << (e.source % 64);
      bits[static_cast<std::size_t>(e.target) / 64] |= std::uint64_t{1} << (e.target % 64);
    });
    std::vector<std::int64_t> before(words + 1, 0);
    for (std::size_t w = 0; w < words; ++w) before[w + 1] = before[w] + std::popcount(bits[w]);
    if (before[words] == largest_ + 1) return;
    take_ids(static_cast<std::size_t>(before[words]));
    std::size_t k = 0;
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t b = bits[w]; b != 0; b &= b - 1)
        ids[k++] = static_cast<std::int64_t>(w * 64) + std::countr_zero(b);
    auto place = [&](std::int64_t id) {
      const auto w = static_cast<std::size_t>(id) / 64;
      const std::uint64_t below = bits[w] & ((std::uint64_t{1} << (id % 64)) - 1);
      return before[w] + std::popcount(below);
    };
    renumber(place);
  }
  void by_sorting() {
    std::vector<std::int64_t> all;
    all.reserve(static_cast<std::size_t>(2 * sink_.edges()));
    sink_.for_each([&](auto& e) {
      all.push_back(e.source);
      all.push_back(e.target);
    });
    // Sorting has no blocks to stop between, but it may be left by an exception of its comparison.
    auto watch = context_.watch();
    std::sort(all.begin(), all.end(), [&watch](std::int64_t a, std::int64_t b) {
      watch.step();
      return a < b;
    });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    take_ids(all.size());
    std::copy(all.begin(), all.end(), ids.data());
    renumber([&](std::int64_t id) {
      return std::lower_bound(ids.begin(), ids.end(), id) - ids.begin();
    });
  }
  template <class F>
  void renumber(F&& place) {
    sink_.for_each([&](auto& e) {
      e.source = static_cast<decltype(e.source)>(place(e.source));
      e.target = static_cast<decltype(e.target)>(place(e.target));
    });
  }
  edge_sink& sink_;
  const std::int64_t largest_;
  const read_context& context_;
};

}  // namespace

read_plan plan_sparse(const read_context& context, std::int64_t edges, std::int64_t largest,
                      int weight_bytes, std::optional<std::int64_t> nodes) {
  const std::int64_t named = std::min(sat_mul(edges, 2), sat_add(largest, 1));
  read_plan plan = context.edge_plan(nodes.value_or(named), edges, weight_bytes, true);
  if (!nodes) plan.vertices = 0;  // a guess that no more is made of
  if (nodes && largest < *nodes) return plan;
  const std::int64_t names = sat_mul(named, 8);
  const std::int64_t most = sat_add(renumbering_bytes(largest, edges, weight_bytes), names);
  if (named <= largest) plan.items.push_back({"vertex names", names});
  if (const std::int64_t planned = plan.total(); most > planned)
    plan.items.push_back({"renumbering, beyond these", most - planned});
  return plan;
}

std::int64_t largest_id(edge_sink& sink) {
  std::int64_t largest = 0;
  sink.for_each([&](auto& e) { largest = std::max<std::int64_t>({largest, e.source, e.target}); });
  return largest;
}

named_vertices renumbered(edge_sink& sink, std::int64_t largest, const read_context& context) {
  named_vertices out;
  out.names.map = renumbering(sink, largest, context).ids;
  const auto& map = out.names.map;
  out.count = map.empty() ? largest + 1 : static_cast<std::int64_t>(map.size());
  if (id_bytes(out.count) == 4) sink.narrow_ids();
  return out;
}

}  // namespace gossamer::io
