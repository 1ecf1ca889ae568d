// Reading and writing graphs: one call each, every format behind it.
//
// Readers look at the content, never at the suffix alone, and take .gz, .xz and .zst as they are.
// Errors: input_error with "FILE:LINE: " (text) or "FILE: byte N: " (binary, N from 0 in the
// uncompressed data); capacity_error with the plan when the graph does not fit the memory limit;
// not_compiled when a compressed file needs a library this build lacks; cancelled_error on a stop.
// Text that says how much it holds must end its last line, or its last number may be cut. Nothing
// tells that an edge list without "# Edges: M", a CSV or a file of packed edges is cut short.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// Graph file formats; names and suffixes are listed by formats().
enum class file_format {
  automatic,       ///< decided by the content (reading) or the suffix (writing)
  matrix_market,   ///< coordinate real|integer|pattern, general|symmetric|skew-symmetric
  edge_list,       ///< SNAP: "u v [w]" a line, # or % comments; sparse ids are renumbered
  csv,             ///< an edge a row, with a header or without; ends may be texts
  dimacs,          ///< 9th DIMACS challenge: "p sp n m", "a u v w"
  galois,          ///< Galois binary CSR v1 and v2, with FILE.metadata where there is one
  metis,           ///< "n m [fmt [ncon]]", then one line of neighbours a vertex
  gapbs,           ///< GAP Benchmark Suite .sg (serialised CSR without weights)
  gapbs_weighted,  ///< GAP Benchmark Suite .wsg (neighbour, int32 weight pairs)
  webgraph,        ///< WebGraph ASCII: n, then one line of 0-based successors a vertex
  graph500,        ///< Graph500 packed edges: 12 bytes an edge, no header
  npz,             ///< SciPy save_npz (CSR, CSC, COO) or arrays indptr, indices[, data|weights]
  gossamer         ///< Gossamer's memory-mapped binary
};

/// One row of the list of formats.
struct format_info {
  file_format format;
  std::string_view name;      ///< the word used on the command line
  std::string_view title;     ///< for people
  std::string_view suffixes;  ///< usual suffixes, separated by spaces
  bool reads, writes;
};

/// All formats, in the order of the enumeration (without `automatic`).
std::span<const format_info> formats();
/// The name of a format; "auto" for `automatic`.
std::string_view format_name(file_format format);
/// The format called `name`; usage_error listing all names otherwise.
file_format format_from_name(std::string_view name);
/// The format of a file by its content; the suffix decides only between formats that the content
/// cannot tell apart. input_error when nothing fits.
file_format sniff_format(const std::string& path);

/// What reading will take at its peak, item by item. Text inputs are planned twice: from the file
/// size, and again when the header or the last line says how many edges there are.
/// (Placements have a plan of their own: memory_plan.)
struct read_plan {
  struct item {
    std::string what;
    std::int64_t bytes;
  };
  std::string file;
  std::int64_t vertices = 0;  ///< 0 = not known yet
  std::int64_t arcs = 0;      ///< stored arcs, mirrored ones included
  bool estimated = false;     ///< counts come from the file size
  int weight_bytes = 0;       ///< of each weight, 0 without
  bool symmetric = false;     ///< the graph will be; false: not known to be
  std::vector<item> items;
  std::int64_t limit = 0;    ///< bytes
  std::string limit_source;  ///< where the limit comes from
  /// Sum of the items, saturating.
  [[nodiscard]] std::int64_t total() const;
  /// One line: counts, items, total, limit.
  [[nodiscard]] std::string text() const;
};

/// How far a read has come, in bytes of the file as it lies on disk.
struct read_progress {
  std::int64_t bytes = 0, total = 0;  ///< total is 0 when not known
  std::int64_t edges = 0;             ///< edges parsed so far
};

/// Columns of a table by their names in its header; empty: found by the usual names, or by place.
/// Both ends or neither.
struct column_names {
  std::string source = {}, target = {}, weight = {};
  [[nodiscard]] bool any() const { return !(source.empty() && target.empty() && weight.empty()); }
};

/// How to read.
struct read_options {
  file_format format = file_format::automatic;
  column_names columns;           ///< of CSV and TSV; usage_error with another format
  build_options build;            ///< symmetrize, deduplicate, remove_self_loops
  int threads = 0;                ///< 0 = build.threads, and if that is 0 too, all cores
  std::int64_t memory_limit = 0;  ///< bytes; 0 = host_memory_limit()
  bool verify_data = true;        ///< false: Gossamer binaries are mapped with only the header
                                  ///< checked; a damaged file may then crash later, and a
                                  ///< forged one give wrong results
  std::function<void(const read_plan&)> on_plan;          ///< may throw to stop after the plan
  std::function<void(const read_progress&)> on_progress;  ///< called about every MiB of text
  std::stop_token stop;
};

/// Reads a graph file. Rows are sorted; `name` is the file name without its folder; `format` says
/// what it was read as (a word of formats()), whether found from the content or given;
/// `weight_source` is "file" when weights were read. Ids are 32 bits when n < 2^31. Explicit zeros
/// and parallel arcs are kept. Graphs without vertices are refused. A Gossamer binary that is not
/// compressed is mapped: a run after its file was cut short or written to is an input_error
/// (graph/mapped_file.hpp).
graph read_graph(const std::string& path, const read_options& options = {});

/// The same from bytes in memory; `name` stands for the file name in messages and decides like a
/// suffix would. `bytes` must outlive the graph only for Gossamer binaries, and must then be
/// aligned to 64 bytes (otherwise they are copied).
graph read_graph(std::span<const std::byte> bytes, const std::string& name,
                 const read_options& options);

/// Writes a graph: Matrix Market, Galois (v2 if its ids have 64 bits), npz or Gossamer binary;
/// `automatic` goes by the suffix. The file appears whole or not at all; pipes and devices are
/// refused (base/output_file.hpp lists the errors). cancelled_error, and no file, soon after a stop
/// is requested.
void write_graph(const graph& g, const std::string& path,
                 file_format format = file_format::automatic, const std::stop_token& stop = {});

/// Reads METIS's partition format, one part id from 0 a line, for `vertices` vertices. If `parts`
/// is positive, ids must be smaller. cancelled_error soon after a stop is requested.
std::vector<std::int32_t> read_partition(const std::string& path, std::int64_t vertices,
                                         int parts = 0, const std::stop_token& stop = {});

}  // namespace gossamer
