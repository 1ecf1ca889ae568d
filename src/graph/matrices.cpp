// The generators of matrices (Poisson stencils, bands, given patterns), each as a row's length and
// a function that writes it.
#include "gossamer/graph/matrices.hpp"

#include <algorithm>
#include <atomic>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/random.hpp"
#include "graph/make_matrix.hpp"
#include "graph/parallel.hpp"

namespace gossamer {

namespace {

/// Calls work(i) for every row, in parallel, a stop looked for before each block. Blocks hold about
/// 2^17 entries (a millisecond); `done(share)` is called after each.
template <class Work, class Done>
void for_rows(std::int64_t rows, std::int64_t entries, int threads, const std::stop_token& stop,
              const char* what, const Work& work, const Done& done) {
  const std::int64_t a_row = entries / std::max<std::int64_t>(1, rows) + 1;
  const std::int64_t size = std::clamp<std::int64_t>((1 << 17) / a_row, 1, 1 << 16);
  const std::int64_t blocks = (rows + size - 1) / size;
  std::atomic<std::int64_t> made{0};
  detail::parallel_blocks(detail::resolve_threads(threads), blocks, [&](int, std::int64_t block) {
    detail::check_stop(stop, what);
    const std::int64_t last = std::min(rows, (block + 1) * size);
    for (std::int64_t i = block * size; i < last; ++i) work(i);
    done(static_cast<double>(made.fetch_add(1, std::memory_order_relaxed) + 1) /
         static_cast<double>(blocks));
  });
}

/// Rows of known length: the caller's functions say how long row i is and write it.
template <class Id, class Length, class Write>
graph build(const generator_spec& spec, const generate_options& options, const Length& length,
            const Write& write) {
  const std::int64_t n = spec.vertices(), entries = spec.candidates();
  const std::string what = "generating " + spec.text;
  /// Share of the progress bar that the row lengths take.
  constexpr double lengths = 0.2;
  const auto report = [&](double from, double to) {
    return [&options, from, to](double part) {
      if (options.progress) options.progress(from + (to - from) * part);
    };
  };
  graph g;
  g.offsets = shared_array<edge_offset>(static_cast<std::size_t>(n) + 1);
  edge_offset* const offsets = g.offsets.data();
  for_rows(
      n, 8 * n, options.threads, options.stop, what.c_str(),
      [&](std::int64_t i) { offsets[i + 1] = length(i); }, report(0, lengths));
  offsets[0] = 0;
  detail::stop_watch watch(options.stop, what.c_str());
  for (std::int64_t i = 0; i < n; ++i) {
    watch.step();
    offsets[i + 1] += offsets[i];
  }
  shared_array<Id> columns(static_cast<std::size_t>(entries));
  shared_array<double> values(static_cast<std::size_t>(entries));
  for_rows(
      n, entries, options.threads, options.stop, what.c_str(),
      [&](std::int64_t i) { write(i, columns.data() + offsets[i], values.data() + offsets[i]); },
      report(lengths, 1));
  g.indices = columns;
  g.weights = values;
  g.symmetric = true;
  return g;
}

template <class Id>
graph make_poisson(const generator_spec& spec, const generate_options& options) {
  const std::int64_t nx = spec.width, ny = spec.height, nz = spec.depth, plane = nx * ny;
  const double diagonal = 2 * spec.dimensions;
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
  graph g = build<Id>(
      spec, options,
      [&](std::int64_t i) {
        edge_offset count = 0;
        around(i, [&](std::int64_t) { ++count; });
        return count;
      },
      [&](std::int64_t i, Id* columns, double* values) {
        around(i, [&](std::int64_t j) {
          *columns++ = static_cast<Id>(j);
          *values++ = j == i ? diagonal : -1;
        });
      });
  g.weight_source = "generated: Laplacian";
  return g;
}

std::string dominant(std::uint64_t seed) {
  return "generated: diagonally dominant, seed " + std::to_string(seed);
}

/// Writes -w / 256 off the diagonal, and on it what makes the row dominant by 1 to 2. By as much in
/// every row, ones would be an eigenvector, and a system with them for a right-hand side solved in
/// one iteration.
template <class Id>
void fill_row(std::int64_t i, const Id* columns, double* values, edge_offset count,
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
  const auto self = static_cast<std::uint64_t>(i);
  values[diagonal] = others + 1 + symmetric_weight(self, self, seed) / 256.0;
}

template <class Id>
graph make_band(const generator_spec& spec, const generate_options& options) {
  const std::int64_t n = spec.width;
  // Whole diagonals at distance 1 … width, then the first `rest` entries of the next one.
  std::int64_t pairs = (spec.candidates() - n) / 2, width = 0;
  while (width + 1 < n && pairs >= n - (width + 1)) pairs -= n - ++width;
  const std::int64_t rest = pairs, next = width + 1;
  const auto first_column = [=](std::int64_t i) { return std::max<std::int64_t>(0, i - width); };
  const auto end_column = [=](std::int64_t i) { return std::min(n, i + width + 1); };
  const auto extra_left = [=](std::int64_t i) { return i - next >= 0 && i - next < rest; };
  const auto extra_right = [=](std::int64_t i) { return i < rest; };
  graph g = build<Id>(
      spec, options,
      [&](std::int64_t i) {
        return end_column(i) - first_column(i) + (extra_left(i) ? 1 : 0) + (extra_right(i) ? 1 : 0);
      },
      [&](std::int64_t i, Id* columns, double* values) {
        Id* at = columns;
        if (extra_left(i)) *at++ = static_cast<Id>(i - next);
        for (std::int64_t j = first_column(i); j < end_column(i); ++j) *at++ = static_cast<Id>(j);
        if (extra_right(i)) *at++ = static_cast<Id>(i + next);
        fill_row(i, columns, values, at - columns, spec.seed);
      });
  g.weight_source = dominant(spec.seed);
  return g;
}

/// Every row stores its diagonal once, or input_error names the first that does not.
template <class Id>
void check_diagonal(const graph& g, const csr_view<Id>& rows, const std::stop_token& stop) {
  detail::stop_watch watch(stop, "values for a pattern");
  for (std::int64_t i = 0; i < g.vertices(); ++i) {
    watch.step();
    const auto ids = rows.row(i);
    const auto [from, to] = std::equal_range(ids.begin(), ids.end(), static_cast<Id>(i));
    if (to - from != 1)
      throw input_error(g.name + ": row " + std::to_string(g.names.name(i)) + " stores " +
                        std::to_string(to - from) + " diagonal entries, one is needed");
  }
}

}  // namespace

namespace detail {

graph make_matrix(const generator_spec& spec, const generate_options& options) {
  const bool narrow = configuration::narrow_ids(spec.vertices());
  if (spec.kind == generator_kind::poisson)
    return narrow ? make_poisson<vertex32>(spec, options) : make_poisson<vertex64>(spec, options);
  return narrow ? make_band<vertex32>(spec, options) : make_band<vertex64>(spec, options);
}

}  // namespace detail

graph generate_matrix(std::string_view spec, const generate_options& options) {
  const generator_spec parsed = parse_generator(spec);
  if (!parsed.matrix())
    throw usage_error("generator '" + parsed.text +
                      "' makes no matrix (poisson: and band: do, for example poisson:64x64x64)");
  return generate(parsed, options);
}

graph with_values(const graph& pattern, std::uint64_t seed, int threads,
                  const std::stop_token& stop) {
  graph g = pattern;
  g.weights = std::monostate();
  if (!pattern.symmetric && !is_symmetric(g, threads, stop))
    throw input_error(pattern.name + ": the pattern is not symmetric");
  shared_array<double> values(static_cast<std::size_t>(g.arcs()));
  g.visit([&](const auto& rows) {
    check_diagonal(g, rows, stop);
    for_rows(
        g.vertices(), g.arcs(), threads, stop, "values for a pattern",
        [&](std::int64_t i) {
          fill_row(i, rows.row(i).data(), values.data() + rows.offsets[i],
                   rows.offsets[i + 1] - rows.offsets[i], seed);
        },
        [](double) {});
  });
  g.weights = values;
  g.symmetric = true;
  g.weight_source = dominant(seed);
  return g;
}

}  // namespace gossamer
