// Cuts blocks at newlines among threads and puts the results back in file order.
#include "graph/io/parse_parts.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "graph/parallel.hpp"

namespace gossamer::io {
namespace {

// 256 KiB a part: its scratch (16 bytes an edge) fits a core's cache, and a block's parts, of which
// plans know nothing, take 6.5 MiB a thread at most. Twice that is no faster.
constexpr std::size_t part_bytes = 256 << 10;

std::int64_t count_newlines(const char* p, const char* end) {
  return std::count(p, end, '\n');
}

const char* next_line(const char* p, const char* end) {
  return static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1;
}

/// Data rows that begin in the part.
std::int64_t count_rows(const text_part& part, char comment) {
  std::int64_t rows = 0;
  const char* p = part.continued ? next_line(part.begin, part.end) : part.begin;
  for (; p < part.end; p = next_line(p, part.end)) rows += comment == '\0' || *p != comment;
  return rows;
}

struct outcome {
  parsed_edges edges;
  std::optional<bad_text> complaint;
  std::exception_ptr failure;
  std::int64_t rows = 0;
};

}  // namespace

std::size_t block_bytes(const read_context& context) {
  constexpr std::int64_t parts = 2, each = 13 * parts * static_cast<std::int64_t>(part_bytes);
  const std::int64_t afford = std::clamp<std::int64_t>(context.limit / 16 / each, 1, 64);
  return part_bytes * parts *
         static_cast<std::size_t>(std::clamp<std::int64_t>(context.threads, 1, afford));
}

std::int64_t parse_body(text_stream& in, edge_sink& sink, const body_options& options,
                        const part_parser& parse) {
  std::vector<outcome> results;
  std::vector<text_part> parts;
  std::int64_t rows_before = 0;
  bool goes_on = false;
  for (std::string_view block;
       !(block = options.rows ? in.next_piece() : in.next_block()).empty();) {
    parts.clear();
    const char* const block_end = block.data() + block.size();
    for (const char* p = block.data(); p < block_end;) {
      const char* q = block_end;
      if (static_cast<std::size_t>(block_end - p) > part_bytes) {
        q = next_line(p + part_bytes, block_end);
        // A line of more than a part lies across the end of one; a block may hold longer ones.
        const char* line = p + part_bytes;
        while (line > p && line[-1] != '\n') --line;
        if (!options.rows && q - line > static_cast<std::ptrdiff_t>(longest_line))
          fail_too_long(in.context(), in.next_line_number() + count_newlines(block.data(), line));
      }
      parts.push_back({p, q, 0});
      p = q;
    }
    parts.front().continued = std::exchange(goes_on, in.cut());
    parts.back().cut = goes_on;
    const int count = static_cast<int>(parts.size());
    if (results.size() < parts.size()) results.resize(parts.size());
    const int threads = options.in_order ? 1 : std::min(in.context().threads, count);
    if (options.rows) {
      detail::parallel_blocks(threads, count, [&](int, std::int64_t i) {
        results[i].rows = count_rows(parts[i], options.comment);
      });
      for (int i = 0; i < count; ++i) {
        parts[i].row = rows_before;
        rows_before += results[i].rows;
      }
    }
    detail::parallel_blocks(threads, count, [&](int, std::int64_t i) {
      outcome& r = results[i];
      r.complaint.reset();
      try {
        // An edge takes at least two characters of text ("5 " in METIS and WebGraph); mirrored
        // Matrix Market entries are two edges from at least four.
        const auto bytes = static_cast<std::size_t>(parts[i].end - parts[i].begin);
        r.edges.reset(bytes / 2 + 2, options.weighted);
        parse(parts[i], r.edges);
      } catch (bad_text& complaint) {
        r.complaint = std::move(complaint);
      } catch (...) {
        r.failure = std::current_exception();
      }
    });
    for (int i = 0; i < count; ++i) {
      outcome& r = results[i];
      if (r.failure) std::rethrow_exception(r.failure);
      if (r.complaint) {
        const std::int64_t line =
            in.next_line_number() + count_newlines(block.data(), r.complaint->at);
        in.fail_at(line, r.complaint->message);
      }
      sink.append(r.edges);
    }
    in.advance_lines(count_newlines(block.data(), block_end) - (goes_on ? 1 : 0));
    in.context().tick(in.source().raw_position(), in.source().raw_size(), sink.edges());
  }
  return rows_before;
}

}  // namespace gossamer::io
