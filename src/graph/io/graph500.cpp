// Graph500 packed edges: 12 bytes an edge, little endian, nothing else in the file.
//
//   u32 v0_low, u32 v1_low, u32 high;  v0 = v0_low + 2^32 * (low half of high as int16),
//                                      v1 = v1_low + 2^32 * (upper half of high as int16).
//
// Ids are 48-bit signed; negative ones (holes) are refused. n is the largest id plus one: the file
// does not say its scale. The edges are undirected by Graph500's definition but each lies in the
// file once: ask for `symmetrize` to traverse them both ways. Having no magic, the format is taken
// only by name, or for files called .packed or .g500 whose size is a multiple of 12.
#include <algorithm>

#include "graph/io/csr_arrays.hpp"
#include "graph/io/edge_sink.hpp"
#include "graph/io/readers.hpp"

namespace gossamer::io {
namespace {

struct packed_edge {
  std::int64_t from, to;
  explicit packed_edge(const char* at) {
    const auto high = load<std::uint32_t>(at, 2);
    const auto id = [](std::uint32_t low, std::uint32_t half) {
      return (static_cast<std::int64_t>(static_cast<std::int16_t>(half)) << 32) | low;
    };
    from = id(load<std::uint32_t>(at, 0), high & 0xffff);
    to = id(load<std::uint32_t>(at, 1), high >> 16);
  }
};

}  // namespace

graph read_graph500(const byte_image& image, const read_context& context) {
  binary_reader in(image, context);
  const std::int64_t edges = image.size() / 12;
  if (edges == 0 && image.size() == 0) in.fail_at(0, "the file is empty");
  if (image.size() % 12 != 0)
    in.fail_at(edges * 12, "the file ends inside an edge (" + std::to_string(image.size()) +
                               " bytes are no multiple of 12)");
  const char* data = in.take_array<char>(edges * 12, "edges");
  // The largest id is known at the end; the plan is that of a sample from all of the file.
  constexpr std::int64_t sample = 1 << 16;
  std::int64_t expected = 0;
  for (std::int64_t i = 0; i < edges; i += std::max<std::int64_t>(1, edges / sample)) {
    const packed_edge e(data + 12 * i);
    expected = std::max({expected, e.from, e.to});
  }
  context.settle_estimate(context.edge_plan(expected + 1, edges, 0, true));
  edge_sink sink(context, false, false);
  parsed_edges block;
  constexpr std::int64_t step = 1 << 16;
  std::int64_t largest = 0;
  for (std::int64_t first = 0; first < edges; first += step) {
    const std::int64_t last = std::min(edges, first + step);
    block.reset(static_cast<std::size_t>(last - first), false);
    for (std::int64_t i = first; i < last; ++i) {
      const packed_edge e(data + 12 * i);
      if (e.from < 0 || e.to < 0)
        in.fail_at(12 * i, "negative vertex id " + std::to_string(std::min(e.from, e.to)));
      largest = std::max({largest, e.from, e.to});
      block.add(e.from, e.to);
    }
    sink.append(block);
    context.tick(12 * last, image.size(), sink.edges());
  }
  return sink.finish(largest + 1, {});
}

}  // namespace gossamer::io
