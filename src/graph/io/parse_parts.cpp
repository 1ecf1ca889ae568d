// Cuts blocks at newlines among threads and puts the results back in file order.
#include "graph/io/parse_parts.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <vector>

namespace gossamer::io {
namespace {

// 512 KiB a part: its scratch (16 bytes an edge) stays about as large as a core's cache.
constexpr std::size_t part_bytes = 512 << 10;

std::int64_t count_newlines(const char* p, const char* end) {
  return std::count(p, end, '\n');
}

std::int64_t count_rows(const char* p, const char* end, char comment) {
  std::int64_t rows = 0;
  while (p < end) {
    rows += comment == '\0' || *p != comment;
    p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1;
  }
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
  return part_bytes * static_cast<std::size_t>(std::clamp(context.threads, 1, 64)) * 2;
}

std::int64_t parse_body(text_stream& in, edge_sink& sink, const body_options& options,
                        const part_parser& parse) {
  std::vector<outcome> results;
  std::vector<text_part> parts;
  std::int64_t rows_before = 0;
  for (std::string_view block; !(block = in.next_block()).empty();) {
    parts.clear();
    const char* const block_end = block.data() + block.size();
    for (const char* p = block.data(); p < block_end;) {
      const char* q = block_end;
      if (static_cast<std::size_t>(block_end - p) > part_bytes) {
        const char* cut = p + part_bytes;
        q = static_cast<const char*>(
                std::memchr(cut, '\n', static_cast<std::size_t>(block_end - cut))) +
            1;
      }
      parts.push_back({p, q, 0});
      p = q;
    }
    const int count = static_cast<int>(parts.size());
    if (results.size() < parts.size()) results.resize(parts.size());
    const int threads = std::min(in.context().threads, count);
    if (options.rows) {
#pragma omp parallel for num_threads(threads) if (threads > 1)
      for (int i = 0; i < count; ++i)
        results[i].rows = count_rows(parts[i].begin, parts[i].end, options.comment);
      for (int i = 0; i < count; ++i) {
        parts[i].row = rows_before;
        rows_before += results[i].rows;
      }
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
    for (int i = 0; i < count; ++i) {
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
    }
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
    in.advance_lines(count_newlines(block.data(), block_end));
    in.context().tick(in.source().raw_position(), in.source().raw_size(), sink.edges());
  }
  return rows_before;
}

}  // namespace gossamer::io
