// Galois binary CSR (.gr), versions 1 and 2, little endian:
//
//   u64 version, u64 bytes of edge data, u64 n, u64 m, u64 row end[n], column[m] of u32 (v1) or
//   u64 (v2), in v1 four bytes of padding when m is odd, edge data[m].
//
// Edge data of 4 bytes is int32 and of 8 bytes int64 unless FILE.metadata says otherwise.
// FILE.metadata is a text file of settings, one a line, "key value", "key = value" or
// "--key=value", # comments. Two are read from it. `edge_data` = int32 | uint32 | float32 | int64 |
// float64 decides the type of the edge data. `prio_delta` (Groute's word) or `delta`, a positive
// number, advises searches how wide windows of distances should be (advice.hpp). All settings are
// kept, as written, in graph::steps ("metadata: …"), for people.
#include <charconv>
#include <cmath>

#include "gossamer/graph/advice.hpp"
#include "graph/io/byte_source.hpp"
#include "graph/io/csr_arrays.hpp"
#include "graph/io/readers.hpp"
#include "graph/io/tokens.hpp"

namespace gossamer::io {
namespace {

struct settings {
  std::optional<std::string> edge_data;
  std::vector<std::string> lines;
};

/// As it was written; where it is no width, that is an error of this line.
void check_delta(const std::string& key, const std::string& value, const std::string& file,
                 std::int64_t line) {
  double width = 0;
  const char* const end = value.data() + value.size();
  const auto [stopped, code] = std::from_chars(value.data(), end, width);
  if (code != std::errc() || stopped != end || !std::isfinite(width) || width <= 0)
    fail_at_line(file, line, key + " = '" + shown(value) + "' is not a positive number");
}

settings parse_metadata(const std::string& text, const std::string& file) {
  settings out;
  std::size_t at = 0;
  auto trimmed = [](const std::string& s) {
    const auto first = s.find_first_not_of(" \t\r");
    if (first == std::string::npos) return std::string();
    return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
  };
  for (std::int64_t number = 1; at < text.size(); ++number) {
    auto end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    std::string line = trimmed(text.substr(at, end - at));
    at = end + 1;
    if (line.empty() || line[0] == '#') continue;
    while (!line.empty() && line[0] == '-') line.erase(0, 1);
    const auto split = line.find_first_of("=: \t");
    const std::string key = line.substr(0, split);
    std::string value;
    if (split != std::string::npos) {
      const auto start = line.find_first_not_of("=: \t", split);
      if (start != std::string::npos) value = line.substr(start);
    }
    if (key == "edge_data") out.edge_data = value;
    if (key == "prio_delta" || key == "delta") check_delta(key, value, file, number);
    out.lines.push_back(metadata_step(key, value));
  }
  return out;
}

/// The text of a file of settings, when there is one.
std::optional<std::string> text_of(const std::string& path) {
  std::unique_ptr<byte_source> source;
  try {
    source = file_source(path);
  } catch (const input_error&) {
    return {};
  }
  // Advice of a few lines: what is longer is not that.
  std::string text(64 << 10, '\0');
  text.resize(source->read(text.data(), text.size()));
  return text;
}

}  // namespace

graph read_galois(const byte_image& image, const read_context& context) {
  binary_reader in(image, context);
  const auto version = in.take<std::uint64_t>("version");
  if (version == std::uint64_t{1} << 56 || version == std::uint64_t{2} << 56)
    in.fail_at(0, "the byte order is big endian; Galois files are little endian");
  if (version != 1 && version != 2)
    in.fail_at(0, "not a Galois graph: version " + std::to_string(version) + " (1 and 2 are read)");
  const auto edge_bytes = in.take<std::uint64_t>("size of the edge data");
  if (edge_bytes != 0 && edge_bytes != 4 && edge_bytes != 8)
    in.fail_at(
        8, "edge data of " + std::to_string(edge_bytes) + " bytes is not read (0, 4 and 8 are)");
  const std::int64_t n = in.take_count("number of vertices");
  const std::int64_t m = in.take_count("number of arcs");
  if (n == 0) in.fail_at(16, "the graph has no vertices");

  const std::int64_t rows_at = in.position();
  const char* rows = in.take_array<std::uint64_t>(n, "row offsets");
  const std::int64_t columns_at = in.position();
  const std::int64_t width = version == 1 ? 4 : 8;
  const char* columns = version == 1 ? in.take_array<std::uint32_t>(m, "columns")
                                     : in.take_array<std::uint64_t>(m, "columns");
  const char* data = nullptr;
  std::int64_t data_at = 0;
  if (version == 1 && m % 2 == 1 && (edge_bytes > 0 || in.left() == 4))
    in.take_array<char>(4, "padding");
  if (edge_bytes > 0) {
    data_at = in.position();
    data = edge_bytes == 4 ? in.take_array<std::uint32_t>(m, "edge data")
                           : in.take_array<std::uint64_t>(m, "edge data");
  }
  in.expect_end("graph");
  context.settle(
      context.csr_plan(n, m, static_cast<int>(edge_bytes), image.held ? image.size() : 0));

  graph g;
  g.offsets = shared_array<edge_offset>(static_cast<std::size_t>(n) + 1);
  g.offsets[0] = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    const auto end = load<std::uint64_t>(rows, v);
    if (end > static_cast<std::uint64_t>(m) ||
        static_cast<std::int64_t>(end) < g.offsets[static_cast<std::size_t>(v)])
      in.fail_at(rows_at + 8 * v, "row " + std::to_string(v) + " ends at " + std::to_string(end) +
                                      ", before it starts or after the last arc");
    g.offsets[static_cast<std::size_t>(v) + 1] = static_cast<std::int64_t>(end);
  }
  if (g.offsets[static_cast<std::size_t>(n)] != m)
    in.fail_at(24, "the header says " + std::to_string(m) + " arcs, the rows hold " +
                       std::to_string(g.offsets[static_cast<std::size_t>(n)]));
  auto at = [&](std::int64_t i) { return columns_at + width * i; };
  if (id_bytes(n) == 4) {
    g.indices = version == 1 ? take_columns<vertex32, std::uint32_t>(columns, m, n, context, at)
                             : take_columns<vertex32, std::uint64_t>(columns, m, n, context, at);
  } else {
    g.indices = version == 1 ? take_columns<vertex64, std::uint32_t>(columns, m, n, context, at)
                             : take_columns<vertex64, std::uint64_t>(columns, m, n, context, at);
  }

  settings known;
  if (context.on_disk) {
    const std::string beside = without_compression_suffix(context.path) + ".metadata";
    if (const auto metadata = text_of(beside)) known = parse_metadata(*metadata, beside);
  }
  if (edge_bytes > 0) {
    const std::string type = known.edge_data.value_or(edge_bytes == 4 ? "int32" : "int64");
    const bool four = type == "int32" || type == "uint32" || type == "float32";
    const bool eight = type == "int64" || type == "float64";
    if ((!four && !eight) || (four && edge_bytes != 4) || (eight && edge_bytes != 8))
      in.fail_at(8, "edge data of " + std::to_string(edge_bytes) + " bytes cannot be '" +
                        shown(type) + "', as the metadata file says");
    const auto take = [&]<class From>(From) {
      file_weights<From> weights(m);
      if (const std::int64_t good = weights.add(data, m); good < m)
        in.fail_at(data_at + static_cast<std::int64_t>(edge_bytes) * good, weights.complaint);
      g.weights = weights.done();
    };
    if (type == "int32")
      take(std::int32_t{});
    else if (type == "uint32")
      take(std::uint32_t{});
    else if (type == "int64")
      take(std::int64_t{});
    else if (type == "float32")
      take(float{});
    else
      take(double{});
  }
  g = finish_csr(std::move(g), context);
  g.steps.insert(g.steps.end(), known.lines.begin(), known.lines.end());
  return g;
}

}  // namespace gossamer::io
