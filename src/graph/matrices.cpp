#include "gossamer/graph/matrices.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/random.hpp"

namespace gossamer {

namespace {

constexpr std::int64_t most_rows = 2147483647;  // columns are 32-bit ids

[[noreturn]] void fail(std::string_view spec, const std::string& why) {
  throw usage_error("matrix '" + std::string(spec) + "': " + why +
                    " (poisson:NX[xNY[xNZ]], for example poisson:64x64x64, or "
                    "band:ROWS:NON_ZEROS[:SEED], for example band:9000:3279690)");
}

std::vector<std::int64_t> numbers(std::string_view spec, std::string_view text, char separator,
                                  std::size_t least, std::size_t most) {
  std::vector<std::int64_t> values;
  for (;;) {
    const auto end = text.find(separator);
    const std::string_view field = text.substr(0, end);
    std::int64_t value = 0;
    const auto [stop, wrong] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (field.empty() || wrong != std::errc() || stop != field.data() + field.size() || value < 0)
      fail(spec, std::string("'").append(field).append("' is not a number"));
    values.push_back(value);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (values.size() < least || values.size() > most) fail(spec, "wrong number of fields");
  return values;
}

void check_memory(std::string_view spec, std::int64_t rows, std::int64_t entries,
                  std::int64_t memory) {
  const std::int64_t bytes = (rows + 1) * 8 + entries * 12;
  const auto limit = host_memory_limit();
  const std::int64_t most = memory > 0 ? memory : limit.bytes;
  if (bytes > most)
    throw capacity_error("matrix '" + std::string(spec) + "': " + std::to_string(rows) + " rows, " +
                         std::to_string(entries) + " entries need " +
                         configuration::format_bytes(bytes) + ", the limit is " +
                         configuration::format_bytes(most));
}

/// Rows of known length: the caller's functions say how long row i is and write it.
template <class Length, class Write>
graph build(std::string_view name, std::int64_t n, const std::string& source, Length length,
            Write write) {
  graph g;
  g.name = name;
  g.offsets = shared_array<edge_offset>(static_cast<std::size_t>(n) + 1);
  g.offsets[0] = 0;
  for (std::int64_t i = 0; i < n; ++i)
    g.offsets[static_cast<std::size_t>(i) + 1] = g.offsets[static_cast<std::size_t>(i)] + length(i);
  const auto entries = static_cast<std::size_t>(g.arcs());
  shared_array<vertex32> columns(entries);
  shared_array<double> values(entries);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    const edge_offset at = g.offsets[static_cast<std::size_t>(i)];
    write(i, columns.data() + at, values.data() + at);
  }
  g.indices = columns;
  g.weights = values;
  g.symmetric = true;
  g.weight_source = source;
  return g;
}

graph make_poisson(std::string_view spec, std::string_view text, std::int64_t memory) {
  auto sides = numbers(spec, text, 'x', 1, 3);
  const double diagonal = 2 * static_cast<double>(sides.size());
  sides.resize(3, 1);
  std::int64_t n = 1;
  for (const std::int64_t side : sides) {
    if (side < 1) fail(spec, "a side is 0");
    if (side > most_rows / n) fail(spec, "more than 2147483647 rows");
    n *= side;
  }
  check_memory(spec, n, 7 * n, memory);
  const std::int64_t nx = sides[0], ny = sides[1], nz = sides[2], plane = nx * ny;
  // Neighbours of grid point i in ascending order; f is called with their rows.
  const auto around = [=](std::int64_t i, auto f) {
    const std::int64_t x = i % nx, y = i / nx % ny, z = i / plane;
    if (z > 0) f(i - plane);
    if (y > 0) f(i - nx);
    if (x > 0) f(i - 1);
    f(i);
    if (x + 1 < nx) f(i + 1);
    if (y + 1 < ny) f(i + nx);
    if (z + 1 < nz) f(i + plane);
  };
  return build(
      spec, n, "generated: Laplacian",
      [&](std::int64_t i) {
        edge_offset count = 0;
        around(i, [&](std::int64_t) { ++count; });
        return count;
      },
      [&](std::int64_t i, vertex32* columns, double* values) {
        around(i, [&](std::int64_t j) {
          *columns++ = static_cast<vertex32>(j);
          *values++ = j == i ? diagonal : -1;
        });
      });
}

/// Writes -w / 256 off the diagonal and what makes the row dominant on it.
void fill_row(std::int64_t i, const vertex32* columns, double* values, edge_offset count,
              std::uint64_t seed) {
  double others = 0;
  edge_offset diagonal = -1;
  for (edge_offset k = 0; k < count; ++k) {
    const std::int64_t j = columns[k];
    if (j == i) {
      diagonal = k;
      continue;
    }
    const double magnitude =
        symmetric_weight(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j), seed) /
        256.0;
    values[k] = -magnitude;
    others += magnitude;  // multiples of 2^-8: exact, in any order
  }
  values[diagonal] = others + 1;
}

graph make_band(std::string_view spec, std::string_view text, std::int64_t memory) {
  const auto fields = numbers(spec, text, ':', 2, 3);
  const std::int64_t n = fields[0], wanted = fields[1];
  if (n < 1 || n > most_rows) fail(spec, "ROWS must be 1 … 2147483647");
  const auto full = static_cast<long double>(n) * static_cast<long double>(n);
  if (wanted < n || static_cast<long double>(wanted) > full)
    fail(spec, "NON_ZEROS must be between ROWS and ROWS * ROWS");
  check_memory(spec, n, wanted, memory);
  const auto seed = static_cast<std::uint64_t>(fields.size() > 2 ? fields[2] : 1);
  // Whole diagonals at distance 1 … width, then the first `rest` entries of the next one.
  std::int64_t pairs = (wanted - n + 1) / 2, width = 0;
  while (width + 1 < n && pairs >= n - (width + 1)) pairs -= n - ++width;
  const std::int64_t rest = pairs, next = width + 1;
  const auto first_column = [=](std::int64_t i) { return std::max<std::int64_t>(0, i - width); };
  const auto end_column = [=](std::int64_t i) { return std::min(n, i + width + 1); };
  const auto extra_left = [=](std::int64_t i) { return i - next >= 0 && i - next < rest; };
  const auto extra_right = [=](std::int64_t i) { return i < rest; };
  return build(
      spec, n, "generated: diagonally dominant, seed " + std::to_string(seed),
      [&](std::int64_t i) {
        return end_column(i) - first_column(i) + (extra_left(i) ? 1 : 0) + (extra_right(i) ? 1 : 0);
      },
      [&](std::int64_t i, vertex32* columns, double* values) {
        vertex32* at = columns;
        if (extra_left(i)) *at++ = static_cast<vertex32>(i - next);
        for (std::int64_t j = first_column(i); j < end_column(i); ++j)
          *at++ = static_cast<vertex32>(j);
        if (extra_right(i)) *at++ = static_cast<vertex32>(i + next);
        fill_row(i, columns, values, at - columns, seed);
      });
}

}  // namespace

bool is_matrix_generator(std::string_view text) {
  return text.substr(0, 8) == "poisson:" || text.substr(0, 5) == "band:";
}

graph generate_matrix(std::string_view spec, std::int64_t memory) {
  const auto colon = spec.find(':');
  if (!is_matrix_generator(spec)) fail(spec, "unknown name");
  const std::string_view text = spec.substr(colon + 1);
  return spec[0] == 'p' ? make_poisson(spec, text, memory) : make_band(spec, text, memory);
}

graph with_values(const graph& pattern, std::uint64_t seed) {
  graph g = pattern;
  g.weights = std::monostate();
  if (!pattern.symmetric && !is_symmetric(g))
    throw input_error(pattern.name + ": the pattern is not symmetric");
  require(g.id_width() == 4, "with_values: at most 2147483647 rows");
  const auto rows = g.view<vertex32>();
  for (std::int64_t i = 0; i < g.vertices(); ++i) {
    const auto ids = rows.row(i);
    const auto [from, to] = std::equal_range(ids.begin(), ids.end(), static_cast<vertex32>(i));
    if (to - from != 1)
      throw input_error(pattern.name + ": row " + std::to_string(g.names.name(i)) + " stores " +
                        std::to_string(to - from) + " diagonal entries, one is needed");
  }
  shared_array<double> values(static_cast<std::size_t>(g.arcs()));
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < g.vertices(); ++i)
    fill_row(i, rows.row(i).data(), values.data() + rows.offsets[i],
             rows.offsets[i + 1] - rows.offsets[i], seed);
  g.weights = values;
  g.symmetric = true;
  g.weight_source = "generated: diagonally dominant, seed " + std::to_string(seed);
  return g;
}

}  // namespace gossamer
