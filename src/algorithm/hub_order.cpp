#include "algorithm/hub_order.hpp"

#include <array>
#include <bit>

#include "gossamer/base/large_array.hpp"

namespace gossamer::algorithm_detail {

bool is_skewed(std::span<const edge_offset> offsets) {
  constexpr std::int64_t fewest = 4096;  // below, everything is in the cache anyway
  const auto n = static_cast<std::int64_t>(offsets.size()) - 1;
  if (n < fewest) return false;
  const edge_offset m = offsets.back(), hub = 4 * (m / n) + 1;
  edge_offset at_hubs = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    const edge_offset degree = offsets[v + 1] - offsets[v];
    if (degree >= hub) at_hubs += degree;
  }
  return at_hubs > m / 2;
}

template <class Id>
shared_array<Id> hub_positions(std::span<const edge_offset> offsets,
                               std::span<const std::int64_t> first) {
  auto position = make_array<Id>(offsets.size() - 1);
  const auto bits = [&](std::int64_t v) {
    return static_cast<std::size_t>(
        std::bit_width(static_cast<std::uint64_t>(offsets[v + 1] - offsets[v])));
  };
  for (std::size_t r = 0; r + 1 < first.size(); ++r) {
    std::array<std::int64_t, 66> next{};  // by falling bits: where the next vertex of them goes
    for (std::int64_t v = first[r]; v < first[r + 1]; ++v) ++next[65 - bits(v)];
    std::int64_t at = first[r];
    for (std::int64_t& slot : next) {
      const std::int64_t count = slot;
      slot = at;
      at += count;
    }
    for (std::int64_t v = first[r]; v < first[r + 1]; ++v)
      position[static_cast<std::size_t>(v)] = static_cast<Id>(next[65 - bits(v)]++);
  }
  return position;
}

template shared_array<vertex32> hub_positions(std::span<const edge_offset>,
                                              std::span<const std::int64_t>);
template shared_array<vertex64> hub_positions(std::span<const edge_offset>,
                                              std::span<const std::int64_t>);

}  // namespace gossamer::algorithm_detail
