// A counting sort by class of degree, the highest first, inside the range of each rank.
#include "algorithm/layouts/hub_order.hpp"

#include <array>
#include <bit>

#include "gossamer/base/large_array.hpp"

namespace gossamer::algorithm_detail {

template <class Id>
shared_array<Id> hub_positions(std::span<const edge_offset> offsets,
                               std::span<const std::int64_t> first, degree_classes classes) {
  auto position = make_array<Id>(offsets.size() - 1);
  constexpr std::size_t lengths = 64;  // 64 and more begin where their bits, 7 and more, follow
  const auto class_of = [&](std::int64_t v) {
    const auto degree = static_cast<std::uint64_t>(offsets[v + 1] - offsets[v]);
    const auto bits = static_cast<std::size_t>(std::bit_width(degree));
    if (classes == degree_classes::powers) return bits;
    return degree < lengths ? static_cast<std::size_t>(degree) : lengths + bits - 7;
  };
  constexpr std::size_t last = lengths + 64 - 7;
  for (std::size_t r = 0; r + 1 < first.size(); ++r) {
    std::array<std::int64_t, last + 1> next{};  // by falling class: where its next vertex goes
    for (std::int64_t v = first[r]; v < first[r + 1]; ++v) ++next[last - class_of(v)];
    std::int64_t at = first[r];
    for (std::int64_t& slot : next) {
      const std::int64_t count = slot;
      slot = at;
      at += count;
    }
    for (std::int64_t v = first[r]; v < first[r + 1]; ++v)
      position[static_cast<std::size_t>(v)] = static_cast<Id>(next[last - class_of(v)]++);
  }
  return position;
}

template shared_array<vertex32> hub_positions(std::span<const edge_offset>,
                                              std::span<const std::int64_t>, degree_classes);
template shared_array<vertex64> hub_positions(std::span<const edge_offset>,
                                              std::span<const std::int64_t>, degree_classes);

}  // namespace gossamer::algorithm_detail
