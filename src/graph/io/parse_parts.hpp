// Parsing a text body block by block, each block by all threads, with exact line numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "graph/io/edge_sink.hpp"
#include "graph/io/text_stream.hpp"
#include "graph/io/tokens.hpp"

namespace gossamer::io {

/// Lines [begin, end), end[-1] == '\n'. `row` is the number of data rows that begin before it, for
/// formats where the row is the vertex; their lines may be as long as the file and come in pieces.
struct text_part {
  const char* begin = nullptr;
  const char* end = nullptr;
  std::int64_t row = 0;
  bool continued = false;  ///< the first line is the rest of one that the part before began
  bool cut = false;        ///< the last line goes on in the next part, which is parsed afterwards
};

/// Parses one part; throws bad_text. Called from several threads at once, on different parts.
using part_parser = std::function<void(const text_part&, parsed_edges&)>;

struct body_options {
  bool weighted = false;
  /// Data rows count when true (METIS, WebGraph); lines starting with `comment` do not.
  bool rows = false;
  char comment = '\0';
  /// Parts are parsed in the order of the file, one after the other.
  bool in_order = false;
};

/// Bytes of a block for this many threads. What is parsed of a block takes up to 12 times as much:
/// blocks are smaller where that would be much of the memory limit.
std::size_t block_bytes(const read_context& context);

/// Streams the rest of `in` through `parse` into `sink`; returns the number of data rows when
/// asked for. The first error in file order is thrown, whatever thread met it.
std::int64_t parse_body(text_stream& in, edge_sink& sink, const body_options& options,
                        const part_parser& parse);

/// parse(p) of a line just taken; what is bad about it is said of that line.
template <class Parse>
void parse_line(const text_stream& in, std::string_view line, const Parse& parse) {
  try {
    parse(line.data());
  } catch (const bad_text& e) {
    in.fail_here(e.message);
  }
}

}  // namespace gossamer::io
