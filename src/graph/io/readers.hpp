// The readers, one file each. Text readers stream; binary readers see the whole file as an image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gossamer/graph/io.hpp"
#include "graph/io/image.hpp"
#include "graph/io/read_context.hpp"
#include "graph/io/text_stream.hpp"

namespace gossamer::io {

graph read_matrix_market(text_stream& in);
graph read_edge_list(text_stream& in);
graph read_csv(text_stream& in);
graph read_dimacs(text_stream& in);
graph read_metis(text_stream& in);
graph read_webgraph(text_stream& in);
std::vector<std::int32_t> read_partition_text(text_stream& in, std::int64_t vertices, int parts);

graph read_galois(const byte_image& image, const read_context& context);
graph read_gapbs(const byte_image& image, const read_context& context);
graph read_weighted_gapbs(const byte_image& image, const read_context& context);
graph read_graph500(const byte_image& image, const read_context& context);
graph read_npz(const byte_image& image, const read_context& context);
graph read_gossamer(const byte_image& image, const read_context& context);

/// A format and what reads it, as text or as an image; the other is null.
struct reader {
  using text_reader = graph(text_stream& in);
  using image_reader = graph(const byte_image& image, const read_context& context);

  constexpr reader(format_info of, text_reader* by) : info(of), text(by) {}
  constexpr reader(format_info of, image_reader* by) : info(of), image(by) {}

  format_info info;
  text_reader* text = nullptr;
  image_reader* image = nullptr;
};
/// Of a format that was named or found, not `automatic`.
const reader& reader_of(file_format format);

/// Decides by the first bytes of the uncompressed content. `size` is its length, -1 when it is not
/// known; `whole` says that `head` is everything. nullopt when nothing fits.
std::optional<file_format> sniff(std::string_view head, bool whole, std::int64_t size,
                                 const std::string& name);

}  // namespace gossamer::io
