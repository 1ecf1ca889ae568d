// A counting sort of the rows by length or by class, and the cut of long rows into chunks of equal
// size.
#include "algorithm/vertex_steps/row_order.hpp"

#include <algorithm>

namespace gossamer::steps_detail {

namespace {

std::size_t class_of(std::int64_t length) {
  std::size_t c = 0;
  while (length < shortest_of_class[c]) ++c;
  return c;
}

}  // namespace

placed_rows place_rows(std::span<const edge_offset> offsets, bool by_length) {
  constexpr std::int64_t most = shortest_split[for_gathers];
  const auto key_of = [&](std::int64_t length) {
    return by_length ? static_cast<std::size_t>(most - 1 - length) : class_of(length);
  };
  const auto each = [&](const auto& f) {
    for (std::size_t v = 0; v + 1 < offsets.size(); ++v)
      if (const std::int64_t length = offsets[v + 1] - offsets[v]; length < most) f(v, length);
  };
  placed_rows rows;
  std::vector<std::int64_t> next(static_cast<std::size_t>(most) + 1);  // by key
  each([&](std::size_t, std::int64_t length) {
    ++next[key_of(length) + 1];
    for (std::size_t c = class_of(length); c < row_classes; ++c) ++rows.class_end[c];
  });
  for (std::size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
  rows.places.resize(static_cast<std::size_t>(next.back()));
  each([&](std::size_t v, std::int64_t length) {
    const auto at = static_cast<std::size_t>(next[key_of(length)]++);
    rows.places[at] = {offsets[v] - offsets[0], static_cast<int>(length), static_cast<int>(v)};
  });
  return rows;
}

std::vector<row_chunk> cut_rows(std::span<const edge_offset> offsets, std::int64_t shortest,
                                std::int64_t arcs) {
  std::vector<row_chunk> chunks;
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
    const std::int64_t length = offsets[v + 1] - offsets[v], begin = offsets[v] - offsets[0];
    if (length < shortest) continue;
    const auto first = static_cast<int>(chunks.size());
    const auto of = static_cast<int>((length + arcs - 1) / arcs);
    for (int i = 0; i < of; ++i)
      chunks.push_back({begin + i * arcs,
                        static_cast<int>(std::min<std::int64_t>(arcs, length - i * arcs)),
                        static_cast<int>(v), first, of});
  }
  return chunks;
}

}  // namespace gossamer::steps_detail
