// Which format is this? By magic numbers and by the shape of the first lines; a suffix decides only
// where content cannot: METIS against edge lists of two columns, .sg against .wsg in compressed
// files, Graph500 edges, which have no magic at all, and CSV whose first rows differ in columns.
#include <algorithm>
#include <cstring>

#include "graph/io/gossamer_format.hpp"
#include "graph/io/readers.hpp"
#include "graph/io/tokens.hpp"

namespace gossamer::io {
namespace {

std::int64_t word64(std::string_view head, std::size_t at) {
  std::int64_t v = -1;
  if (head.size() >= at + 8) std::memcpy(&v, head.data() + at, 8);
  return v;
}

bool small_count(std::int64_t v) {
  return v >= 0 && v < (std::int64_t{1} << 48);
}

std::optional<file_format> sniff_gapbs(std::string_view head, std::int64_t size,
                                       const std::string& name) {
  if (head.size() < 25 || static_cast<unsigned char>(head[0]) > 1) return {};
  const std::int64_t m = word64(head, 1), n = word64(head, 9);
  if (!small_count(m) || n < 0 || n > INT32_MAX || word64(head, 17) != 0) return {};
  const std::int64_t halves = head[0] == 1 ? 2 : 1;
  const std::int64_t plain = 17 + halves * (8 * (n + 1) + 4 * m), pairs = plain + halves * 4 * m;
  // A name comes first: with weights that are cut off, a file may be as long as one without.
  if (without_compression_suffix(name).ends_with(".wsg")) return file_format::gapbs_weighted;
  if (size == plain || without_compression_suffix(name).ends_with(".sg")) return file_format::gapbs;
  if (size == pairs) return file_format::gapbs_weighted;
  return {};
}

/// A Galois file of a version that is not read: its reader says so better than "unknown format".
bool newer_galois(std::string_view head, std::int64_t size) {
  const std::int64_t version = word64(head, 0), edge_bytes = word64(head, 8);
  const std::int64_t n = word64(head, 16), m = word64(head, 24);
  return version >= 3 && version < 16 && (edge_bytes == 0 || edge_bytes == 4 || edge_bytes == 8) &&
         small_count(n) && small_count(m) && (size < 0 || size >= 32 + 8 * n + 4 * m);
}

struct line_shape {
  int words = 0;
  bool numbers = true;  ///< all words look like numbers
  bool zero = false;    ///< the first one is 0
};

line_shape shape_of(std::string_view line) {
  line_shape s;
  const auto first = line.find_first_not_of(" \t\r");
  s.zero = first != std::string_view::npos && line[first] == '0' &&
           (first + 1 == line.size() || is_blank(line[first + 1]));
  bool inside = false;
  for (char c : line) {
    if (is_blank(c)) {
      inside = false;
      continue;
    }
    if (!inside) ++s.words;
    inside = true;
    s.numbers &= is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
  }
  return s;
}

/// Whether the first two lines that are no comments have as many columns, more than one.
bool looks_like_csv(std::string_view head, bool whole) {
  std::int64_t first = 0;
  while (!head.empty()) {
    const auto end = std::min(head.find('\n'), head.size());
    if (end == head.size() && !whole) break;
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 1, head.size()));
    const auto at = line.find_first_not_of(" \t\r");
    if (at == std::string_view::npos || (first == 0 && (line[at] == '#' || line[at] == '%')))
      continue;
    const std::int64_t now = separators_of(line).count;
    if (first > 0) return now == first;
    if (now == 0) return false;
    first = now;
  }
  return first > 0;
}

std::optional<file_format> sniff_text(std::string_view head, bool whole, const std::string& name) {
  const std::string plain = without_compression_suffix(name);
  const bool named_csv = plain.ends_with(".csv") || plain.ends_with(".tsv");
  for (char c : head)
    if (c == '\0' || (static_cast<unsigned char>(c) < 9)) return {};
  std::vector<line_shape> lines;
  bool hash_comments = false;
  for (std::size_t at = 0; at < head.size() && lines.size() < 1000;) {
    auto end = head.find('\n', at);
    if (end == std::string_view::npos) {
      if (!whole && !lines.empty()) break;  // the last line may be cut
      end = head.size();
    }
    const std::string_view line = head.substr(at, end - at);
    at = end + 1;
    const auto first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] == '#') {
      hash_comments = true;
      continue;
    }
    if (first != std::string_view::npos && line[first] == '%') continue;
    if (lines.empty()) {
      if (first == std::string_view::npos) continue;
      if (named_csv) {
        // No comments of DIMACS: columns may be called p and c.
      } else if (line[first] == 'p' && line.size() > 1 && is_blank(line[1])) {
        return file_format::dimacs;
      } else if (line[first] == 'c' && (line.size() == 1 || is_blank(line[1]))) {
        // DIMACS comments: they lead to a 'p' line, unless that lies behind the sample.
        continue;
      }
    }
    lines.push_back(shape_of(line));
  }
  if (lines.empty())
    return hash_comments                     ? std::optional(file_format::edge_list)
           : !head.empty() && head[0] == 'c' ? std::optional(file_format::dimacs)
                                             : std::nullopt;
  const line_shape& header = lines[0];
  if (!header.numbers)
    return named_csv || looks_like_csv(head, whole) ? std::optional(file_format::csv)
                                                    : std::nullopt;
  if (named_csv && header.words != 2 && header.words != 3) return file_format::csv;
  if (header.words == 1 && !hash_comments) return file_format::webgraph;
  // The columns of an edge list are the same in every line that is not blank.
  bool even = true;
  for (const auto& l : lines) even &= l.words == 0 || l.words == header.words;
  const bool columns = header.words == 2 || header.words == 3;
  if (hash_comments) return file_format::edge_list;
  const bool named_metis = plain.ends_with(".graph") || plain.ends_with(".metis");
  // A graph without vertices is no graph: a header that begins with 0 is an edge, its file damaged.
  if (header.words >= 2 && header.words <= 4 &&
      (named_metis || (!named_csv && !even && !header.zero)))
    return file_format::metis;
  if (columns) return file_format::edge_list;
  return {};
}

}  // namespace

std::optional<file_format> sniff(std::string_view head, bool whole, std::int64_t size,
                                 const std::string& name) {
  if (head.substr(0, 4) == std::string_view(gsr_magic, 4)) return file_format::gossamer;
  if (head.substr(0, 4) == "PK\x03\x04" || head.substr(0, 4) == "PK\x05\x06")
    return file_format::npz;
  if (head.substr(0, 2) == "%%") return file_format::matrix_market;
  const std::int64_t version = word64(head, 0), edge_bytes = word64(head, 8);
  if ((version == 1 || version == 2) && (edge_bytes == 0 || edge_bytes == 4 || edge_bytes == 8) &&
      small_count(word64(head, 16)) && small_count(word64(head, 24)))
    return file_format::galois;
  if (version == std::int64_t{1} << 56 || version == std::int64_t{2} << 56)
    return file_format::galois;
  if (auto found = sniff_gapbs(head, size, name)) return found;
  if (auto found = sniff_text(head, whole, name)) return found;
  const std::string plain = without_compression_suffix(name);
  if ((plain.ends_with(".packed") || plain.ends_with(".g500")) && size > 0 && size % 12 == 0)
    return file_format::graph500;
  if (newer_galois(head, size)) return file_format::galois;
  return {};
}

}  // namespace gossamer::io
