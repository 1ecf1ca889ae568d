// Partition files as METIS writes them: line v holds the part of vertex v, from 0.
#include "graph/io/parse_parts.hpp"
#include "graph/io/readers.hpp"

namespace gossamer {
namespace io {

std::vector<std::int32_t> read_partition_text(text_stream& in, std::int64_t vertices, int parts) {
  std::vector<std::int32_t> out;
  const std::int64_t most = parts > 0 ? parts - 1 : INT32_MAX;
  for (std::string_view line; in.next_line(line);) {
    parse_line(in, line, [&](const char* p) {
      skip_blanks(p);
      if (*p == '\n') return;
      const std::int64_t part = take_id(p, "part");
      expect_line_end(p);
      if (part > most)
        throw bad_text{p,
                       "part " + std::to_string(part) + " is outside 0.." + std::to_string(most)};
      if (static_cast<std::int64_t>(out.size()) == vertices)
        throw bad_text{p, "more lines than the graph's " + std::to_string(vertices) + " vertices"};
      out.push_back(static_cast<std::int32_t>(part));
    });
  }
  if (static_cast<std::int64_t>(out.size()) < vertices)
    in.fail_at(in.next_line_number(), "the partition ends after " + std::to_string(out.size()) +
                                          " of " + std::to_string(vertices) + " vertices");
  in.expect_ended();
  return out;
}

}  // namespace io

std::vector<std::int32_t> read_partition(const std::string& path, std::int64_t vertices, int parts,
                                         const std::stop_token& stop) {
  require(vertices >= 0, "read_partition: negative number of vertices");
  read_options options;
  options.threads = 1;
  options.stop = stop;
  const io::read_context context(path, options);
  io::text_stream in(io::decompressing(io::file_source(path, "a partition"), path, context.limit),
                     context, 1 << 20);
  return io::read_partition_text(in, vertices, parts);
}

}  // namespace gossamer
